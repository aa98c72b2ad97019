"""Between a track and a take: motions from tracks, first poses, how well a simulation explains masks, disagreement."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from clicked_walk import BODY, walking
from drawn_walk import FRAMES, RATE, camera, first_poses, silhouettes, times
from reenact.body.mjcf import bare_model
from reenact.errors import InputError
from reenact.estimate.video.begin import by_search, from_known, known_pose, varied
from reenact.estimate.video.disagreement import disagreement
from reenact.estimate.video.evidence import sight_axes
from reenact.estimate.video.explain import explained, mismatch_of, tallness
from reenact.estimate.video.grounded import ground_under, grounded
from reenact.estimate.video.motion_of import RATE as FINE
from reenact.estimate.video.motion_of import ground_of, motion_of
from reenact.estimate.video.sighting import Sighting, sighting_of
from reenact.estimate.video.track import Track
from reenact.estimate.video.track_file import KeptTrack, load_track, save_track
from reenact.geometry import rotation
from reenact.motion.floor import depths
from reenact.motion.kinematics import forward
from reenact.motion.tree import tree_of
from reenact.observe.between_worlds import between_worlds
from reenact.priors.load import model_for

TREE = tree_of(BODY)


@cache
def _sighting() -> Sighting:
    found = silhouettes()
    return sighting_of(found, np.arange(FRAMES), found.time, camera(), Path("walk.mp4"), "walk")


def _track(clock: np.ndarray | None = None) -> Track:
    poses = np.stack([walking(t) for t in (times() if clock is None else clock)])
    return Track(body=BODY, rate=float(RATE), poses=poses, mismatch=np.zeros(len(poses)), cost=1.0, swaps=0)


def _raised(track: Track, by: float) -> Track:
    """The same track, higher by so much [m]."""
    poses = track.poses.copy()
    poses[:, 2] += by
    return replace(track, poses=poses)


def test_a_motion_passes_through_the_poses_at_their_own_times() -> None:
    clock = times() + np.where(np.arange(FRAMES) % 2, 0.008, 0.0)
    motion = motion_of(_track(clock), "walk", 5.0 + clock)
    assert motion.rate == FINE
    assert motion.duration == pytest.approx(clock[-1], abs=1.0 / FINE)
    for k in (20, 41):
        exact = walking(k / FINE)
        assert np.abs(motion.qpos[k, :2] - exact[:2]).max() < 1e-3
        bent = [i for i, axis in enumerate(BODY.axes) if not axis.name.startswith("toe")]  # toes give way to the floor
        assert np.abs(motion.qpos[k, 7:] - exact[7:])[bent].max() < 0.02
    wrong = motion_of(_track(clock), "walk")  # as if the frames were even
    both = min(motion.frames, wrong.frames)
    assert np.abs(wrong.qpos[:both, 0] - motion.qpos[:both, 0]).max() > 0.01


def test_a_motion_stands_on_the_floor_and_its_joints_are_the_track_s() -> None:
    sunk = _raised(_track(), -0.03)
    motion = motion_of(sunk, "walk")
    assert depths(BODY, TREE, motion.qpos).max() < 1e-3
    assert motion.lift.max() > 0.02
    assert {c.segment for c in motion.contacts} & {"foot_left", "foot_right", "toes_left", "toes_right"}
    own = forward(TREE, motion.qpos)[0]
    legs = [motion.joint_names.index(name) for name in ("pelvis", "head", "shank_left", "foot_right")]
    assert np.abs(own[:, legs] - motion.joints[:, legs]).max() < 1e-9
    assert motion_of(_raised(_track(), 0.02), "walk").lift.max() == 0.0


def test_who_stands_off_the_floor_with_toes_up_is_set_down_with_toes_laid() -> None:
    stood = np.repeat(bare_model(BODY).qpos0[None], 30, axis=0)
    stood[:, 2] += depths(BODY, TREE, stood)[0] + 0.03
    toes = 7 + BODY.axis_index("toe_left_flexion")
    stood[:, toes] = -1.0
    motion = motion_of(replace(_track(), poses=stood, mismatch=np.zeros(30)), "stood")
    np.testing.assert_allclose(motion.qpos[:, 2], stood[0, 2] - 0.03, atol=2e-3)
    assert np.abs(motion.qpos[:, toes]).max() < 0.1
    np.testing.assert_allclose(motion.joints[:, 0, 2], motion.qpos[:, 2], atol=1e-9, err_msg="joints go along")
    assert "30 mm" in motion.report.notes[1]


def test_a_motion_stays_within_limits() -> None:
    track = _track()
    poses = track.poses.copy()
    knee = 7 + BODY.axis_index("knee_left_flexion")
    poses[:, knee] = BODY.axes[knee - 7].range[0]
    poses[FRAMES // 2, knee] += 1.0
    motion = motion_of(replace(track, poses=poses), "walk")
    assert motion.qpos[:, knee].min() >= BODY.axes[knee - 7].range[0]


def test_the_ground_is_where_the_feet_rest() -> None:
    standing = np.repeat(walking(0.0)[None], 30, axis=0)
    track = replace(_track(), poses=standing, mismatch=np.zeros(30))
    assert ground_of(_raised(track, 0.04)).height - ground_of(track).height == pytest.approx(0.04, abs=3e-3)
    with pytest.raises(InputError, match="three or more"):
        motion_of(replace(track, poses=standing[:2], mismatch=np.zeros(2)), "walk")


def test_ground_that_feet_show_to_be_askew_is_levelled_with_the_cameras() -> None:
    stood = np.repeat(bare_model(BODY).qpos0[None], 100, axis=0)  # at five places, half a metre apart
    stood[:, 0] += 0.5 * (np.arange(100) // 20)
    stood[:, 2] += depths(BODY, TREE, stood)[0]
    flat = replace(_track(), poses=stood, mismatch=np.zeros(100))
    lean = rotation.from_axis_angle([0.0, 1.0, 0.0], np.deg2rad(-1.2))  # the way ahead rises
    poses = flat.poses.copy()
    poses[:, :3] = rotation.rotate(lean, poses[:, :3])
    poses[:, 2] += 0.03
    poses[:, 3:7] = rotation.multiply(lean, poses[:, 3:7])
    askew = replace(flat, poses=poses)
    seen = replace(_sighting(), camera=_sighting().camera.moved(lean, [0.0, 0.0, 0.03]))
    found = ground_under(askew)
    assert found.moves
    assert np.rad2deg(found.turned) == pytest.approx(1.2, abs=0.4)
    track, (levelled,) = grounded(askew, [seen])
    assert abs(np.polyfit(track.poses[:, 0], track.poses[:, 2], 1)[0]) < 0.4 * np.tan(np.deg2rad(1.2))
    again = between_worlds(track.poses, levelled.camera, seen.camera)
    np.testing.assert_allclose(again, askew.poses, atol=1e-9, err_msg="the camera sees the same")
    far = _raised(flat, 0.3)
    assert grounded(far, [seen])[0] is far, "too far off: the camera is to blame"


def test_own_silhouettes_are_explained_and_others_are_not() -> None:
    clock = np.arange(61) / 120.0
    qpos = np.stack([walking(t) for t in clock])
    track = np.stack([walking(t) for t in times()])
    good = explained(BODY, [_sighting()], 0.0, qpos, 120.0, track)
    assert good.mean == pytest.approx(good.track_mean, abs=0.02)
    assert good.mean < 0.2
    assert good.by_physics
    away = qpos.copy()
    away[30:, 0] -= 0.5
    bad = explained(BODY, [_sighting()], 0.0, away, 120.0, track)
    assert not bad.by_physics
    begin, end = bad.worst()
    assert 0.15 < begin < 0.35 < end
    late = explained(BODY, [_sighting()], 0.0, qpos[1:], 120.0, track)
    assert late.mean > good.mean, "it is the time in the video that counts"
    short = explained(BODY, [_sighting()], 0.0, qpos[:31], 120.0, track)
    assert np.isnan(short.simulated[10:]).all()
    assert np.isfinite(short.mean)


def test_a_body_that_is_too_tall_for_the_masks_is_noticed() -> None:
    track = np.stack([walking(t) for t in times()])
    assert tallness(BODY, _sighting(), track) == pytest.approx(1.0, abs=0.03)
    nearer = track.copy()
    nearer[:, 1] -= 0.5  # of 4 m
    assert tallness(BODY, _sighting(), nearer) == pytest.approx(4.0 / 3.5, abs=0.05)


def test_known_poses_begin_where_they_are_seen() -> None:
    poses = first_poses([0.1, 0.21, 0.3])
    assert known_pose(BODY, [_sighting()], poses.time, poses.qpos) == (0, 3)
    other = poses.qpos.copy()
    other[0, 0] += 1.0  # somebody else
    assert known_pose(BODY, [_sighting()], poses.time, other) == (1, 6)
    other[:, 0] += [0.0, 2.0, 0.25]
    assert known_pose(BODY, [_sighting()], poses.time, other) == (2, 9), "the one that is least wrong"
    assert known_pose(BODY, [_sighting()], np.array([-0.5, 3.0, 4.0]), poses.qpos) is None
    begun = from_known(BODY, [_sighting()], RATE, walking(0.0), 0, model_for("walk", BODY), words="known")
    assert begun.mismatch < 0.2
    assert np.array_equal(begun.firsts[0], walking(0.0))
    elsewhere = walking(0.0)
    elsewhere[:2] += 1.0
    with pytest.raises(InputError, match="not where the person is seen"):
        from_known(BODY, [_sighting()], RATE, elsewhere, 0, model_for("walk", BODY))


def test_a_pose_of_a_frame_whose_mask_is_doubted_is_not_begun_with() -> None:
    poses = first_poses([5 / RATE, 9 / RATE])
    quality = np.ones(FRAMES)
    quality[5] = 0.4
    doubted = replace(_sighting(), quality=quality)
    assert known_pose(BODY, [_sighting()], poses.time, poses.qpos) == (0, 5)
    assert known_pose(BODY, [doubted], poses.time, poses.qpos) == (1, 9)


def test_a_later_pose_is_followed_back() -> None:
    later = walking(5 / RATE)
    begun = from_known(BODY, [_sighting()], RATE, later, 5, model_for("identity", BODY))
    assert begun.frame == 5
    found, still = mismatch_of(BODY, [_sighting()], np.stack([begun.firsts[0], later]), [0, 0])
    assert found < 0.4 < 0.8 < still, (found, still)


def test_what_does_not_look_like_a_body_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    far = walking(0.0)
    far[1] += 20.0
    monkeypatch.setattr("reenact.estimate.video.begin.first_pose_by_search", lambda *_, **__: [far])
    with pytest.raises(InputError, match="no pose of the body looks like the person"):
        by_search(BODY, [_sighting()], RATE, [model_for("walk", BODY)])


def test_seeds_begin_a_little_elsewhere() -> None:
    pose = walking(0.0)
    assert np.array_equal(varied(pose, 0), pose)
    assert np.array_equal(varied(pose, 3), varied(pose, 3))
    off = np.linalg.norm(np.diff(forward(TREE, np.stack([varied(pose, 3), varied(pose, 4)]))[0], axis=0), axis=-1)
    assert 0.02 < off.mean() < 0.3


def test_takes_that_differ_disagree_where_they_do() -> None:
    qpos = np.stack([walking(t) for t in np.arange(61) / 120.0])
    other = qpos.copy()
    other[:, 7 + BODY.axis_index("elbow_left_flexion")] += 0.6
    other[:, 1] += 0.1  # along the line of sight
    found = disagreement([(BODY, qpos, 120.0), (BODY, other, 120.0)], sight_axes([camera()]))
    assert found.by_joint()[0][0] == "hand_left"
    across, up, deep = found.along_cm
    assert deep > 2.0 * max(across, up)
    thigh = {row[0]: row[1] for row in found.by_joint()}["thigh_left"]
    assert thigh == pytest.approx(5.0, abs=0.01), "half of the 10 cm between the two"
    written = found.to_json()
    assert np.shape(written["spread_cm"]) == (len(written["time_s"]), len(written["joints"]))
    with pytest.raises(InputError, match="two or more"):
        disagreement([(BODY, qpos, 120.0)])


def test_a_track_is_read_as_it_was_written(tmp_path: Path) -> None:
    kept = KeptTrack(
        depends="abc", track=_track(), model="walk", variant="as is", first=walking(0.0), frame=2, first_mismatch=0.25,
        words="calibrated", prices=(3.1, 1.7), doubts=("it turns",),
    )  # fmt: skip
    save_track(tmp_path / "t.npz", kept)
    again = load_track(tmp_path / "t.npz")
    assert np.array_equal(again.track.poses, kept.track.poses)
    assert (again.depends, again.model, again.frame, again.first_mismatch) == ("abc", "walk", 2, 0.25)
    assert (again.prices, again.doubts) == ((3.1, 1.7), ("it turns",))
    assert mismatch_of(again.track.body, [_sighting()], again.track.poses).mean() < 0.2
    (tmp_path / "bad.npz").write_bytes(b"no")
    with pytest.raises(InputError, match="not a track"):
        load_track(tmp_path / "bad.npz")
