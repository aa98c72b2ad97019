"""Physics-based motion capture: recover the controller behind a recorded motion."""

__version__ = "0.1.0"
