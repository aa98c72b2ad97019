"""What real videos are measured by: a network's landmarks laid into the world, and strikes seen by eye."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from reenact.body.adult import adult
from reenact.body.mjcf import bare_model
from reenact.body.toml import dump_body
from reenact.estimate.bench.run import Record
from reenact.geometry import rotation
from reenact.observe.camera import Camera
from reenact.observe.mask import empty_mask
from reenact.observe.network.keypoints import Keypoints
from reenact.observe.network.landmarks import NAMES
from reenact.view.bench_video import open_air, real, steps
from reenact.view.bench_video.lines import chosen_lines, list_lines
from reenact.view.bench_video.sheets import sheets_of
from reenact.view.bench_video.summary import summaries_of

LEVEL = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])  # looks along +y


def _camera() -> Camera:
    turn = rotation.from_axis_angle([0.0, 0.0, 1.0], 0.4)
    return Camera(
        size=(1080, 1920),
        focal=np.array([1600.0, 1610.0]),
        centre=np.array([530.0, 950.0]),
        position=np.array([0.5, -3.0, 1.4]),
        orientation=rotation.multiply(turn, rotation.from_matrix(LEVEL)),
        distortion=np.array([-0.01, 0.002, 0.0, 0.0]),
    )


def test_landmarks_are_laid_where_the_camera_sees_them() -> None:
    camera, rng = _camera(), np.random.default_rng(2)
    around = rng.normal(0.0, 0.3, (3, len(NAMES), 3))  # in the camera's axes, from the hips
    hips = np.array([[0.1, 0.2, 3.0], [0.0, 0.1, 4.0], [0.0, 0.0, 3.0]])
    world = (around + hips[:, None]) @ camera.turn + camera.position
    seen = np.array([0.9, 0.9, 0.0])
    found = Keypoints(
        name="v", video_size=camera.size, time=np.arange(3) / 60.0, points=camera.project(world),
        visibility=np.ones((3, len(NAMES))), presence=np.ones((3, len(NAMES))), world=around,
        masks=(empty_mask((8, 8)),) * 3, score=seen,
    )  # fmt: skip
    placed = real.placed(found, camera)
    np.testing.assert_allclose(placed[:2], world[:2], atol=1e-6)
    assert np.isnan(placed[2]).all()


def _walking(late: float, rate: float = 60.0) -> np.ndarray:
    """Heels (T, 2, 3) that rest from each strike seen by eye on, so much later, until the other has rested a while."""
    time = np.arange(int(6.0 * rate)) / rate
    heels = np.zeros((len(time), 2, 3))
    heels[..., 2] = 0.3
    for i, (frame, side, _) in enumerate(open_air.SEEN):
        begin = frame / open_air.RATE + late
        on = (time >= begin) & (time < begin + 0.7)
        heels[on, ("left", "right").index(side)] = [0.73 * i, 0.0, 0.0]
    return heels


SEEN = [(frame / open_air.RATE, side) for frame, side, _ in open_air.SEEN]


def test_strikes_are_held_against_those_seen_by_eye() -> None:
    for late in (0.0, 0.1):
        found = steps.steps_of_heels(_walking(late), 60.0, 0.0)
        off, count, asked = steps.off_by_eye(found, SEEN, (0.0, 6.0))
        assert (count, asked) == (len(SEEN), len(SEEN))
        assert off == pytest.approx(1000.0 * late, abs=40.0)
    exchanged = steps.steps_of_heels(_walking(0.0)[:, ::-1], 60.0, 0.0)
    assert steps.off_by_eye(exchanged, SEEN, (0.0, 6.0)) == (None, 0, len(SEEN))
    assert steps.off_by_eye([], SEEN, (2.1, 3.0)) == (None, 0, 1), "what lies outside does not count"
    there = steps.steps_of_heels(_walking(0.0), 60.0, 0.0)
    assert steps.step_length(there) == pytest.approx(0.73)
    told = steps.in_frames(there, 30.0).split()
    assert [one[-1] for one in told] == list("RLRLRL")
    np.testing.assert_allclose([int(one[:-1]) for one in told], [frame for frame, _, _ in open_air.SEEN], atol=1)


def test_steps_of_a_simulation_are_told_by_what_its_feet_bear() -> None:
    body, hertz = adult(), 120.0
    names = [segment.name for segment in body.segments]
    time = np.arange(241) / hertz
    bears = [("foot_left", 0.1, 0.7), ("toes_left", 0.65, 0.8), ("foot_right", 0.75, 1.5), ("foot_left", 1.0, 1.02)]
    step, part = [], []
    for name, begin, end in bears:
        frames = np.arange(round(begin * hertz), round(end * hertz))
        step += frames.tolist()
        part += [names.index(name)] * len(frames)
    order = np.argsort(step, kind="stable")
    qpos = np.tile(bare_model(body).qpos0, (len(time), 1))
    qpos[:, 0] = 1.2 * time
    force = np.tile([0.0, 0.0, 500.0], (len(step), 1))
    motion = {
        "time": time, "qpos": qpos, "contact_step": np.array(step)[order], "contact_segment": np.array(part)[order],
        "contact_point": np.random.default_rng(0).normal(size=(len(step), 3)),
        "contact_normal": np.tile([0.0, 0.0, 1.0], (len(step), 1)), "contact_force": force,
    }  # fmt: skip
    found = steps.steps_of_take(SimpleNamespace(body_toml=dump_body(body), motion=motion), 2.0)  # type: ignore[arg-type]
    assert steps.in_frames(found, 30.0) == "63L 82R"
    assert found[0].begin == pytest.approx(2.1)
    assert steps.step_length(found) == pytest.approx(1.2 * 0.675, abs=0.25)


def test_what_the_image_gives() -> None:
    eye = open_air.by_eye()
    assert eye["step_s"] == pytest.approx(0.62)
    assert eye["step_m"] == pytest.approx(0.73, abs=0.01)
    assert eye["speed_m_s"] == pytest.approx(1.17, abs=0.01)


def test_the_woman_is_pushed_and_put_on_slopes_where_she_is_captured() -> None:
    names = [line.name for line in chosen_lines(parts=("open",))]
    assert names[0] == "woman"
    assert {"woman_pushed_left", "woman_slope_up_3deg"} <= set(names[1:])
    assert all(name.startswith("woman") for name in names)
    assert [line.name for line in chosen_lines(parts=("real",))] == ["cam01", "cam01_cam03", "network"]


def test_the_tables_have_the_track_beside_what_was_simulated() -> None:
    woman = next(line for line in list_lines() if line.key == "open/woman")
    figures = {
        "speed_m_s": 1.1, "contacts_frames": "79L 98R", "contact_ms": 20.0, "contacts_found": 2, "contacts_seen": 2,
        "step_m": 0.7, "slide_cm_s": 3.0, "sunk_cm": 0.0,
    }  # fmt: skip
    figures |= {f"track_{name}": value for name, value in figures.items()} | {"track_contacts_frames": "78L 98R"}
    record = Record(
        part="open", name="woman", seed=0, plan="", code="", versions={}, status="ok", reason="", success=True,
        honest=True, figures=figures,
    )  # fmt: skip
    (sheet,) = sheets_of(summaries_of([woman], [record]))
    assert [row[:4] for row in sheet.cells] == [
        ("woman", "79L 98R", "20", "2 of 2"),
        ("woman, the track", "78L 98R", "20", "2 of 2"),
        ("by eye", "60R 79L 98R 117L 135R 153L", "0", "6"),
    ]
    assert {len(row) for row in sheet.cells} == {len(sheet.columns)}
