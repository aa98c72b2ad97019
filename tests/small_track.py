"""Tracks found with as little work as there can be, for tests of what goes around them."""

from __future__ import annotations

import pytest

from reenact.cli import by_video
from reenact.estimate.video import several_beginnings, together, variants, whole
from reenact.estimate.video.settings import Settings


def small_track(patch: pytest.MonkeyPatch) -> None:
    """Few steps, one way, no mirror images, one beginning."""
    patch.setattr(several_beginnings, "BEGINNINGS", 1)
    patch.setattr(by_video, "track_settings", lambda: Settings(rounds=1, last_steps=2, ways=1, later_ways=1))
    patch.setattr(variants, "VARIANTS", (variants.AS_IS,))
    patch.setattr(together, "STEPS", 2)
    patch.setattr(together, "SHIFTS", (0.0,))
    patch.setattr(whole, "CYCLES", 1)
    patch.setattr(whole, "PRESSED", ((1, 1),))
