"""A track with displacements: what sampling finds [L10]. At each sampling step the target pose is shifted by a row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from reenact.control.track import Track, row_text, rows_from_text
from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.physics.controller import Program
from reenact.physics.model import Model

KIND = "displaced"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Displaced:
    """Follow a track's angles plus the displacement of the sampling step that a moment lies in."""

    track: Track
    ends: tuple[int, ...]  # (n,) simulation step at which each sampling step ends, rising
    displacement: Array  # (n, A) [rad]

    def __post_init__(self) -> None:
        """Refuse steps and rows that do not belong together."""
        shape = (len(self.ends), len(self.track.axes))
        if not self.ends or self.displacement.shape != shape:
            raise InputError(f"displacements have shape {self.displacement.shape}, expected {shape}")
        if self.ends[0] < 1 or any(a >= b for a, b in zip(self.ends, self.ends[1:], strict=False)):
            raise InputError("sampling steps must end at rising times after 0")
        if not np.isfinite(self.displacement).all():
            raise InputError("displacements hold values that are not finite")

    def compile(self, model: Model) -> Program:
        """The program for this model."""
        return self.shifted().compile(model)

    def shifted(self) -> Track:
        """The track that aims where this controller does; the last displacement holds beyond the end.

        In step k a track aims at row k + 1, so rows begin + 1 … end belong to the sampling step from begin to end.
        """
        rows = np.searchsorted(self.ends, np.arange(len(self.track.angles)))
        angles = self.track.angles + self.displacement[np.minimum(rows, len(self.ends) - 1)]
        return replace(self.track, angles=angles)

    def to_json(self) -> dict[str, Any]:
        """A readable description: one line of numbers per sampling step, to the last digit, then the track."""
        description = self.track.to_json()
        own = {
            "kind": KIND,
            "sampling_ends_s": [round(end * self.track.timestep, 9) for end in self.ends],
            "displacements_rad": [row_text(row) for row in self.displacement],
        }
        head = {name: description.pop(name) for name in ("actuation", "timestep", "alpha", "axes")}
        return {"kind": KIND, **head, **own, **{k: v for k, v in description.items() if k != "kind"}}

    @staticmethod
    def from_json(description: dict[str, Any]) -> Displaced:
        """The controller behind a description."""
        track = Track.from_json(description)
        try:
            ends = tuple(round(float(end) / track.timestep) for end in description["sampling_ends_s"])
            rows = rows_from_text(description["displacements_rad"], len(track.axes), "displacements_rad")
        except KeyError as error:
            raise InputError(f"a displaced track lacks '{error.args[0]}'; it holds {', '.join(description)}") from None
        except (TypeError, ValueError) as error:
            raise InputError(f"a displaced track cannot be read: {error}") from None
        return Displaced(track=track, ends=ends, displacement=rows)
