"""How motion is stored: one reader or writer per format, and the take folder."""
