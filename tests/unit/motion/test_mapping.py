"""Names of every convention we know find their sites; what is missing is said; users can override."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reenact.errors import FitError, InputError
from reenact.motion.clip import MarkerClip, Skeleton, SkeletonClip
from reenact.motion.mapping import ESSENTIAL, Mapping, map_clip, read_overrides
from reenact.motion.names import assign_joints, assign_markers, is_skin_set, read_name, vocabulary


def sided(*names: str) -> list[str]:
    """Names with "@" replaced by both sides in the spelling that stands there: "@Arm" → LeftArm, RightArm."""
    out = []
    for name in names:
        if "@" not in name:
            out.append(name)
            continue
        pairs = {"@@": ("L", "R"), "@_": ("l", "r"), "@": ("Left", "Right")}
        for mark, sides in pairs.items():
            if mark in name:
                out += [name.replace(mark, side) for side in sides]
                break
    return out


# Source names, and what some of them must stand for on the left.
CONVENTIONS: dict[str, tuple[list[str], dict[str, str]]] = {
    "CMU BVH": (
        sided(
            "Hips", "@@HipJoint", "@UpLeg", "@Leg", "@Foot", "@ToeBase", "LowerBack", "Spine", "Spine1", "Neck",
            "Neck1", "Head", "@Shoulder", "@Arm", "@ForeArm", "@Hand", "@FingerBase", "@HandIndex1", "@@Thumb",
        ),
        {"hip": "LeftUpLeg", "knee": "LeftLeg", "ankle": "LeftFoot", "toe": "LeftToeBase", "shoulder": "LeftArm",
         "clavicle": "LeftShoulder", "elbow": "LeftForeArm", "wrist": "LeftHand", "hand": "LeftFingerBase"},
    ),
    "CMU ASF": (
        sided(
            "root", "@_hipjoint", "@_femur", "@_tibia", "@_foot", "@_toes", "lowerback", "upperback", "thorax",
            "lowerneck", "upperneck", "head", "@_clavicle", "@_humerus", "@_radius", "@_wrist", "@_hand", "@_fingers",
            "@_thumb",
        ),
        {"hip": "lfemur", "knee": "ltibia", "ankle": "lfoot", "toe": "ltoes", "shoulder": "lhumerus",
         "clavicle": "lclavicle", "elbow": "lradius", "wrist": "lhand", "fingertip": "lfingers"},
    ),
    "Mixamo": (
        [f"mixamorig:{n}" for n in sided(
            "Hips", "Spine", "Spine1", "Spine2", "Neck", "Head", "HeadTop_End", "@Shoulder", "@Arm", "@ForeArm",
            "@Hand", "@HandMiddle1", "@HandMiddle4", "@UpLeg", "@Leg", "@Foot", "@ToeBase", "@Toe_End",
        )],
        {"hip": "mixamorig:LeftUpLeg", "shoulder": "mixamorig:LeftArm", "wrist": "mixamorig:LeftHand",
         "toe": "mixamorig:LeftToeBase", "toe_tip": "mixamorig:LeftToe_End", "hand": "mixamorig:LeftHandMiddle1"},
    ),
    "LaFAN": (
        sided("Hips", "@UpLeg", "@Leg", "@Foot", "@Toe", "Spine", "Spine1", "Spine2", "Neck", "Head", "@Shoulder",
              "@Arm", "@ForeArm", "@Hand"),
        {"hip": "LeftUpLeg", "toe": "LeftToe", "shoulder": "LeftArm", "clavicle": "LeftShoulder"},
    ),
    "SNU": (
        [*sided("Hips", "@UpLeg", "@Leg", "@Foot", "@Toes", "Spine", "Spine1", "HEad", "@Arm", "@ForeArm", "@Hand"),
         "LeftShoulder1", "RightShoulder"],
        {"hip": "LeftUpLeg", "toe": "LeftToes", "shoulder": "LeftArm", "clavicle": "LeftShoulder1"},
    ),
    "MASS with mesh parts": (
        [f"Character1_{n}" for n in sided("Hips", "Spine", "Spine1", "@Shoulder", "@Arm", "@ForeArm", "@Hand", "Neck",
                                          "Head", "@UpLeg", "@Leg", "@Foot", "@ToeBase")]
        + [f"{side}_{part}" for side in "LR" for part in ("Radius", "Humerus", "Foot", "Tibia", "Femur")]
        + ["Neck", "Torso", "Spine", "Pelvis"],
        {"hip": "Character1_LeftUpLeg", "knee": "Character1_LeftLeg", "ankle": "Character1_LeftFoot",
         "shoulder": "Character1_LeftArm", "elbow": "Character1_LeftForeArm"},
    ),
    "Kinect v2": (
        ["SpineBase", "SpineMid", "Neck", "Head", "SpineShoulder",
         *[f"{part}{side}" for side in ("Left", "Right") for part in (
             "Shoulder", "Elbow", "Wrist", "Hand", "Hip", "Knee", "Ankle", "Foot", "HandTip", "Thumb")]],
        {"hip": "HipLeft", "knee": "KneeLeft", "ankle": "AnkleLeft", "toe": "FootLeft", "shoulder": "ShoulderLeft",
         "wrist": "WristLeft", "hand": "HandLeft", "fingertip": "HandTipLeft"},
    ),
    "DeepMimic": (
        ["root", "chest", "neck", *[f"{side}_{part}" for side in ("left", "right")
                                    for part in ("hip", "knee", "ankle", "shoulder", "elbow", "wrist")]],
        {"hip": "left_hip", "knee": "left_knee", "ankle": "left_ankle", "shoulder": "left_shoulder"},
    ),
    "Unreal": (
        ["pelvis", "spine_01", "spine_02", "neck_01", "head",
         *[f"{part}_{side}" for side in "lr" for part in (
             "thigh", "calf", "foot", "ball", "clavicle", "upperarm", "lowerarm", "hand")]],
        {"hip": "thigh_l", "knee": "calf_l", "ankle": "foot_l", "toe": "ball_l", "shoulder": "upperarm_l",
         "elbow": "lowerarm_l", "wrist": "hand_l"},
    ),
    "SMPL": (
        ["Pelvis", "Spine1", "Spine2", "Spine3", "Neck", "Head",
         *[f"{side}_{part}" for side in "LR" for part in (
             "Hip", "Knee", "Ankle", "Foot", "Collar", "Shoulder", "Elbow", "Wrist", "Hand")]],
        {"hip": "L_Hip", "ankle": "L_Ankle", "toe": "L_Foot", "clavicle": "L_Collar", "shoulder": "L_Shoulder",
         "wrist": "L_Wrist"},
    ),
    "3ds Max biped": (
        ["Bip01 Pelvis", "Bip01 Spine", "Bip01 Spine1", "Bip01 Neck", "Bip01 Head",
         *[f"Bip01 {side} {part}" for side in "LR" for part in (
             "Thigh", "Calf", "Foot", "Toe0", "Clavicle", "UpperArm", "Forearm", "Hand")]],
        {"hip": "Bip01 L Thigh", "knee": "Bip01 L Calf", "ankle": "Bip01 L Foot", "shoulder": "Bip01 L UpperArm",
         "toe": "Bip01 L Toe0"},
    ),
    "COCO 17": (
        ["nose", *[f"{side}_{part}" for side in ("left", "right") for part in (
            "eye", "ear", "shoulder", "elbow", "wrist", "hip", "knee", "ankle")]],
        {"hip": "left_hip", "shoulder": "left_shoulder", "wrist": "left_wrist", "eye": "left_eye"},
    ),
    "H36M 17": (
        ["Hip", "Spine", "Thorax", "Neck", "Head", *[f"{side}{part}" for side in "LR" for part in (
            "Hip", "Knee", "Foot", "Shoulder", "Elbow", "Wrist")]],
        {"hip": "LHip", "knee": "LKnee", "ankle": "LFoot", "shoulder": "LShoulder"},
    ),
    "Pose2Sim 21": (
        ["Neck", "Head", "Nose", *[f"{side}{part}" for side in "RL" for part in (
            "Hip", "Knee", "Ankle", "BigToe", "SmallToe", "Heel", "Shoulder", "Elbow", "Wrist")]],
        {"hip": "LHip", "big_toe": "LBigToe", "small_toe": "LSmallToe", "heel": "LHeel", "shoulder": "LShoulder"},
    ),
    "BODY_25": (
        ["Nose", "Neck", "MidHip", *[f"{side}{part}" for side in "RL" for part in (
            "Shoulder", "Elbow", "Wrist", "Hip", "Knee", "Ankle", "Eye", "Ear", "BigToe", "SmallToe", "Heel")]],
        {"hip": "LHip", "ear": "LEar", "heel": "LHeel"},
    ),
    "HALPE_26": (
        ["Nose", "Head", "Neck", "Hip", *[f"{side}{part}" for side in "LR" for part in (
            "Eye", "Ear", "Shoulder", "Elbow", "Wrist", "Hip", "Knee", "Ankle", "BigToe", "SmallToe", "Heel")]],
        {"hip": "LHip", "ankle": "LAnkle", "big_toe": "LBigToe"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_joint_names_find_their_sites(convention: str) -> None:
    names, expected = CONVENTIONS[convention]
    sites = assign_joints(names)
    assert not [site for site in ESSENTIAL if site not in sites]
    for site, source in expected.items():
        assert sites[f"{site}_left"] == source, site
    assert len(set(sites.values())) == len(sites)  # no source serves twice
    for site, source in sites.items():  # left and right mirror each other
        if site.endswith("_left"):
            twin = sites[f"{site.removesuffix('_left')}_right"]
            assert twin != source
    assert not is_skin_set(names)


SKIN: dict[str, tuple[list[str], dict[str, str]]] = {
    "Hamner": (
        ["RASI", "LPSI", "RPSI", "RTH1", "LTH3", "RTB1", "LTB2", "RCAL", "RTOE", "RMT5", "LCAL", "LMT5", "LACR",
         "CLAV", "C7", "RUA1", "RLEL", "RMEL", "LUA3", "RFAsuperior", "RFAradius", "LFAulna", "LASI"],
        {"RASI": "asis_right", "LTH3": "thigh_cluster_left", "RTB1": "shank_cluster_right", "C7": "c7",
         "RMT5": "fifth_metatarsal_right", "LACR": "acromion_left", "RLEL": "elbow_lateral_right",
         "RFAradius": "wrist_radial_right", "LFAulna": "wrist_ulnar_left", "CLAV": "jugular_notch"},
    ),
    "OpenCap": (
        ["C7", "L.ASIS", "L.PSIS", "L_5meta", "L_HJC", "L_HJC_reg", "L_Shoulder", "L_Sternum", "L_ankle", "L_calc",
         "L_elbow_lat", "L_forearm", "L_humerus", "L_knee", "L_sh2", "L_shank_antsup", "L_thigh4", "L_toe",
         "L_wrist_radius", "r.ASIS", "r.PSIS", "r_knee", "r_mknee", "r_thigh5", "r_ankle", "r_mankle"],
        {"L.ASIS": "asis_left", "L_HJC": "hip_left", "L_knee": "knee_lateral_left", "r_mknee": "knee_medial_right",
         "L_toe": "toe_marker_left", "r_thigh5": "thigh_cluster_right", "L_wrist_radius": "wrist_radial_left"},
    ),
    "Rajagopal": (
        ["R.Shoulder", "L.Clavicle", "R.Biceps", "R.Elbow", "R.Wrist", "R.ASIS", "L.ASIS", "R.PSIS", "S2", "L.PSIS",
         "R.TH1", "L.TH4", "R.Knee", "L.Knee", "R.SH1", "L.SH2", "R.Ankle", "R.Heel", "R.MT5", "L.Toe"],
        {"R.Shoulder": "acromion_right", "R.Knee": "knee_lateral_right", "R.Heel": "heel_marker_right",
         "S2": "sacrum", "L.TH4": "thigh_cluster_left", "R.Wrist": "wrist_marker_right"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("convention", SKIN)
def test_skin_markers_find_their_sites(convention: str) -> None:
    names, expected = SKIN[convention]
    found = assign_markers(names)
    assert is_skin_set(names)
    assert set(names) == set(found)
    for source, site in expected.items():
        assert found[source] == site


def test_words_are_not_torn_apart() -> None:
    known = vocabulary(False)
    assert read_name("LowerBack", known) is None  # not the left "owerback"
    assert read_name("root", known).side == ""
    assert read_name("RightForeArm", known).word == "forearm"
    assert read_name("shoulder.L", known).side == "left"
    assert read_name("Lamp", known) is None


def skeleton_clip(bones: dict[str, tuple[str, tuple[float, float, float]]], ends: set[str]) -> SkeletonClip:
    names = tuple(bones)
    parents = tuple(names.index(parent) if parent else -1 for parent, _ in bones.values())
    offsets = np.array([offset for _, offset in bones.values()], float)
    skeleton = Skeleton(names=names, parents=parents, offsets=offsets, ends=tuple(n in ends for n in names))
    rotation = np.zeros((4, len(names), 4))
    rotation[..., 0] = 1.0
    return SkeletonClip(
        name="try", rate=30.0, skeleton=skeleton, translation=np.tile(offsets, (4, 1, 1)), rotation=rotation
    )


def stick_figure(fingers: float = 0.1) -> SkeletonClip:
    bones: dict[str, tuple[str, tuple[float, float, float]]] = {
        "Hips": ("", (0, 0, 0.9)), "Spine": ("Hips", (0, 0, 0.2)), "Spine_end": ("Spine", (0, 0, 0.4))}  # fmt: skip
    ends = {"Spine_end"}
    for side, y in (("Left", 1), ("Right", -1)):
        bones |= {
            f"{side}UpLeg": ("Hips", (0, 0.1 * y, 0)), f"{side}Leg": (f"{side}UpLeg", (0, 0, -0.4)),
            f"{side}Foot": (f"{side}Leg", (0, 0, -0.4)), f"{side}Foot_end": (f"{side}Foot", (0.12, 0, -0.05)),
            f"{side}Arm": ("Spine", (0, 0.2 * y, 0.25)), f"{side}ForeArm": (f"{side}Arm", (0, 0, -0.3)),
            f"{side}Hand": (f"{side}ForeArm", (0, 0, -0.25)), f"{side}Hand_end": (f"{side}Hand", (0, 0, -fingers)),
        }  # fmt: skip
        ends |= {f"{side}Foot_end", f"{side}Hand_end"}
    return skeleton_clip(bones, ends)


def test_ends_complete_what_names_leave_open() -> None:
    mapping = map_clip(stick_figure())
    assert mapping.source_of("toe_left") == "LeftFoot_end"
    assert mapping.source_of("fingertip_right") == "RightHand_end"
    assert mapping.source_of("head") == "Spine_end"
    assert {turn.part for turn in mapping.turns} >= {"pelvis", "thorax", "ankle_left", "hip_right"}
    assert "toe_left" not in {turn.part for turn in mapping.turns}  # an end has no orientation


def with_neck(height: float) -> SkeletonClip:
    """The stick figure with "Neck", "Neck1" and "Head", the first one `height` [m] above the shoulders' joint."""
    old = stick_figure().skeleton
    above = ["" if p < 0 else old.names[p] for p in old.parents]
    bones = {n: (up, (*o,)) for n, up, o in zip(old.names, above, old.offsets.tolist(), strict=True)}
    ends = {n for n, end in zip(old.names, old.ends, strict=True) if end}
    neck = {"Neck": ("Spine", (0, 0, height)), "Neck1": ("Neck", (0, 0, 0.08)), "Head": ("Neck1", (0, 0, 0.08))}
    return skeleton_clip({**bones, **neck}, ends)


@pytest.mark.parametrize(("height", "neck"), [(0.0, "Neck1"), (0.1, "Neck")])
def test_a_neck_that_repeats_the_chest_is_passed_over(height: float, neck: str) -> None:
    mapping = map_clip(with_neck(height))
    assert mapping.source_of("neck") == neck
    assert mapping.source_of("head") == "Head"


def test_an_end_parked_far_away_is_left_out_and_said() -> None:
    mapping = map_clip(stick_figure(fingers=1.6))
    assert mapping.source_of("fingertip_left") is None
    assert any("'LeftHand_end' is 1.60 m from 'LeftHand'" in note for note in mapping.notes)


def test_what_is_missing_is_named_with_what_there_is() -> None:
    clip = MarkerClip(name="arms", rate=30.0, names=("LShoulder", "RShoulder", "Banana"), position=np.zeros((3, 3, 3)))
    with pytest.raises(FitError, match=r"nothing stands for hip_left.*Found: .*shoulder_left = LShoulder.*Banana"):
        map_clip(clip)
    skin = MarkerClip(name="legs", rate=30.0, names=("LASI", "RASI", "LKNE"), position=np.zeros((3, 3, 3)))
    with pytest.raises(FitError, match=r"at least 3 pelvis markers \(got 2\).*right thigh and shank"):
        map_clip(skin)


def test_overrides_from_toml_and_json(tmp_path: Path) -> None:
    clip = stick_figure()
    toml = tmp_path / "my map.toml"
    toml.write_text('left_knee = "LeftFoot_end"\nhead = ""\n[weights]\nknee_left = 0.25\n')
    mapping = map_clip(clip, read_overrides(toml))
    assert mapping.source_of("knee_left") == "LeftFoot_end"
    assert mapping.source_of("head") is None
    assert next(link.weight for link in mapping.links if link.site == "knee_left") == 0.25
    json = tmp_path / "map.json"
    json.write_text('{"knee_right": "LeftHand", "weights": {"right_knee": 2}}')
    mapping = map_clip(clip, read_overrides(json))
    assert next(link for link in mapping.links if link.site == "knee_right").weight == 2.0
    again = tmp_path / "again.toml"
    again.write_text(mapping.to_text())
    assert _pairs(map_clip(clip, read_overrides(again))) == _pairs(mapping)


def _pairs(mapping: Mapping) -> set[tuple[str, str, float]]:
    return {(link.site, link.source, link.weight) for link in mapping.links}


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ('left_kne = "a"', "'left_kne' is not a site of the body; there are: acromion_left"),
        ("left_knee = 3", "expected the name of a joint or marker"),
        ("left_knee = ", "not a mapping in TOML"),
        ('[weights]\nhead = "x"', "weights.head: expected a number"),
        ("weights = 3", "expected \\[weights\\]"),
    ],
)
def test_bad_overrides_are_named(text: str, cause: str, tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=cause) as caught:
        read_overrides(path)
    assert str(path) in str(caught.value)


def test_an_override_to_a_joint_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    path.write_text('left_knee = "Nowhere"')
    with pytest.raises(FitError, match="has no 'Nowhere'; there are: Hips, Spine"):
        map_clip(stick_figure(), read_overrides(path))
