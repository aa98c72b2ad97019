"""Did it work? A reconstruction succeeds when the body neither fell, nor failed to turn over, nor lost its place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

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
    """How a reconstruction ended."""

    status: Status
    reason: str  # in words where it is no success
    fallen: Tumble | None

    @property
    def success(self) -> bool:
        """Whether the motion was done."""
        return self.status == "ok" and not self.reason


def judge(trace: Trace, reference: Motion) -> Verdict:
    """The verdict on a trace beside the reference it follows, which has a frame for each of its states."""
    fallen = find_fall(trace, reference)
    status, reason = ending_of(trace, fallen)
    if status != "ok":
        return Verdict(status=status, reason=reason, fallen=fallen)
    frames = min(len(trace.qpos), reference.frames)
    if frames < reference.frames:
        reason = f"the search ended at {trace.time[-1]:.2f} s of {reference.duration:.2f} s"
        return Verdict(status="stopped", reason=reason, fallen=None)
    if missed := _missed_turn(trace, reference):
        return Verdict(status="fell", reason=missed, fallen=None)
    return Verdict(status="ok", reason=_strayed(trace, reference), fallen=None)


def _missed_turn(trace: Trace, reference: Motion) -> str:
    """A body that misses a whole turn is at some moment half a turn behind."""
    frames = reference.frames
    turn = rotation.multiply(trace.qpos[:frames, 3:7], rotation.conjugate(reference.qpos[:, 3:7]))
    angle = np.linalg.norm(rotation.to_rotvec(turn), axis=-1)
    k = int(np.argmax(angle))
    if angle[k] <= TURNED and angle[-1] > TURNED_AT_END:
        k = frames - 1
    if angle[k] <= TURNED and k < frames - 1:
        return ""
    if angle[k] <= TURNED_AT_END:
        return ""
    name = reference.body.segments[0].name
    return f"did not turn over: the {name} was {np.rad2deg(angle[k]):.0f}° from the reference at {trace.time[k]:.2f} s"


def _strayed(trace: Trace, reference: Motion) -> str:
    away = np.linalg.norm(trace.qpos[: reference.frames, :2] - reference.qpos[:, :2], axis=-1)
    k = int(np.argmax(away))
    if away[k] <= STRAYED * reference.body.stature:
        return ""
    name = reference.body.segments[0].name
    return f"lost its place: the {name} was {away[k]:.2f} m from the reference on the ground at {trace.time[k]:.2f} s"
