"""What is to be re-enacted, made ready for the search of a state machine."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from reenact.control.machine import layout as at
from reenact.control.machine.limbs import Limbs, limbs_of
from reenact.control.place import start_state
from reenact.estimate.states.gait import Strike, aloft_of, strikes_of
from reenact.estimate.states.pose_space import PoseSpace
from reenact.estimate.states.reference import Reference, reference_of
from reenact.estimate.states.sight import Sight
from reenact.estimate.states.weights import EFFORT
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.motion import Motion
from reenact.physics.model import Model, compile_model
from reenact.world.external import heading_of
from reenact.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Task:
    """A motion to re-enact on a model."""

    model: Model
    limbs: Limbs
    reference: Reference
    start: Array  # (X,) state row at time 0
    strikes: tuple[Strike, ...] = ()  # feet that come down in the recording
    aloft: float = 0.0  # share of its time in which no foot is down
    threads: int | None = None
    poses: PoseSpace | None = None  # what target poses are made of; None: plain angles
    effort: float = EFFORT  # weight of the mean effort [cm²]
    sight: Sight | None = None  # where the reference is a track from one video
    gait: Task | None = None  # where the reference trembles: the same with the mean of its steps, to practise a walk by

    @property
    def heading_turn(self) -> Array:
        """The turn (4,) that makes the heading at the start that of the x axis."""
        return rotation.from_axis_angle(rotation.AXES["z"], -heading_of(self.reference.qpos[0, 3:7]))

    def from_heading(self, orientation: Array) -> Array:
        """An orientation (4,) of the root as seen from the heading at the start."""
        return rotation.multiply(self.heading_turn, orientation)

    @property
    def to_practise(self) -> Task:
        """What a walk is practised by: the mean of the steps where there is one, or else the recording."""
        gait = self.gait
        return self if gait is None else replace(gait, start=self.start, poses=self.poses, effort=self.effort)

    def weighing(self, effort: float) -> Task:
        """The task with another weight of the effort; itself where that is its own."""
        return self if effort == self.effort else replace(self, effort=effort)


def task_of(motion: Motion, world: World, *, torque_scale: float = 1.0, threads: int | None = None) -> Task:
    """Compile the model and put the motion into its world."""
    model = compile_model(motion.body, world, torque_scale=torque_scale)
    reference = reference_of(motion, model)
    start = start_state(model, reference.qpos[0], reference.qvel[0])
    return Task(
        model=model,
        limbs=limbs_of(motion.body),
        reference=reference,
        strikes=strikes_of(motion, limbs_of(motion.body), reference.rate),
        aloft=aloft_of(motion, limbs_of(motion.body)),
        start=np.concatenate([start.row(model), np.zeros(at.memory_size(1))]),
        threads=threads,
    )
