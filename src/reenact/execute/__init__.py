"""Where it runs: threads here, other machines elsewhere."""
