"""`reenact bench states`: its lines, its runs and its tables."""
