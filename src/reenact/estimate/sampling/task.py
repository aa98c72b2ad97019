"""What is to be reconstructed, made ready: the reference in its world, when samples end, what they are held against."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reenact.body.toml import dump_body
from reenact.control.place import staged, start_state
from reenact.control.track import Track, track_of
from reenact.estimate.check import check_motion, check_start
from reenact.estimate.sampling.evaluate import Setup, Stage
from reenact.estimate.sampling.features import Anatomy, Features, anatomy_of
from reenact.estimate.sampling.lost import floors
from reenact.estimate.sampling.schedule import schedule_of
from reenact.estimate.sampling.settings import Settings
from reenact.estimate.sampling.windows import windows_of
from reenact.geometry.rotation import Array
from reenact.motion.motion import Motion, velocities
from reenact.motion.resample import resample
from reenact.physics.model import Model, compile_model
from reenact.physics.prepare import wrenches_of
from reenact.physics.state import State
from reenact.world.external import heading_of
from reenact.world.toml import dump_world
from reenact.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Task:
    """A motion to follow on a model; frames are simulation steps from time 0."""

    reference: Motion  # in the world, at the model's rate
    qvel: Array  # (K, 6+A) of the reference
    stage: Stage
    setup: Setup
    track: Track
    start: State
    anatomy: Anatomy
    ends: tuple[int, ...]  # (n,) of the sampling steps
    aims: Features  # (n) of the reference at those ends
    first: Features  # (1) of the reference at time 0
    floors: Array  # (n,) height of the reference's lowest end effector about then [m]
    windows: Array  # (A,) [rad]

    @property
    def model(self) -> Model:
        """The compiled model."""
        return self.stage.model

    @property
    def begins(self) -> tuple[int, ...]:
        """Frame at which each sampling step begins, (n,)."""
        return (0, *self.ends[:-1])

    def reference_at(self, step: int) -> Features:
        """Features of the reference (1) where a sampling step begins."""
        return self.aims.at(step - 1) if step else self.first


def task_of(motion: Motion, world: World, settings: Settings) -> Task:
    """Compile the model, put the motion into its world and plan the sampling steps."""
    check_motion(motion, "sampling")
    anatomy = anatomy_of(motion.body)
    model = compile_model(motion.body, world, actuation=settings.actuation, torque_scale=settings.torque_scale)
    even = resample(motion, 1.0 / model.timestep)
    reference = staged(even, model)
    check_start(model, reference)
    qvel = velocities(reference.qpos, reference.rate)
    track = track_of(reference, model, alpha=settings.alpha)
    ends = schedule_of(reference, anatomy, step=settings.step, semantic=settings.semantic)
    start = start_state(model, reference.qpos[0], qvel[0])
    heading = heading_of(start.qpos[3:7])
    steps = reference.frames - 1
    setup = Setup(
        body_toml=dump_body(motion.body),
        world_toml=dump_world(world),
        actuation=settings.actuation,
        timestep=model.timestep,
        torque_scale=model.torque_scale,
        track=track.to_json(),
        steps=steps,
        heading=heading,
    )
    stage = Stage(model=model, program=track.compile(model), external=wrenches_of(model, steps, heading=heading))
    every = anatomy.features(reference.qpos, qvel)
    return Task(
        reference=reference,
        qvel=qvel,
        stage=stage,
        setup=setup,
        track=track,
        start=start,
        anatomy=anatomy,
        ends=ends,
        aims=every.of(np.array(ends)),
        first=every.at(0),
        floors=floors(every.tips, reference.rate)[list(ends)],
        windows=windows_of(motion.body, scale=settings.window_scale, floor=settings.window_floor),
    )
