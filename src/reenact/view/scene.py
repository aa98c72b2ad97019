"""A take as something to draw: shapes, where each body is at every displayed frame, forces and curves.

The single source of the report and of the browser page; both only draw what stands here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reenact.formats.take import Take
from reenact.measure import Progress
from reenact.physics.part_loads import PartSummary, part_loads, summaries, touches_of
from reenact.view.course import Course, course_of
from reenact.view.curves import Curves, curves_of
from reenact.view.forces import BodyForces, contact_forces, frames_of_steps, pushes
from reenact.view.meshes import Mesh
from reenact.view.pieces import Piece, character_bodies, pieces_of
from reenact.view.poses import Poses, display_times, interpolated, poses_at
from reenact.view.pressure import Pressures, pressures_of
from reenact.view.recording import Arrays, Recording, recording_of
from reenact.view.surface import Surface, surfaces_of

if TYPE_CHECKING:
    from reenact.view.seen import Seen

FloatArray = NDArray[np.float32]

DISPLAY_RATE = 60.0  # [1/s]
MAX_FRAMES = 3600  # longer takes are shown at a lower rate


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Everything a viewer draws, at F frames of equal spacing, in the world, single precision."""

    name: str
    facts: dict[str, Any]  # take.json
    rate: float  # frames a second
    time: NDArray[np.float64]  # (F,) [s]
    body_names: tuple[str, ...]  # B bodies of the model, the world first
    character: tuple[int, ...]  # which of them are the body that moves
    meshes: tuple[Mesh, ...]
    pieces: tuple[Piece, ...]
    poses: Poses  # of the B bodies
    ghost: Poses | None  # the reference, same bodies
    ghost_until: float  # the reference ends there [s]
    contacts: BodyForces
    pushes: BodyForces  # applied on purpose
    pressures: Pressures  # on the character, by things outside it
    surfaces: dict[int, Surface]  # of the bodies that touch anything
    parts: tuple[PartSummary, ...]  # those that touch anything, the greatest impulse first
    part_load: FloatArray  # (F, len(parts)) normal force, mean over the frame's steps [N]
    com: FloatArray  # (F, 3) [m], NaN where unknown
    cop: FloatArray  # (F, 3) [m], NaN without support
    curves: Curves
    mass: float  # of the body [kg]
    course: Course | None = None  # of the state machine that drove it
    seen: Seen | None = None  # the video it was made from

    @property
    def frames(self) -> int:
        """Number of displayed frames."""
        return len(self.time)

    @property
    def duration(self) -> float:
        """From the first to the last frame [s]."""
        return float(self.time[-1] - self.time[0])

    def frame_at(self, time: float) -> int:
        """The frame shown at `time` [s], clamped to the take."""
        return int(np.clip(round((time - self.time[0]) * self.rate), 0, self.frames - 1))


def scene_of(
    take: Recording | Take | Path | str, *, name: str | None = None, rate: float = DISPLAY_RATE,
    videos: Sequence[Path] = (), progress: Progress | None = None,
) -> Scene:  # fmt: skip
    """The scene of a take in memory or in a folder, shown at no more than `rate` frames a second.

    `videos` says where the videos of a take are, where they have moved; `progress` follows the reading of them.
    """
    recording = recording_of(take, name)
    model, motion = recording.model, recording.motion
    recorded = np.asarray(motion["time"], float)
    rate = min(rate, MAX_FRAMES / max(float(recorded[-1] - recorded[0]), 1e-9))
    time = display_times(recorded, rate)
    character = character_bodies(model)
    pieces, meshes = pieces_of(model)
    poses = poses_at(model, motion["qpos"], recorded, time)
    ghost, ghost_until = _ghost(recording, time)
    mass = float(model.body_mass[list(character)].sum())
    parts, part_load = _parts(recording, mass, time, rate)
    surfaces = surfaces_of(pieces, meshes, {1 + int(part) for part in np.unique(touches_of(motion).part)})
    curves, seen = _curves(recording, videos, progress)
    return Scene(
        name=recording.name,
        facts=recording.facts,
        rate=rate,
        time=time,
        body_names=tuple(model.body(i).name for i in range(model.nbody)),
        character=character,
        meshes=meshes,
        pieces=pieces,
        poses=poses,
        ghost=ghost,
        ghost_until=ghost_until,
        contacts=contact_forces(motion, time, rate),
        pushes=pushes(motion, poses, model.body_ipos, time, rate),
        pressures=pressures_of(model, motion, surfaces, time, rate),
        surfaces=surfaces,
        parts=parts,
        part_load=part_load,
        com=_points(motion, "com", recorded, time),
        cop=_points(motion, "cop", recorded, time),
        curves=curves,
        mass=mass,
        course=course_of(recording, time),
        seen=seen,
    )


def _curves(
    recording: Recording, videos: Sequence[Path], progress: Progress | None
) -> tuple[Curves, Seen | None]:  # fmt: skip
    """Curves of a take, and the video it was made from, where it was."""
    curves = curves_of(recording)
    if recording.observed is None:
        return curves, None
    from reenact.view.seen import seen_of, with_agreement

    seen = seen_of(recording, videos, progress=progress)
    return with_agreement(curves, seen, float(recording.motion["time"][0])), seen


def _ghost(recording: Recording, time: NDArray[np.float64]) -> tuple[Poses | None, float]:
    """Poses of the reference and its last instant [s]; none where the take has no fitted reference."""
    qpos = recording.reference_states()
    if qpos is None:
        return None, 0.0
    instants = np.asarray(recording.reference["time"], float)
    return poses_at(recording.model, qpos, instants, time), float(instants[-1])


def _parts(
    recording: Recording, mass: float, time: NDArray[np.float64], rate: float
) -> tuple[tuple[PartSummary, ...], FloatArray]:
    """What each part bore in all, and its load at the displayed frames."""
    names = [recording.model.body(i).name for i in character_bodies(recording.model)]
    loads = part_loads(recording.motion, names)
    found = summaries(loads, mass * float(np.linalg.norm(recording.model.opt.gravity)))
    frame_of_step, steps_in_frame = frames_of_steps(recording.motion, time, rate)
    out = np.zeros((len(time), len(found)), np.float32)
    if found:
        columns = [names.index(part.name) for part in found]
        np.add.at(out, frame_of_step, loads.load[:, columns])
    return found, np.asarray(out / steps_in_frame[:, None], np.float32)


def _points(motion: Arrays, name: str, recorded: NDArray[np.float64], time: NDArray[np.float64]) -> FloatArray:
    """A point over time at the displayed frames; values of steps stand at the step's end."""
    if name not in motion or len(motion[name]) == 0:
        return np.full((len(time), 3), np.nan, np.float32)
    values = np.asarray(motion[name], float)
    return interpolated(recorded[len(recorded) - len(values) :], values, time).astype(np.float32)
