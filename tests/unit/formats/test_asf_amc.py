"""Acclaim skeletons and motions: by hand, against the same recording as BVH, and broken."""

from __future__ import annotations

import numpy as np
import pytest
from fuzz_seeds import ASF, FRAMES, amc_text

from reenact.errors import InputError
from reenact.formats.amc import find_asf, read_amc
from reenact.formats.bvh import read_bvh
from reenact.geometry import rotation


@pytest.fixture
def pair(written):
    def write(asf=ASF, amc=None, names=("02.asf", "02_01.amc")):
        written(names[0], asf)
        return written(names[1], amc_text() if amc is None else amc)

    return write


def test_bone_ends_by_matrices(pair):
    clip = read_amc(pair(), units=1.0, up="z")
    position = clip.world()[0]
    # An independent reading of one chain: root, then femur with L = C·M·C⁻¹, as matrices.
    frame = 5
    s = 10 * np.sin(frame / 3)

    def euler(x, y, z):
        x, y, z = np.radians([x, y, z])
        rx = np.array([[1, 0, 0], [0, np.cos(x), -np.sin(x)], [0, np.sin(x), np.cos(x)]])
        ry = np.array([[np.cos(y), 0, np.sin(y)], [0, 1, 0], [-np.sin(y), 0, np.cos(y)]])
        rz = np.array([[np.cos(z), -np.sin(z), 0], [np.sin(z), np.cos(z), 0], [0, 0, 1]])
        return rz @ ry @ rx

    root = euler(round(s, 4), 1, 2)
    axis = euler(0, 0, 20)
    femur = root @ axis @ euler(round(-2 * s, 4), 1, -3) @ axis.T
    knee = np.array([0.1 * frame, 16.5, 0]) + femur @ (7.6 * np.array([0.34, -0.94, 0]))
    np.testing.assert_allclose(position[frame, clip.skeleton.index("ltibia")], knee, atol=1e-9)


def test_units_rate_and_ends(pair):
    clip = read_amc(pair())
    assert clip.frames == FRAMES
    assert clip.rate == 120.0
    assert float(clip.source["units"]) == pytest.approx(0.0254 / 0.45)
    assert clip.source["up"] == "y"
    assert clip.skeleton.names == (
        *("root", "lfemur", "ltibia", "lfoot", "lfoot_end"),
        *("lowerback", "head", "head_end"),
    )
    assert any("120 Hz assumed" in note for note in clip.notes)


def test_radians(pair):
    degrees = read_amc(pair(), units=1.0, up="y")
    lines = []
    for line in amc_text().replace(":DEGREES", ":RADIANS").splitlines():
        words = line.split()
        if len(words) > 1 and words[0] != "#!OML:ASF":
            fixed = 4 if words[0] == "root" else 1
            words[fixed:] = [repr(float(np.radians(float(word)))) for word in words[fixed:]]
        lines.append(" ".join(words))
    radians = read_amc(pair(amc="\n".join(lines)), units=1.0, up="y")
    np.testing.assert_allclose(radians.rotation, degrees.rotation, atol=1e-12)


def test_skeleton_is_found_beside(tmp_path, pair):
    motion = pair()
    assert find_asf(motion).name == "02.asf"
    (tmp_path / "02_01.ASF").write_text(ASF)
    assert find_asf(motion).name == "02_01.ASF"
    (tmp_path / "02_01.ASF").unlink()
    (tmp_path / "02.asf").unlink()
    with pytest.raises(InputError, match=r"no skeleton 02\.asf beside it"):
        find_asf(motion)
    (tmp_path / "other.asf").write_text(ASF)
    assert find_asf(motion).name == "other.asf"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("lowerback 0.0000 0 1\n", "", "frame 1 has no line for bone 'lowerback'"),
        ("lowerback 0.0000 0 1", "lowerback 0.0000 0", "bone 'lowerback' has 2 numbers, expected 3"),
        ("lowerback 0.0000 0 1", "lowerspine 0.0000 0 1", "no moving bone 'lowerspine'"),
        ("lowerback 0.0000 0 1", "lowerback 0 0 1\nlowerback 0 0 1", "comes twice"),
        ("lowerback 0.0000 0 1", "lowerback zero 0 1", "frame 1, 'lowerback'"),
        ("lowerback 0.0000 0 1", "lowerback nan 0 1", ":6: frame 1, 'lowerback': a number beyond"),
        (":DEGREES\n1\n", ":DEGREES\n", "before the first frame number"),
    ],
)
def test_broken_motions(pair, old, new, words):
    with pytest.raises(InputError) as caught:
        read_amc(pair(amc=amc_text().replace(old, new, 1)))
    assert words in str(caught.value)
    assert "02_01.amc" in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("root lfemur lowerback", "root lfemur", "bone 'head' is not reached"),
        ("lowerback head", "lowerback head lfemur", "bone 'lfemur' has two parents"),
        ("lowerback head", "lowerback skull", "unknown bone 'skull'"),
        (":hierarchy", ":hierarky", "no section ':hierarchy'"),
        ("name ltibia", "name lfemur", "bone 'lfemur' occurs twice"),
        ("dof rx rz", "dof rx qq", "unknown degree of freedom 'qq'"),
        ("axis -90 0 20 XYZ", "axis -90 0 20 XYX", "axis order 'XYX'"),
        ("length 7.6", "length long", "length: got 'long'"),
        ("length 0.45", "length 0", "length unit 0 is not usable"),
        ("    lfemur ltibia\n", "    lfemur ltibia\n    lfoot lfemur\n", "two parents"),
    ],
)
def test_broken_skeletons(pair, old, new, words):
    with pytest.raises(InputError) as caught:
        read_amc(pair(asf=ASF.replace(old, new, 1)))
    assert words in str(caught.value)
    assert "02.asf" in str(caught.value)


@pytest.mark.parametrize("number", ["02_01", "02_03", "02_04"])
def test_same_recording_as_bvh(shared_data, number):
    """The BVH conversion of the CMU database left out the bone `thorax`; with it put back the joints agree."""
    original = read_amc(shared_data / "cmu_asfamc" / f"{number}.amc")
    converted = read_bvh(shared_data / "cmu_bvh" / f"{number}.bvh")
    thorax = original.skeleton.offsets[original.skeleton.index("lowerneck")]
    translation = converted.translation[1:].copy()  # frame 0 is an added T-pose
    for name in ("Neck", "LeftShoulder", "RightShoulder"):
        np.testing.assert_array_equal(translation[:, converted.skeleton.index(name)], 0)
        translation[:, converted.skeleton.index(name)] = thorax
    moved = converted.cut(1, converted.frames)
    moved = type(moved)(
        name=number, rate=120.0, skeleton=moved.skeleton, translation=translation, rotation=moved.rotation
    ).world()[0]
    truth = original.world()[0]
    same = {
        "lfemur": "LeftUpLeg",
        "ltibia": "LeftLeg",
        "rfoot": "RightFoot",
        "rtoes_end": "RightToeBase_end",
        "lowerneck": "Neck",
        "head_end": "Head_end",
        "lradius": "LeftForeArm",
        "rwrist": "RightHand",
    }
    for bone, joint in same.items():
        error = np.abs(truth[:, original.skeleton.index(bone)] - moved[:, converted.skeleton.index(joint)]).max()
        assert error < 1e-4, (bone, joint, error)
    assert rotation.normalize(original.rotation[0, 0]) == pytest.approx(original.rotation[0, 0])
