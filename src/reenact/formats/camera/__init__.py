"""Camera calibrations as other programs write them."""
