"""Any world that can be made is the same after a trip through text, and always compiles around a body."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reenact.body.load import load_body
from reenact.body.mjcf import add_body
from reenact.errors import WorldError
from reenact.world.attachments import Carried, Load, Ski
from reenact.world.ground import ground_height
from reenact.world.mjcf import add_world
from reenact.world.parts import (
    Beam,
    Box,
    Bumps,
    Ground,
    HeightField,
    Mat,
    Pebbles,
    Platform,
    Ramp,
    Stairs,
    Trampoline,
)
from reenact.world.pushes import COMES_FROM, Push
from reenact.world.things import Rolled, Thrown
from reenact.world.toml import dump_world, parse_world
from reenact.world.world import World

BODY = load_body("adult")


def number(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high, allow_subnormal=False)


near, angle, size = number(-20.0, 20.0), number(-180.0, 180.0), number(0.05, 3.0)
surface = {
    "friction": st.none() | number(0.0, 2.0),
    "softness": st.none() | number(0.0, 1.0),
    "damping_ratio": st.none() | number(0.1, 2.0),
}
at = {"at": st.tuples(near, near), **surface}
segments = st.sampled_from(BODY.segment_names)
seeds = st.integers(0, 2**40)

grounds = st.builds(
    Ground,
    friction=number(0.0, 2.0),
    softness=number(0.0, 1.0),
    damping_ratio=number(0.1, 2.0),
    slope_deg=number(0.0, 40.0),
    uphill_deg=angle,
)
parts = st.one_of(
    st.builds(Stairs, **at, direction_deg=angle, rise=number(0.01, 0.5), run=number(0.1, 1.0), count=st.integers(1, 6)),
    st.builds(Ramp, **at, direction_deg=angle, length=number(1.0, 4.0), rise=number(0.01, 1.5), width=size),
    st.builds(Beam, **at, direction_deg=angle, length=size, width=size, height=size),
    st.builds(Platform, **at, direction_deg=angle, length=size, width=size, height=size),
    st.builds(Box, **at, size=st.tuples(size, size, size), yaw_deg=angle, mass=st.just(0.0) | number(0.1, 50.0)),
    st.builds(Mat, **{**at, "softness": number(0.1, 1.0)}, size=st.tuples(size, size, size), yaw_deg=angle),
    st.builds(Bumps, **at, size=st.tuples(number(1.0, 3.0), number(1.0, 3.0)), height=number(0.01, 0.3), seed=seeds),
    st.builds(
        HeightField,
        **at,
        size=st.tuples(size, size),
        heights=st.integers(2, 4).flatmap(
            lambda n: st.lists(st.tuples(*[number(0.0, 1.0)] * n), min_size=2, max_size=4).map(tuple)
        ),
    ),
    st.builds(
        Pebbles, **at, count=st.integers(1, 9), radius=st.tuples(number(0.005, 0.01), number(0.02, 0.1)), seed=seeds
    ),
    st.builds(Trampoline, **at, size=st.tuples(size, size), height=number(0.2, 2.0), damping=number(0.0, 200.0)),
)
attachments = st.one_of(
    st.builds(Load, segment=segments, mass=number(0.1, 40.0), size=st.tuples(size, size, size)),
    st.builds(Ski, segment=st.sampled_from(["foot_left", "foot_right"]), length=number(0.5, 2.0)),
    st.builds(Carried, segment=segments, mass=number(0.1, 40.0), radius=st.none() | number(0.01, 0.3)),
)
things = st.one_of(
    st.builds(
        Thrown,
        shape=st.sampled_from(["ball", "box"]),
        mass=number(0.05, 20.0),
        origin=st.tuples(number(3.0, 9.0), near, number(20.0, 25.0)),
        target=st.tuples(number(-2.0, 2.0), near, number(22.0, 25.0)),
        flight=number(1.0, 2.0),
        start=number(0.0, 9.0),
    ),
    st.builds(
        Rolled, shape=st.sampled_from(["ball", "barrel"]), origin=st.tuples(near, near), target=st.just((30.0, 0.0))
    ),
)
pushes = st.builds(
    Push,
    segment=segments,
    newtons=number(0.1, 900.0),
    origin=st.sampled_from(list(COMES_FROM)),
    start=number(0.0, 9.0),
    duration=number(0.01, 1.0),
    every=st.none() | number(1.0, 3.0),
)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    ground = draw(grounds)
    if draw(st.booleans()):
        ground = replace(ground, slope_deg=0.0)
    chosen = {
        "parts": tuple(draw(st.lists(parts, max_size=4))),
        "attachments": tuple(draw(st.lists(attachments, max_size=2))),
        "pushes": tuple(draw(st.lists(pushes, max_size=2))),
    }
    try:
        return World(
            ground=ground, things=tuple(draw(st.lists(things, max_size=2))), about='ä "quoted" \\ line', **chosen
        )
    except WorldError:  # a thing inside a part, or round on a slope
        return World(ground=ground, **chosen)


@given(worlds())
@settings(max_examples=150)
def test_text_keeps_every_bit(world: World) -> None:
    again = parse_world(dump_world(world))
    assert again == world
    assert dump_world(again) == dump_world(world)


@given(worlds())
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
def test_any_world_compiles_and_steps(world: World) -> None:
    spec = mujoco.MjSpec()
    add_body(spec, BODY, actuation="none")
    add_world(spec, world, BODY)
    model = spec.compile()
    assert [model.body(i + 1).name for i in range(len(BODY.segments))] == list(BODY.segment_names)
    data = mujoco.MjData(model)
    data.qpos[2] += 60.0
    mujoco.mj_step(model, data)
    assert np.isfinite(data.qpos).all()
    assert np.isfinite(ground_height(world, np.linspace(-5, 5, 7), 0.3)).all()


@given(st.text(alphabet='[]=.,"# \n-0123456789abefghiklmnoprstuxw_', max_size=80))
@settings(max_examples=300)
def test_any_text_is_a_world_or_a_named_mistake(text: str) -> None:
    message = ""
    try:
        parse_world(text, "w.toml")
    except WorldError as error:
        message = str(error)
    assert not message or message.startswith("w.toml")
