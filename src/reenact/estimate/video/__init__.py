"""From what a camera saw to how a body moved: poses that explain masks, before any physics."""
