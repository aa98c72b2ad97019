"""Flights told from other ways to be off the floor, and wrong rates from how fast a thrown skeleton falls."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reenact.body.load import load_body
from reenact.errors import InputError
from reenact.formats.read import read_clip
from reenact.formats.samples import Sample, list_samples
from reenact.geometry import rotation
from reenact.motion.clip import MarkerClip, SkeletonClip, Table
from reenact.motion.free_fall import find_free_falls
from reenact.motion.inspect import inspect_clip
from reenact.motion.rate import likely_rate, rate_remarks, with_rate
from reenact.motion.skeleton_of import motion_to_skeleton_clip
from reenact.motion.support import centre_of_mass
from reenact.motion.tree import tree_of

RATE = 60.0
AIR = 0.5  # [s] in the air, between two times 0.4 s of standing
G = 9.81

# Recordings of 60 frames per second that say 120, and sound ones of people who jump, run, tumble, stand on their hands.
WRONG = (
    *(f"cmu_bvh/{n}" for n in ("75_06", "75_09", "75_16", "87_03", "87_05", "88_01", "88_04", "88_05", "88_06")),
    *(f"cmu_bvh/{n}" for n in ("90_09", "90_11", "141_06", "143_08")),
    "mass/backflip",
)
SOUND = ("02_03", "02_04", "13_11", "13_39", "16_03", "49_06", "85_02", "85_06", "90_05", "90_14", "90_29", "144_01")


def thrown(
    *, gravity: float = G, turn: float = 0.0, sideways: float = 0.0, upside_down: float | None = None
) -> SkeletonClip:
    """An adult who stands, is thrown up for AIR seconds and stands again; [m/s²], [rad/s], [m/s²].

    `upside_down`: on the hands instead, whose fingertips are this high [m].
    """
    body = load_body("adult")
    tree = tree_of(body)
    time = np.arange(round((AIR + 0.8) * RATE) + 1) / RATE
    flight = np.clip(time - 0.4, 0.0, AIR)
    poses = np.zeros((len(time), 7 + len(body.axes)))
    angle = turn * flight + (0.0 if upside_down is None else np.pi)
    poses[:, 3:7] = rotation.from_axis_angle(rotation.AXES["y"] * np.ones((len(time), 1)), angle)
    if upside_down is not None:
        raised = [a for a, axis in enumerate(body.axes) if axis.name.startswith("shoulder") and "flexion" in axis.name]
        poses[:, [7 + a for a in raised]] = np.pi
    com = centre_of_mass(body, tree, poses)
    low = 0.95 if upside_down is None else 1.15 + upside_down  # fingertips are 1.15 m below the centre of mass
    path = np.zeros_like(com)
    path[:, 0] = 0.5 * sideways * flight**2
    path[:, 2] = low + 0.5 * gravity * flight * (AIR - flight)
    poses[:, :3] += path - com
    return motion_to_skeleton_clip(body, poses, RATE, "thrown")


def test_a_thrown_body_falls_at_g() -> None:
    (fall,) = find_free_falls(thrown())
    assert fall.acceleration == pytest.approx(G, rel=0.01)
    assert 0.4 < fall.start < 0.5
    assert 0.8 < fall.end < 0.9
    assert fall.arc == pytest.approx(G * (fall.end - fall.start) ** 2 / 8)
    assert rate_remarks(thrown()) == ()


def test_a_turning_body_is_judged_by_its_centre_of_mass() -> None:
    (fall,) = find_free_falls(thrown(turn=2 * np.pi / AIR))
    assert fall.acceleration == pytest.approx(G, rel=0.15)


@pytest.mark.parametrize(
    ("rate", "text"),
    [
        (120.0, r"falls at 4\.0 g: the rate of 120 is probably 60; try --rate 60$"),
        (30.0, r"falls at 0\.2 g: the rate of 30 is probably 60; try --rate 60$"),
        (100.0, r"falls at 2\.8 g: the rate of 100 is probably 60; try --rate 60$"),
    ],
)
def test_the_wrong_rate_is_told_and_the_right_one_named(rate: float, text: str) -> None:
    wrong = with_rate(thrown(), rate)
    (remark,) = rate_remarks(wrong)
    (fall,) = find_free_falls(wrong)
    assert remark.startswith(f"in flight from {fall.start:.2f} to {fall.end:.2f} s the body ")
    assert re.search(text, remark)
    assert remark in inspect_clip(wrong).problems


def test_a_handstand_on_a_mat_is_no_flight() -> None:
    stand, hands = thrown(gravity=0.0), thrown(gravity=3.0, upside_down=0.1).cut(25, 54)  # as in a cartwheel
    clip = replace(
        stand,
        translation=np.concatenate([stand.translation, hands.translation]),
        rotation=np.concatenate([stand.rotation, hands.rotation]),
    )
    lowest = clip.world()[0][..., 2].min(axis=1)
    assert 0.1 < lowest[stand.frames :].min() < 0.15  # well above where the feet stood
    assert lowest[: stand.frames].max() < 0.03
    assert find_free_falls(clip) == ()


def test_a_body_that_is_held_or_pushed_does_not_fly() -> None:
    assert find_free_falls(thrown(sideways=4.0)) == ()
    assert find_free_falls(thrown(gravity=0.0)) == ()
    assert find_free_falls(thrown().cut(0, 20)) == ()


def test_markers_that_are_not_seen_end_a_flight() -> None:
    clip = thrown()
    position = clip.world()[0]
    markers = MarkerClip(name="m", rate=RATE, names=clip.skeleton.names, position=position)
    (whole,) = find_free_falls(markers)
    assert whole.acceleration == pytest.approx(G, rel=0.01)
    gone = position.copy()
    gone[38:, clip.skeleton.names.index("LeftUpLeg")] = np.nan
    (half,) = find_free_falls(replace(markers, position=gone))
    assert half.end == pytest.approx(37 / RATE)
    assert half.acceleration == pytest.approx(G, rel=0.01)


def test_what_is_no_person_is_left_alone() -> None:
    clip = thrown()
    names = tuple(f"j{i}" for i in range(clip.skeleton.size))
    assert find_free_falls(replace(clip, skeleton=replace(clip.skeleton, names=names))) == ()


@pytest.mark.parametrize(
    "sample", [sample for sample in list_samples() if sample.path.suffix != ".csv"], ids=lambda sample: sample.name
)
def test_bundled_samples_fall_at_g(sample: Sample) -> None:
    clip = read_clip(sample.path)
    assert isinstance(clip, SkeletonClip)
    assert rate_remarks(clip) == ()


@pytest.mark.parametrize("name", WRONG)
def test_recordings_with_a_wrong_rate(name: str, shared_data: Path) -> None:
    clip = read_clip(shared_data / f"{name}.bvh")
    (remark,) = rate_remarks(clip)
    assert remark.endswith("the rate of 120 is probably 60; try --rate 60")
    assert rate_remarks(with_rate(clip, 60.0)) == ()


@pytest.mark.parametrize("name", SOUND)
def test_recordings_with_the_right_rate(name: str, shared_data: Path) -> None:
    assert rate_remarks(read_clip(shared_data / "cmu_bvh" / f"{name}.bvh")) == ()


def test_likely_rates_are_rates_that_people_use() -> None:
    assert likely_rate(120, 4.0) == 60
    assert likely_rate(120, 16.0) == 30
    assert likely_rate(120, 2.9) == 60
    assert likely_rate(30, 1 / 16) == 120
    assert likely_rate(30, 0.25) == 60
    assert likely_rate(60, 36.0) == 10
    assert likely_rate(25.0, 0.001) == 790


def test_another_rate_keeps_the_frames() -> None:
    clip = thrown()
    slow = with_rate(clip, RATE / 2)
    assert slow.frames == clip.frames
    assert slow.duration == pytest.approx(2 * clip.duration)
    assert slow.source["rate"] == "given: 30 Hz, the file's was 60"
    noted = replace(clip, notes=("AMC files carry no frame rate: 60 Hz assumed", "odd"))
    assert with_rate(noted, 120.0).notes == ("odd",)
    markers = MarkerClip(name="m", rate=100.0, names=("a",), position=np.zeros((3, 1, 3)), start=2.0)
    assert (with_rate(markers, 50.0).start, with_rate(markers, 50.0).duration) == (4.0, 0.04)
    table = Table(name="t", time=np.array([1.0, 1.1, 1.2]), columns=("a",), values=np.zeros((3, 1)))
    np.testing.assert_allclose(with_rate(table, 100.0).time, [1.0, 1.01, 1.02])


@pytest.mark.parametrize("rate", [0.0, -60.0, 0.5, 1e5, np.nan, np.inf])
def test_rates_that_nobody_means(rate: float) -> None:
    with pytest.raises(InputError, match="is not usable, expected 1 to 10000 frames per second"):
        with_rate(thrown(), rate)
