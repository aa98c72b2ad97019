"""A track set on the ground: the cameras' ground is where its feet rest, as far as it is not far from there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from reenact.estimate.video.motion_of import ground_of, raised
from reenact.estimate.video.sighting import Sighting
from reenact.estimate.video.track import Track
from reenact.geometry import rotation

OFF: Final = 0.005  # [m] by which the feet of a track may rest above or below the cameras' ground unnoticed
FAR: Final = 0.10  # [m], from which on the camera is to blame, and nothing is changed


def grounded(track: Track, sightings: Sequence[Sighting]) -> tuple[Track, tuple[Sighting, ...]]:
    """The track with its feet on the ground, and what was seen by cameras moved along with it."""
    floor = ground_of(track)
    if not (floor.resting and OFF < abs(floor.height) < FAR):
        return track, tuple(sightings)
    down = [0.0, 0.0, -floor.height]
    moved = tuple(replace(each, camera=each.camera.moved(rotation.IDENTITY, down)) for each in sightings)
    return raised(track, -floor.height), moved
