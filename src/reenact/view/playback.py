"""The clock of a viewer: playing, seeking and stepping through a take, without knowing what is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SPEEDS: Final = (0.1, 0.25, 0.5, 1.0, 2.0)


@dataclass(slots=True)
class Playback:
    """Where a viewer stands in time; changed by whoever drives it."""

    duration: float  # [s]
    rate: float  # displayed frames a second
    time: float = 0.0  # seconds since the first frame
    speed: float = 1.0
    playing: bool = False

    @property
    def frame(self) -> int:
        """The displayed frame now."""
        return round(self.time * self.rate)

    def toggle(self) -> None:
        """Play or pause; from the end it begins again."""
        self.playing = not self.playing
        if self.playing and self.time >= self.duration - 0.5 / self.rate:
            self.time = 0.0

    def seek(self, time: float) -> None:
        """Go to `time` [s], clamped to the take."""
        self.time = min(max(time, 0.0), self.duration)

    def step(self, frames: int) -> None:
        """Pause and move by whole frames."""
        self.playing = False
        self.seek((self.frame + frames) / self.rate)

    def faster(self, by: int) -> None:
        """The next greater (+1) or smaller (-1) of the usual speeds."""
        nearest = min(range(len(SPEEDS)), key=lambda i: abs(SPEEDS[i] - self.speed))
        self.speed = SPEEDS[min(max(nearest + by, 0), len(SPEEDS) - 1)]

    def advance(self, seconds: float) -> None:
        """Let `seconds` of wall time pass; at the end it begins again."""
        if self.playing:
            ahead = self.time + seconds * self.speed
            self.time = ahead if ahead <= self.duration else ahead % self.duration if self.duration > 0 else 0.0
