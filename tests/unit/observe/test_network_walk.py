"""From the network's landmarks to a camera file and first poses: frames chosen, feet at rest, files, words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reenact.body.adult import adult
from reenact.errors import InputError
from reenact.formats.video import Video
from reenact.formats.video_content import origin_of
from reenact.formats.video_tags import VideoTags, read_tags
from reenact.geometry import rotation
from reenact.observe.camera_solve import SOLES
from reenact.observe.clicks import KnownCamera, PersonSize, check_clicks
from reenact.observe.lens_guess import ANY, PHONE, usual_focal
from reenact.observe.network.calibrate import calibrate_by_network
from reenact.observe.network.first_pose import frames_around, poses_from_keypoints
from reenact.observe.network.keypoint_file import load_keypoints, save_keypoints
from reenact.observe.network.marks import INDEX, POINTS, pixels_a_metre, resting, seen_marks
from reenact.observe.network.sides import steady_sides
from reenact.observe.network.walk import chosen_frames, longest_run, standing, well_seen
from seen_walker import NUMBERS, SIZE, SeenWalker, seen_walker


@pytest.fixture(scope="module")
def walker() -> SeenWalker:
    return seen_walker(heading=0.3, seconds=1.5, seed=1)


def test_marks_are_points_of_our_bodies(walker: SeenWalker) -> None:
    assert len(POINTS) == len(INDEX) == 19
    assert {"nose", "ear_left", "toe_tip_right", "heel_left"} <= set(POINTS)
    true = walker.camera.focal[0] / walker.camera.depth(walker.poses[:, :3])
    assert pixels_a_metre(walker.keypoints) == pytest.approx(true, rel=0.2)
    hidden = replace(walker.keypoints, visibility=np.full_like(walker.keypoints.visibility, 0.2))
    assert np.isnan(seen_marks(hidden)[0]).all()
    with pytest.raises(InputError, match=r"in no frame of walk\.mp4"):
        chosen_frames(hidden)


def test_feet_at_rest_are_those_that_rest(walker: SeenWalker) -> None:
    from reenact.observe.camera_points import points_of

    at = np.array([points_of(walker.body, SOLES).at(pose) for pose in walker.poses])
    speed = np.linalg.norm(np.gradient(at, walker.keypoints.time, axis=0), axis=-1)
    rest = resting(walker.keypoints)
    assert rest.any()
    assert np.median(speed[rest]) < 0.25
    assert np.percentile(speed[rest], 90) < 0.9
    assert rest[speed > 1.5].mean() < 0.02
    assert standing(walker.keypoints, rest).mean() > 0.9
    upside = replace(walker.keypoints, points=np.array(SIZE) - walker.keypoints.points)
    assert not standing(upside, rest).any()


def test_frames_are_of_one_person(walker: SeenWalker) -> None:
    keypoints = walker.keypoints
    points = keypoints.points.copy()
    points[:12] = 0.3 * points[:12] + 20.0  # somebody else, elsewhere
    run = longest_run(replace(keypoints, points=points), np.arange(keypoints.frames))
    assert run[0] == 12
    assert run[-1] == keypoints.frames - 1
    frames = chosen_frames(keypoints, most=6)
    assert len(frames) <= 6
    assert well_seen(keypoints)[frames].all()
    assert keypoints.time[frames[-1]] - keypoints.time[frames[0]] > 1.0


def test_sides_that_change_at_once_are_put_right(walker: SeenWalker) -> None:
    keypoints = walker.keypoints
    mended, changed = steady_sides(keypoints)
    assert mended is keypoints
    assert not changed.any()
    wrong = seen_walker(heading=0.3, seconds=1.5, seed=1, exchanged=(0.6, 1.1)).keypoints
    mended, changed = steady_sides(wrong)
    assert np.array_equal(mended.points, keypoints.points)
    assert np.array_equal(changed, (keypoints.time >= 0.6) & (keypoints.time <= 1.1))
    most = seen_walker(heading=0.3, seconds=1.5, seed=1, exchanged=(0.0, 1.1)).keypoints
    assert steady_sides(most)[1].sum() == (keypoints.time > 1.1).sum()  # nothing says which sides are true


def test_a_camera_and_clicks_from_landmarks(walker: SeenWalker, tmp_path: Path) -> None:
    path = tmp_path / "walk.mp4"
    path.write_bytes(b"without tags")
    video = Video(path=path, width=SIZE[0], height=SIZE[1], rate=30.0, duration=1.5)
    person = PersonSize(height=walker.body.stature)
    found = calibrate_by_network(video, walker.keypoints, person, KnownCamera(), most=8)
    assert found.camera.name == "walk"
    assert found.camera.tilt == pytest.approx(NUMBERS[1], abs=0.12)
    assert np.log(found.camera.focal[0]) == pytest.approx(NUMBERS[0], abs=0.35)
    check_clicks(found.clicked, SIZE)
    assert found.clicked.origin == origin_of(path)
    assert all(frame.spread_px is not None and frame.standing for frame in found.clicked.frames)
    said = " ".join(found.remarks)
    assert "the focal length rests on a guess" in said
    assert "does not name its camera" in said
    assert "tilt is unsure" in said


def test_first_poses_stand_where_the_walker_does(walker: SeenWalker) -> None:
    turn = rotation.from_axis_angle([0.0, 0.0, 1.0], 2.0)
    camera = walker.camera.moved(turn, [3.0, -1.0, 0.0])  # a world of its own
    poses = poses_from_keypoints(walker.keypoints, camera, adult(height=walker.body.stature), 0.7)
    assert 1 <= len(poses) <= 4
    true = walker.poses[21]
    place = rotation.rotate(turn, true[:3]) + np.array([3.0, -1.0, 0.0])
    assert np.linalg.norm(poses[0][:3] - place) < 0.4
    off = rotation.multiply(rotation.conjugate(poses[0][3:7]), rotation.multiply(turn, true[3:7]))
    assert np.linalg.norm(rotation.to_rotvec(off)) < 0.5
    with pytest.raises(InputError, match="does not see the whole person at 9 s"):
        poses_from_keypoints(walker.keypoints, camera, adult(), 9.0)
    frames, place_of = frames_around(walker.keypoints, 0.7)
    assert frames[place_of] == 21
    assert (np.diff(frames) == 3).all()


def test_keypoints_come_back_from_a_file(walker: SeenWalker, tmp_path: Path) -> None:
    path = tmp_path / "keypoints.npz"
    save_keypoints(path, walker.keypoints)
    read = load_keypoints(path)
    for key in ("time", "points", "visibility", "presence", "world", "score"):
        assert np.array_equal(getattr(read, key), getattr(walker.keypoints, key))
    assert read.video_size == SIZE
    assert all(mask.empty for mask in read.masks)
    path.write_bytes(b"PK\x03\x04")
    with pytest.raises(InputError, match="not keypoints"):
        load_keypoints(path)


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ({"encoder": "Lavf61"}, VideoTags()),
        (
            {"com.apple.quicktime.make": "Apple", "com.apple.quicktime.model": "iPhone 12"},
            VideoTags(maker="Apple iPhone 12", phone=True),
        ),
        ({"com.android.version": "14"}, VideoTags(maker="14", phone=True)),
        (
            {"com.apple.quicktime.camera.focal_length.35mm_equivalent": "24"},
            VideoTags(phone=True, focal_35mm=24.0),
        ),
        ({"focal_length_35": "0"}, VideoTags()),
    ],
)
def test_what_tags_say_of_the_camera(tags: dict[str, str], expected: VideoTags) -> None:
    assert read_tags(tags) == expected


def test_the_focal_length_that_is_likely() -> None:
    assert usual_focal(VideoTags())[:2] == ANY
    assert usual_focal(VideoTags(phone=True, maker="Apple"))[:2] == PHONE
    share, spread, words = usual_focal(VideoTags(focal_35mm=26.0))
    assert share == pytest.approx(0.83, abs=0.02)
    assert spread < PHONE[1] < ANY[1]
    assert "26 mm" in words
