"""Put a world around a body in a MuJoCo model.

World geoms have priority 1, so friction and softness of a contact are the world's and ice is ice whatever steps on it.
Attachments add their mass to their segment's own inertia: bodies keep their numbers and contacts their segment.
"""

from __future__ import annotations

from typing import Any, Final

import mujoco
import numpy as np

from reenact.body.body import Body
from reenact.errors import WorldError
from reenact.geometry.rotation import IDENTITY
from reenact.world.attachments import Lump, combined_inertia, lump_of
from reenact.world.build import loose_box, plate_of, surface_of
from reenact.world.external import check_segments
from reenact.world.parts import Box, Trampoline
from reenact.world.plane import plane_orientation
from reenact.world.scenery import GROUND_MATERIAL, LOOKS, add_scenery
from reenact.world.solids import BallSolid, BoxSolid, FieldSolid, PostSolid, Solid
from reenact.world.surface import Surface
from reenact.world.things import GRAVITY, Rest, Rolled, Thing, Thrown
from reenact.world.values import BadValueError
from reenact.world.world import Named, World, rests, solids_of

Geom: Final = mujoco.mjtGeom
WORLD_BIT: Final = 1  # contype and conaffinity of world geoms; body geoms carry it too
ATTACHED_BIT: Final = 1 << 30  # attachments meet the world and things by this bit alone, and so miss the body
FIELD_BASE: Final = 0.1  # depth of a height field below its lowest point [m]


def add_world(spec: Any, world: World, body: Body) -> None:
    """Add the world to an MjSpec that already holds the body, whose bodies keep their places and names."""
    check_segments(world, body)
    _check_names(spec, world)
    add_scenery(spec, body.segment_names[0])
    _add_ground(spec, world)
    fixed = solids_of(world)
    places = rests(world)
    for solid in (*fixed, *(rest.tee for rest in places.values() if rest.tee is not None)):
        _add_solid(spec, spec.worldbody, solid)
    for part in world.parts:
        if isinstance(part, Trampoline):
            _add_plate(spec, world, part)
        elif isinstance(part, Box) and part.mass > 0.0:
            _add_loose_box(spec, loose_box(world.ground, part, fixed), part.mass)
    for thing in world.things:
        _add_thing(spec, thing, places[thing.name])
    _attach(spec, world, body)


def _add_ground(spec: Any, world: World) -> None:
    ground = world.ground
    surface = Surface(friction=ground.friction, softness=ground.softness, damping_ratio=ground.damping_ratio)
    spec.worldbody.add_geom(
        name="ground",
        type=Geom.mjGEOM_PLANE,
        size=[0.0, 0.0, 0.05],  # drawn without end
        quat=plane_orientation(ground),
        material=GROUND_MATERIAL,
        **_contact(surface),
    )


def _contact(surface: Surface) -> dict[str, Any]:
    """Contact settings of a world geom: it decides for whatever touches it."""
    return {
        "friction": surface.frictions,
        "solref": surface.solref,
        "solimp": surface.solimp,
        "condim": surface.condim,
        "priority": 1,
        "contype": WORLD_BIT | ATTACHED_BIT,
        "conaffinity": WORLD_BIT,
    }


def _add_solid(spec: Any, parent: Any, solid: Solid) -> Any:
    settings: dict[str, Any] = {"name": solid.name, "rgba": LOOKS[solid.look], **_contact(solid.surface)}
    match solid:
        case BoxSolid():
            return parent.add_geom(
                type=Geom.mjGEOM_BOX, pos=solid.centre, quat=solid.orientation, size=solid.half, **settings
            )
        case BallSolid():
            return parent.add_geom(type=Geom.mjGEOM_SPHERE, pos=solid.centre, size=[solid.radius, 0.0, 0.0], **settings)
        case PostSolid():
            size = [solid.radius, solid.half_height, 0.0]
            settings |= {"condim": 1} if solid.slippery else {}
            return parent.add_geom(type=Geom.mjGEOM_CYLINDER, pos=solid.centre, size=size, **settings)
        case FieldSolid():
            low, high = float(solid.heights.min()), float(solid.heights.max())
            rise = max(high - low, 1e-6)
            spec.add_hfield(
                name=solid.name,
                size=[solid.half[0], solid.half[1], rise, FIELD_BASE],
                nrow=solid.heights.shape[0],
                ncol=solid.heights.shape[1],
                userdata=((solid.heights - low) / rise).ravel(),
            )
            return parent.add_geom(
                type=Geom.mjGEOM_HFIELD,
                hfieldname=solid.name,
                pos=[*solid.at, low],
                material=GROUND_MATERIAL,
                **settings,
            )


def _add_plate(spec: Any, world: World, part: Trampoline) -> None:
    plate = plate_of(world.ground, part)
    mount = spec.worldbody.add_body(name=part.name, pos=plate.centre)
    mount.add_joint(
        name=part.name,
        type=mujoco.mjtJoint.mjJNT_SLIDE,
        axis=[0.0, 0.0, 1.0],
        stiffness=part.stiffness,
        damping=part.damping,
        springref=part.mass * GRAVITY / part.stiffness,  # the bare plate hangs level with its rim
        armature=0.0,
        frictionloss=0.0,
    )
    _explicit_inertia(mount, part.mass, part.mass / 3.0 * _other_squares(plate.half))
    mount.add_geom(
        name=part.name,
        type=Geom.mjGEOM_BOX,
        size=plate.half,
        rgba=LOOKS["plate"],
        **_contact(surface_of(world.ground, part)),
    )


def _add_loose_box(spec: Any, solid: BoxSolid, mass: float) -> None:
    mount = spec.worldbody.add_body(name=solid.name, pos=solid.centre, quat=solid.orientation)
    mount.add_freejoint(name=solid.name)
    _explicit_inertia(mount, mass, mass / 3.0 * _other_squares(solid.half))
    _add_thing_geom(mount, solid.name, "loose", Geom.mjGEOM_BOX, solid.half, solid.surface.friction)


def _add_thing(spec: Any, thing: Thing, rest: Rest) -> None:
    mount = spec.worldbody.add_body(name=thing.name, pos=rest.position, quat=rest.orientation)
    mount.add_freejoint(name=thing.name)
    match thing:
        case Thrown(shape="box"):
            half = 0.5 * np.array(thing.size)
            _explicit_inertia(mount, thing.mass, thing.mass / 3.0 * _other_squares(half))
            _add_thing_geom(mount, thing.name, "thing", Geom.mjGEOM_BOX, half, thing.friction)
        case Rolled(shape="barrel"):
            across = thing.mass * (thing.radius**2 / 4.0 + thing.length**2 / 12.0)
            _explicit_inertia(mount, thing.mass, np.array([across, across, 0.5 * thing.mass * thing.radius**2]))
            size = [thing.radius, thing.length / 2, 0.0]
            _add_thing_geom(mount, thing.name, "thing", Geom.mjGEOM_CYLINDER, size, thing.friction)
        case _:
            _explicit_inertia(mount, thing.mass, np.full(3, 0.4 * thing.mass * thing.radius**2))
            _add_thing_geom(mount, thing.name, "thing", Geom.mjGEOM_SPHERE, [thing.radius, 0.0, 0.0], thing.friction)


def _add_thing_geom(mount: Any, name: str, look: str, kind: Any, size: Any, friction: float) -> None:
    mount.add_geom(
        name=name,
        type=kind,
        size=size,
        rgba=LOOKS[look],
        friction=Surface(friction=friction).frictions,
        condim=3,
        contype=WORLD_BIT | ATTACHED_BIT,
        conaffinity=WORLD_BIT,
    )


def _attach(spec: Any, world: World, body: Body) -> None:
    """Fix attachments to their segments."""
    lumps: dict[str, list[Lump]] = {}
    for attachment in world.attachments:
        try:
            lump = lump_of(attachment, body.segment(attachment.segment))
        except BadValueError as error:
            raise WorldError(f"{world.where(attachment)}: {error.cause}") from None
        lumps.setdefault(attachment.segment, []).append(lump)
    for name, carried in lumps.items():
        mount = spec.body(name)
        mass, com, moments, axes = combined_inertia(body.segment(name), carried)
        _explicit_inertia(mount, mass, moments, com, axes)
        for lump in carried:
            mount.add_geom(
                name=lump.name,
                type=Geom.mjGEOM_BOX if lump.kind == "box" else Geom.mjGEOM_SPHERE,
                size=lump.half,
                pos=lump.centre,
                mass=0.0,  # counted above
                rgba=LOOKS["attached"],
                contype=0,
                conaffinity=ATTACHED_BIT,
                **_attached_contact(lump),
            )


def _attached_contact(lump: Lump) -> dict[str, Any]:
    """A slippery base beats the ground: priority 2 where the attachment has a friction of its own."""
    if lump.friction is None:
        return {"condim": 3}
    surface = Surface(friction=lump.friction)
    return {
        "friction": surface.frictions,
        "solref": surface.solref,
        "solimp": surface.solimp,
        "condim": surface.condim,
        "priority": 2,
    }


def _explicit_inertia(mount: Any, mass: float, moments: Any, com: Any = (0.0, 0.0, 0.0), axes: Any = IDENTITY) -> None:
    """Give a body its inertia outright; without a centre of mass MuJoCo's text would leave it to the geoms."""
    mount.explicitinertial = True
    mount.mass, mount.ipos = mass, com
    mount.inertia, mount.iquat = moments, axes
    mount.fullinertia = [np.nan, 0.0, 0.0, 0.0, 0.0, 0.0]  # where the body gave a full matrix, the moments replace it


def _other_squares(half: Any) -> Any:
    """(y² + z², x² + z², x² + y²) of half lengths."""
    squares = np.asarray(half, float) ** 2
    return squares.sum() - squares


def _check_names(spec: Any, world: World) -> None:
    taken = {g.name for g in spec.geoms} | {b.name for b in spec.bodies} | {j.name for j in spec.joints}
    entries: list[Named] = [*world.parts, *world.attachments, *world.things]
    for entry in entries:
        if entry.name in taken:
            raise WorldError(f"{world.where(entry)}: the name is taken by a part of the body; choose another")
