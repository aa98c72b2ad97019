"""Bad values are named: the key, what was got, what was expected."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reenact.errors import WorldError
from reenact.world.attachments import Carried, Load, Ski
from reenact.world.parts import Bumps, Ground, HeightField, Mat, Pebbles, Ramp, Stairs, Trampoline
from reenact.world.pushes import Push
from reenact.world.things import Rolled, Thrown
from reenact.world.world import World

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Ground(friction=-0.1), ["friction = -0.1", "0 to 5"]),
        (lambda: Ground(friction=NAN), ["friction = nan"]),
        (lambda: Ground(slope_deg=70.0), ["slope_deg = 70", "0 to 60 degrees"]),
        (lambda: Ground(softness=1.5), ["softness = 1.5", "0 to 1"]),
        (lambda: Stairs(rise=0.0), ["rise = 0", "more than 0"]),
        (lambda: Stairs(count=0), ["count = 0", "1 to 200"]),
        (lambda: Stairs(at=(INF, 0.0)), ["at = [inf, 0.0]", "within 1000 m"]),
        (lambda: Ramp(length=1.0, rise=3.0), ["rise = 3", "1.75 m"]),
        (lambda: Mat(softness=None), ["softness = None", "a number"]),
        (lambda: Bumps(size=(200.0, 200.0), spacing=0.1), ["spacing = 0.1", "at least 3"]),
        (lambda: Bumps(seed=-1), ["seed = -1"]),
        (lambda: HeightField(heights=((0.0, 1.0), (1.0,))), ["heights = '2 rows of [1, 2]", "the same 2 or more"]),
        (lambda: HeightField(heights=((0.0, 1.0), (1.0, -0.5))), ["heights = -0.5", "above the ground"]),
        (lambda: HeightField(heights=()), ["0 rows"]),
        (lambda: Pebbles(radius=(0.03, 0.01)), ["radius = [0.03, 0.01]", "least first"]),
        (lambda: Pebbles(count=10**6), ["count = 1000000", "1 to 5000"]),
        (lambda: Pebbles(size=(1.0, 1.0), clear=2.0), ["clear = 2", "room"]),
        (lambda: Trampoline(stiffness=1.0), ["stiffness = 1", "sink to the floor"]),
        (lambda: Load(segment="thorax", mass=0.0), ["mass = 0", "kg"]),
        (lambda: Load(segment="", mass=1.0), ["segment = ''"]),
        (lambda: Ski(segment="foot_left", friction=None), ["friction = None"]),
        (lambda: Carried(mass=1.0, radius=-1.0), ["radius = -1"]),
        (lambda: Push(segment="pelvis", newtons=1.0), ["neither of 'from' and 'direction'"]),
        (lambda: Push(segment="pelvis", newtons=1.0, origin="front", direction=(1.0, 0.0, 0.0)), ["both of"]),
        (lambda: Push(segment="pelvis", newtons=1.0, origin="back"), ["from = 'back'", "front, rear, left, right"]),
        (lambda: Push(segment="pelvis", newtons=1.0, direction=(0.0, 0.0, 0.0)), ["direction = [0.0, 0.0, 0.0]"]),
        (lambda: Push(segment="pelvis", newtons=1.0, origin="left", duration=0.5, every=0.2), ["every = 0.2"]),
        (lambda: Push(segment="pelvis", newtons=1.0, origin="left", until=3.0), ["until = 3", "'every'"]),
        (lambda: Push(segment="pelvis", newtons=1.0, origin="left", frame="heading"), ["frame = 'heading'"]),
        (lambda: Thrown(origin=(3.0, 0.0, 1.0), target=(0.0, 0.0, 1.0), flight=0.5, speed=9.0), ["not both"]),
        (
            lambda: Thrown(origin=(3.0, 0.0, 1.0), target=(0.0, 0.0, 1.0), speed=2.0),
            ["speed = 2", "at least 5.", "m/s"],
        ),
        (
            lambda: Thrown(origin=(3.0, 0.0, 3.0), target=(0.0, 0.0, 0.5)),
            ["lower start or a longer flight", "z = 1.67"],
        ),
        (lambda: Thrown(origin=(3.0, 0.0, 1.0), target=(3.0, 0.0, 1.1)), ["to = [3.0, 0.0, 1.1]", "at least 0.2 m"]),
        (lambda: Rolled(origin=(1.0, 0.0), target=(1.0, 0.0)), ["to = [1.0, 0.0]"]),
        (lambda: World(name="a world"), ["name = 'a world'", "a letter"]),
        (lambda: World(about="two\nlines"), ["about", "one line"]),
        (lambda: World(parts=(Mat(name="a"), Stairs(name="a"))), ["name = 'a' is taken"]),
        (lambda: World(parts=(Mat(name="ground"),)), ["name = 'ground' is taken by the ground"]),
        (
            lambda: World(things=(Thrown(name="b", origin=(3.0, 0.0, 0.05), target=(0.0, 0.0, 1.0)),)),
            ['[[thrown]] "b"', "z of at least 0.12 m"],
        ),
        (
            lambda: World(ground=Ground(slope_deg=3.0), things=(Rolled(origin=(1.0, 0.0), target=(0.0, 0.0)),)),
            ["start = 1", "0 on sloping ground"],
        ),
    ],
)
def test_a_bad_value_is_named(make: Callable[[], object], words: list[str]) -> None:
    with pytest.raises(WorldError) as caught:
        make()
    for word in words:
        assert word in str(caught.value)


def test_the_highest_start_that_an_error_names_is_allowed() -> None:
    with pytest.raises(WorldError, match=r"z = (\d+\.\d+) m") as caught:
        Thrown(origin=(3.0, 0.0, 3.0), target=(0.0, 0.0, 0.5))
    highest = float(str(caught.value).split("z = ")[-1].removesuffix(" m"))
    Thrown(origin=(3.0, 0.0, highest - 0.006), target=(0.0, 0.0, 0.5))


def test_the_least_speed_that_an_error_names_is_enough() -> None:
    with pytest.raises(WorldError, match="at least") as caught:
        Thrown(origin=(3.0, 0.0, 1.0), target=(0.0, 0.0, 1.0), speed=2.0)
    least = float(str(caught.value).split("at least ")[1].split(" ")[0])
    Thrown(origin=(3.0, 0.0, 1.0), target=(0.0, 0.0, 1.0), speed=least + 0.01)


def test_entries_are_named_and_ordered_by_kind() -> None:
    world = World(parts=(Mat(), Stairs(), Stairs(name="up"), Mat()))
    assert [part.name for part in world.parts] == ["stairs_1", "up", "mat_1", "mat_2"]
