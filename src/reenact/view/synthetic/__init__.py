"""Drawn videos of recorded motions with exact truth beside them, for measuring what a capture from video finds."""
