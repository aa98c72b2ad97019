"""A camera goes up only as far as something fixed hides the body."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from reenact.view.line_of_sight import ELEVATIONS_DEG, clear_elevation, view_direction

WALL = '<geom type="box" size="0.1 2 {half}" pos="-1 0 {half}"/>'


def elevation(scenery: str) -> float:
    """Of a camera 4 m behind a ball at 0.3 m, which looks along +x."""
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><worldbody><geom type="plane" size="0 0 1"/>{scenery}
        <body name="ball"><freejoint/><geom type="sphere" size="0.1"/></body></worldbody></mujoco>"""
    )
    state = np.array([0, 0, 0.3, 1, 0, 0, 0], float)
    return clear_elevation(model, [state], [np.array([0, 0, 0.3])], [1], 0.0, 4.0)


def test_nothing_in_the_way() -> None:
    assert elevation("") == ELEVATIONS_DEG[0]


def test_a_wall_is_looked_over() -> None:
    over = elevation(WALL.format(half=0.3))  # its top edge is 0.3 m above the ball, 0.9 to 1.1 m away
    assert -28.0 <= over < ELEVATIONS_DEG[0]
    assert np.tan(np.radians(-over)) > 0.3 / 1.1
    assert elevation(WALL.format(half=0.7)) < over


def test_a_camera_looks_down() -> None:
    assert view_direction(0.0, -30.0) == pytest.approx([np.cos(np.pi / 6), 0.0, -0.5])
    assert view_direction(90.0, 0.0) == pytest.approx([0.0, 1.0, 0.0])
