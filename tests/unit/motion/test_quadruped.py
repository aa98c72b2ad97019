"""A body with four legs and no arms goes the same way as a person's: nothing assumes two feet."""

from __future__ import annotations

import numpy as np
import pytest

from reenact.body.load import load_body
from reenact.body.mirror import mirror_pose
from reenact.control.follow import follow
from reenact.errors import FitError, InputError
from reenact.formats.csv_table import read_csv
from reenact.formats.read import read_clip
from reenact.formats.samples import find_clip
from reenact.formats.take import Source
from reenact.motion.clip import Table
from reenact.motion.cut import cut_motion
from reenact.motion.edit_mirror import mirrored
from reenact.motion.fit import fit
from reenact.motion.lowest import lowest_by_segment
from reenact.motion.motion import Motion
from reenact.motion.skeleton_of import joint_table, motion_to_skeleton_clip
from reenact.motion.table_motion import motion_of_table
from reenact.motion.tree import tree_of
from reenact.world.load import load_world

LEGS = ("front_left", "front_right", "rear_left", "rear_right")


@pytest.fixture(scope="module")
def walk() -> Motion:
    table = read_clip(find_clip("laikago_walk"))
    assert isinstance(table, Table)
    return motion_of_table(table, load_body("laikago"))


def test_the_body_is_the_urdf_s():
    body = load_body("laikago")
    assert body.mass == pytest.approx(13.715 + 4 * (1.095 + 1.527 + 0.241 + 0.06), abs=1e-9)
    assert len(body.axes) == 12
    pose = tree_of(body).neutral()
    pose[7:] = 0.1 * np.arange(12)
    np.testing.assert_allclose(mirror_pose(body, mirror_pose(body, pose)), pose, atol=1e-12)


def test_it_trots_on_the_floor(walk: Motion):
    """The file's angles count from a bent leg, the body's from a straight one: toes stay on a plane if offsets fit."""
    low = lowest_by_segment(walk.body, tree_of(walk.body), walk.qpos, walk.rate)
    assert np.abs(low.height.min(axis=1)).max() < 0.02
    way = walk.qpos[-1, :2] - walk.qpos[0, :2]
    assert np.linalg.norm(way) == pytest.approx(0.34, abs=0.02)
    toes = {name: list(low.segments).index(walk.body.segment_names.index(f"lower_leg_{name}")) for name in LEGS}
    height = {name: low.height[:, p] for name, p in toes.items()}
    for one, other in (("front_left", "rear_right"), ("front_right", "rear_left")):
        assert np.corrcoef(height[one], height[other])[0, 1] > 0.8  # diagonal pairs go together
    assert np.corrcoef(height["front_left"], height["front_right"])[0, 1] < -0.5
    assert {c.segment for c in walk.contacts} == {f"lower_leg_{name}" for name in LEGS}


def test_it_goes_through_the_whole_chain(walk: Motion):
    assert mirrored(mirrored(walk)).contacts == walk.contacts
    assert motion_to_skeleton_clip(walk.body, walk.qpos, walk.rate, "dog").skeleton.size == 13
    take = follow(cut_motion(walk, 0, 30), load_world("flat"), source=Source(name="dog", sha256=""))
    assert take.info.status == "ok"
    assert take.info.metrics["joint_error_cm"] < 5.0


def test_table_and_motion_are_one(walk: Motion, tmp_path):
    table = joint_table(walk.body, walk.qpos, walk.rate, walk.name)
    again = motion_of_table(table, walk.body)
    assert again.rate == walk.rate
    np.testing.assert_allclose(again.qpos, walk.qpos, atol=1e-9)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("time,root_x\n0,0\n1,0\n", "has no column root_y"),
        (
            "time,root_x,root_y,root_z,root_yaw,root_pitch,root_roll,wing\n" + "0,0,0,0,0,0,0,0\n1,0,0,0,0,0,0,0\n",
            "wing.*it has",
        ),
        ("time,root_x,root_y,root_z,root_yaw,root_pitch,root_roll\n0,0,0,0,0,0,0\n", "uneven times, or only one"),
        ("time,root_x,root_y,root_z,root_yaw,root_pitch,root_roll\n0,0,0,0,0,0,\n1,0,0,0,0,0,0\n", "has gaps"),
    ],
)
def test_tables_that_are_no_motion(tmp_path, text, message):
    file = tmp_path / "table.csv"
    file.write_text(text)
    with pytest.raises(InputError, match=message):
        motion_of_table(read_csv(file), load_body("laikago"))


def test_a_person_s_clip_is_refused_in_words():
    with pytest.raises(FitError, match="has none of the mapped sites"):
        fit(read_clip(find_clip("jump")), load_body("laikago"), scale=False)
