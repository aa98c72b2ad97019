"""Where `reenact bench video` sends its machines: the new worlds of [V12] §6.2, and for the walk a slope and pushes."""

from __future__ import annotations

from functools import cache
from typing import Final

from reenact.estimate.states.bench.worlds import new_worlds
from reenact.estimate.states.new_worlds import EXTRA_MOVING, NewWorld
from reenact.world.parts import Ground
from reenact.world.pushes import Push
from reenact.world.world import World

SECTION_6_2: Final = ("ski_slope", "ski_slope_0deg", "hand_weight", "trampoline")  # and the slope made level
WOMAN: Final = "woman_"  # how the names of worlds begin that her machine is put into
SLOPE: Final = 3.0  # [°]
PUSH: Final = (30.0, 0.4)  # [N], [s]: as long as in [V12] §6.1


@cache
def places() -> dict[str, NewWorld]:
    """New worlds by the names of lines."""
    known = {name: new for name, new in new_worlds().items() if new.world.name in SECTION_6_2}
    return known | {f"{WOMAN}{new.world.name}": new for new in _for_a_walk()}


def _for_a_walk() -> list[NewWorld]:
    out = []
    for word, uphill in (("up", 0.0), ("down", 180.0)):
        ground = Ground(slope_deg=SLOPE, uphill_deg=uphill)
        world = World(name=f"slope_{word}_{SLOPE:g}deg", about=f"{word} a slope of {SLOPE:g}°", ground=ground)
        out.append(_walked(f"walk {word} a slope of {SLOPE:g}°", world))
    for side in ("front", "rear", "left", "right"):
        push = Push(segment="thorax", newtons=PUSH[0], origin=side, start=1.0, duration=PUSH[1])
        world = World(name=f"pushed_{side}", about=f"pushed from the {side}", pushes=(push,))
        out.append(_walked(f"walk pushed from the {side}, {PUSH[0]:g} N for {PUSH[1]:g} s", world))
    return out


def _walked(name: str, world: World) -> NewWorld:
    return NewWorld(name=name, motion="", world=world, extra=EXTRA_MOVING, moving=True)
