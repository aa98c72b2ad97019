"""Did it work? A body does a motion that neither falls, misses a turn, loses its place, nor leaves its ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reenact.control.bearing import missed_bearing, stepped_off
from reenact.control.fall import Tumble, find_fall
from reenact.control.make_take import ending_of
from reenact.formats.take import Status
from reenact.geometry import rotation
from reenact.motion.motion import Motion
from reenact.physics.trace import Trace

TURNED = np.deg2rad(120.0)  # a root that far from the reference's at any time did not turn with it
TURNED_AT_END = np.deg2rad(60.0)
STRAYED = 0.5  # of stature: a root that far from the reference's on the ground plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How a reconstruction ended: `status` tells it of the simulation, `success` of the motion.

    A body that stepped off, lost its place or never bore on what the reference bears on was simulated to the end: its
    status is "ok", and a reason says why it is no success all the same.
    """

    status: Status  # "fell" also where it did not turn over
    reason: str  # in words, wherever it is no success
    fallen: Tumble | None

    @property
    def success(self) -> bool:
        """Whether the motion was done."""
        return self.status == "ok" and not self.reason


def judge(trace: Trace, reference: Motion) -> Verdict:
    """The verdict on a trace beside the reference that it follows, as it is in the trace's world (see `staged`)."""
    fallen = find_fall(trace, reference)
    status, reason = ending_of(trace, fallen)
    if status != "ok":
        return Verdict(status=status, reason=reason, fallen=fallen)
    if trace.time[-1] < reference.duration - 0.5 * trace.model.timestep:
        reason = f"the search ended at {trace.time[-1]:.2f} s of {reference.duration:.2f} s"
        return Verdict(status="stopped", reason=reason, fallen=None)
    if missed := _missed_turn(trace, reference):
        return Verdict(status="fell", reason=missed, fallen=None)
    reason = missed_bearing(trace, reference) or stepped_off(trace, reference) or _strayed(trace, reference)
    return Verdict(status="ok", reason=reason, fallen=None)


def _missed_turn(trace: Trace, reference: Motion) -> str:
    """A body that misses a whole turn is at some moment half a turn behind."""
    states = trace.qpos[_states(trace, reference)]
    turn = rotation.multiply(states[:, 3:7], rotation.conjugate(reference.qpos[:, 3:7]))
    angle = np.linalg.norm(rotation.to_rotvec(turn), axis=-1)
    k = int(np.argmax(angle))
    if angle[k] <= TURNED:
        k = reference.frames - 1
        if angle[k] <= TURNED_AT_END:
            return ""
    name = reference.body.segments[0].name
    return (
        f"did not turn over: the {name} was {np.rad2deg(angle[k]):.0f}° from the reference at {reference.time[k]:.2f} s"
    )


def _strayed(trace: Trace, reference: Motion) -> str:
    states = trace.qpos[_states(trace, reference)]
    away = np.linalg.norm(states[:, :2] - reference.qpos[:, :2], axis=-1)
    k = int(np.argmax(away))
    if away[k] <= STRAYED * reference.body.stature:
        return ""
    name = reference.body.segments[0].name
    return (
        f"lost its place: the {name} was {away[k]:.2f} m from the reference on the ground at {reference.time[k]:.2f} s"
    )


def _states(trace: Trace, reference: Motion) -> NDArray[np.int64]:
    """The state of the trace (T,) at each frame of the reference."""
    return np.minimum(np.round(reference.time / trace.model.timestep).astype(np.int64), trace.steps)
