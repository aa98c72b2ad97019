"""Reactions to a loss of balance: which way the body falls, and what that adds to the target pose."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hand_made_machine import WEIGHT, Felt, com_of, machine, marching_on, model_of, random_pose, start_of, state, step
from reenact.body.mirror import mirror_angles, mirror_pose
from reenact.control.machine import layout as at
from reenact.control.machine.cues import CUES
from reenact.control.machine.events import LEFT_STANDS, RIGHT_STANDS
from reenact.control.machine.falling import AHEAD, FARTHEST, WAYS
from reenact.control.machine.limbs import limbs_of
from reenact.control.machine.machine import Balance, Machine
from reenact.control.machine.mirror import mirrored_rows
from reenact.control.machine.performance import _rerun, _standing, performance_of
from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.physics import sense as part
from reenact.physics.model import Model
from reenact.physics.simulate import simulate

STANDS = {"left": LEFT_STANDS, "right": RIGHT_STANDS}


def reacting(model: Model, reactions: Array, **balance: Any) -> Machine:
    """A machine of one state with these reactions (4, A)."""
    only = state(model, pose={"knee_left_flexion": 0.2}, balance=Balance(**balance), reactions=reactions, then="a")
    return machine(model, only, law="deviation", share=0.0)


def standing(model: Model, made: Machine, qpos: Array, qvel: Array, side: str) -> Felt:
    memory = {at.STANCE: STANDS[side]}
    return step(model, made, qpos=qpos, qvel=qvel, loads={f"foot_{side}": WEIGHT}, memory=memory)


def fallen(model: Model, felt: Felt, side: str) -> dict[str, float]:
    """How far the body falls each way, by the engine's COM and foot; nominal values are zero."""
    index = model.body.segment_names.index(f"foot_{side}")
    foot = felt.at(part.positions(felt.sense) + 3 * index, 2)
    off = com_of(felt) - foot + AHEAD * felt.at(part.COM_VELOCITY, 2)
    heading = felt.sense[part.HEADING]
    ahead = off @ [np.cos(heading), np.sin(heading)]
    left = off @ [-np.sin(heading), np.cos(heading)]
    over = left if side == "left" else -left
    return dict(zip(WAYS, np.clip([ahead, -ahead, over, -over], 0.0, FARTHEST), strict=True))


@pytest.mark.parametrize("name", ["adult", "human50", "robot35"])
@pytest.mark.parametrize("side", ["left", "right"])
def test_each_way_to_fall_has_a_reaction_of_its_own(name: str, side: str) -> None:
    model, rng = model_of(name), np.random.default_rng(3)
    rest = np.zeros((len(WAYS), model.hinges))
    seen = set()
    for _ in range(6):
        qpos, qvel = random_pose(model, rng, tilt=0.1), np.zeros(model.mj.nv)
        qvel[:2] = rng.normal(size=2)
        for way, number in zip(WAYS, range(4), strict=True):
            reactions = rest.copy()
            reactions[number] = rng.normal(size=model.hinges)
            felt = standing(model, reacting(model, reactions), qpos, qvel, side)
            still = standing(model, reacting(model, rest + 0.0), qpos, qvel, side)
            far = fallen(model, felt, side)[way]
            np.testing.assert_allclose(felt.angle - still.angle, far * reactions[number], atol=1e-9)
            seen |= {way} if far > 0.01 else set()
    assert seen == set(WAYS)


def test_a_body_in_the_states_own_motion_or_in_flight_does_not_react() -> None:
    model, rng = model_of(), np.random.default_rng(4)
    qpos, qvel = random_pose(model, rng, tilt=0.1), np.zeros(model.mj.nv)
    qvel[:2] = 1.0, 0.2
    reactions = rng.normal(size=(len(WAYS), model.hinges))
    bare = standing(model, reacting(model, reactions), qpos, qvel, "left")
    foot = bare.at(part.positions(bare.sense) + 3 * model.body.segment_names.index("foot_left"), 2)
    place, velocity = com_of(bare) - foot, bare.at(part.COM_VELOCITY, 2)
    own = reacting(model, reactions, nominal_place=tuple(place), nominal_velocity=tuple(velocity))
    felt = standing(model, own, qpos, qvel, "left")
    np.testing.assert_allclose(felt.angle, own.states[0].pose, atol=1e-9)
    flying = step(model, reacting(model, reactions), qpos=qpos, qvel=qvel, memory={at.STANCE: LEFT_STANDS})
    np.testing.assert_array_equal(flying.angle, own.states[0].pose)


def test_a_mirrored_state_reacts_as_a_mirror_shows() -> None:
    model, rng = model_of(), np.random.default_rng(5)
    made = reacting(model, rng.normal(size=(len(WAYS), model.hinges)))
    other = made.with_rows(mirrored_rows(made.rows(), model.body, len(made.groups)))
    qpos, qvel = random_pose(model, rng, tilt=0.1), np.zeros(model.mj.nv)
    qpos[3:7] = [1.0, 0.0, 0.0, 0.0]
    qvel[:2] = 0.7, -0.4
    felt = standing(model, made, qpos, qvel, "left")
    seen = standing(
        model, other, mirror_pose(model.body, qpos), qvel * np.where(np.arange(len(qvel)) == 1, -1, 1), "right"
    )
    np.testing.assert_allclose(seen.angle, mirror_angles(model.body, felt.angle), atol=1e-9)
    again = mirrored_rows(other.rows(), model.body, len(made.groups))
    np.testing.assert_allclose(again, made.rows(), atol=1e-12)


def test_without_reactions_a_march_has_the_same_bits() -> None:
    """Zeros in their place change nothing."""
    model = model_of()
    march = marching_on(model)
    none = np.zeros((len(WAYS), model.hinges))
    zeros = replace(march, states=tuple(replace(s, reactions=none) for s in march.states))
    bent = replace(march, states=tuple(replace(s, reactions=none + 0.1) for s in march.states))
    runs = [simulate(model, made, start_of(model), steps=120).qpos for made in (march, zeros, bent)]
    assert runs[0].tobytes() == runs[1].tobytes()
    assert np.abs(runs[0] - runs[2]).max() > 1e-3


def test_reactions_are_checked() -> None:
    model = model_of()
    none = np.zeros((len(WAYS), model.hinges))
    with pytest.raises(InputError, match="reactions need 4 × "):
        reacting(model, none[:2])
    none[2, model.body.axis_index("knee_left_flexion")] = np.nan
    with pytest.raises(InputError, match="reaction of 'knee_left_flexion' to falling over the standing leg is nan°/m"):
        reacting(model, none)
    with pytest.raises(InputError, match="need the law 'deviation'"):
        machine(model, state(model, reactions=np.zeros((len(WAYS), model.hinges))), law="paper")


def test_angles_in_another_order_keep_their_reactions() -> None:
    model, rng = model_of(), np.random.default_rng(6)
    made = reacting(model, rng.normal(size=(len(WAYS), model.hinges)))
    turned = rng.permutation(model.hinges)
    own = made.states[0]
    assert own.reactions is not None
    mixed = replace(
        made,
        axes=tuple(made.axes[i] for i in turned),
        states=(replace(own, pose=own.pose[turned], reactions=own.reactions[:, turned]),),
    )
    np.testing.assert_array_equal(mixed.ordered(model.body).rows(), made.rows())


@pytest.mark.parametrize(("field", "felt"), [("reactions", WAYS), ("answers", CUES)])
def test_a_take_tells_the_pose_with_its_reactions_and_answers(field: str, felt: tuple[str, ...]) -> None:
    """Of the standing hip too, whose target is a blend while the body walks."""
    model = model_of()
    march = marching_on(model)
    knee, hip = (model.body.axis_index(f"{name}_left_flexion") for name in ("knee", "hip"))
    changes = np.zeros((len(felt), model.hinges))
    changes[:, [knee, hip]] = 0.3
    bent = replace(march, states=tuple(replace(s, **{field: changes}) for s in march.states))
    trace = simulate(model, bent, start_of(model), steps=40, record_senses=True)
    found, bare = performance_of(bent, trace), performance_of(march, trace)
    np.testing.assert_array_equal(found["state"], bare["state"])
    memory, _ = _rerun(bent, trace)
    left = _standing(limbs_of(model.body), memory[1:]) == 0
    more = found["target"] - bare["target"]
    assert left.sum() > 10
    assert np.abs(more[left, knee]).max() > 0.01
    np.testing.assert_allclose(more[left, hip], more[left, knee], atol=1e-6)
