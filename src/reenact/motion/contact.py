"""A stretch of time during which a segment touches the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reenact.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """A segment on the ground from `start` to `end` [s] of the motion's own time."""

    segment: str
    start: float
    end: float

    def __post_init__(self) -> None:
        """Refuse a contact that ends before it begins."""
        if not (np.isfinite(self.start) and np.isfinite(self.end) and self.start <= self.end):
            raise InputError(f"contact of '{self.segment}' from {self.start} s to {self.end} s does not make sense")
