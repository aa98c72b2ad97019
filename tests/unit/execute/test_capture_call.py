"""`reenact.capture`: one call from a clip, a motion, a file or a name to a take."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import reenact
from reenact.errors import InputError
from reenact.estimate.sampling.settings import Settings
from reenact.estimate.states.settings import Settings as StatesSettings
from reenact.formats.read import read_clip
from reenact.motion.clip import SkeletonClip

TINY = Settings(samples=16, save=4, visits=2, horizon=2, seed=1)


def short(frames: int = 18) -> SkeletonClip:
    clip = read_clip(reenact.find_clip("jump"))
    assert isinstance(clip, SkeletonClip)
    return clip.cut(0, frames)


@pytest.fixture(scope="module")
def motion() -> reenact.Motion:
    return reenact.fit(short(), reenact.load_body("human50"), scale=False)


@pytest.fixture(scope="module")
def take(motion: reenact.Motion) -> reenact.Take:
    return reenact.capture(motion, method="sampling", settings=TINY)


def test_a_motion_becomes_an_honest_take(take: reenact.Take, motion: reenact.Motion, tmp_path: Path) -> None:
    assert take.info.method == "sampling"
    assert take.info.seed == 1
    assert (take.info.body, take.info.world) == ("human50", "flat")
    assert take.info.done in (True, False)
    assert take.seconds == pytest.approx(motion.duration, abs=0.01)
    reenact.write_take(tmp_path / "take", take)
    assert reenact.audit_take(tmp_path / "take").honest


def test_a_clip_is_fitted_first_and_progress_goes_up(take: reenact.Take) -> None:
    told: list[float] = []
    again = reenact.capture(
        short(), method="sampling", settings=TINY, threads=1, progress=lambda fraction, _: told.append(fraction)
    )
    np.testing.assert_array_equal(again.motion["qpos"], take.motion["qpos"])
    assert told == sorted(told)
    assert told[-1] == 1.0


def test_files_bodies_and_worlds_by_name(motion: reenact.Motion, tmp_path: Path) -> None:
    path = tmp_path / "fitted.npz"
    reenact.save_motion(path, motion)
    made = reenact.capture(path, "robot35", "ice", method="sampling", settings=TINY)
    assert (made.info.body, made.info.world) == ("robot35", "ice")
    assert made.info.input.name == "fitted.npz"


def test_a_table_of_angles_needs_its_own_body() -> None:
    assert reenact.capture("laikago_walk", "laikago", method="sampling", settings=TINY).info.body == "laikago"
    with pytest.raises(InputError, match="has columns"):
        reenact.capture("laikago_walk", method="sampling", settings=TINY)


def test_what_cannot_be_had_is_refused(motion: reenact.Motion) -> None:
    with pytest.raises(InputError, match="no method 'magic'; there are: states, sampling"):
        reenact.capture(motion, method="magic")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no effort 'great'; there are: fast, normal, high"):
        reenact.capture(motion, method="sampling", effort="great")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="effort is of method 'sampling'"):
        reenact.capture(motion, effort="fast")
    with pytest.raises(InputError, match="these settings are of method 'sampling', and method is 'states'"):
        reenact.capture(motion, settings=TINY)
    with pytest.raises(InputError, match="give one or the other"):
        reenact.capture(motion, method="sampling", seed=3, settings=TINY)
    with pytest.raises(InputError, match="nowhere"):
        reenact.capture(motion, world="nowhere")
    with pytest.raises(InputError, match="samples are"):
        reenact.capture("nothing")


def test_a_state_machine_is_what_is_found_unless_said(motion: reenact.Motion, tmp_path: Path) -> None:
    told: list[tuple[float, str]] = []
    tiny = StatesSettings(growth=24, rounds=1, whole_rounds=1, samples=6, reopened=(1,), beam=1, seed=4)
    adult = reenact.fit(short(30))
    made = reenact.capture(
        adult, settings=tiny, threads=1, progress=lambda fraction, what: told.append((fraction, what))
    )
    assert (made.info.method, made.info.seed, made.controller["kind"]) == ("states", 4, "machine")
    assert told[-1][0] == 1.0
    assert "states, joints" in told[-1][1]
    reenact.write_take(tmp_path / "take", made)
    assert reenact.audit_take(tmp_path / "take").honest
