"""One push on a walker, with a given impulse at a given moment of a step: does it stay up, how far is it led astray?

As in the recorded trials of people (`formats/pushed_trials.py`): the push is sideways, its middle lies at a phase of a
step counted from the stance foot's contact, and the detour is the greatest lateral distance from the straight path on
which the body would have gone on, over the next five steps.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np

from reenact.control.pushing.gait import Side
from reenact.control.pushing.protocol import Protocol, check_segment, torso_of
from reenact.control.pushing.subject import Subject
from reenact.control.pushing.trial import push_wrenches
from reenact.control.pushing.unpushed import Unpushed, unpushed
from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.motion.support import centre_of_mass
from reenact.motion.tree import tree_of
from reenact.physics import loop
from reenact.physics.rollout import BatchResult, cores, rollout_batch
from reenact.world.pushes import Push

SETTLE: Final = 4.0  # [s] that it walks before
AFTER: Final = 10.0  # [s] that it must stay up from the push on
STEPS: Final = 5  # over which the detour is measured
CYCLES: Final = 2  # before the push, from which the straight path is taken
EVERY: Final = 0.05  # [s] between the samples of a path


@dataclass(frozen=True, slots=True, kw_only=True)
class Shove:
    """A single sideways push."""

    impulse: float  # [N·s]
    duration: float  # [s]
    phase: float = 0.5  # its middle, in steps after the stance foot came down
    stance: Side = "left"  # the foot it stands on
    origin: Side = "left"  # the side it comes from

    def __post_init__(self) -> None:
        """Refuse what is no push."""
        for name in ("impulse", "duration"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0.0):
                raise InputError(f"{name} of a shove is {value:g}, expected above 0")
        if not -2.0 <= self.phase <= 2.0:
            raise InputError(f"phase of a shove is {self.phase:g}, expected within two steps of the foot's contact")
        for name in ("stance", "origin"):
            if getattr(self, name) not in ("left", "right"):
                raise InputError(f"{name} of a shove is {getattr(self, name)!r}, expected 'left' or 'right'")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovery:
    """What came of a shove."""

    upright: bool  # to the end
    reason: str  # in words where it fell
    seconds: float  # from the push's start that it stayed up [s]
    detour: float  # of the centre of mass, to where it was pushed, over five steps or until it fell [m]
    root_detour: float  # of the root [m]
    sway: float  # of the centre of mass at the same time without a push [m]


def walking(subject: Subject) -> Unpushed:
    """A run without pushes that is long enough to compare shoves with; who does not walk is refused."""
    segment = torso_of(subject.model.body)
    base = unpushed(subject, Protocol(segment=segment, seconds=SETTLE + AFTER, every=SETTLE))
    if not base.walks or base.gait.cycle is None:
        raise InputError(
            f"the {subject.kind} controller does not walk: it is shoved at a phase of its gait, and has none"
        )
    return base


def pushed_run(subject: Subject, shove: Shove, *, base: Unpushed | None = None, segment: str | None = None) -> Recovery:
    """Push a walker once; base: from `walking`, which is run where it is not given; segment: the torso unless said."""
    base = walking(subject) if base is None else base
    body = subject.model.body
    segment = torso_of(body) if segment is None else check_segment(body, segment)
    start, line = _moment(base, shove), _Line(base, shove, _moment(base, shove))
    timestep = subject.model.timestep
    steps = round((start + AFTER) / timestep)
    force = shove.impulse / _acting(shove.duration, timestep) * np.array([*line.towards, 0.0])
    external = push_wrenches(subject, [(start, shove.duration, force)], segment, steps)
    result = rollout_batch(
        subject.model, subject.program, subject.start, steps,
        threads=1, every=round(EVERY / timestep), fall=subject.fall, external=external,
    )  # fmt: skip
    upright = bool(result.ok[0])
    time, path, root = _path(subject, result, round(EVERY / timestep))
    window = (time >= start) & (time <= start + 0.5 * STEPS * base.cycle)
    own = (base.time >= start) & (base.time <= start + 0.5 * STEPS * base.cycle)
    return Recovery(
        upright=upright,
        reason="" if upright else result.reason(0),
        seconds=int(result.steps[0]) * timestep - start,
        detour=line.farthest(path[window]),
        root_detour=line.farthest(root[window]),
        sway=line.farthest(base.com[own]),
    )


def pushed_runs(
    subject: Subject,
    shoves: Sequence[Shove],
    *,
    base: Unpushed | None = None,
    segment: str | None = None,
    threads: int | None = None,
) -> list[Recovery]:
    """Many shoves on all cores, each its own simulation."""
    if threads is not None and threads < 1:
        raise InputError(f"threads is {threads}, expected at least 1")
    base = walking(subject) if base is None else base
    _ = loop.run.address  # compiled here once, before threads ask for it
    pool = ThreadPoolExecutor(max(1, min(threads or cores(), len(shoves))))
    try:
        return list(pool.map(lambda shove: pushed_run(subject, shove, base=base, segment=segment), shoves))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def as_push(base: Unpushed, shove: Shove, segment: str, timestep: float) -> Push:
    """A shove as a world holds it, so that it can be replayed, looked at and audited like any take."""
    start = _moment(base, shove)
    x, y = _Line(base, shove, start).towards
    newtons = shove.impulse / _acting(shove.duration, timestep)
    way = (float(x), float(y), 0.0)
    return Push(name="shove", segment=segment, newtons=newtons, direction=way, start=start, duration=shove.duration)


def _moment(base: Unpushed, shove: Shove) -> float:
    """When the push starts [s]: at its phase of the first step on that foot after the body has settled."""
    strikes, others = base.gait.strikes(shove.stance), base.gait.strikes("right" if shove.stance == "left" else "left")
    for strike in strikes[strikes >= SETTLE]:
        following = others[others > strike]
        if len(following):
            step = min(float(following[0] - strike), base.cycle)
            return float(strike) + shove.phase * step - 0.5 * shove.duration
    raise InputError(f"it never comes down on its {shove.stance} foot after {SETTLE:g} s, so it cannot be shoved there")


class _Line:
    """The straight path before a push, and the side to which it pushes."""

    def __init__(self, base: Unpushed, shove: Shove, start: float) -> None:
        before = (base.time >= start - CYCLES * base.cycle) & (base.time <= start)
        path = base.com[before, :2]
        way = path[-1] - path[0]  # over whole cycles, so that the sway cancels
        ahead = way / np.linalg.norm(way)
        left = np.array([-ahead[1], ahead[0]])
        self.towards = -left if shove.origin == "left" else left
        self._middle = path.mean(axis=0)

    def farthest(self, path: Array) -> float:
        """Greatest distance of a path (n, 3) from the line, to where the push goes [m]."""
        return float(np.max((path[:, :2] - self._middle) @ self.towards, initial=-np.inf)) if len(path) else 0.0


def _path(subject: Subject, result: BatchResult, every: int) -> tuple[Array, Array, Array]:
    """Times (n,), centres of mass (n, 3) and roots (n, 3) of a run up to its end."""
    assert result.qpos is not None
    body, count = subject.model.body, int(result.steps[0]) // every + 1
    poses = result.qpos[0, :count, : 7 + subject.model.hinges]
    poses = poses[np.isfinite(poses).all(axis=1)]
    time = np.arange(len(poses), dtype=float) * every * subject.model.timestep
    return time, centre_of_mass(body, tree_of(body), poses), poses[:, :3]


def _acting(duration: float, timestep: float) -> float:
    """How long a push really acts [s]: whole steps."""
    return max(1, round(duration / timestep)) * timestep
