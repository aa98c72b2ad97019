"""What a track of poses is judged by, and how it is searched for."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from reenact.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Weights are those of half squares; accelerations are what is typical, beyond which a motion is unlikely."""

    masks: float = 1500.0  # of a frame's blurred difference, in shares of the mask's cells
    poses: float = 1.0  # of the pose model
    hinge: float = 90.0  # [rad/s²] of hinges that bend in the sagittal plane
    trunk: float = 40.0  # [rad/s²] of neck, trunk and wrists
    twist: float = 30.0  # [rad/s²] of twists, abductions and inversions: hardly seen from the side
    root: float = 8.0  # [m/s²]
    depth: float = 2.0  # [m/s²] of the root along the line of sight, where there is one view alone
    turning: float = 20.0  # [rad/s²] of the root
    slip: float = 0.1  # [m/s] of a foot on the ground
    slipping: float = 0.4  # [m/s] from which on a foot is taken to pass over the ground
    near: float = 0.03  # [m] height over the ground from which on a foot hardly touches it
    sink: float = 0.01  # [m] of a foot in the ground
    window: int = 8  # frames that are solved together as the track grows
    rounds: int = 3  # in which the masks are followed anew with a body of better girth from a better first pose
    steps: int = 2  # Newton steps for each frame that is added
    last_steps: int = 8  # for all frames together

    def __post_init__(self) -> None:
        """Refuse what is not positive."""
        for each in fields(self):
            value = getattr(self, each.name)
            if not (math.isfinite(value) and value > 0):
                raise InputError(f"setting '{each.name}' of a track is {value:g}, expected more than 0")
        if self.window < 3:
            raise InputError(f"a track grows with windows of {self.window} frames, expected 3 or more")
