"""A track set on the ground: the cameras' ground is where its feet rest, and as level as that.

A camera that is thought to look a degree more down than it does has the ground rise by a degree: after three metres a
foot is 5 cm off it. What feet tell of the ground is believed as far as it is not far from what the cameras say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from reenact.estimate.video.motion_of import ground_of
from reenact.estimate.video.sighting import Sighting
from reenact.estimate.video.track import Track
from reenact.geometry import rotation
from reenact.geometry.rotation import Array

OFF: Final = 0.005  # [m] by which the feet of a track may rest above or below the cameras' ground unnoticed
FAR: Final = 0.10  # [m], from which on the camera is to blame, and nothing is changed


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ground:
    """The ground that feet tell of, in the cameras' world: the new world is x_new = turn · x_old + shift."""

    turn: Array  # (4,)
    shift: Array  # (3,) [m]
    height: float  # [m] over the cameras' ground, in the middle of the track
    tilt: float  # [rad] between both; 0 where it cannot be told
    told: bool  # whether any foot comes to rest

    @property
    def moves(self) -> bool:
        """Whether it is to take the place of the cameras' ground."""
        return self.told and abs(self.height) < FAR and (abs(self.height) > OFF or self.turned > 0.0)

    @property
    def turned(self) -> float:
        """By how much it is levelled [rad]; 0 where it slopes so much that the slope may be real."""
        return float(np.linalg.norm(rotation.to_rotvec(self.turn)))


def ground_under(track: Track) -> Ground:
    """What the feet of a track tell; a floor that slopes much stays as the cameras have it, but for its height."""
    floor = ground_of(track)
    middle = track.poses[:, :3].mean(axis=0) * [1.0, 1.0, 0.0]
    turned = rotation.rotate(floor.level, middle)
    shift = middle - turned  # about the middle, so that the track stays where it is
    shift[2] = -floor.height
    below = rotation.rotate(rotation.conjugate(floor.level), middle - shift)  # of the new ground, in the old world
    return Ground(turn=floor.level, shift=shift, height=float(below[2]), tilt=floor.tilt, told=floor.resting > 0)


def grounded(track: Track, sightings: Sequence[Sighting]) -> tuple[Track, tuple[Sighting, ...]]:
    """The track with its feet on the ground, and what was seen by cameras moved along with it."""
    ground = ground_under(track)
    if not ground.moves:
        return track, tuple(sightings)
    poses = track.poses.copy()
    poses[:, :3] = rotation.rotate(ground.turn, poses[:, :3]) + ground.shift
    poses[:, 3:7] = rotation.multiply(ground.turn, poses[:, 3:7])
    moved = tuple(replace(each, camera=each.camera.moved(ground.turn, ground.shift)) for each in sightings)
    return replace(track, poses=poses), moved
