"""Drawn videos: the person is where the truth says, shadows dim the ground, a seed gives the same pictures again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from made_motion import made_motion
from reenact.body.adult import adult
from reenact.body.mjcf import bare_model
from reenact.geometry import rotation
from reenact.motion.motion import Motion
from reenact.observe.camera import Camera
from reenact.observe.projection import projection_of
from reenact.view.offscreen import RenderError, backend
from reenact.view.synthetic import shoot
from reenact.view.synthetic.drawing import Drawing
from reenact.view.synthetic.person import OUTFITS, dressed
from reenact.view.synthetic.place import empty_place

SIZE = (320, 180)


def _waving(frames: int = 5) -> Motion:
    body = adult()
    qpos = np.tile(bare_model(body).qpos0, (frames, 1))
    qpos[:, 7 + body.axis_index("shoulder_left_flexion")] = np.linspace(0.0, 1.0, frames)
    return made_motion("wave", body, qpos)


@pytest.fixture
def screen() -> None:
    try:
        backend()
    except RenderError as error:
        pytest.skip(str(error))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shoot, "SIZE", SIZE)
    monkeypatch.setattr(shoot, "EMPTY", 0.05)


def _camera(motion: Motion) -> Camera:
    return shoot.camera_for(motion, motion.qpos, "side", 0)


@pytest.mark.parametrize("seed", range(len(OUTFITS)))
def test_whoever_is_drawn_has_the_same_joints_and_another_shape(seed: int) -> None:
    body = adult()
    person = dressed(body, seed)
    assert [s.offset.tolist() for s in person.body.segments] == [s.offset.tolist() for s in body.segments]
    assert {g.name for s in person.body.segments for g in s.shapes} == person.colours.keys()
    here = {g.name: g.size for s in body.segments for g in s.shapes}
    there = {g.name: g.size for s in person.body.segments for g in s.shapes}
    assert len(there) > len(here)
    for name in ("chest", "thigh_left", "forearm_right"):
        factor = float(np.max(np.abs(np.log(there[name][0] / here[name][0]))))
        assert 0.09 < factor < 0.21
    np.testing.assert_array_equal(there["foot_left"], here["foot_left"])
    np.testing.assert_allclose(there["thigh_left"], there["thigh_right"])


@pytest.mark.usefixtures("small")
def test_a_camera_sees_all_of_a_motion_from_its_side() -> None:
    motion = _waving()
    for view, turned in shoot.VIEWS.items():
        camera = shoot.camera_for(motion, motion.qpos, view, 0)
        mask = projection_of(dressed(motion.body, 0).body, camera).silhouettes(motion.qpos)
        assert mask.any(axis=(1, 2)).all()
        assert not mask[:, [0, -1]].any()
        assert not mask[:, :, [0, -1]].any()
        faces = rotation.rotate(motion.qpos[0, 3:7], np.array([1.0, 0.0, 0.0]))
        across = abs(float(camera.turn[2] @ faces))
        assert across == pytest.approx(abs(np.sin(np.radians(turned))), abs=0.15)


@pytest.mark.usefixtures("small", "screen")
def test_a_picture_shows_the_person_where_the_truth_is_and_a_shadow_beside() -> None:
    motion = _waving()
    camera, person = _camera(motion), dressed(motion.body, 1)
    place = empty_place(camera, np.zeros(3), 1)
    with Drawing(person, place, camera, motion.qpos, 1) as drawing:
        empty = drawing.empty()
        picture, covered, (left, top, right, bottom) = drawing.picture(motion.qpos[-1])
    truth = projection_of(person.body, camera, (160, 90)).silhouettes(motion.qpos[-1:])[0]
    drawn = np.zeros((SIZE[1], SIZE[0]), bool)
    drawn[top:bottom, left:right] = covered
    cells = drawn.reshape(90, 2, 160, 2).mean(axis=(1, 3)) >= 0.5
    assert np.count_nonzero(cells & truth) / np.count_nonzero(cells | truth) > 0.93
    change = np.abs(picture.astype(int) - empty).max(axis=-1)
    assert np.median(change[drawn]) > 25
    near = np.zeros_like(drawn)
    near[max(0, top - 3) : bottom + 3, max(0, left - 3) : right + 3] = True
    darker = (empty.astype(int) - picture).mean(axis=-1)
    ground = place.points[..., 2] < 1e-3
    assert (darker[ground & ~drawn] > 12).sum() > 20  # the shadow
    assert np.median(change[~near & ~ground]) < 10  # the wall far from the person has noise alone


@pytest.mark.usefixtures("small", "screen")
def test_a_film_is_the_same_again_and_holds_its_truth(tmp_path: Path) -> None:
    pytest.importorskip("av")
    motion = _waving(3)
    first = shoot.film(motion, tmp_path / "one", seed=2)
    again = shoot.film(motion, tmp_path / "two", seed=2)
    other = shoot.film(motion, tmp_path / "three", seed=3)
    assert first.video("side").read_bytes() == again.video("side").read_bytes()
    assert first.plate("side").read_bytes() == again.plate("side").read_bytes()
    assert first.plate("side").read_bytes() != other.plate("side").read_bytes()
    read = shoot.read_filmed(tmp_path / "one")
    np.testing.assert_array_equal(read.qpos, first.qpos)
    np.testing.assert_allclose(read.joints, first.joints)
    np.testing.assert_allclose(read.cameras[0].focal, first.cameras[0].focal)
    clicks = read.clicks("side")
    assert clicks.frames[0].time == read.begin
    knee = read.body.segment_names.index("shank_left")
    seen = read.cameras[0].project(read.joints[0, knee])
    assert 0.0 < np.linalg.norm(seen - clicks.frames[0].points["knee_left"]) < 5 * shoot.CLICKED
