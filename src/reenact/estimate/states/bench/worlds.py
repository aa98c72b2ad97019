"""Where `reenact bench states` sends its machines: ground to walk on, and the new worlds of [V12] §6."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from functools import cache
from math import isfinite
from typing import Final

from reenact.control.replay import SUCCESS
from reenact.estimate.bench.run import Done
from reenact.estimate.states.new_worlds import NewWorld, run_in_world, worlds_of_section_6
from reenact.formats.take import Status, Take
from reenact.world.parts import Bumps, Ground
from reenact.world.world import World

FIELD: Final = (140.0, 10.0)  # [m] of bumps: a minute's walk


def _slope(degrees: float) -> Callable[[int], World]:
    """Uphill along +x, downhill where negative."""
    ground = Ground(slope_deg=abs(degrees), uphill_deg=0.0 if degrees > 0.0 else 180.0)
    name = f"slope_{'up' if degrees > 0.0 else 'down'}_{abs(degrees):g}deg"
    return lambda seed: World(name=name, about=f"a slope of {degrees:+g}°", ground=ground)


def _bumps(seed: int) -> World:
    """Another ground with each seed, from a little behind the start on."""
    field = Bumps(at=(FIELD[0] / 2.0 - 1.0, 0.0), size=FIELD, height=0.02, spacing=0.6, seed=seed)
    return World(name="bumps_2cm", about=f"bumps up to 2 cm, seed {seed}", parts=(field,))


# Where a trained walk goes on, by the seed of the run.
WALKED: Final[dict[str, Callable[[int], World]]] = {
    "flat": lambda seed: World(),
    "slope_up_3deg": _slope(3.0),
    "slope_down_3deg": _slope(-3.0),
    "slope_up_5deg": _slope(5.0),
    "slope_down_5deg": _slope(-5.0),
    "bumps_2cm": _bumps,
}


PAPER: Final[dict[str, str]] = {
    "jump on skis": "performs the jump and keeps its balance at the end",
    "twist jump with a weight": "ends leaning against the weight",
    "jump on a trampoline": "jumps on a trampoline",
    "back handspring among moving things": "adapts to dynamic environments and performs the motion",
}  # what [V12] §6 tells


@cache
def new_worlds() -> dict[str, NewWorld]:
    """Those of [V12] §6 with their small changes, by names for lines and folders."""
    return {f"{new.motion.removeprefix('states_')}_{new.world.name}": new for new in worlds_of_section_6()}


def gone_elsewhere(take: Take, new: NewWorld) -> Done:
    """A machine put into a new world; success: it did the motion and ends standing there, or walks on."""
    gone = run_in_world(take, new.world, extra=new.extra, moving=new.moving)
    status: Status = "ok" if gone.standing.stands else "fell"
    metrics = {**gone.take.info.metrics, SUCCESS: gone.success}
    info = replace(gone.take.info, status=status, reason=gone.reason, metrics=metrics)
    known = {name: value for name, value in asdict(gone.standing).items() if isinstance(value, float)}
    figures = {name: value for name, value in known.items() if isfinite(value)}
    figures["stands"] = float(gone.standing.stands)
    return Done(take=replace(gone.take, info=info), success=gone.success, reason=gone.reason, figures=figures)
