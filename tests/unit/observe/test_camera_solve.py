"""A camera and poses from clicked joints: the equations, what comes back, what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reenact.body.adult import adult
from reenact.errors import InputError
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.ik import neutral_stiffness
from reenact.motion.tree import move
from reenact.observe import camera_solve
from reenact.observe.camera_equations import Frame, Scene
from reenact.observe.camera_guess import Known
from reenact.observe.camera_points import points_of
from reenact.observe.camera_solve import SOLES, TRUNK, Clicks, solve_camera

SIZE = (1920, 1080)
JOINTS = [
    f"{joint}_{side}" for joint in ("shoulder", "elbow", "wrist", "hip", "knee", "ankle") for side in ("left", "right")
]
NUMBERS = np.array([np.log(1500.0), 0.08, 0.01, 1.2])  # focal, tilt, roll, height
BODY = adult()


def walking(heading: float, phase: float, x: float) -> Array:
    """A pose of a walk with its lowest foot point on the ground, 4 m ahead of the camera."""
    points = points_of(BODY, SOLES)
    pose = points.tree.neutral()
    for side, sign in (("left", 1.0), ("right", -1.0)):
        for joint, swing, bend in (
            ("hip", 0.45, 0.1),
            ("knee", -0.2, 0.4),
            ("shoulder", -0.4, 0.0),
            ("elbow", 0.1, 0.4),
        ):
            pose[7 + points.tree.hinges.index(f"{joint}_{side}_flexion")] = bend + sign * swing * np.sin(phase)
    pose[:3] = x, 4.0, 0.0
    pose[3:7] = rotation.from_axis_angle([0.0, 0.0, 1.0], heading)
    pose[2] = -points.at(pose)[:, 2].min()
    return pose


def clicks_of(poses: list[Array], rng: np.random.Generator, names: list[str] = JOINTS) -> list[Clicks]:
    camera, points = Known().camera(NUMBERS, SIZE), points_of(BODY, names)
    seen = [camera.project(points.at(pose)) + rng.normal(0.0, 3.0, (len(names), 2)) for pose in poses]
    return [dict(zip(names, [tuple(p) for p in frame.tolist()], strict=True)) for frame in seen]


def test_derivatives_are_those_of_finite_differences() -> None:
    rng = np.random.default_rng(2)
    names = [*JOINTS, "vertex", "heel_left"]
    pose = walking(0.7, 1.0, 0.2)
    pose[7:] += rng.normal(0.0, 0.2, len(pose) - 7)
    points = points_of(BODY, names)
    pixels = Known().camera(NUMBERS, SIZE).project(points.at(pose)) + rng.normal(0.0, 4.0, (len(names), 2))
    frame = Frame(points=points, pixels=pixels)
    scene = Scene(
        frames=(frame, frame), soles=points_of(BODY, SOLES), trunk=points_of(BODY, TRUNK), size=SIZE,
        known=Known(distortion=np.array([-0.1, 0.05, 0.001, 0.002])), stiffness=neutral_stiffness(points.tree),
    )  # fmt: skip
    poses = np.stack([pose, move(pose, rng.normal(0.0, 0.05, points.tree.dofs))])
    _, gradient = scene.equations(NUMBERS, poses)
    step, found = 1e-6, np.empty_like(gradient)
    for i in range(len(gradient)):
        aside = np.zeros(len(gradient))
        aside[i] = step
        ahead, back = (
            scene.cost(NUMBERS + s * aside[:4], move(poses, s * aside[4:].reshape(2, -1))) for s in (1.0, -1.0)
        )
        found[i] = (ahead - back) / (2 * step)
    assert np.abs(found - gradient).max() < 1e-4 * np.abs(gradient).max()


def test_three_frames_with_a_known_lens_find_camera_and_poses() -> None:
    poses = [walking(0.3, phase, x) for phase, x in ((0.4, -0.8), (1.7, 0.0), (3.3, 0.9))]
    solved = solve_camera(
        clicks_of(poses, np.random.default_rng(0)), BODY, SIZE, known=Known(focal=1500.0, tilt=0.08, height=1.2)
    )
    away = solved.camera.position - solved.poses[0, :3]
    assert np.linalg.norm(away - ([0.0, 0.0, 1.2] - poses[0][:3])) < 0.15
    assert solved.poses[0, :2] == pytest.approx([0.0, 0.0])
    assert solved.rms_px < 4.0
    assert solved.worst[2] < 12.0
    for found, pose in zip(solved.poses, poses, strict=True):
        turn = rotation.to_rotvec(rotation.multiply(rotation.conjugate(found[3:7]), pose[3:7]))
        assert np.linalg.norm(turn) < 0.6  # faces the right way, not its mirror image
    name, pixel = next(iter(solved.seen[0].items()))
    at = points_of(BODY, [name]).at(solved.poses[0])[0]
    assert solved.camera.project(at) == pytest.approx(pixel)


def test_what_is_not_known_is_said_to_be_unsure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_solve, "HEADINGS", 1)  # it faces that way
    clicks = clicks_of([walking(0.0, 0.5, 0.0)], np.random.default_rng(1))
    free = solve_camera(clicks, BODY, SIZE)
    told = solve_camera(clicks, BODY, SIZE, known=Known(focal=1500.0, height=1.2))
    assert free.spread["focal"] > 0.2
    assert told.spread["focal"] < 0.02
    assert told.spread["height"] < 0.02
    assert told.camera.focal[0] == pytest.approx(1500.0, rel=0.02)
    one_wrong = dict(clicks[0])
    one_wrong["wrist_left"] = (one_wrong["wrist_left"][0] + 150.0, one_wrong["wrist_left"][1])
    bent = solve_camera([one_wrong], BODY, SIZE, known=Known(focal=1500.0, height=1.2))
    assert bent.worst[1] == "wrist_left"


@pytest.mark.parametrize(
    ("clicks", "words"),
    [
        ([], "no joints were clicked"),
        ([{"hip_left": (10.0, 10.0)}], "frame 1: 1 points were clicked, at least 6"),
        ([dict.fromkeys([*JOINTS[:5], "tail"], (5.0, 900.0))], "within 10 pixels"),
        (
            [{name: (10.0 * i, 40.0) for i, name in enumerate([*JOINTS[:5], "tail"])}],
            "no point 'tail'; there are: lumbar",
        ),
        (
            [{name: (500.0 * i, 40.0) for i, name in enumerate(JOINTS[:6])}],
            r"'hip_left' .* outside|outside of the 1920",
        ),
    ],
)
def test_clicks_that_cannot_be_used(clicks: list[Clicks], words: str) -> None:
    with pytest.raises(InputError, match=words):
        solve_camera(clicks, BODY, SIZE)


def test_known_numbers_out_of_range() -> None:
    with pytest.raises(InputError, match=r"tilt is 1718\.87°, expected -86 to 86°"):
        Known(tilt=30.0)
    with pytest.raises(InputError, match="standing has 2 values"):
        solve_camera(clicks_of([walking(0.0, 0.5, 0.0)], np.random.default_rng(1)), BODY, SIZE, standing=[True, False])
    assert replace(Known(), height=2.0).expected(SIZE)[0][3] == 2.0
