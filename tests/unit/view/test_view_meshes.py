from __future__ import annotations

import mujoco
import numpy as np
import pytest

from reenact.view import meshes
from reenact.view.meshes import Mesh


def volume(mesh: Mesh) -> float:
    a, b, c = (mesh.vertices[mesh.faces[:, i]].astype(float) for i in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def outward(mesh: Mesh) -> bool:
    a, b, c = (mesh.vertices[mesh.faces[:, i]].astype(float) for i in range(3))
    normal = np.cross(b - a, c - a)
    return bool((np.einsum("ij,ij->i", normal, mesh.normals[mesh.faces].mean(axis=1)) > 0).all())


BALL = 4 / 3 * np.pi
SOLIDS = {
    "sphere": (meshes.sphere(0.5), BALL * 0.125, [0.5, 0.5, 0.5]),
    "capsule": (meshes.capsule(0.1, 0.3), np.pi * 0.01 * 0.6 + BALL * 0.001, [0.1, 0.1, 0.4]),
    "box": (meshes.box([0.1, 0.2, 0.3]), 8 * 0.006, [0.1, 0.2, 0.3]),
    "cylinder": (meshes.cylinder(0.2, 0.3), np.pi * 0.04 * 0.6, [0.2, 0.2, 0.3]),
}


@pytest.mark.parametrize("kind", SOLIDS)
def test_a_solid_encloses_its_volume_and_keeps_its_size(kind: str) -> None:
    mesh, expected, half = SOLIDS[kind]
    assert volume(mesh) == pytest.approx(expected, rel=0.04)
    assert np.abs(mesh.vertices).max(axis=0) == pytest.approx(half, rel=1e-5)
    assert outward(mesh)
    assert np.linalg.norm(mesh.normals, axis=-1) == pytest.approx(1.0, abs=1e-5)


def test_a_solid_is_closed() -> None:
    for mesh, *_ in SOLIDS.values():
        _, index = np.unique(np.round(mesh.vertices, 6), axis=0, return_inverse=True)
        edges = index.reshape(-1)[mesh.faces][:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
        there = {tuple(edge) for edge in edges.tolist()}
        assert all((b, a) in there for a, b in there)


def test_a_height_field_faces_up_and_meets_its_heights() -> None:
    heights = np.array([[0.0, 0.1, 0.2], [0.0, 0.1, 0.2]])  # rises along x
    mesh = meshes.height_field(heights, half_x=2.0, half_y=1.0)
    assert outward(mesh)
    assert (mesh.normals[:, 2] > 0).all()
    assert mesh.vertices[mesh.vertices[:, 0] == 2.0][:, 2] == pytest.approx(0.2)
    assert set(mesh.vertices[:, 1].tolist()) == {-1.0, 1.0}


def test_every_kind_of_geom_is_drawn() -> None:
    from reenact.view.pieces import pieces_of

    model = mujoco.MjModel.from_xml_string(
        """<mujoco><asset>
          <hfield name="h" nrow="3" ncol="4" size="2 1 0.5 0.1" elevation="0 1 2 3  0 1 2 3  0 1 2 3"/>
          <mesh name="m" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>
        </asset><worldbody>
          <geom type="plane" size="0 0 1"/><geom type="hfield" hfield="h"/><geom type="mesh" mesh="m"/>
          <geom type="box" size=".1 .2 .3" group="4"/>
          <body name="foot_left"><freejoint/>
            <geom type="sphere" size=".1"/><geom type="capsule" size=".1 .2"/><geom type="box" size=".1 .2 .3"/>
            <geom type="ellipsoid" size=".1 .2 .3"/><geom type="cylinder" size=".1 .2" rgba="1 0 0 1"/>
          </body>
          <body><freejoint/><geom type="sphere" size=".1"/></body>
        </worldbody></mujoco>"""
    )
    pieces, made = pieces_of(model)
    assert [piece.role for piece in pieces] == ["ground"] * 3 + ["body"] * 5 + ["thing"]
    assert len(made) == 7, "all balls share one mesh and hidden groups have none"
    assert pieces[6].stretch == pytest.approx([0.1, 0.2, 0.3])
    assert pieces[8].stretch == pytest.approx(0.1)
    assert pieces[0].flat
    assert pieces[7].colour == (1.0, 0.0, 0.0)
    assert pieces[3].side_colour != pieces[3].colour
    heights = made[pieces[1].mesh].vertices[:, 2]
    assert heights.min() == pytest.approx(0)
    assert heights.max() == pytest.approx(0.5)
