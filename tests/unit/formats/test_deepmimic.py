"""DeepMimic motions: pose by hand, uneven frames, quaternions off length, errors."""

from __future__ import annotations

import json

import numpy as np
import pytest
from fuzz_seeds import FRAMES, deepmimic_text

from reenact.errors import InputError
from reenact.formats.deepmimic import read_deepmimic


def content():
    return json.loads(deepmimic_text())


def test_standing_pose_faces_x_with_the_left_side_at_y(written):
    clip = read_deepmimic(written("humanoid3d_stand.json", deepmimic_text()))
    assert (clip.name, clip.frames, clip.rate, clip.source["loop"]) == ("stand", FRAMES, 30.0, "wrap")
    position = {name: clip.world()[0][0, i] for i, name in enumerate(clip.skeleton.names)}
    assert position["left_hip"][1] > 0 > position["right_hip"][1]
    assert position["neck_end"][2] == pytest.approx(0.88 + 0.236151 + 0.223894 + 0.2775)
    # A bent knee carries the shank back, −x; the toes point forward from the ankle.
    assert position["left_ankle"][0] < position["left_knee"][0]
    assert position["left_ankle_end"][0] > position["left_ankle"][0]
    assert position["left_knee"][2] == pytest.approx(0.88 - 0.421546)


def test_uneven_frames_are_resampled(written):
    motion = content()
    motion["Frames"][4][0] = 2 / 30
    clip = read_deepmimic(written("a.json", json.dumps(motion)))
    assert clip.frames == FRAMES + 1
    assert any("resampled" in note for note in clip.notes)
    x = clip.translation[:, 0, 0]
    np.testing.assert_allclose(x[4:7], [0.08, 0.09, 0.10], atol=1e-6)


def test_quaternions_off_length_are_scaled_and_noted(written):
    motion = content()
    motion["Frames"][2][4:8] = [0.9, 0, 0, 0]
    clip = read_deepmimic(written("a.json", json.dumps(motion)))
    assert clip.notes == ("1 quaternions were not of length 1, scaled",)
    np.testing.assert_allclose(np.linalg.norm(clip.rotation, axis=-1), 1.0, atol=1e-12)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda m: m.pop("Frames"), "missing required field `Frames`"),
        (lambda m: m.update(Frames=[]), "Frames is empty"),
        (lambda m: m.update(Frames=7), "Expected `array`"),
        (lambda m: m["Frames"][3].pop(), "frame 3 has 43 numbers, expected 44"),
        (lambda m: m["Frames"][3].__setitem__(5, "x"), "Expected `float`"),
        (lambda m: m["Frames"][3].__setitem__(5, 1e308), "frame 3, number 5"),
        (lambda m: m["Frames"][3].__setitem__(slice(4, 8), [0, 0, 0, 0]), "quaternion of root has length 0"),
        (lambda m: m.update(Loop="maybe"), "Loop is 'maybe'"),
        (lambda m: [frame.__setitem__(0, 0) for frame in m["Frames"]], "frames last 0 to 0 s"),
        (lambda m: m["Frames"][3].__setitem__(0, 9.9), "too unequally"),
    ],
)
def test_broken(written, change, words):
    motion = content()
    change(motion)
    with pytest.raises(InputError) as caught:
        read_deepmimic(written("a.json", json.dumps(motion)))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"Frames":' * 50_000, '{"Frames": [[NaN]]}', "{", "null", '"x"'])
def test_bad_json(written, text):
    with pytest.raises(InputError, match="not a DeepMimic motion"):
        read_deepmimic(written("a.json", text))


def test_bad_json_names_the_line(written):
    with pytest.raises(InputError, match=r"a\.json:4: not a DeepMimic motion: JSON is malformed"):
        read_deepmimic(written("a.json", '{"Loop": "none",\n"Frames":\n[\n[1, 2, oops]]}'))
