"""What a track of poses is judged by, and how it is searched for."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace

from reenact.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Weights are those of half squares; accelerations are what is typical, beyond which a motion is unlikely."""

    masks: float = 1500.0  # of a frame's blurred difference, in shares of the mask's cells
    sharper: float = 3.0  # times that when all frames are solved together with a body of the right girth
    poses: float = 1.0  # of the pose model
    hinge: float = 90.0  # [rad/s²] of hinges that bend in the sagittal plane
    trunk: float = 40.0  # [rad/s²] of neck, trunk and wrists
    twist: float = 30.0  # [rad/s²] of twists, abductions and inversions: hardly seen from the side
    root: float = 8.0  # [m/s²]
    depth: float = 2.0  # [m/s²] of the root along the line of sight, where there is one view alone
    turning: float = 20.0  # [rad/s²] of the root
    sudden: float = 2.0  # times what is typical, from where on an acceleration costs little more
    slip: float = 0.1  # [m/s] of a foot on the ground
    slipping: float = 0.4  # [m/s] from which on a foot is taken to pass over the ground
    near: float = 0.03  # [m] height over the ground from which on a foot hardly touches it
    rest: float = 0.02  # [m] over the ground of a foot that rests on it
    hover: float = 0.08  # [m] over the ground from which on a slow foot is not taken to rest on it
    sink: float = 0.01  # [m] of a foot in the ground
    balance: float = 0.1  # [m] of the centre of mass from above what bears it, along the line of sight
    level: float = 0.2  # sine of the angle to the picture of trunk and limbs, where there is one view alone
    physics: float = 0.7  # [m/s²] that a motion has more or less than gravity and the ground can give
    impact: float = 3.0  # times that, from where on it costs little more: landings fall between frames
    firmer: float = 0.6  # times `physics` when masks count for more
    window: int = 8  # frames that are solved together as the track grows
    ways: int = 4  # along which the track grows at once
    later_ways: int = 2  # the same when it is grown again
    rounds: int = 2  # in which the masks are followed anew with a body of better girth from a better first pose
    steps: int = 1  # Newton steps of a window for each frame that is added
    last_steps: int = 8  # for all frames together

    def __post_init__(self) -> None:
        """Refuse what is not positive."""
        for each in fields(self):
            value = getattr(self, each.name)
            if not (math.isfinite(value) and value > 0):
                raise InputError(f"setting '{each.name}' of a track is {value:g}, expected more than 0")
        if self.window < 3:
            raise InputError(f"a track grows with windows of {self.window} frames, expected 3 or more")

    def sharpened(self) -> Settings:
        """With masks and physics that count for more, as they may once a track is near them."""
        return replace(self, masks=self.sharper * self.masks, physics=self.firmer * self.physics)
