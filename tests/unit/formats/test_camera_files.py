"""Calibration files of other programs, and ours: read, written, refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reenact.errors import InputError
from reenact.formats.camera.read import chosen, read_calibrations
from reenact.formats.camera.toml import origin_in_toml, write_camera_toml
from reenact.formats.video_content import Origin

TOML = """
[cam_01]
name = "cam_01"
size = [ 1088.0, 1920.0]
matrix = [ [ 1681.25, 0.0, 532.5], [ 0.0, 1681.0, 948.0], [ 0.0, 0.0, 1.0]]
distortions = [ -0.1, 0.2, 0.001, 0.002]
rotation = [ 1.5, 0.5, -0.25]
translation = [ 0.5, 1.0, 3.0]
fisheye = false

[metadata]
adjusted = false
error = 0.0
"""
CALISCOPE = """
[cameras.3]
cam_id = 3
size = [1280, 720]
matrix = [[900.0, 0.0, 640.0], [0.0, 901.0, 360.0], [0.0, 0.0, 1.0]]
distortions = [0.1, -0.2, 0.0, 0.0, 0.05]
rotation = [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]
translation = [0.0, 1.0, 4.0]
error = 0.3
[cameras.4]
cam_id = 4
size = [1280, 720]
matrix = [[900.0, 0.0, 640.0], [0.0, 901.0, 360.0], [0.0, 0.0, 1.0]]
distortions = [0.1, -0.2, 0.0, 0.0, 0.05]
"""
QCA = """<?xml version='1.0' encoding='ASCII'?>
<calibration type="regular"><cameras>
<camera active="1" serial="cam01" model="none" viewrotation="0">
<fov_video bottom="1919" left="0" right="1087" top="0"/>
<transform r11="1" r12="0" r13="0" r21="0" r22="0" r23="1" r31="0" r32="-1" r33="0" x="1000" y="-2000" z="1500"/>
<intrinsic centerPointU="34112" centerPointV="60672" focalLengthU="107600" focalLengthV="107584"
 radialDistortion1="-0.046"
 radialDistortion2="0.14" radialDistortion3="0.01" tangentalDistortion1="0.0006" tangentalDistortion2="0.0007"/>
</camera></cameras></calibration>
"""
YAML = """%YAML:1.0
---
calibration_time: "Mon Nov 16"
image_width: 1280
image_height: 720
camera_matrix: !!opencv-matrix
   rows: 3
   cols: 3
   dt: d
   data: [ 9.0e+02, 0., 6.4e+02, 0., 9.1e+02, 3.6e+02, 0.,
       0., 1. ]
distortion_coefficients: !!opencv-matrix
   rows: 1
   cols: 5
   dt: d
   data: [ 0.1, -0.2, 0.001, 0.002, 0.05 ]
avg_reprojection_error: 0.21
"""
POSED = (
    YAML
    + """rvec: !!opencv-matrix
   rows: 3
   cols: 1
   dt: d
   data: [ 0.1, 0.2, 0.3 ]
tvec: !!opencv-matrix
   rows: 3
   cols: 1
   dt: d
   data: [ 0.5, 1.0, 3.0 ]
"""
)


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_pose2sim(spaced: Path) -> None:
    (one,) = read_calibrations(written(spaced, "Calib.toml", TOML))
    assert (one.name, one.size) == ("cam_01", (1088, 1920))
    assert one.matrix[0, 2] == 532.5
    assert one.distortion.tolist() == [-0.1, 0.2, 0.001, 0.002]
    assert one.rotation is not None
    assert np.linalg.det(one.rotation) == pytest.approx(1.0)


def test_caliscope_with_a_camera_that_has_no_place_yet(tmp_path: Path) -> None:
    posed, bare = read_calibrations(written(tmp_path, "camera_array.toml", CALISCOPE))
    assert (posed.name, bare.name) == ("3", "4")
    assert posed.rotation is not None
    assert posed.rotation[1] == pytest.approx([0.0, 0.0, -1.0])
    assert bare.rotation is None


def test_qualisys(tmp_path: Path) -> None:
    (one,) = read_calibrations(written(tmp_path, "Calib.qca.txt", QCA))
    assert (one.name, one.size) == ("cam01", (1088, 1920))
    assert (one.matrix[0, 0], one.matrix[1, 1]) == (1681.25, 1681.0)
    assert one.distortion.tolist() == [-0.046, 0.14, 0.0006, 0.0007, 0.01]
    assert one.rotation is not None
    assert one.translation is not None
    assert -one.rotation.T @ one.translation == pytest.approx([1.0, -2.0, 1.5])
    # Its x right, y up, z back: this camera stands upright and looks along +y of the world.
    assert one.rotation == pytest.approx(np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]]))


def test_opencv(tmp_path: Path) -> None:
    (lens,) = read_calibrations(written(tmp_path, "phone.yml", YAML))
    assert (lens.name, lens.size, lens.rotation) == ("phone", (1280, 720), None)
    assert lens.matrix.tolist() == [[900.0, 0.0, 640.0], [0.0, 910.0, 360.0], [0.0, 0.0, 1.0]]
    assert lens.distortion.tolist() == [0.1, -0.2, 0.001, 0.002, 0.05]
    (posed,) = read_calibrations(written(tmp_path, "posed.yaml", POSED))
    assert posed.translation is not None
    assert posed.translation.tolist() == [0.5, 1.0, 3.0]


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    cameras = read_calibrations(written(tmp_path, "Calib.toml", TOML))
    write_camera_toml(tmp_path / "again.toml", cameras, ["how it came about"])
    (again,) = read_calibrations(tmp_path / "again.toml")
    for key in ("matrix", "distortion", "translation"):
        assert getattr(again, key).tolist() == getattr(cameras[0], key).tolist()
    assert again.rotation == pytest.approx(cameras[0].rotation, abs=1e-15)
    assert (tmp_path / "again.toml").read_text().startswith("# how it came about")


def test_a_camera_says_from_which_video_it_was_solved(tmp_path: Path) -> None:
    path, origin = tmp_path / "cam.toml", Origin(name='my "walk".mp4', content="3fe1")
    (camera, *_) = read_calibrations(written(tmp_path, "Calib.toml", TOML))
    assert origin_in_toml(tmp_path / "Calib.toml") is None, "others keep other things there"
    write_camera_toml(path, [replace(camera, name="metadata")], origin=origin)
    assert origin_in_toml(path) == origin
    assert [each.name for each in read_calibrations(path)] == ["metadata"]
    write_camera_toml(path, [camera])
    assert origin_in_toml(path) is None
    path.write_text("[metadata")
    assert origin_in_toml(path) is None


def test_which_camera_is_meant(tmp_path: Path) -> None:
    both = read_calibrations(written(tmp_path, "a.toml", TOML + TOML.replace("01", "02").split("[metadata]")[0]))
    assert chosen(both, "a.toml", "cam02").name == "cam_02"
    with pytest.raises(InputError, match=r"no camera 'gopro'; there are: cam_01, cam_02"):
        chosen(both, "a.toml", "gopro")
    assert chosen(both[:1], "a.toml", "walk").name == "cam_01"


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.toml", TOML.replace("size", "sise"), "a.toml:2: camera 'cam_01': the key 'size' is missing"),
        ("a.toml", TOML.replace("translation", "transl"), "the key 'translation' is missing"),
        ("a.toml", TOML.replace("fisheye = false", "fisheye = true"), "is a fisheye"),
        ("a.toml", TOML.replace("1088.0, 1920.0", "1088.5, 1920.0"), "whole pixels"),
        ("a.toml", TOML.replace("[ -0.1, 0.2, 0.001, 0.002]", "[0.1]"), "expected 4, 5 or 8"),
        ("a.toml", TOML.replace("1681.25", "0.0"), "focal lengths 0 and 1681"),
        ("a.toml", TOML.replace("1.5, 0.5, -0.25", "nan, 0.5, 0.1"), "rotation is"),
        ("a.toml", "[metadata]\nerror = 0.0\n", "holds no camera"),
        ("a.toml", "[cam\n", "a.toml:1: is not TOML"),
        ("a.qca.txt", QCA.replace("focalLengthV", "focal"), "<intrinsic> has no 'focalLengthV'"),
        ("a.qca.txt", QCA.replace("<transform", "<tr"), "the element <transform> is missing"),
        ("a.qca.txt", QCA.replace('x="1000"', 'x="far"'), "<transform> x is 'far'"),
        ("a.qca.txt", QCA[:-30], "is not XML"),
        ("a.qca.txt", "<calibration/>", "no element <camera>"),
        ("a.yml", "a: 1\nb: 2\n", "no camera matrix; looked for cameramatrix, k, m, found: a, b"),
        ("a.yml", YAML.replace("rows: 3", "rows: 4"), "a.yml:6: a matrix of 4 × 3 with 9 numbers"),
        ("a.yml", POSED.replace("tvec", "tv"), "holds a rotation alone"),
        ("a.yml", YAML + "fisheye: 1\n", "is a fisheye"),
        ("a.yml", YAML + "distortion_model: equidistant\n", "is a fisheye"),
        ("a.yml", "nothing here", "no line 'name: value'"),
        ("a.json", "{}", "the endings are .toml, .qca.txt"),
    ],
)
def test_mistakes_say_where_and_what(name: str, text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_calibrations(written(tmp_path, name, text))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
