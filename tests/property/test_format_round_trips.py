"""Whatever skeleton, markers or table: written and read again it is the same, to the format's digits."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from reenact.formats.bvh import read_bvh
from reenact.formats.bvh_write import format_bvh, write_bvh
from reenact.formats.csv_table import read_csv, write_csv
from reenact.formats.mot import read_mot, write_mot
from reenact.formats.trc import read_trc, write_trc
from reenact.geometry import rotation
from reenact.motion.clip import MarkerClip, Skeleton, SkeletonClip, Table

NAME = st.text(st.characters(categories=("L", "N"), include_characters="_:-. "), min_size=1, max_size=12).map(
    lambda text: " ".join(text.split()) or "n"
)
ORDERS = ("xyz", "xzy", "yxz", "yzx", "zxy", "zyx")
UPS = st.sampled_from(("x", "y", "z"))


def numbers(draw, shape, size):
    """Numbers of the given shape within ±size, from a drawn seed: quick, and reproducible by hypothesis."""
    return np.random.default_rng(draw(st.integers(0, 2**32))).uniform(-size, size, shape)


@st.composite
def skeleton_clips(draw):
    count, frames = draw(st.integers(1, 12)), draw(st.integers(1, 9))
    parents = [-1] + [draw(st.integers(-1 if i > 8 else 0, i - 1)) for i in range(1, count)]
    parents = depth_first(parents)
    names = draw(st.lists(NAME, min_size=count, max_size=count, unique=True))
    leaf = [i not in parents and parents[i] >= 0 for i in range(count)]
    ends = [leaf[i] and draw(st.booleans()) for i in range(count)]
    for i in range(count):
        if ends[i]:  # BVH does not name end sites
            names[i] = f"{names[parents[i]]}_end"
    if len(set(names)) < count:
        ends = [False] * count
        names = [f"joint {i}" for i in range(count)]
    offsets = np.round(numbers(draw, (count, 3), 2.0), 6)
    skeleton = Skeleton(names=tuple(names), parents=tuple(parents), offsets=offsets, ends=tuple(ends))
    translation = np.tile(offsets, (frames, 1, 1))
    slides = [parents[i] < 0 or (not ends[i] and draw(st.booleans())) for i in range(count)]
    translation[:, slides] = np.round(numbers(draw, (frames, count, 3), 5.0), 6)[:, slides]
    euler = draw(st.sampled_from(ORDERS))
    angles = numbers(draw, (frames, count, 3), np.pi)
    if draw(st.booleans()):
        angles[..., 1] = np.pi / 2  # gimbal lock
    turns = rotation.from_euler(euler, angles)
    turns[:, list(ends)] = rotation.IDENTITY
    channels = ";".join("" if end else "XYZ" + draw(st.sampled_from(ORDERS)) for end in ends)
    return SkeletonClip(
        name="clip",
        rate=float(draw(st.sampled_from((24, 30, 59.94, 120, 1000)))),
        skeleton=skeleton,
        translation=translation,
        rotation=turns,
        source={"channels": channels},
    )


def depth_first(parents):
    """The same forest numbered as BVH files list it."""
    children = {i: [j for j, p in enumerate(parents) if p == i] for i in range(-1, len(parents))}
    order, stack = [], children[-1][::-1]
    while stack:
        joint = stack.pop()
        order.append(joint)
        stack += children[joint][::-1]
    return [order.index(parents[j]) if parents[j] >= 0 else -1 for j in order]


def again(write, read, content, suffix, **options):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"clip{suffix}"
        write(path, content, **options)
        return read(path, **options)


@settings(max_examples=150)
@given(clip=skeleton_clips(), up=UPS, units=st.sampled_from((1.0, 0.01, 0.0254)))
def test_bvh(clip, up, units):
    back = again(write_bvh, read_bvh, clip, ".bvh", units=units, up=up)
    assert back.skeleton.names == clip.skeleton.names
    assert back.skeleton.parents == clip.skeleton.parents
    assert back.skeleton.ends == clip.skeleton.ends
    assert abs(back.rate - clip.rate) < 1e-6
    np.testing.assert_allclose(back.skeleton.offsets, clip.skeleton.offsets, atol=0.51e-6 * units)
    np.testing.assert_allclose(back.translation, clip.translation, atol=0.51e-6 * units)
    turn = rotation.to_rotvec(rotation.multiply(rotation.conjugate(back.rotation), clip.rotation))
    assert np.linalg.norm(turn, axis=-1).max() < np.radians(2e-6)
    if clip.skeleton.ends == back.skeleton.ends:
        assert back.source["channels"] == clip.source["channels"]


@settings(max_examples=60)
@given(clip=skeleton_clips())
def test_bvh_written_twice_means_the_same(clip):
    """Once read from BVH, all digits stand."""
    first = again(write_bvh, read_bvh, clip, ".bvh", units=0.01, up="y")
    second = again(write_bvh, read_bvh, first, ".bvh", units=0.01, up="y")
    np.testing.assert_allclose(second.translation, first.translation, rtol=0, atol=1e-12)
    turn = rotation.to_rotvec(rotation.multiply(rotation.conjugate(second.rotation), first.rotation))
    assert np.linalg.norm(turn, axis=-1).max() < np.radians(2e-6)
    assert format_bvh(first).count("\n") == format_bvh(second).count("\n")


@st.composite
def marker_clips(draw):
    count, frames = draw(st.integers(1, 10)), draw(st.integers(1, 12))
    position = np.round(numbers(draw, (frames, count, 3), 3.0), 6)
    position[~position.any(axis=-1)] = 0.5
    gone = numbers(draw, (frames, count), 1.0) < draw(st.sampled_from((-1.0, -0.5, 0.9)))
    gone[0, 0] = False
    position[gone] = np.nan
    names = draw(st.lists(NAME, min_size=count, max_size=count, unique=True))
    rate = float(draw(st.sampled_from((30, 60, 100, 119.88, 240))))
    return MarkerClip(name="clip", rate=rate, names=tuple(names), position=position)


@settings(max_examples=150)
@given(clip=marker_clips(), up=UPS, units=st.sampled_from((1.0, 0.01, 0.001)))
def test_trc(clip, up, units):
    back = again(write_trc, read_trc, clip, ".trc", units=units, up=up)
    assert back.names == clip.names
    assert back.rate == clip.rate
    np.testing.assert_allclose(back.position, clip.position, atol=0.51e-6 * units)


@st.composite
def tables(draw):
    count, rows = draw(st.integers(1, 6)), draw(st.integers(1, 10))
    values = numbers(draw, (rows, count), 1.0) * 10.0 ** draw(st.integers(-12, 12))
    if draw(st.booleans()):
        values[0, 0] = np.nan
    time = np.cumsum(np.abs(numbers(draw, rows, 1.0)))
    names = draw(st.lists(NAME, min_size=count, max_size=count, unique=True))
    return Table(name="clip", time=time, columns=tuple(names), values=values, in_degrees=draw(st.booleans()))


@settings(max_examples=100)
@given(table=tables())
def test_mot_and_csv_keep_every_bit(table):
    for write, read, suffix in ((write_mot, read_mot, ".mot"), (write_csv, read_csv, ".csv")):
        back = again(write, read, table, suffix)
        np.testing.assert_array_equal(back.values, table.values)
        np.testing.assert_array_equal(back.time, table.time)
        assert back.columns == table.columns
        if suffix == ".mot":
            assert back.in_degrees == table.in_degrees
