"""Part of a motion as a motion of its own."""

from __future__ import annotations

import numpy as np
import pytest

from made_motion import EXACT
from reenact.body.adult import adult
from reenact.errors import InputError
from reenact.motion.contact import Contact
from reenact.motion.cut import cut_motion
from reenact.motion.motion import Motion


@pytest.fixture
def motion() -> Motion:
    body = adult()
    qpos = np.zeros((11, 7 + len(body.axes)))
    qpos[:, 0], qpos[:, 3] = np.arange(11), 1.0
    return Motion(
        name="still",
        rate=10.0,
        body=body,
        qpos=qpos,
        joint_names=("pelvis",),
        joints=qpos[:, None, :3].copy(),
        lift=np.arange(11.0),
        contacts=(
            Contact(segment="foot_left", start=0.0, end=0.2),
            Contact(segment="foot_right", start=0.1, end=0.9),
            Contact(segment="hand_left", start=0.8, end=1.0),
        ),
        report=EXACT,
    )


def test_frames_and_contacts_are_cut(motion: Motion) -> None:
    part = cut_motion(motion, 3, 8)  # 0.3 … 0.7 s
    np.testing.assert_array_equal(part.qpos[:, 0], [3, 4, 5, 6, 7])
    np.testing.assert_array_equal(part.joints[:, 0, 0], [3, 4, 5, 6, 7])
    np.testing.assert_array_equal(part.lift, [3, 4, 5, 6, 7])
    assert [c.segment for c in part.contacts] == ["foot_right"]
    assert (part.contacts[0].start, part.contacts[0].end) == (0.0, pytest.approx(0.4))
    assert motion.frames == 11


def test_the_whole_is_the_motion_itself(motion: Motion) -> None:
    whole = cut_motion(motion, 0, 11)
    np.testing.assert_array_equal(whole.qpos, motion.qpos)
    assert whole.contacts == motion.contacts


@pytest.mark.parametrize(("first", "last"), [(-1, 3), (3, 3), (5, 3), (0, 12)])
def test_a_cut_outside_is_refused(motion: Motion, first: int, last: int) -> None:
    with pytest.raises(InputError, match="cannot cut frames"):
        cut_motion(motion, first, last)
