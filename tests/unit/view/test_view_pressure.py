"""Pressure on the body: forces come back from it, on flat, round and thin parts, and colours are in order."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest

from reenact.formats.take import Take
from reenact.view.pieces import pieces_of
from reenact.view.pressed import pressed_dots
from reenact.view.pressure import FOOTPRINT, FULL_KPA, RAMP, Pressures, colour_of, pressures_of
from reenact.view.report import report_html
from reenact.view.scene import Scene, scene_of
from reenact.view.surface import Surface, surfaces_of

FLAT_PEAK = 100.0 / (np.pi * FOOTPRINT**2) / 1000.0  # of 100 N [kPa]


def body_of(geoms: str) -> mujoco.MjModel:
    joint = "<freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
    return mujoco.MjModel.from_xml_string(f"<mujoco><worldbody><body>{joint}{geoms}</body></worldbody></mujoco>")


def fine_surface(model: mujoco.MjModel) -> Surface:
    pieces, meshes = pieces_of(model)
    return surfaces_of(pieces, meshes, {1}, spacing=0.006)[1]


def touched(model: mujoco.MjModel, point: tuple[float, float, float], force: float = 100.0) -> Pressures:
    """A contact from below at a body that stands at the origin, during one frame."""
    pieces, meshes = pieces_of(model)
    motion = {
        "time": np.array([0.0, 1 / 60]),
        "qpos": np.tile(model.qpos0, (2, 1)),
        "contact_step": np.zeros(1, np.int32),
        "contact_segment": np.zeros(1, np.int16),
        "contact_point": np.array([point]),
        "contact_normal": np.array([[0.0, 0.0, 1.0]]),
        "contact_force": np.array([[30.0, 0.0, force]]),  # what rubs does not press
    }
    return pressures_of(model, motion, surfaces_of(pieces, meshes, {1}), np.array([1 / 60]), 60.0)


def force_on(surface: Surface, pressures: Pressures) -> float:
    """The upward force of the pressure [N], summed over a surface finer than the one it was made with."""
    pressure = 1000.0 * pressures.at(1, 0, surface.point, surface.outward)
    return float(np.sum(pressure * surface.area * np.maximum(-surface.outward[:, 2], 0.0)))


@pytest.mark.parametrize(
    ("geoms", "point"),
    [
        ("<geom type='box' size='0.2 0.2 0.05'/>", (0.0, 0.0, -0.05)),
        ("<geom type='box' size='0.2 0.2 0.05'/>", (0.2, 0.2, -0.05)),  # a corner
        ("<geom type='box' size='0.09 0.05 0.012'/>", (0.05, 0.02, -0.012)),  # thinner than a footprint
        ("<geom type='sphere' size='0.1'/>", (0.0, 0.0, -0.1)),
        ("<geom type='capsule' size='0.04 0.15' euler='0 90 0'/>", (0.1, 0.0, -0.04)),
        ("<geom type='ellipsoid' size='0.1 0.14 0.11'/>", (0.0, 0.0, -0.11)),
        (
            "<geom type='capsule' size='0.05 0.16'/><geom type='ellipsoid' size='0.08 0.07 0.2'/>",
            (0.0, 0.0, -0.21),
        ),
    ],
)
def test_the_force_comes_back_from_the_surface(geoms: str, point: tuple[float, float, float]) -> None:
    model = body_of(geoms)
    assert force_on(fine_surface(model), touched(model, point)) == pytest.approx(100.0, rel=0.03)


def test_a_flat_contact_has_the_pressure_of_a_disc() -> None:
    model = body_of("<geom type='box' size='0.2 0.2 0.05'/>")
    pressures = touched(model, (0.0, 0.0, -0.05))
    assert pressures.peak == pytest.approx([FLAT_PEAK], rel=0.02)
    below = np.array([[0.0, 0, -0.05], [FOOTPRINT, 0, -0.05]])
    felt = pressures.at(1, 0, below, np.tile([0.0, 0, -1.0], (2, 1)))
    assert felt[1] / felt[0] == pytest.approx(np.exp(-1.0), rel=1e-3)
    above = pressures.at(1, 0, np.array([[0.0, 0, -0.05]]), np.array([[0.0, 0, 1.0]]))
    assert above.tolist() == [0.0], "the far side of a thin part feels nothing"


def test_a_contact_deep_in_soft_ground_presses_the_lowest_surface() -> None:
    model = body_of("<geom type='sphere' size='0.1'/>")
    assert touched(model, (0.0, 0.0, 0.04)).point[0] == pytest.approx([0, 0, -0.1], abs=2e-3)


def test_near_contacts_are_one_and_their_force_is_the_frames_mean(take: Take) -> None:
    contacts = {
        "contact_step": np.array([21, 21, 22], np.int32),  # all in frame 11
        "contact_segment": np.array([0, 0, 0], np.int16),
        "contact_point": np.array([[0.001, 0.001, 0.9], [0.002, 0.001, 0.9], [0.05, 0.001, 0.9]]),
        "contact_normal": np.tile([0.0, 0, 1], (3, 1)),
        "contact_force": np.array([[0.0, 0, 40], [0, 0, 80], [0, 0, 10]]),
    }
    pressures = scene_of(replace(take, motion={**take.motion, **contacts})).pressures
    assert pressures.first[11:13].tolist() == [0, len(pressures.force)]
    assert len(pressures.force) == 2
    assert pressures.force.sum() == pytest.approx((40 + 80 + 10) / 2)
    assert pressures.force.tolist() == sorted(pressures.force.tolist(), reverse=True)


@pytest.fixture(scope="module")
def scene(take: Take) -> Scene:
    return scene_of(take)


def test_standing_feet_carry_the_weight(scene: Scene) -> None:
    assert {part.name for part in scene.parts} <= {"foot_left", "foot_right", "toes_left", "toes_right"}
    late = slice(scene.frames // 3, scene.frames)
    assert scene.part_load[late].sum(axis=1).mean() == pytest.approx(scene.mass * 9.81, rel=0.03)
    upward = sum(part.impulse[2] for part in scene.parts)
    assert upward == pytest.approx(scene.mass * 9.81 * scene.duration, rel=0.03)


def test_dots_lie_under_the_feet(scene: Scene) -> None:
    points, colours = pressed_dots(scene, scene.frames - 1)
    assert len(points) == len(colours) > 20
    assert np.abs(points[:, 2]).max() < 0.05
    assert colours.min() < 200


def test_colours_are_ever_darker_and_the_scale_is_rooted() -> None:
    red, green, blue = np.array(RAMP).T ** 2.2
    lightness = 116 * np.cbrt(0.2126 * red + 0.7152 * green + 0.0722 * blue) - 16
    steps = -np.diff(lightness)
    assert (steps > 8).all(), "one never mistakes more for less"
    assert steps.max() < 2 * steps.min()
    assert colour_of(np.array([0.0, FULL_KPA, 9e9])) == pytest.approx(np.array([RAMP[0], RAMP[-1], RAMP[-1]]))
    assert colour_of(np.array(FULL_KPA / 4)) == pytest.approx(np.array(RAMP[3])), "half the scale is a quarter of it"


def test_the_shader_has_room_for_every_colour(take: Take) -> None:
    assert f"RAMP_STOPS = {len(RAMP)};" in report_html(take)
