from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sliding_takes import SLICK, still

from reenact.control.ends_standing import ends_standing
from reenact.control.follow import follow
from reenact.control.recipe import rerun_take
from reenact.errors import InputError
from reenact.geometry import rotation
from reenact.physics.trace import Trace
from reenact.world.pushes import Push
from reenact.world.world import World

AFTER = 0.1  # [s] the clip's length


@pytest.fixture(scope="module")
def stood() -> Trace:
    """The rest pose held for a little over a second."""
    return rerun_take(follow(still(), seconds=1.3))


def test_a_body_that_holds_its_rest_pose_stands(stood: Trace) -> None:
    verdict = ends_standing(stood, AFTER)
    assert verdict.stands, verdict.reason
    assert verdict.height == pytest.approx(1.0, abs=0.05)
    assert verdict.tilt_deg < 10.0
    assert verdict.glide < 0.05


def test_a_body_that_glides_stands_too() -> None:
    verdict = ends_standing(rerun_take(follow(still(speed=1.0), SLICK, seconds=1.3)), AFTER)
    assert verdict.stands, verdict.reason
    assert verdict.glide == pytest.approx(1.0, abs=0.1)


def test_a_body_that_was_pushed_over_does_not_and_it_is_told_what_bore_it() -> None:
    push = Push(segment="thorax", newtons=300.0, origin="rear", start=0.2, duration=0.3)
    verdict = ends_standing(rerun_take(follow(still(), World(pushes=(push,)), seconds=2.5)), AFTER)
    assert not verdict.stands
    assert "bore weight at" in verdict.reason
    assert "foot" not in verdict.reason


@pytest.mark.parametrize(("degrees", "stands"), [(35.0, True), (50.0, False)])
def test_the_trunk_may_lean_by_45_degrees(stood: Trace, degrees: float, stands: bool) -> None:
    leaning = with_hip(stood, degrees)
    verdict = ends_standing(leaning, AFTER)
    assert verdict.stands is stands
    assert stands or "leans" in verdict.reason


@pytest.mark.parametrize(("degrees", "stands"), [(50.0, True), (110.0, False)])
def test_a_crouch_is_no_standing(stood: Trace, degrees: float, stands: bool) -> None:
    """Thighs forward, shanks back, soles level, the trunk upright."""
    poses = stood.qpos.copy()
    for side in ("left", "right"):
        poses[:, 7 + stood.model.body.axis_index(f"knee_{side}_flexion")] = np.deg2rad(degrees)
        for joint in ("hip", "ankle"):
            poses[:, 7 + stood.model.body.axis_index(f"{joint}_{side}_flexion")] = np.deg2rad(0.5 * degrees)
    verdict = ends_standing(replace(stood, qpos=poses), AFTER)
    assert verdict.stands is stands
    assert stands or "standing height" in verdict.reason


def test_a_centre_of_mass_that_leaves_the_feet_topples(stood: Trace) -> None:
    """Turned about the feet by 15° over the last second: the trunk alone would pass."""
    angle = np.deg2rad(15.0) * np.clip(stood.time - stood.time[-1] + 1.0, 0.0, 1.0)
    turn = rotation.from_axis_angle(rotation.AXES["y"], angle)
    poses = stood.qpos.copy()
    poses[:, :3] = rotation.rotate(turn, poses[:, :3])
    poses[:, 3:7] = rotation.multiply(turn, poses[:, 3:7])
    verdict = ends_standing(replace(stood, qpos=poses), AFTER)
    assert "topples" in verdict.reason
    assert ends_standing(replace(stood, qpos=poses), AFTER, moving=True).stands


def test_a_simulation_that_is_too_short_is_refused(stood: Trace) -> None:
    with pytest.raises(InputError, match="1 s more than 1"):
        ends_standing(stood, 1.0)


def with_hip(stood: Trace, degrees: float) -> Trace:
    """The same, bent forward in the hips: the root turned, the thighs turned back."""
    turn = rotation.from_axis_angle(rotation.AXES["y"], np.deg2rad(degrees))
    poses = stood.qpos.copy()
    poses[:, 3:7] = rotation.multiply(turn, poses[:, 3:7])
    for side in ("left", "right"):
        poses[:, 7 + stood.model.body.axis_index(f"hip_{side}_flexion")] += np.deg2rad(degrees)
    return replace(stood, qpos=poses)
