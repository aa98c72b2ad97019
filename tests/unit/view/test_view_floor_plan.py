"""Takes side by side: each keeps its own stairs, and a slope does not bury the neighbour."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest

from reenact.formats.take import Take
from reenact.view.floor_plan import SPACING, floor_plan
from reenact.view.pieces import pieces_of
from reenact.view.scene import Scene, scene_of


@pytest.fixture(scope="module")
def scene(take: Take) -> Scene:
    return scene_of(take, name="stand")


def on(scene: Scene, geoms: str) -> Scene:
    """The scene with other fixed things."""
    pieces, meshes = pieces_of(mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{geoms}</worldbody></mujoco>"))
    return replace(scene, pieces=pieces, meshes=meshes)


FLAT = '<geom type="plane" size="0 0 1"/>'
SLOPE = '<geom type="plane" size="0 0 1" euler="0 5 0"/>'
STEP = '<geom type="box" size="0.5 1.2 0.1" pos="1 0 0.1"/>'


def test_equal_planes_are_drawn_once(scene: Scene) -> None:
    plan = floor_plan([on(scene, FLAT), on(scene, FLAT + STEP), on(scene, FLAT)])
    assert [plot.plane for plot in plan.plots] == [True, False, False]
    assert all(plot.lane is None for plot in plan.plots)


def test_different_planes_are_lanes_that_meet(scene: Scene) -> None:
    plan = floor_plan([on(scene, FLAT), on(scene, SLOPE)])
    assert [plot.plane for plot in plan.plots] == [True, True]
    assert [plot.lane for plot in plan.plots] == [plan.spacing] * 2


def test_wide_scenery_gets_room(scene: Scene) -> None:
    assert floor_plan([on(scene, FLAT), on(scene, FLAT)]).spacing == SPACING
    assert floor_plan([on(scene, FLAT), on(scene, FLAT + STEP)]).spacing == pytest.approx(2 * 1.2 + 0.3)


def test_every_take_draws_its_own_things(scene: Scene) -> None:
    viser = pytest.importorskip("viser", reason="the browser page needs the extra 'view'")
    from reenact.view.page import Page

    server = viser.ViserServer(host="127.0.0.1", port=0, verbose=False)
    page = None
    try:
        page = Page(server, [scene, replace(scene, pieces=(*scene.pieces, _step(scene)))])
        second = [name for name in server.scene._handle_from_node_name if name.startswith("/stage/take1/ground/")]
        assert len(second) == 1, "the box, and not a second plane"
    finally:
        if page is not None:
            page.close()
        server.stop()


def _step(scene: Scene):
    floor = next(piece for piece in scene.pieces if piece.role == "ground")
    solid = next(piece for piece in scene.pieces if piece.role == "body")
    return replace(solid, role="ground", body=floor.body, name="step", position=np.array([1.0, 0.0, 0.1]))
