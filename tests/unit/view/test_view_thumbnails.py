"""The strip of poses: which side it shows, what stands in each picture, and where the ground is."""

from __future__ import annotations

import re
from dataclasses import replace

import mujoco
import numpy as np
import pytest

from reenact.body.adult import adult
from reenact.formats.take import Take
from reenact.physics.model import compile_model
from reenact.view.outline import PER_METRE
from reenact.view.recording import recording_of
from reenact.view.thumbnails import COUNT, OBLIQUE, Picture, Sketcher, look_at, pose_strip
from reenact.world.load import load_world

UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])


def standing(world: str = "flat", height: float = 0.0, **shift: float) -> tuple[mujoco.MjModel, np.ndarray]:
    """A model and the adult's rest pose in it."""
    model = compile_model(adult(), load_world(world)).mj
    pose = np.array(model.qpos0, float)
    pose[:3] += [shift.get("x", 0.0), shift.get("y", 0.0), height]
    return model, pose


def box_of(svg: str) -> np.ndarray:
    """Left, top, width and height of a picture [m]."""
    found = re.search(r"viewBox='([-\d ]+)'", svg)
    assert found is not None
    return np.array([float(word) for word in found[1].split()]) / PER_METRE


def floor_of(svg: str) -> np.ndarray:
    """Points (P, 2) of the ground's section, left to right [m]: aside, height."""
    found = re.search(r"class='floor' d='M([-\d ]+)Z'", svg)
    assert found is not None
    points = np.array([float(word) for word in found[1].split()]).reshape(-1, 2)[:-2]  # without the lower corners
    return points * [1, -1] / PER_METRE


def test_a_way_is_seen_from_its_side_going_right_a_little_towards_the_viewer() -> None:
    for heading in (0.0, 1.0, 2.5, -2.0):
        along = np.array([np.cos(heading), np.sin(heading), 0.0])
        joints = (np.linspace(0, 3, 20)[:, None] * along)[:, None] + np.zeros((20, 4, 3))
        look = look_at(joints, np.tile(UPRIGHT, (20, 1)))
        assert look.right @ along == pytest.approx(np.cos(OBLIQUE))
        assert look.toward @ along == pytest.approx(np.sin(OBLIQUE))


def test_a_motion_on_the_spot_is_seen_from_the_side_of_where_it_faces() -> None:
    facing = np.array([np.cos(0.5), 0.0, 0.0, np.sin(0.5)])  # turned by one radian
    joints = np.random.default_rng(0).normal(scale=0.2, size=(40, 6, 3))
    joints[:, 0] = 0.0
    look = look_at(joints, np.tile(facing, (40, 1)))
    assert look.right @ [np.cos(1.0), np.sin(1.0), 0.0] == pytest.approx(np.cos(OBLIQUE))


def test_the_body_stands_on_the_ground_within_its_picture() -> None:
    model, pose = standing(x=3.0, y=-2.0)
    sketcher = Sketcher(model, pose[None])
    svg = sketcher.svg(Picture(time=0.0, pose=pose, ghost=pose))
    left, top, width, height = box_of(svg)
    assert left < pose[:3] @ sketcher.look.right < left + width
    assert height == pytest.approx(adult().stature + 0.2, abs=0.12)
    assert floor_of(svg)[:, 1] == pytest.approx(0.0, abs=0.01)
    figure = re.search(r"class='figure'>(.*?)</g>", svg)
    assert figure is not None
    corners = np.array(re.findall(r"[ML](-?\d+) (-?\d+)", figure[1]), float) / PER_METRE
    assert (corners[:, 1] > top).all()
    assert corners[:, 1].max() == pytest.approx(0.0, abs=0.03), "soles on the ground"
    assert "class='ghost'" in svg


def test_the_ground_is_cut_open_below_the_body() -> None:
    model, pose = standing("drop_50cm", height=0.5)
    further = pose.copy()
    further[0] += 1.5
    floor = floor_of(Sketcher(model, np.array([pose, further])).svg(Picture(time=0.0, pose=pose)))
    assert floor[0, 1] == pytest.approx(0.5, abs=0.01)
    assert floor[-1, 1] == pytest.approx(0.0, abs=0.01), "the drop ahead, to the right"


def test_a_beam_runs_below_the_foot_that_stands_on_it() -> None:
    model, pose = standing("beam_5cm", height=0.1)
    pose[1] += 0.1  # the pelvis is beside the beam, a foot on it
    pose[7 + adult().axis_index("knee_left_flexion")] = 1.5
    ahead = pose.copy()
    ahead[0] += 2.0
    data = mujoco.MjData(model)
    data.qpos[:] = pose
    mujoco.mj_kinematics(model, data)
    assert abs(data.body("foot_right").xpos[1]) < 0.025
    floor = floor_of(Sketcher(model, np.array([pose, ahead])).svg(Picture(time=0.0, pose=pose)))
    below = np.interp(float(pose[:3] @ [1, 0, 0]), floor[:, 0] - floor[:, 0].mean(), floor[:, 1])
    assert below == pytest.approx(0.1, abs=0.01)
    assert floor[-1, 1] == pytest.approx(0.1, abs=0.01), "and on ahead"


def test_a_long_climb_is_followed() -> None:
    model, pose = standing()
    climb = np.tile(pose, (30, 1))
    climb[:, 2] += np.linspace(0, 6, 30)
    sketcher = Sketcher(model, climb)
    tops = [-box_of(sketcher.svg(Picture(time=0.0, pose=each)))[1] for each in (climb[0], climb[-1])]
    assert tops[1] - tops[0] == pytest.approx(6.0, abs=0.01)
    assert tops[0] == pytest.approx(adult().stature, abs=0.2)


def test_pictures_without_a_body_with_a_pale_one_and_with_dots() -> None:
    model, pose = standing()
    sketcher = Sketcher(model, pose[None])
    ahead = sketcher.svg(Picture(time=1.0, pose=None, ghost=pose))
    assert "ghost" in ahead
    assert "figure" not in ahead
    assert "figure faint" in sketcher.svg(Picture(time=1.0, pose=pose, faint=True))
    dots = (np.array([[0.0, 0.0, 0.1], [0.0, 0.0, 0.2]]), np.array([[250, 200, 90], [40, 10, 90]], np.uint8))
    dotted = sketcher.svg(Picture(time=1.0, pose=pose, dots=dots))
    assert [tuple(map(int, shade)) for shade in re.findall(r"stroke='rgb\((\d+) (\d+) (\d+)\)'", dotted)] == [
        (240, 192, 80),
        (32, 0, 80),
    ], "the darker over the lighter"
    assert sketcher.svg(Picture(time=1.0, pose=None)) == ""


def test_a_take_has_ten_poses_with_their_times(take: Take) -> None:
    strip = pose_strip(recording_of(take))
    times = [float(time) for time in re.findall(r"data-time='([\d.]+)'", strip)]
    assert times == pytest.approx(np.linspace(0, 1.5, COUNT), abs=1e-3)
    assert strip.count("class='ghost'") == COUNT
    assert len(strip) < 100_000


def test_a_take_without_a_reference_or_of_one_frame_has_a_strip(take: Take) -> None:
    unfitted = {name: values for name, values in take.reference.items() if name != "qpos"}
    alone = pose_strip(recording_of(replace(take, reference=unfitted)))
    assert "class='ghost'" not in alone
    assert alone.count("<svg") == COUNT
    short = {name: take.motion[name][:1] for name in ("time", "qpos", "qvel")} | {"ctrl": take.motion["ctrl"][:0]}
    assert pose_strip(recording_of(replace(take, motion=short))).count("<svg") == 1
