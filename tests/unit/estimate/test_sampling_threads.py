"""Candidates on threads."""

from __future__ import annotations

import numpy as np

from reenact.body.load import load_body
from reenact.control.place import start_state
from reenact.control.track import Track
from reenact.estimate.sampling.evaluate import Request, Stage
from reenact.estimate.sampling.threads import Threads
from reenact.physics.model import compile_model
from reenact.world.world import World


def test_each_candidate_starts_from_its_own_state_with_its_own_displacement() -> None:
    body = load_body("human50")
    model = compile_model(body, World())
    axes = len(body.axes)
    track = Track(
        actuation="motor",
        timestep=model.timestep,
        axes=tuple(a.name for a in body.axes),
        angles=np.zeros((20, axes)),
        velocities=np.zeros((20, axes)),
    )
    stage = Stage(model=model, program=track.compile(model), external=None)
    high = start_state(model, model.mj.qpos0 + np.eye(1, model.mj.nq, 2)[0], np.zeros(model.mj.nv))
    low = start_state(model, model.mj.qpos0, np.zeros(model.mj.nv))
    starts = np.stack([high.row(model), low.row(model)])
    displacement = np.zeros((3, axes))
    displacement[2] = 0.2
    request = Request(starts=starts, start_of=np.array([1, 0, 0]), displacement=displacement, steps=6)
    one, two = (Threads(stage, threads=n).evaluate(request) for n in (1, 2))
    np.testing.assert_array_equal(one, two)
    assert one[1, 3] > one[0, 3] + 0.9
    assert (one[2, 8 : 8 + axes] - one[1, 8 : 8 + axes]).mean() > 0.05
