"""What is to be reconstructed, made ready: the reference in its world, when samples end, what they are held against."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.ndimage import uniform_filter1d

from reenact.body.toml import dump_body
from reenact.control.place import staged, start_state
from reenact.control.track import Track, track_of
from reenact.estimate.sampling.check import check_motion, check_start
from reenact.estimate.sampling.evaluate import Setup, Stage
from reenact.estimate.sampling.features import Anatomy, Features, anatomy_of
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
from reenact.world.ground import ground_height
from reenact.world.toml import dump_world
from reenact.world.world import World

GROUND_TIME = 0.2  # [s] over which the ground's height under the root is averaged


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
    windows: Array  # (A,) [rad]

    @property
    def model(self) -> Model:
        """The compiled model."""
        return self.stage.model

    @property
    def begins(self) -> tuple[int, ...]:
        """Frame at which each sampling step begins, (n,)."""
        return (0, *self.ends[:-1])


def task_of(motion: Motion, world: World, settings: Settings) -> Task:
    """Compile the model, put the motion into its world and plan the sampling steps."""
    check_motion(motion)
    anatomy = anatomy_of(motion.body)
    model = compile_model(motion.body, world, actuation=settings.actuation, torque_scale=settings.torque_scale)
    even = resample(motion, 1.0 / model.timestep)
    placed = staged(even, model)
    ground = float(ground_height(world, *placed.qpos[0, :2]))
    check_start(model, placed.qpos[0], placed.qpos[0, 2] - even.qpos[0, 2] - ground)
    reference = over_ground(placed, model)
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
    return Task(
        reference=reference,
        qvel=qvel,
        stage=stage,
        setup=setup,
        track=track,
        start=start,
        anatomy=anatomy,
        ends=ends,
        aims=anatomy.features(reference.qpos[list(ends)], qvel[list(ends)]),
        windows=windows_of(motion.body, scale=settings.window_scale, floor=settings.window_floor),
    )


def over_ground(motion: Motion, model: Model) -> Motion:
    """The motion raised and lowered with the ground under its root, relative to the start.

    A clip recorded on a level floor then climbs a slope and drops with a drop, instead of going into the hill.
    """
    under = ground_height(model.world, motion.qpos[:, 0], motion.qpos[:, 1])
    size = 2 * round(0.5 * GROUND_TIME * motion.rate) + 1
    rise = uniform_filter1d(np.asarray(under, float), size, mode="nearest")
    rise = rise - rise[0]
    if not rise.any():
        return motion
    up = np.zeros((motion.frames, 3))
    up[:, 2] = rise
    qpos = motion.qpos.copy()
    qpos[:, :3] += up
    return replace(motion, qpos=qpos, joints=motion.joints + up[:, None])
