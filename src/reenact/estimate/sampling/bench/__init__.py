"""`reenact bench sampling`: its rows, its runs and its tables."""
