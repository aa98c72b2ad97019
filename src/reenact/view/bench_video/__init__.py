"""What `reenact bench video` runs: drawn videos with exact truth, real ones, and machines in new worlds."""
