from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from example_machines import machine_take, walk_machine
from reenact.errors import InputError, MissingExtraError
from reenact.formats.take import write_take
from reenact.view import offscreen
from reenact.view.film import Film, Shot
from reenact.view.offscreen import RenderError
from reenact.view.recording import recording_of
from reenact.view.render import render_take

Image = pytest.importorskip("PIL.Image", reason="pictures need the extra 'video'")


@pytest.fixture(scope="module")
def screen() -> None:
    try:
        offscreen.backend()
    except RenderError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def standing(screen: None, take_folder: Path) -> np.ndarray:
    with Film(recording_of(take_folder), 240, 320, Shot(camera="front", contacts=False)) as film:
        return film.picture(0.0).astype(int)


def figure_of(picture: np.ndarray) -> np.ndarray:
    """Cloth, skin and shoes: floor and sky are pale greys."""
    picture = picture.astype(int)
    return (np.ptp(picture, axis=-1) > 40) | (picture.max(axis=-1) < 75)


def test_a_person_stands_in_the_picture(standing: np.ndarray) -> None:
    rows, columns = np.nonzero(figure_of(standing))
    height, width = standing.shape[:2]
    assert 0.6 * height < np.ptp(rows) < 0.9 * height
    assert rows.max() < 0.95 * height, "floor below the feet"
    assert columns.mean() == pytest.approx(width / 2, abs=0.05 * width)


def test_the_front_view_is_symmetric_and_the_side_view_is_narrow(take_folder: Path, standing: np.ndarray) -> None:
    front = figure_of(standing)
    assert (front & front[:, ::-1]).sum() > 0.85 * front.sum()
    with Film(recording_of(take_folder), 240, 320, Shot(camera="side", contacts=False)) as film:
        side = figure_of(film.picture(0.0))
    assert np.ptp(np.nonzero(side)[1]) < 0.8 * np.ptp(np.nonzero(front)[1])


def test_forces_and_the_ghost_can_be_seen(screen: None, take_folder: Path) -> None:
    pictures = []
    for shot in (Shot(contacts=False), Shot(contacts=True), Shot(contacts=False, ghost=True)):
        with Film(recording_of(take_folder), 240, 320, shot) as film:
            pictures.append(film.picture(1.0).astype(int))
    bare, forces, ghost = pictures
    assert (np.abs(bare - forces).max(axis=-1) > 30).sum() > 20
    assert (np.abs(bare - ghost).max(axis=-1) > 15).sum() > 100


def test_the_target_of_a_machine_can_be_seen_and_its_state_is_told(screen: None, tmp_path: Path) -> None:
    folder = tmp_path / "walk"
    write_take(folder, machine_take(walk_machine(), 0.4, speed=0.8))
    recording, pictures = recording_of(folder), []
    for shot in (Shot(contacts=False), Shot(contacts=False, target=True)):
        with Film(recording, 240, 320, shot) as film:
            pictures.append(film.picture(0.1).astype(int))
            assert film.caption(0.1) == "state 1 right swings"
            assert film.caption(0.3) == "state 2 right reaches"
    bare, aimed = pictures
    pink = (aimed - bare)[..., 0] - (aimed - bare)[..., 1]
    assert (pink > 15).sum() > 100, "a veil in the target's colour"


def test_a_strip_tells_time_and_state(screen: None, tmp_path: Path, take_folder: Path) -> None:
    folder = tmp_path / "walk"
    write_take(folder, machine_take(walk_machine(), 0.4, speed=0.8))
    size = (300, 200)
    said = []
    for take in (folder, take_folder):
        strip = np.asarray(Image.open(render_take(take, tmp_path / "s.png", poses=2, size=size)).convert("L"))
        dark = strip[-16:] < 110
        said.append(int(dark[:, :150].any(axis=0).sum()))
    with_state, time_alone = said
    assert with_state > 1.5 * time_alone > 0
    assert with_state <= 150


def test_other_controllers_have_no_state(screen: None, take_folder: Path) -> None:
    with Film(recording_of(take_folder), 120, 160, Shot(target=True)) as film:
        assert film.caption(0.5) == ""
        film.picture(0.5)


def test_an_mp4_plays_everywhere(screen: None, take_folder: Path, tmp_path: Path) -> None:
    av = pytest.importorskip("av")
    heard: list[float] = []
    path = render_take(
        take_folder, tmp_path / "a.mp4", size=(161, 121), fps=10, progress=lambda share, _: heard.append(share)
    )
    with av.open(str(path)) as movie:
        stream = movie.streams.video[0]
        assert (stream.codec.name, stream.pix_fmt) == ("h264", "yuv420p")
        assert (stream.width, stream.height) == (160, 120), "even sides"
        assert stream.average_rate == 10
        assert len(list(movie.decode(video=0))) == 16
    head = path.read_bytes()
    assert head.index(b"moov") < head.index(b"mdat"), "can be played while it loads"
    assert heard[-1] == 1.0
    assert heard == sorted(heard)


def test_a_gif_loops_at_its_speed(screen: None, take_folder: Path, tmp_path: Path) -> None:
    path = render_take(take_folder, tmp_path / "a.gif", size=(96, 128), fps=10, speed=0.5)
    with Image.open(path) as movie:
        assert movie.n_frames == 31, "half speed has twice the frames"
        assert movie.info["loop"] == 0
        assert movie.info["duration"] == 100


def test_a_strip_shows_poses_side_by_side(screen: None, take_folder: Path, tmp_path: Path) -> None:
    path = render_take(take_folder, tmp_path / "a.png", size=(480, 200), poses=4)
    with Image.open(path) as picture:
        pixels = np.asarray(picture.convert("RGB"))
    assert pixels.shape == (200, 480, 3)
    for i in range(4):
        panel = pixels[:, 120 * i : 120 * (i + 1)]
        assert figure_of(panel[:180]).sum() > 300
        assert (panel[180:].max(axis=-1) < 140).sum() > 10, "a label below"
    assert list(tmp_path.iterdir()) == [path], "nothing unfinished is left"


@pytest.mark.parametrize(
    ("name", "options", "cause"),
    [
        ("a.avi", {}, r"endings are \.mp4, \.gif, \.png"),
        ("a.mp4", {"size": (8, 8)}, "expected 16 to 4096"),
        ("a.mp4", {"fps": 0.0}, "fps is 0"),
        ("a.mp4", {"speed": -1.0}, "speed is -1"),
        ("a.png", {"poses": 0}, "poses is 0"),
        ("nowhere/a.mp4", {}, "no such folder"),
    ],
)
def test_what_cannot_be_rendered_is_named(
    take_folder: Path, tmp_path: Path, name: str, options: dict, cause: str
) -> None:
    with pytest.raises(InputError, match=cause):
        render_take(take_folder, tmp_path / name, **options)


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, take_folder: Path, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(MissingExtraError, match=r"reenact\[video\]"):
        render_take(take_folder, tmp_path / "a.mp4")


def test_a_machine_without_opengl_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MUJOCO_GL", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(offscreen, "_library", lambda name: None)
    with pytest.raises(RenderError, match="apt install libegl1"):
        offscreen.backend()
    monkeypatch.setattr(offscreen, "_library", lambda name: object() if "OSMesa" in name else None)
    assert offscreen.backend() == "osmesa"
    monkeypatch.setenv("MUJOCO_GL", "egl")
    assert offscreen.backend() == "egl"


def test_it_renders_although_mujoco_was_imported_first(screen: None, take_folder: Path, tmp_path: Path) -> None:
    """MuJoCo binds its OpenGL on import; a script that imported it without MUJOCO_GL must still get its picture."""
    code = (
        "import sys, mujoco; from reenact.view.render import render_take;"
        "render_take(sys.argv[1], sys.argv[2], size=(64, 64), poses=1)"
    )
    out = tmp_path / "a.png"
    env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code, str(take_folder), str(out)], env=env, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert out.stat().st_size > 500
