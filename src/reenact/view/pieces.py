"""The geoms of a model as drawn pieces: a mesh, a place on a body, a colour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import mujoco
import numpy as np
from numpy.typing import NDArray

from reenact.view import meshes
from reenact.view.colours import CENTRE, GROUND, MODEL_DEFAULT, RGB, THING, side_colour
from reenact.view.meshes import Mesh

Role = Literal["body", "thing", "ground"]

ENDLESS = 30.0  # half size at which a plane is drawn [m]; it has no bounds in the simulation
MAX_HFIELD = 160  # a finer height field is drawn with this many points a side
HIDDEN_GROUP = 3  # MuJoCo's viewer shows groups 0 to 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One geom, rigid on its body."""

    name: str
    role: Role
    body: int  # MuJoCo's body id
    mesh: int  # index into the scene's meshes
    flat: bool  # a plane: endless ground rather than a thing with sides
    position: NDArray[np.float64]  # (3,) in the body's frame [m]
    orientation: NDArray[np.float64]  # (4,)
    stretch: NDArray[np.float64]  # (3,) of the mesh along its axes, so that balls of all sizes share one
    colour: RGB
    side_colour: RGB  # where left and right are to be told apart
    alpha: float


def character_bodies(model: mujoco.MjModel) -> tuple[int, ...]:
    """Ids of the bodies of the first tree: the character."""
    return tuple(int(i) for i in np.flatnonzero(model.body_rootid == 1) if i > 0)


def pieces_of(model: mujoco.MjModel) -> tuple[tuple[Piece, ...], tuple[Mesh, ...]]:
    """All visible geoms and the meshes they share."""
    shared: dict[tuple[object, ...], int] = {}
    made: list[Mesh] = []
    pieces: list[Piece] = []
    for geom in range(model.ngeom):
        if not is_seen(model, geom):
            continue
        size = (1.0,) * 3 if _is_ball(model, geom) else tuple(model.geom_size[geom].tolist())
        kind = mujoco.mjtGeom.mjGEOM_SPHERE if _is_ball(model, geom) else model.geom_type[geom]
        key = (int(kind), int(model.geom_dataid[geom]), *size)
        if key not in shared:
            mesh = _mesh_of(model, geom)
            if mesh is None:
                continue
            shared[key] = len(made)
            made.append(mesh)
        pieces.append(_piece(model, geom, shared[key]))
    return tuple(pieces), tuple(made)


def _piece(model: mujoco.MjModel, geom: int, mesh: int) -> Piece:
    body = int(model.geom_bodyid[geom])
    role, own = role_of(model, body), colour_of(model, geom)
    return Piece(
        name=model.geom(geom).name,
        role=role,
        body=body,
        mesh=mesh,
        flat=int(model.geom_type[geom]) == int(mujoco.mjtGeom.mjGEOM_PLANE),
        position=model.geom_pos[geom].copy(),
        orientation=model.geom_quat[geom].copy(),
        stretch=_radii(model, geom) if _is_ball(model, geom) else np.ones(3),
        colour=own,
        side_colour=side_colour(model.body(body).name) if role == "body" else own,
        alpha=float(_rgba(model, geom)[3]),
    )


def is_seen(model: mujoco.MjModel, geom: int) -> bool:
    """Whether a geom is drawn at all."""
    return bool(model.geom_group[geom] < HIDDEN_GROUP and _rgba(model, geom)[3] > 0.0)


def colour_of(model: mujoco.MjModel, geom: int) -> RGB:
    """The colour a geom is drawn in: its own, or that of its role where it was given none."""
    rgba = _rgba(model, geom)
    if np.allclose(rgba, MODEL_DEFAULT):
        return {"body": CENTRE, "ground": GROUND, "thing": THING}[role_of(model, int(model.geom_bodyid[geom]))]
    return float(rgba[0]), float(rgba[1]), float(rgba[2])


def role_of(model: mujoco.MjModel, body: int) -> Role:
    """The character, something fixed to the world, or another thing that moves."""
    if model.body_weldid[body] == 0:
        return "ground"
    return "body" if model.body_rootid[body] == 1 else "thing"


def _rgba(model: mujoco.MjModel, geom: int) -> NDArray[np.float64]:
    """The geom's own colour, or its material's where it has none of its own."""
    rgba, material = np.asarray(model.geom_rgba[geom], float), int(model.geom_matid[geom])
    if material >= 0 and np.allclose(rgba, MODEL_DEFAULT):
        return np.asarray(model.mat_rgba[material], float)
    return rgba


def _is_ball(model: mujoco.MjModel, geom: int) -> bool:
    return int(model.geom_type[geom]) in (int(mujoco.mjtGeom.mjGEOM_SPHERE), int(mujoco.mjtGeom.mjGEOM_ELLIPSOID))


def _radii(model: mujoco.MjModel, geom: int) -> NDArray[np.float64]:
    """Half axes (3,) of a sphere or an ellipsoid [m]."""
    size = model.geom_size[geom].astype(float)
    return np.full(3, size[0]) if int(model.geom_type[geom]) == int(mujoco.mjtGeom.mjGEOM_SPHERE) else size


def _mesh_of(model: mujoco.MjModel, geom: int) -> Mesh | None:
    """The mesh of a geom; None for kinds that have nothing to show."""
    kind, size = mujoco.mjtGeom(model.geom_type[geom]), model.geom_size[geom].astype(float)
    match kind:
        case mujoco.mjtGeom.mjGEOM_SPHERE | mujoco.mjtGeom.mjGEOM_ELLIPSOID:
            return meshes.sphere(1.0)
        case mujoco.mjtGeom.mjGEOM_CAPSULE:
            return meshes.capsule(size[0], size[1])
        case mujoco.mjtGeom.mjGEOM_CYLINDER:
            return meshes.cylinder(size[0], size[1])
        case mujoco.mjtGeom.mjGEOM_BOX:
            return meshes.box(size)
        case mujoco.mjtGeom.mjGEOM_PLANE:
            return meshes.rectangle(ENDLESS, ENDLESS)
        case mujoco.mjtGeom.mjGEOM_HFIELD:
            return _height_field(model, int(model.geom_dataid[geom]))
        case mujoco.mjtGeom.mjGEOM_MESH:
            return _model_mesh(model, int(model.geom_dataid[geom]))
    return None


def _height_field(model: mujoco.MjModel, field: int) -> Mesh:
    rows, columns = int(model.hfield_nrow[field]), int(model.hfield_ncol[field])
    first = int(model.hfield_adr[field])
    half_x, half_y, top, _ = model.hfield_size[field].astype(float)
    heights = top * model.hfield_data[first : first + rows * columns].reshape(rows, columns).astype(float)
    # Drawn at the finest spacing that keeps the page small: every k-th row and column, the borders kept.
    keep = [np.unique(np.linspace(0, n - 1, min(n, MAX_HFIELD)).round().astype(int)) for n in (rows, columns)]
    return meshes.height_field(heights[np.ix_(*keep)], half_x, half_y)


def _model_mesh(model: mujoco.MjModel, mesh: int) -> Mesh:
    v, f = int(model.mesh_vertadr[mesh]), int(model.mesh_faceadr[mesh])
    vertices = model.mesh_vert[v : v + int(model.mesh_vertnum[mesh])]
    return meshes.triangles(vertices, model.mesh_face[f : f + int(model.mesh_facenum[mesh])])
