"""A body in a world made ready for the engine, with the maps between the body's order and the engine's.

MuJoCo writes MJCF with six digits. So that a take's model.xml is the model that was simulated and not one near it, the
composed model is written to text first and compiled from that text; only the step length keeps all its digits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import mujoco
import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.errors import BodyError, InputError
from reenact.geometry.rotation import Array

if TYPE_CHECKING:
    from reenact.world.world import World

Actuation = Literal["motor", "servo", "none"]
Indices = NDArray[np.int64]
SLIPPERY = 0.01  # friction


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Model:
    """What the engine simulates. Indices are MuJoCo's; A hinges and S segments stand in the body's order."""

    body: Body
    world: World
    actuation: Actuation
    timestep: float  # [s]
    torque_scale: float
    mj: mujoco.MjModel
    xml: str  # MJCF that was compiled
    hinge_qpos: Indices  # (A,)
    hinge_dof: Indices  # (A,)
    hinge_actuator: Indices  # (A,) for servos, else (0,)
    hinge_middle: Array  # (A,) angle halfway between the limits [rad]
    joint_hinge: Indices  # (njnt,) hinge of each joint, −1 for others
    dof_hinge: Indices  # (nv,) hinge of each dof, −1 for the root and other things
    geom_segment: Indices  # (ngeom,) segment of each geom, −1 for the world's; attached loads count to their segment
    segment_body: Indices  # (S,)
    body_segment: Indices  # (nbody,) segment of each body, −1 for the world's
    body_mass: Array  # (nbody,) mass of what belongs to the character, 0 for other things [kg]
    torque_limit: Array  # (A,) [N·m]
    servo_kp: Array  # (A,) [N·m/rad], zero where there are no servos
    servo_kd: Array  # (A,) [N·m·s/rad]
    spare: list[mujoco.MjData] = field(default_factory=list, repr=False)  # engine data not in use by a thread
    twin: list[mujoco.MjModel] = field(default_factory=list, repr=False)  # made when first asked for, see `driven.py`

    @property
    def mass(self) -> float:
        """Mass of the character with what is attached to it [kg]."""
        return float(self.body_mass.sum())

    @property
    def hinges(self) -> int:
        """Number of hinges A."""
        return len(self.hinge_dof)

    def audit_xml(self) -> str:
        """MJCF for a take: the simulated model, without the friction rows that served as motors.

        What the motors did is recorded as torque; replayed on this model it reproduces every step.
        """
        if self.actuation != "motor":
            return self.xml
        return _without_motors(self.xml, {axis.name for axis in self.body.axes})


def compile_model(
    body: Body,
    world: World,
    *,
    actuation: Actuation = "motor",
    timestep: float = 1.0 / 120.0,
    torque_scale: float = 1.0,
) -> Model:
    """Compose body and world and compile them. `torque_scale` multiplies every torque limit."""
    from reenact.body.mjcf import add_body
    from reenact.world.mjcf import add_world

    if actuation not in ("motor", "servo", "none"):
        raise InputError(f"actuation is {actuation!r}, expected 'motor', 'servo' or 'none'")
    if not 1e-5 <= timestep <= 0.02:
        raise InputError(f"timestep is {timestep!r} s, expected between 1e-5 and 0.02")
    if not 0.0 < torque_scale <= 100.0:
        raise InputError(f"torque scale is {torque_scale!r}, expected above 0 and at most 100")
    spec = mujoco.MjSpec()
    spec.modelname = f"{body.name} in {world.name}"
    add_body(spec, body, actuation=actuation, torque_scale=torque_scale)
    add_world(spec, world, body)
    return model_from_spec(spec, body, world, actuation=actuation, timestep=timestep, torque_scale=torque_scale)


def model_from_spec(
    spec: mujoco.MjSpec,
    body: Body,
    world: World,
    *,
    actuation: Actuation,
    timestep: float = 1.0 / 120.0,
    torque_scale: float = 1.0,
) -> Model:
    """A model from a composed MJCF specification whose first tree is the body."""
    set_engine(spec, actuation, slippery=0.0 < world.least_friction < SLIPPERY)
    spec.compile()
    xml = _with_timestep(spec.to_xml(), timestep)
    mj = mujoco.MjModel.from_xml_string(xml)
    return Model(
        body=body,
        world=world,
        actuation=actuation,
        timestep=float(mj.opt.timestep),
        torque_scale=torque_scale,
        mj=mj,
        xml=xml,
        **_maps(mj, body.segment_names, tuple(axis.name for axis in body.axes), actuation),
    )


def set_engine(spec: mujoco.MjSpec, actuation: Actuation, *, slippery: bool = False) -> None:
    """Engine settings of every simulation: implicit in velocity, Newton to convergence, pyramidal friction.

    slippery: friction pyramids so thin that the solver may stop too soon, 0.1 N·m off once in hundreds of steps; then
    it goes on for as long as it gets any better, which takes a third longer.
    """
    option = spec.option
    option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    option.solver = mujoco.mjtSolver.mjSOL_NEWTON
    option.cone = mujoco.mjtCone.mjCONE_PYRAMIDAL
    option.iterations = 100
    option.ls_iterations = 50
    # 1e-12 costs nothing, and a replayed step then leaves 1e-11 N unexplained instead of 1e-3.
    option.tolerance = 0.0 if slippery else 1e-12
    option.jacobian = mujoco.mjtJacobian.mjJAC_SPARSE  # a fifth faster than dense for 50 dofs, no slower for 35
    if actuation == "motor":  # with islands the solver works on copies made before we write into the rows
        option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_ISLAND)


def _maps(mj: mujoco.MjModel, segments: tuple[str, ...], axes: tuple[str, ...], actuation: Actuation) -> dict[str, Any]:
    segment_body = np.array([mj.body(name).id for name in segments], np.int64)
    joints = [mj.joint(name).id for name in axes]
    dof, qpos = mj.jnt_dofadr[joints].astype(np.int64), mj.jnt_qposadr[joints].astype(np.int64)
    _check_order(mj, segment_body, dof)
    dof_hinge = np.full(mj.nv, -1, np.int64)
    dof_hinge[dof] = np.arange(len(axes))
    joint_hinge = np.full(mj.njnt, -1, np.int64)
    joint_hinge[joints] = np.arange(len(axes))
    body_segment = np.full(mj.nbody, -1, np.int64)
    for b in range(1, mj.nbody):  # parents stand before their children
        own = np.flatnonzero(segment_body == b)
        body_segment[b] = own[0] if len(own) else body_segment[mj.body_parentid[b]]
    actuator = np.zeros(0, np.int64)
    kp, kd = np.zeros(len(axes)), np.zeros(len(axes))
    limit = mj.dof_frictionloss[dof].copy()
    if actuation == "servo":
        actuator = np.array([_actuator_of(mj, j) for j in joints], np.int64)
        kp, kd = mj.actuator_gainprm[actuator, 0].copy(), -mj.actuator_biasprm[actuator, 2]
        limit = mj.actuator_forcerange[actuator, 1].copy()
    if mj.dof_frictionloss[:6].any() or mj.dof_damping[:6].any() or mj.dof_armature[:6].any():
        raise BodyError("the root carries friction, damping or armature: nothing may hold or drive it")
    return {
        "hinge_qpos": qpos,
        "hinge_dof": dof,
        "hinge_actuator": actuator,
        "hinge_middle": mj.jnt_range[joints].mean(axis=1),
        "joint_hinge": joint_hinge,
        "dof_hinge": dof_hinge,
        "geom_segment": body_segment[mj.geom_bodyid],
        "segment_body": segment_body,
        "body_segment": body_segment,
        "body_mass": np.where(body_segment >= 0, mj.body_mass, 0.0),
        "torque_limit": limit,
        "servo_kp": kp,
        "servo_kd": kd,
    }


def _check_order(mj: mujoco.MjModel, segment_body: Indices, dof: Indices) -> None:
    root = mj.body_jntadr[segment_body[0]]
    if root != 0 or mj.jnt_type[0] != mujoco.mjtJoint.mjJNT_FREE:
        raise BodyError("the body must be the first tree of the model, on a free joint")
    if not np.array_equal(dof, np.arange(6, 6 + len(dof))):
        raise BodyError("the body's hinges must be the dofs right after its root, in the order of its axes")


def _actuator_of(mj: mujoco.MjModel, joint: int) -> int:
    """The actuator that drives a joint, by its transmission and not by its order."""
    is_joint = mj.actuator_trntype == mujoco.mjtTrn.mjTRN_JOINT
    found = np.flatnonzero(is_joint & (mj.actuator_trnid[:, 0] == joint))
    if len(found) != 1:
        raise BodyError(f"joint '{mj.joint(joint).name}' has {len(found)} actuators, a servo body needs one per hinge")
    return int(found[0])


def _with_timestep(xml: str, timestep: float) -> str:
    """The MJCF text with the step length to all digits."""
    if re.search(r"<option\b[^>]*\btimestep=", xml):
        return re.sub(r'(<option\b[^>]*\btimestep=)"[^"]*"', rf'\g<1>"{timestep!r}"', xml, count=1)
    return xml.replace("<option ", f'<option timestep="{timestep!r}" ', 1)


def _without_motors(xml: str, axes: set[str]) -> str:
    """The MJCF text with frictionloss taken off the named joints, attribute by attribute so that nothing else moves."""

    def strip(match: re.Match[str]) -> str:
        element = match.group(0)
        name = re.search(r'\bname="([^"]*)"', element)
        if name is None or name.group(1) not in axes:
            return element
        return re.sub(r'\s(frictionloss|solimpfriction|solreffriction)="[^"]*"', "", element)

    return re.sub(r"<joint\b[^>]*>", strip, xml)
