"""Newton's laws as a prior of tracks: what the ground can give, motions that obey them, and limbs put elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from side_walk import BODY, GRID, RATE, side_view, side_walk

from reenact.estimate.video.banded import Equations
from reenact.estimate.video.descend import descend
from reenact.estimate.video.dynamics import GRAVITY, Dynamics, dynamics_of
from reenact.estimate.video.feet import feet_of
from reenact.estimate.video.point_masses import point_masses
from reenact.estimate.video.reseat import Stretch, elsewhere
from reenact.estimate.video.responses import limbs_of
from reenact.estimate.video.settings import Settings
from reenact.estimate.video.support import FRICTION, given
from reenact.estimate.video.terms import Terms
from reenact.estimate.video.track import Seen, terms_of
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import forward
from reenact.motion.tree import move, tree_of
from reenact.observe.projection import projection_of
from reenact.priors.load import model_for

STANDING = [0.0, 0.0, GRAVITY, 0.0, 0.0, 0.0]
SQUARE = np.array([[0.1, 0.1, -1.0], [0.1, -0.1, -1.0], [-0.1, 0.1, -1.0], [-0.1, -0.1, -1.0]])  # arms of four points


def _dynamics() -> Dynamics:
    return dynamics_of(BODY, feet_of(BODY, 0.0, RATE, Settings()))


def _costs(dynamics: Dynamics, poses: Array) -> Array:
    return dynamics.all_costs(poses, dynamics.down(dynamics.places(poses), 0.0))


def _terms(frames: int) -> tuple[Terms, Array]:
    poses = side_walk()[:frames].copy()
    camera = side_view()
    seen = Seen(camera=camera, masks=projection_of(BODY, camera, GRID).drawn(poses), size=GRID)
    return terms_of(BODY, [seen], RATE, model_for("walk", BODY), Settings()), poses


def _upright(height: float, frames: int) -> Array:
    """Standing with its soles so high over the ground."""
    pose = np.zeros((frames, 7 + len(BODY.axes)))
    pose[:, 3] = 1.0
    feet = feet_of(BODY, 0.0, RATE, Settings())
    pose[:, 2] = height - feet.places(pose[:1])[0, :, 2].min()
    return pose


def test_point_masses_weigh_and_turn_as_the_segments_do() -> None:
    masses = point_masses(BODY)
    total = sum(segment.mass for segment in BODY.segments)
    for i, segment in enumerate(BODY.segments):
        own = masses.segments == i
        mass, points = masses.shares[own] * total, masses.points[own]
        assert mass.sum() == pytest.approx(segment.mass)
        assert np.allclose(mass @ points / mass.sum(), segment.com, atol=1e-9)
        arms = rotation.rotate(rotation.conjugate(segment.inertia_orientation), points - segment.com)
        inertia = np.einsum("p,pij->ij", mass, np.einsum("pk,pk->p", arms, arms)[:, None, None] * np.eye(3))
        inertia -= np.einsum("p,pi,pj->ij", mass, arms, arms)
        assert np.allclose(inertia, np.diag(segment.inertia), atol=1e-6 * float(np.max(segment.inertia)))


def test_ground_bears_what_stands_between_its_points() -> None:
    got = given(np.array([STANDING]), SQUARE[None], np.ones((1, 4)), 0.5)
    assert np.abs(got.left).max() < 0.02
    assert got.force[0].sum(axis=0) == pytest.approx([0.0, 0.0, GRAVITY], abs=0.02)
    assert (got.force[0, :, 2] >= 0.0).all()


def test_ground_gives_nothing_from_afar_no_pull_and_no_more_than_friction() -> None:
    far = given(np.array([STANDING]), SQUARE[None], np.zeros((1, 4)), 0.5)
    assert np.array_equal(far.left[0], STANDING)
    pulled = given(-np.array([STANDING]), SQUARE[None], np.ones((1, 4)), 0.5)
    assert np.array_equal(pulled.left[0], -np.array(STANDING))
    beside = given(np.array([STANDING]), SQUARE[None] + [0.5, 0.0, 0.0], np.ones((1, 4)), 0.5)
    assert np.linalg.norm(beside.left) > 2.0
    pushed = np.array([[2.0 * GRAVITY, 0.0, GRAVITY, 0.0, -2.0 * GRAVITY / 0.5, 0.0]])
    slid = given(pushed, SQUARE[None], np.ones((1, 4)), 0.5)
    force = slid.force[0].sum(axis=0)
    assert np.linalg.norm(slid.left) > 2.0
    assert np.hypot(*force[:2]) <= (FRICTION + 1e-6) * force[2]


def test_a_fall_costs_nothing_and_hanging_in_the_air_does() -> None:
    dynamics, poses = _dynamics(), _upright(1.0, 6)
    assert _costs(dynamics, poses).min() > 5.0
    time = np.arange(6) / RATE
    poses[:, 0] += 2.0 * time
    poses[:, 2] += 1.0 * time - 0.5 * GRAVITY * time**2
    assert _costs(dynamics, poses).max() < 1e-6


def test_standing_costs_nothing_and_leaning_does() -> None:
    dynamics, poses = _dynamics(), _upright(0.0, 4)
    assert _costs(dynamics, poses).max() < 0.1
    lean = poses.copy()
    lean[:, 3:7] = rotation.from_axis_angle([1.0, 0.0, 0.0], 0.5)
    feet = feet_of(BODY, 0.0, RATE, Settings())
    lean[:, 2] -= feet.places(lean[:1])[0, :, 2].min()
    assert _costs(dynamics, lean).min() > 1.0


def test_slopes_of_dynamics_are_derivatives_of_the_cost() -> None:
    dynamics, limbs = _dynamics(), limbs_of(tree_of(BODY))
    poses = side_walk()[:5].copy()
    size = poses.shape[1] - 1
    poses = move(poses, 0.003 * np.random.default_rng(3).standard_normal((5, size)))
    blank = np.zeros((5, size, size))
    found = Equations(own=blank, next=blank.copy(), after=blank.copy(), slope=blank[0, :5] * 0.0, scale=blank[0, :5])
    dynamics.add(found, poses, limbs, 0.0)
    down = dynamics.down(dynamics.places(poses), 0.0)
    numeric = np.zeros_like(found.slope)
    for t, v in np.ndindex(5, size):
        step = np.zeros((5, size))
        step[t, v] = 1e-5
        ahead, back = (0.5 * dynamics.all_costs(move(poses, sign * step), down).sum() for sign in (1.0, -1.0))
        numeric[t, v] = (ahead - back) / 2e-5
    assert np.abs(numeric - found.slope).max() < 0.01 * np.abs(numeric).max()


def test_a_track_too_near_the_camera_for_a_while_comes_back() -> None:
    terms, truth = _terms(12)
    start = truth.copy()
    start[:, 1] -= 0.12 * np.sin(np.linspace(0.3, np.pi - 0.3, 12))
    found = descend(terms, start, np.arange(12), steps=8)
    assert np.abs(found[:, 1] - truth[:, 1]).mean() < 0.5 * np.abs(start[:, 1] - truth[:, 1]).mean()


def test_a_limb_on_the_wrong_way_is_put_back() -> None:
    terms, truth = _terms(12)
    hand, flexion = tree_of(BODY).names.index("hand_left"), 7 + BODY.axis_index("shoulder_left_flexion")
    wrong = truth.copy()
    wrong[4:, flexion] += 1.8
    found = elsewhere(terms, wrong, 11, [Stretch(6, 12)])
    assert found is not None
    poses, gain = found
    off = [np.linalg.norm((forward(tree_of(BODY), q)[0] - forward(tree_of(BODY), truth)[0])[6:, hand], axis=-1).mean()
           for q in (poses, wrong)]  # fmt: skip
    assert gain > 10.0
    assert off[0] < 0.5 * off[1], off
