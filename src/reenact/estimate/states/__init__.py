"""State machines from recorded motion [V12]."""
