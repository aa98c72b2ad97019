"""Outlines against brute force: points of the solid, seen from the side."""

from __future__ import annotations

import re

import mujoco
import numpy as np
import pytest

from reenact.view.outline import PER_METRE, Look, Outline, Shapes, dimmed, hull

KINDS = {
    "sphere": "0.2",
    "capsule": "0.08 0.3",
    "ellipsoid": "0.3 0.1 0.2",
    "box": "0.3 0.1 0.2",
    "cylinder": "0.1 0.3",
}


def turned(kind: str, seed: int) -> tuple[mujoco.MjModel, mujoco.MjData]:
    quat = np.random.default_rng(seed).normal(size=4)
    words = " ".join(f"{x:.6f}" for x in quat / np.linalg.norm(quat))
    model = mujoco.MjModel.from_xml_string(
        f"<mujoco><worldbody><body pos='0.4 -0.2 1.1' quat='{words}'><freejoint/>"
        f"<geom type='{kind}' size='{KINDS[kind]}'/></body></worldbody></mujoco>"
    )
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    return model, data


def sampled(path: str) -> np.ndarray:
    """Points (P, 2) along a path of M, L, A and Z, as SVG 1.1 appendix F.6 defines arcs."""
    points: list[np.ndarray] = []
    for command, words in re.findall(r"([MLAZ])([-\d .]*)", path):
        numbers = [float(word) for word in words.split()]
        if command == "A":
            points += list(arc(points[-1], *numbers))
        else:
            points += [np.array(pair) for pair in zip(numbers[::2], numbers[1::2], strict=True)]
    return np.array(points)


def arc(start: np.ndarray, rx: float, ry: float, angle: float, large: float, sweep: float, *end: float) -> np.ndarray:
    turn = np.radians(angle)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    half = axes @ (0.5 * (start - np.array(end))) / [rx, ry]  # in circles of radius 1
    length = min(np.linalg.norm(half), 1.0)
    sign = -1.0 if large == sweep else 1.0
    centre = sign * np.sqrt(1.0 / length**2 - 1.0) * np.array([half[1], -half[0]])
    a, b = (np.arctan2(*(point - centre)[::-1]) for point in (half, -half))
    a, b = (a, b + 2 * np.pi * (b < a)) if sweep else (a, b - 2 * np.pi * (b > a))
    angles = np.linspace(a, b, 200)
    circle = np.stack([np.cos(angles), np.sin(angles)], -1) + centre
    scale = max(1.0, float(np.linalg.norm(half)))  # radii that are too small grow until they fit
    return scale * circle * [rx, ry] @ axes + 0.5 * (start + np.array(end))


def surface(kind: str) -> np.ndarray:
    """Points of the solid's surface (P, 3) in its own frame."""
    rng = np.random.default_rng(0)
    ball = rng.normal(size=(20000, 3))
    ball /= np.linalg.norm(ball, axis=1, keepdims=True)
    size = [float(word) for word in KINDS[kind].split()]
    if kind == "sphere":
        return size[0] * ball
    if kind == "ellipsoid":
        return np.array(size) * ball
    if kind == "capsule":
        return size[0] * ball + np.array([0, 0, size[1]]) * rng.choice([-1.0, 1.0], (len(ball), 1))
    if kind == "box":
        return np.array(size) * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    angle = np.linspace(0, 2 * np.pi, 360)
    rim = size[0] * np.stack([np.cos(angle), np.sin(angle), np.zeros(360)], -1)
    half = np.array([0, 0, size[1]])
    return np.concatenate([rim + half, rim - half])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_outline_reaches_as_far_as_the_solid(kind: str, seed: int) -> None:
    model, data = turned(kind, seed)
    heading = 0.7 * seed
    right = np.array([np.cos(heading), np.sin(heading), 0.0])
    look = Look(right=right, along=right)
    (drawn,) = Shapes(model, [0]).outlines(data, look)
    seen = look.flat(surface(kind) @ data.geom_xmat[0].reshape(3, 3).T + data.geom_xpos[0])
    for angle in np.linspace(0, 2 * np.pi, 12, endpoint=False):
        direction = np.array([np.cos(angle), np.sin(angle)])
        wide = float((sampled(drawn.path) @ direction).max())
        assert wide == pytest.approx(float((seen @ direction).max()), abs=0.012 * PER_METRE)
    assert drawn.depth == pytest.approx(float(data.geom_xpos[0] @ look.toward))


def test_right_up_and_toward_are_as_a_viewer_has_them() -> None:
    right = np.array([1.0, 0.0, 0.0])
    look = Look(right=right, along=right)
    assert look.toward == pytest.approx([0.0, -1.0, 0.0]), "x to the right and z up is seen from the side of -y"
    assert look.flat(np.array([0.5, 3.0, 2.0])) == pytest.approx([0.5 * PER_METRE, -2.0 * PER_METRE])


def test_the_nearest_shape_is_drawn_last_and_brightest() -> None:
    shapes = [Outline(path="", colour=(1.0, 1.0, 1.0), depth=depth) for depth in (-0.4, 0.0, 0.4)]
    light = [shape.colour[0] for shape in dimmed(shapes)]
    assert light == sorted(light)
    assert light[-1] == 1.0
    assert light[0] < 0.8


def test_a_hull_leaves_out_what_is_inside() -> None:
    square = np.array([[0, 0], [4, 0], [4, 4], [0, 4], [2, 2], [2, 0]], float)
    corners = hull(square)
    assert sorted(corners) == [(0, 0), (0, 4), (4, 0), (4, 4)]
    area = 0.5 * sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(corners, corners[1:] + corners[:1], strict=True))
    assert area == -16.0, "the way round that arcs go, or overlapping shapes of one path would cancel out"
