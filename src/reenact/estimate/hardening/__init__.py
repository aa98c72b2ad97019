"""Motions that end standing, practised under disturbances so that they bear a new world."""
