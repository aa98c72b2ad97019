"""The new worlds of [V12] §6: machines found on flat ground, elsewhere, without being searched for again.

The jump on a slippery slope on skis, the twist jump with 13 kg in a hand, the jump on a trampoline, and motions among
things that are rolled and thrown. Beside each world as the paper tells it stand small changes of it, so that one lucky
run is not taken for robustness.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from reenact.body.toml import parse_body
from reenact.control.bearing import ground_load, missed_bearing
from reenact.control.ends_standing import Standing, ends_standing
from reenact.control.glide import as_level
from reenact.control.over_ground import Staged, floor_of
from reenact.control.recipe import rerun_take
from reenact.control.replay import reference_motion, replay
from reenact.formats.take import Take
from reenact.geometry.rotation import Array, rotate
from reenact.motion.lowest import lowest_by_segment
from reenact.motion.motion import Motion
from reenact.motion.tree import tree_of
from reenact.physics.trace import Trace
from reenact.world.attachments import Carried
from reenact.world.load import load_world
from reenact.world.parts import Trampoline
from reenact.world.world import World

EXTRA: Final = 3.0  # [s] that a simulation goes on after the motion's end
EXTRA_MOVING: Final = 6.0  # [s] for a gait, which stumbles before it falls
CLEAR: Final = 0.03  # [m] above the ground: a recorded body flies
FLIGHT: Final = 0.1  # [s]; a shorter one is a hop that may be left out
TURN: Final = np.pi  # [rad] a motion that turns less about the vertical is not held to it
ENOUGH: Final = 0.5  # of the recorded turn
ENOUGH_FLIGHT: Final = 1.0 / 3.0  # of the recorded flight: a trampoline and skis take much of a jump's height


@dataclass(frozen=True, slots=True, kw_only=True)
class NewWorld:
    """A world for a machine that was found on flat ground."""

    name: str  # of the line, such as "jump on skis"
    motion: str  # row of the benchmark motions whose machine it is
    world: World
    change: str = ""  # how it differs from the paper's, in words; empty: as the paper tells it
    extra: float = EXTRA  # [s] after the motion's end
    moving: bool = False  # a gait that goes on: it must stay up and need not stand still


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Gone:
    """What came of a machine in a new world."""

    take: Take
    trace: Trace
    standing: Standing
    left_out: str  # what of the motion it did not do, in words
    struck_by: tuple[str, ...]  # things that touched it

    @property
    def success(self) -> bool:
        """Whether it did the motion and ends standing."""
        return self.standing.stands and not self.left_out

    @property
    def reason(self) -> str:
        """Why it is no success; empty where it is one."""
        return self.standing.reason or self.left_out


def run_in_world(take: Take, world: World, *, extra: float = EXTRA, moving: bool = False) -> Gone:
    """Put a take's machine into a world for as long as its motion is and `extra` seconds more, and judge it."""
    length = float(take.reference["time"][-1] - take.reference["time"][0])
    again = replay(take, world=world, seconds=length + extra)
    trace = rerun_take(again)
    standing = ends_standing(trace, length, moving=moving)
    reference = reference_motion(again, parse_body(again.body_toml))
    missing = left_out(trace, reference)
    return Gone(take=again, trace=trace, standing=standing, left_out=missing, struck_by=struck_by(trace))


def struck_by(trace: Trace) -> tuple[str, ...]:
    """The thrown and rolled things that touched the body, in the order in which they did."""
    contacts, mj = trace.contacts, trace.model.mj
    names = [mj.body(mj.geom_bodyid[geom]).name for geom in contacts.other[~contacts.own]]
    things = {thing.name for thing in trace.model.world.things}
    return tuple(dict.fromkeys(name for name in names if name in things))


def left_out(trace: Trace, reference: Staged) -> str:
    """What of a motion a simulation did not do, in words: its flight, its turn, its way over the hands; empty: nothing.

    How high, how far and when is free: that the new world changes those is the point.
    """
    asked = flight_of(reference)
    flown = float(np.sum(ground_load(trace).sum(axis=1) == 0.0)) * trace.model.timestep
    if asked > FLIGHT and flown < ENOUGH_FLIGHT * asked:
        return f"it hardly left the ground: it flew for {flown:.2f} s, the recorded body for {asked:.2f} s"
    turn, done = turn_of(reference.qpos), turn_of(trace.qpos)
    if abs(turn) > TURN and done / turn < ENOUGH:
        return f"it turned by {np.rad2deg(done):.0f}°, the recorded body by {np.rad2deg(turn):.0f}°"
    return missed_bearing(trace, reference)


def flight_of(motion: Motion) -> float:
    """How long a recorded body is in the air [s]."""
    motion = as_level(motion)
    lowest = lowest_by_segment(motion.body, tree_of(motion.body), motion.qpos, motion.rate).height.min(axis=1)
    return float(np.sum(lowest - floor_of(motion) > CLEAR)) / motion.rate


def turn_of(qpos: Array) -> float:
    """How far the root turned about the vertical from the first to the last of its states (n, nq) [rad]."""
    ahead = rotate(qpos[:, 3:7], np.array([1.0, 0.0, 0.0]))
    heading = np.unwrap(np.arctan2(ahead[:, 1], ahead[:, 0]))
    return float(heading[-1] - heading[0])


def worlds_of_section_6() -> tuple[NewWorld, ...]:
    """The worlds of [V12] §6, each as the paper tells it and with small changes."""
    return (*_skis(), *_weights(), *_trampolines(), *_commotions())


def _skis() -> Sequence[NewWorld]:
    slope = load_world("ski_slope")
    out = [NewWorld(name="jump on skis", motion="states_jump", world=slope)]
    for degrees in (0.0, 5.0, 15.0):
        world = replace(slope, name=f"ski_slope_{degrees:g}deg", ground=replace(slope.ground, slope_deg=degrees))
        words = "level" if degrees == 0.0 else f"{degrees:g}° steep"
        out.append(NewWorld(name="jump on skis", motion="states_jump", world=world, change=words))
    for times in (20, 200):
        mu = 1.0 / times
        skis = tuple(replace(ski, friction=mu) for ski in slope.attachments)
        world = replace(
            slope, name=f"ski_slope_friction_{times}", ground=replace(slope.ground, friction=mu), attachments=skis
        )
        words = f"friction lowered {times} × only"
        out.append(NewWorld(name="jump on skis", motion="states_jump", world=world, change=words))
    return out


def _weights() -> Sequence[NewWorld]:
    loaded = load_world("hand_weight")
    out = [NewWorld(name="twist jump with a weight", motion="twist_jump", world=loaded)]
    for mass in (3.0, 6.5, 10.0, 16.0):
        ball = Carried(name="carried_1", mass=mass)
        world = replace(loaded, name=f"hand_weight_{mass:g}kg", attachments=(ball,))
        out.append(NewWorld(name="twist jump with a weight", motion="twist_jump", world=world, change=f"{mass:g} kg"))
    return out


def _trampolines() -> Sequence[NewWorld]:
    soft = load_world("trampoline")
    out = [NewWorld(name="jump on a trampoline", motion="states_jump", world=soft)]
    (plate,) = soft.parts
    assert isinstance(plate, Trampoline)
    for stiffness, damping in ((4000.0, 60.0), (12000.0, 60.0), (6000.0, 300.0), (6000.0, 900.0)):
        world = replace(
            soft,
            name=f"trampoline_{stiffness / 1000:g}kN_{damping:g}Ns",
            parts=(replace(plate, stiffness=stiffness, damping=damping),),
        )
        words = f"{stiffness / 1000:g} kN/m, {damping:g} N·s/m"
        out.append(NewWorld(name="jump on a trampoline", motion="states_jump", world=world, change=words))
    return out


def _commotions() -> Sequence[NewWorld]:
    busy = load_world("commotion")
    out = []
    for motion, moving in (("back_handspring", False), ("states_jump", False), ("fast_walk", True)):
        name = f"{motion.removeprefix('states_').replace('_', ' ')} among moving things"
        extra = EXTRA_MOVING if moving else EXTRA
        out.append(NewWorld(name=name, motion=motion, world=busy, extra=extra, moving=moving))
        for late in (0.1, 0.2, 0.3, 0.5):
            things = tuple(replace(thing, start=thing.start + late) for thing in busy.things)
            world = replace(busy, name=f"commotion_{late:g}s_later", things=things)
            words = f"all {late:g} s later"
            out.append(NewWorld(name=name, motion=motion, world=world, change=words, extra=extra, moving=moving))
    return out
