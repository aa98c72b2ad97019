"""The body over the video it was captured from: right to the pixel, at the video's own times, whole or not at all."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from filmed_take import BACKGROUND, SECONDS, SIZE, START, TIMES, camera_at, filmed_take, true_mask, write_filmed_take
from scipy.ndimage import binary_dilation, binary_erosion
from standing_take import write_standing_take

pytest.importorskip("av", reason="videos need the extra 'video'")

from reenact.body.adult import adult
from reenact.cli.main import main
from reenact.errors import InputError
from reenact.formats.video import open_video, read_frames
from reenact.motion.kinematics import forward
from reenact.motion.tree import tree_of
from reenact.observe.outlines import outlines
from reenact.view import colours
from reenact.view.body_layer import layer_of
from reenact.view.overlay_frame import OverlayStyle
from reenact.view.overlay_movie import render_overlay

INSIDE = TIMES[(TIMES >= START) & (TIMES <= START + SECONDS)]  # frames of the video within the take


@pytest.fixture(scope="module")
def filmed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a take and the video it was made from, where it was."""
    folder = tmp_path_factory.mktemp("overlay")
    write_filmed_take(folder / "take", folder)
    return folder


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_it_is_drawn_where_rays_through_the_lens_hit_the_body(side: float) -> None:
    camera, pose = camera_at(side, "cam").resized(576, 432), filmed_take().motion["qpos"][-1]
    layer = layer_of(outlines(adult(), camera, pose), camera.size)
    assert layer is not None
    drawn = np.zeros(camera.size[::-1], bool)
    high, wide = layer.inside.shape
    drawn[layer.top : layer.top + high, layer.left : layer.left + wide] = layer.inside >= 0.5
    true = true_mask(camera, pose)
    assert true.sum() > 10_000
    assert (drawn ^ true).sum() <= 0.01 * true.sum()
    assert not (binary_erosion(true) & ~drawn).any()
    assert not (drawn & ~binary_dilation(true)).any()


def test_joints_lie_in_the_drawn_body_and_limbs_have_their_side_s_colour() -> None:
    camera, pose, body = camera_at(-1.0, "cam"), filmed_take().motion["qpos"][-1], adult()
    layer = layer_of(outlines(body, camera, pose), SIZE)
    assert layer is not None
    picture = layer.over(np.zeros((*SIZE[::-1], 3), np.uint8), veil=1.0, rim=None)
    position, frame = (each[0] for each in forward(tree_of(body), pose[None]))
    for i, segment in enumerate(body.segments):
        x, y = np.floor(camera.project(position[i])).astype(int)
        assert layer.inside[y - layer.top, x - layer.left] > 0.9, segment.name
    for side, colour in (("left", colours.LEFT), ("right", colours.RIGHT)):
        i = [segment.name for segment in body.segments].index(f"shank_{side}")
        middle = position[i] + frame[i] @ [0.0, 0.0, -0.2]
        x, y = np.floor(camera.project(middle)).astype(int)
        np.testing.assert_allclose(picture[y, x], 255 * np.array(colour), atol=40)


def test_a_body_out_of_the_picture_is_not_drawn() -> None:
    pose = filmed_take().motion["qpos"][0].copy()
    pose[:3] += [0.0, 0.0, 50.0]
    assert layer_of(outlines(adult(), camera_at(1.0, "cam"), pose), SIZE) is None
    behind = filmed_take().motion["qpos"][0].copy()
    behind[1] += 20.0
    assert outlines(adult(), camera_at(1.0, "cam"), behind) == []


def test_a_movie_has_the_video_s_frames_at_its_times(filmed: Path, tmp_path: Path) -> None:
    told: list[float] = []
    (path,) = render_overlay(filmed / "take", tmp_path / "over.mp4", progress=lambda done, what: told.append(done))
    frames = list(read_frames(open_video(path)))
    np.testing.assert_allclose([frame.time for frame in frames], INSIDE - INSIDE[0], atol=1e-4)
    assert frames[0].image.shape == (*SIZE[::-1], 3)
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1.0)
    for frame, original in zip(
        frames, read_frames(open_video(filmed / "cam01.mp4"), begin=0.19, end=0.71), strict=True
    ):
        there = true_mask(camera_at(-1.0, "cam"), filmed_take().motion["qpos"][round((frame.time) * 120)])
        away = ~binary_dilation(there, iterations=6)
        change = np.abs(frame.image.astype(int) - original.image).sum(axis=-1)
        assert change[away].mean() < 10  # what the codec does
        assert change[binary_erosion(there, iterations=2)].mean() > 40
    assert [p.name for p in tmp_path.iterdir()] == ["over.mp4"]


def test_slow_motion_strips_and_gifs(filmed: Path, tmp_path: Path) -> None:
    from PIL import Image

    (slow,) = render_overlay(filmed / "take", tmp_path / "slow.mp4", speed=0.25)
    last = list(read_frames(open_video(slow)))[-1]
    assert last.time == pytest.approx(4 * (INSIDE[-1] - INSIDE[0]), abs=1e-3)
    (strip,) = render_overlay(filmed / "take", tmp_path / "strip.png", poses=3)
    with Image.open(strip) as opened:
        picture = np.asarray(opened)
    assert picture.shape[1] % 3 == 0
    assert picture.shape[0] <= SIZE[1]
    (gif,) = render_overlay(filmed / "take", tmp_path / "over.gif", fps=10.0)
    with Image.open(gif) as moving:
        assert moving.n_frames == 6


def test_the_mask_and_the_track_are_outlined_when_asked_for(filmed: Path, tmp_path: Path) -> None:
    pictures = {}
    for name, style in (
        ("plain", OverlayStyle()), ("mask", OverlayStyle(mask=True)), ("ghost", OverlayStyle(ghost=True)),
    ):  # fmt: skip
        (path,) = render_overlay(filmed / "take", tmp_path / f"{name}.mp4", style=style)
        pictures[name] = next(read_frames(open_video(path))).image.astype(int)
    assert np.abs(pictures["mask"] - pictures["plain"]).max() > 60
    assert not np.array_equal(pictures["ghost"], pictures["plain"])


def test_of_several_videos_each_gets_a_file(tmp_path: Path) -> None:
    write_filmed_take(tmp_path / "take", tmp_path, ("cam01", "cam 03"))
    written = render_overlay(tmp_path / "take", tmp_path / "over.mp4")
    assert [path.name for path in written] == ["over-cam01.mp4", "over-cam 03.mp4"]
    assert all(path.is_file() for path in written)


def test_a_video_that_moved_is_said_and_can_be_shown_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    films, elsewhere, out = tmp_path / "films", tmp_path / "else where", tmp_path / "over.mp4"
    films.mkdir()
    elsewhere.mkdir()
    write_filmed_take(tmp_path / "take", films)
    shutil.move(films / "cam01.mp4", elsewhere / "renamed.mp4")
    with pytest.raises(SystemExit, match="2"):
        main(["render", str(tmp_path / "take"), "--overlay", "-o", str(out)])
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "cam01.mp4: not found; looked in" in said
    assert str(films) in said
    assert "--video FILE" in said
    _render(tmp_path / "take", out, "--overlay", "--video", str(elsewhere / "renamed.mp4"))
    assert out.is_file()
    shutil.copy(elsewhere / "renamed.mp4", tmp_path / "cam01.mp4")  # beside the take, under its own name
    render_overlay(tmp_path / "take", out)
    (tmp_path / "cam01.mp4").write_bytes(b"another")
    with pytest.raises(InputError, match="has changed since the capture"):
        render_overlay(tmp_path / "take", out)
    with pytest.raises(InputError, match="is not a video that this take was made from"):
        render_overlay(tmp_path / "take", out, videos=[elsewhere / "renamed.mp4", tmp_path / "cam01.mp4"])
    with pytest.raises(InputError, match="there is no such video file"):
        render_overlay(tmp_path / "take", out, videos=[tmp_path / "none.mp4"])


def test_what_cannot_be_drawn_is_said_in_a_line(filmed: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="was not made from video"):
        render_overlay(write_standing_take(tmp_path / "stand", seconds=0.1), tmp_path / "over.mp4")
    with pytest.raises(InputError, match=r"cannot render to '.avi'; the endings are .mp4, .gif, .png"):
        render_overlay(filmed / "take", tmp_path / "over.avi")
    with pytest.raises(InputError, match="--fps goes with a gif"):
        render_overlay(filmed / "take", tmp_path / "over.mp4", fps=10)
    with pytest.raises(InputError, match="speed is 0"):
        render_overlay(filmed / "take", tmp_path / "over.mp4", speed=0.0)
    for wrong, said in (
        (["--overlay", "--size", "640", "360"], "do not go with --overlay"),
        (["--mask"], "--mask and --video go with --overlay"),
    ):
        with pytest.raises(InputError, match=said):
            _render(filmed / "take", tmp_path / "over.mp4", *wrong)


def _render(take: Path, out: Path, *more: str) -> None:
    import tyro

    from reenact.cli.render import render

    tyro.cli(render, args=[str(take), "-o", str(out), *more])


def test_stopped_by_hand_it_leaves_nothing(filmed: Path, tmp_path: Path) -> None:
    def stop(done: float, what: str) -> None:
        if done > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        render_overlay(filmed / "take", tmp_path / "over.mp4", progress=stop)
    assert list(tmp_path.iterdir()) == []


def test_the_background_is_the_video_s(filmed: Path) -> None:
    image = next(read_frames(open_video(filmed / "cam01.mp4"))).image
    np.testing.assert_allclose(image[2, 2], BACKGROUND, atol=6)
