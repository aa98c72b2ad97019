"""What drives it: controllers as data."""
