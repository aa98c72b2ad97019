"""Tracks follow what they are given, read back to the same bits, and refuse what does not fit."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from swinging_motion import swinging

from reenact.body.load import load_body
from reenact.control.place import start_state
from reenact.control.ragdoll import Ragdoll
from reenact.control.read import controller_from_json
from reenact.control.track import Track, track_of
from reenact.errors import InputError
from reenact.motion.motion import qvel_of
from reenact.physics.controller import GAIN
from reenact.physics.model import Model, compile_model
from reenact.physics.plain import simulate_plainly
from reenact.physics.rollout import rollout_batch
from reenact.physics.simulate import simulate
from reenact.physics.state import State
from reenact.world.world import World


def made(actuation: str = "motor", *, lift: float = 0.0, timestep: float = 1 / 120) -> tuple[Model, Track, State]:
    motion = swinging(lift=lift)
    model = compile_model(motion.body, World(), actuation=actuation, timestep=timestep)  # type: ignore[arg-type]
    return model, track_of(motion, model), start_state(model, motion.qpos[0], qvel_of(motion)[0])


@pytest.mark.parametrize(("actuation", "least_deg"), [("motor", 3.0), ("servo", 6.0)])
def test_joints_follow_in_flight(actuation: str, least_deg: float) -> None:
    model, track, start = made(actuation, lift=3.0)
    trace = simulate(model, track, start, steps=72)
    error = trace.qpos[:, model.hinge_qpos] - track.angles[: trace.steps + 1]
    assert np.abs(track.angles).max() > np.radians(20)
    assert np.degrees(np.abs(error).max()) < least_deg


@pytest.mark.parametrize("actuation", ["motor", "servo"])
def test_same_bits_as_plain_python(actuation: str) -> None:
    model, track, start = made(actuation)
    qpos, _ = simulate_plainly(model, track, start, 90)
    np.testing.assert_array_equal(simulate(model, track, start, steps=90).qpos, qpos)


def test_the_description_reads_back_to_the_same_bits() -> None:
    model, track, start = made()
    again = controller_from_json(json.loads(json.dumps(track.to_json())))
    assert isinstance(again, Track)
    np.testing.assert_array_equal(again.angles, track.angles)
    np.testing.assert_array_equal(again.velocities, track.velocities)
    a, b = simulate(model, track, start, steps=60), simulate(model, again, start, steps=60)
    np.testing.assert_array_equal(a.qpos, b.qpos)
    assert len(track.to_json()["angles_rad"]) == len(track.angles)  # a line per step


def test_the_last_pose_is_held() -> None:
    model, track, start = made(lift=20.0)
    trace = simulate(model, track, start, steps=140)
    left = np.abs(trace.qpos[-1, model.hinge_qpos] - track.angles[-1])
    assert np.degrees(left.max()) < 3.0


def test_candidates_shift_their_targets() -> None:
    model, track, start = made(lift=3.0)
    shifts = np.zeros((3, model.hinges))
    knee = model.body.axis_index("knee_left_flexion")
    shifts[1, knee], shifts[2, knee] = 0.3, 0.6
    final = rollout_batch(model, track.compile(model), start, 60, params=shifts).final
    angles = final[:, 1 + model.hinge_qpos[knee]]
    np.testing.assert_allclose(angles - angles[0], [0.0, 0.3, 0.6], atol=0.05)


def test_stiffness_rises_while_a_limb_bears_weight() -> None:
    """[L10] contact scale: ankles stiffen on the ground and only there."""
    body = load_body("human50")
    model = compile_model(body, World(), actuation="servo")
    qpos = model.mj.qpos0.copy()
    track = Track(
        actuation="servo",
        timestep=model.timestep,
        axes=tuple(axis.name for axis in body.axes),
        angles=np.tile(qpos[model.hinge_qpos], (2, 1)),
        velocities=np.zeros((2, model.hinges)),
    )
    for lift, scale in ((0.0, 5.0), (2.0, 1.0)):
        qpos[2] = model.mj.qpos0[2] + lift
        trace = simulate(model, track, State(qpos=qpos, qvel=np.zeros(model.mj.nv)), steps=12, record_senses=True)
        assert trace.targets is not None
        gains = trace.targets[-1, GAIN]
        assert gains[body.axis_index("ankle_left_flexion")] == scale
        assert gains[body.axis_index("neck_flexion")] == 1.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"actuation": "servo"}, "drives a 'servo' body"),
        ({"timestep": 1 / 240}, "steps of"),
        ({"axes": "reversed"}, "differ in order"),
    ],
)
def test_a_track_for_another_model_is_refused(change: dict[str, object], message: str) -> None:
    model, track, start = made()
    if change.get("axes") == "reversed":
        change = {"axes": track.axes[::-1]}
    with pytest.raises(InputError, match=message):
        simulate(model, replace(track, **change), start, steps=1)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "teleport"}, "expected one of: track, ragdoll"),
        ({"kind": None}, "expected one of"),
        ({"angles_rad": ["1.0 2.0"]}, "row 0 has 2 numbers"),
        ({"angles_rad": ["one"]}, "lines of numbers"),
        ({"alpha": 0.0}, "alpha is 0.0"),
        ({"axes": None}, "cannot be read"),
    ],
)
def test_a_broken_description_is_named(change: dict[str, object], message: str) -> None:
    _, track, _ = made()
    with pytest.raises(InputError, match=message):
        controller_from_json({**track.to_json(), **change})


def test_a_missing_part_of_a_description_is_named() -> None:
    _, track, _ = made()
    description = track.to_json()
    del description["velocities_rad_s"]
    with pytest.raises(InputError, match="lacks 'velocities_rad_s'"):
        controller_from_json(description)


def test_a_ragdoll_has_no_servos() -> None:
    model = compile_model(swinging().body, World(), actuation="servo")
    with pytest.raises(InputError, match="no servos"):
        Ragdoll().compile(model)
    assert isinstance(controller_from_json(Ragdoll().to_json()), Ragdoll)
