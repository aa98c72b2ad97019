"""What a person sees: the browser page, the report, movies."""
