"""Motions written by hand: what the keys say is met, and the ground decides where that takes the body."""

from __future__ import annotations

import numpy as np
import pytest

from reenact.body.load import load_body
from reenact.errors import InputError
from reenact.formats.bench_motions import NAMES, bench_clip, bench_motion, bench_reference, list_bench_motions
from reenact.formats.keyframes_toml import parse_keyframes, read_keyframes
from reenact.geometry import rotation
from reenact.motion.keyframes import Key, Keyframes, pose_keyframes
from reenact.motion.lowest import lowest_by_segment
from reenact.motion.support import Flight, carried, centre_of_mass
from reenact.motion.tree import tree_of

TEXT = """
name = "bow"
[[key]]
time = 0.0
angles = { waist_flexion = 0.0 }
[[key]]
time = 1.0
pitch = 10.0
angles = { waist_flexion = 60.0, knee_left_flexion = 20.0 }
[[key]]
time = 1.5
angles = { waist_flexion = 60.0 }
"""


def test_keys_are_met_by_name_and_by_both_sides():
    body = load_body("human50")
    keys = (
        Key(time=0.0, values={"knee_flexion": 0.0}),
        Key(time=1.0, values={"knee_flexion": 0.5, "elbow_left_flexion": 1.0}),
        Key(time=2.0, values={"knee_flexion": 0.5}),
    )
    motion = pose_keyframes(Keyframes(name="bend", keys=keys), body)
    end = motion.qpos[-1]
    assert motion.duration == 2.0
    for name, value in (("knee_left_flexion", 0.5), ("knee_right_flexion", 0.5), ("elbow_left_flexion", 1.0)):
        assert end[7 + body.axis_index(name)] == pytest.approx(value, abs=1e-6)
    assert end[7 + body.axis_index("elbow_right_flexion")] == 0.0


def test_standing_feet_stay_where_they_are():
    motion = pose_keyframes(parse_keyframes(TEXT)[0], load_body("human50"))
    low = lowest_by_segment(motion.body, tree_of(motion.body), motion.qpos, motion.rate)
    assert np.abs(low.height.min(axis=1)).max() < 0.01
    assert {c.segment for c in motion.contacts} >= {"foot_left", "foot_right"}


def test_a_rolling_body_goes_as_far_as_its_contacts_do_not_slide():
    motion = bench_reference(bench_motion("sideways_roll"), load_body("human50"))
    low = lowest_by_segment(motion.body, tree_of(motion.body), motion.qpos, motion.rate)
    bearing = np.argmin(low.height, axis=1)
    speed = low.speed[np.arange(motion.frames), bearing]
    assert np.median(speed[speed > 0]) < 0.1  # m/s, while the body moves at 1.5
    way = motion.qpos[-1, 1] - motion.qpos[0, 1]
    assert -3.0 < way < -1.5  # two turns to the right of a body 0.25 to 0.45 m wide
    assert abs(motion.qpos[-1, 2] - motion.qpos[0, 2]) < 0.005


def test_flight_is_free_fall():
    motion = bench_reference(bench_motion("kip_up"), load_body("human50"))
    com = centre_of_mass(motion.body, tree_of(motion.body), motion.qpos)
    air = slice(round(1.53 * motion.rate), round(1.82 * motion.rate))
    fall = np.diff(com[air], 2, axis=0) * motion.rate**2
    assert np.median(fall[:, 2]) == pytest.approx(-9.81, abs=0.5)
    assert np.abs(np.median(fall[:, :2], axis=0)).max() < 0.5
    up = rotation.rotate(motion.qpos[[0, -1], 3:7], [0.0, 0.0, 1.0])[:, 2]
    np.testing.assert_allclose(up, [0.0, 1.0], atol=0.01)  # from lying to standing


def test_flight_outside_the_motion_is_refused():
    body = load_body("human50")
    poses = np.tile(tree_of(body).neutral(), (10, 1))
    with pytest.raises(InputError, match="not within the motion"):
        carried(body, poses, 60.0, (Flight(start=0.1, end=9.0),))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("waist_flexion = 60.0, ", "wing_flexion = 60.0, ", "wing_flexion.*it has"),
        ("time = 1.0", "time = 3.0", "rising from 0"),
        ("time = 1.0", "tme = 1.0", "tme"),
        ("[[key]]", "[[key", "is not TOML"),
        ("pitch = 10.0", "pitch = nan", "not finite"),
    ],
)
def test_bad_files_say_what_is_wrong(tmp_path, old, new, message):
    file = tmp_path / "bad.toml"
    file.write_text(TEXT.replace(old, new))
    with pytest.raises(InputError, match=message):
        read_keyframes(file)


def test_bench_motions_have_what_tables_need(shared_data):
    rows = {row.name: row for row in list_bench_motions()}
    assert set(NAMES) <= set(rows)
    for row in rows.values():
        assert row.done
        assert row.defects
        clip = bench_clip(row, shared_data)
        assert 1.2 < clip.duration < 4.5
    assert not any(rows[name].plant for name in NAMES)
    assert {name for name in NAMES if rows[name].written} == {"sideways_roll", "kip_up"}


def test_bench_motions_without_recordings_say_why(tmp_path):
    row = bench_motion("backward_roll")
    assert "90_01.bvh" in row.missing(None)
    assert "does not hold it" in row.missing(tmp_path)
    with pytest.raises(InputError, match="90_01"):
        bench_clip(row, tmp_path)
    assert {name for name in NAMES if bench_motion(name).missing(None)} == {"forward_roll", "backward_roll"}
    with pytest.raises(InputError, match="there are: walk, run"):
        bench_motion("moonwalk")
