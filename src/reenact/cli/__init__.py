"""One command, `reenact`."""
