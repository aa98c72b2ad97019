"""Finding the cause: the control behind a recorded motion."""
