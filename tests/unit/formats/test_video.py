"""Reading video: true times, upright pictures, ranges, and what is said of files that are no video."""

from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from reenact.errors import InputError, MissingExtraError
from reenact.formats.video import open_video, read_frames
from reenact.formats.video_frame import frame_at
from reenact.formats.video_turn import Turn
from reenact.formats.video_write import MovieWriter
from synthetic_video import write_video

av = pytest.importorskip("av", reason="PyAV, of the extra video, is not installed")


def corners(width: int = 64, height: int = 32) -> NDArray[np.uint8]:
    """Red at the top left, blue at the bottom right, black elsewhere."""
    image = np.zeros((height, width, 3), np.uint8)
    image[: height // 2, : width // 2] = (255, 0, 0)
    image[height // 2 :, width // 2 :] = (0, 0, 255)
    return image


def grey(count: int) -> list[NDArray[np.uint8]]:
    """Pictures whose brightness tells their number."""
    return [np.full((32, 64, 3), 20 + 2 * i, np.uint8) for i in range(count)]


def test_frames_times_and_sizes(tmp_path: Path) -> None:
    video = open_video(write_video(tmp_path / "a b.mp4", grey(10), rate=25))
    assert (video.width, video.height, video.rate) == (64, 32, 25.0)
    assert video.duration == pytest.approx(0.4)
    frames = list(read_frames(video))
    np.testing.assert_allclose([f.time for f in frames], np.arange(10) / 25, atol=1e-4)
    for i, frame in enumerate(frames):
        assert frame.image.shape == (32, 64, 3)
        assert frame.image.mean() == pytest.approx(20 + 2 * i, abs=2.0)


def test_variable_frame_rate_keeps_true_times(tmp_path: Path) -> None:
    times = [0.0, 0.02, 0.1, 0.11, 0.4, 0.45, 1.0]
    video = open_video(write_video(tmp_path / "vfr.mp4", grey(7), times))
    np.testing.assert_allclose([f.time for f in read_frames(video)], times, atol=2e-4)
    cut = list(read_frames(video, begin=0.1, end=0.4))
    np.testing.assert_allclose([f.time for f in cut], [0.1, 0.11, 0.4], atol=2e-4)
    assert cut[0].image.mean() == pytest.approx(24, abs=2.0)


def test_times_count_from_the_first_frame(tmp_path: Path) -> None:
    late = [5.0 + i / 30 for i in range(8)]
    video = open_video(write_video(tmp_path / "late.ts", grey(8), late))
    np.testing.assert_allclose([f.time for f in read_frames(video)], np.arange(8) / 30, atol=2e-3)


@pytest.mark.parametrize("rotation", [90, -90, 180])
def test_rotation_tags_are_honoured(tmp_path: Path, rotation: int) -> None:
    path = write_video(tmp_path / "turned.mp4", [corners()] * 3, rotation=rotation)
    video = open_video(path)
    upright = np.rot90(corners(), rotation // 90)
    assert (video.height, video.width) == upright.shape[:2]
    image = next(read_frames(video)).image
    np.testing.assert_allclose(image[4::8, 4::8].astype(int), upright[4::8, 4::8], atol=24)
    small = next(read_frames(video, long_side=32)).image
    assert small.shape[:2] == (upright.shape[0] // 2, upright.shape[1] // 2)


def test_every_turn_is_a_matrix_of_its_own() -> None:
    image = np.arange(6, dtype=np.uint8).reshape(2, 3, 1).repeat(3, axis=2)
    turns = [
        Turn(exchange=e, mirror_x=x, mirror_y=y) for e in (False, True) for x in (False, True) for y in (False, True)
    ]
    assert len({(turn.applied(image).shape, turn.applied(image).tobytes()) for turn in turns}) == 8
    assert all(turn.applied(image).shape[1::-1] == turn.size(3, 2) for turn in turns)


def test_a_late_range_is_reached_by_seeking(tmp_path: Path) -> None:
    video = open_video(write_video(tmp_path / "long.mp4", grey(110), rate=30))
    frames = list(read_frames(video, begin=3.0, end=3.2))
    np.testing.assert_allclose([f.time for f in frames], np.arange(90, 97) / 30, atol=1e-3)
    assert frames[0].image.mean() == pytest.approx(20 + 2 * 90, abs=2.0)


def test_wide_pixels_are_made_square(tmp_path: Path) -> None:
    path = tmp_path / "wide.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 32, "yuv420p"
        stream.codec_context.sample_aspect_ratio = 2
        for image in grey(3):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="rgb24")))
        container.mux(stream.encode(None))
    video = open_video(path)
    assert (video.width, video.height) == (128, 32)
    assert next(read_frames(video)).image.shape == (32, 128, 3)


def write_sound(path: Path) -> Path:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("pcm_s16le", rate=8000, layout="mono")
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 800), np.int16), format="s16", layout="mono")
        frame.rate = 8000
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def test_sound_alone_is_no_video(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"voice\.wav: has no video stream; it holds audio"):
        open_video(write_sound(tmp_path / "voice.wav"))


def test_what_is_no_video_is_said(tmp_path: Path) -> None:
    (tmp_path / "empty.mp4").touch()
    (tmp_path / "text.mp4").write_text("no video at all\n" * 100)
    for name, words in (
        ("empty.mp4", "is empty"),
        ("text.mp4", "not a video that can be read"),
        ("missing.mp4", "there is no such file"),
        (".", "is a folder"),
    ):
        with pytest.raises(InputError, match=words):
            open_video(tmp_path / name)


def test_a_cut_off_file_is_an_error_or_shorter_never_a_crash(tmp_path: Path) -> None:
    whole = write_video(tmp_path / "whole.mp4", grey(30)).read_bytes()
    for share in (0.1, 0.5, 0.9):
        path = tmp_path / "part.mp4"
        path.write_bytes(whole[: int(share * len(whole))])
        with pytest.raises(InputError, match=r"part\.mp4"):
            list(read_frames(open_video(path)))
    stream = write_video(tmp_path / "whole.ts", grey(30)).read_bytes()
    path = tmp_path / "part.ts"
    path.write_bytes(stream[: len(stream) // 2])
    assert 1 <= len(list(read_frames(open_video(path)))) < 30


def test_a_stream_without_frames(tmp_path: Path) -> None:
    whole = bytearray(write_video(tmp_path / "whole.mp4", grey(30)).read_bytes())
    start = whole.index(b"mdat") + 4
    stop = whole.index(b"moov") - 4
    whole[start:stop] = bytes(stop - start)
    path = tmp_path / "hollow.mp4"
    path.write_bytes(whole)
    with pytest.raises(InputError, match=r"hollow\.mp4: (is broken|its video stream|is not a video)"):
        open_video(path)


@pytest.mark.parametrize(("begin", "end"), [(5.0, None), (-1.0, None), (0.2, 0.1), (0.0, 9.0)])
def test_a_range_outside_is_said(tmp_path: Path, begin: float, end: float | None) -> None:
    video = open_video(write_video(tmp_path / "short.mp4", grey(10)))
    with pytest.raises(InputError, match=r"--from .* is not within the video's 0 to 0\.333 s"):
        list(read_frames(video, begin=begin, end=end))


def test_the_extra_is_named_where_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_video(tmp_path / "a.mp4", grey(2))
    real = builtins.__import__

    def without(name: str, *rest: Any, **named: Any) -> Any:
        if name == "av":
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtraError, match=r"reenact\[video\]"):
        open_video(path)


def test_the_frame_nearest_to_a_time_beside_a_long_gap(tmp_path: Path) -> None:
    times = [0.0, 0.1, 0.2, 0.3, *(1.4 + 0.1 * i for i in range(12))]
    video = open_video(write_video(tmp_path / "gap.mp4", grey(len(times)), times))
    for asked, found in ((0.34, 0.3), (0.8, 0.3), (0.9, 1.4), (1.38, 1.4), (1.44, 1.4), (1.52, 1.5)):
        assert frame_at(video, asked).time == pytest.approx(found, abs=1e-3), asked
    with pytest.raises(InputError, match="has no frame at 9 s"):
        frame_at(video, 9.0)


def test_a_movie_keeps_the_times_it_is_given(tmp_path: Path) -> None:
    times = [2.0, 2.04, 2.05, 2.5]
    with MovieWriter(tmp_path / "out.mp4") as writer:
        for time, image in zip(times, grey(4), strict=True):
            writer.add(time, image[:31, :63])
    video = open_video(tmp_path / "out.mp4")
    assert (video.width, video.height) == (62, 30)
    np.testing.assert_allclose([f.time for f in read_frames(video)], np.array(times) - 2.0, atol=1e-4)
    with MovieWriter(tmp_path / "two.mp4") as writer:
        writer.add(0.0, grey(1)[0])
        with pytest.raises(InputError, match="does not come after"):
            writer.add(0.0, grey(1)[0])
