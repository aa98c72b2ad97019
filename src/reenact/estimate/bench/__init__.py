"""What the benches of all methods share: records of runs that are kept, tables, pages that tables stand in."""
