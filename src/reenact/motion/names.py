"""What a joint or marker name means, across the conventions in use.

A name is split into a side and a bare word: "mixamorig:LeftUpLeg", "lfemur", "thigh_l" and "HipLeft" become ("left",
"upleg"), ("left", "femur"), ("left", "thigh") and ("left", "hip"). Which site of the body a word stands for depends on
the words beside it: a "LeftShoulder" is a collar bone where there is a "LeftArm", and the shoulder itself otherwise.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

Side = Literal["left", "right", ""]

# Site of the body: words that stand for it, the most telling first. Sites of the two sides carry no side here.
SIDED: Final[dict[str, tuple[str, ...]]] = {
    "hip": ("upleg", "upperleg", "thigh", "femur", "hip", "hjc"),
    "knee": ("knee", "lowerleg", "lowleg", "leg", "shin", "calf", "tibia", "shank"),
    "ankle": ("ankle", "foot", "feet", "talus"),
    "toe": ("toebase", "toes", "toe", "toe0", "ball", "mtp", "foot"),
    "clavicle": ("clavicle", "collar", "collarbone", "shoulder1", "shoulder"),
    "shoulder": ("upperarm", "uparm", "humerus", "arm", "shoulder"),
    "elbow": ("elbow", "forearm", "lowerarm", "lowarm", "radius"),
    "wrist": ("wrist", "hand"),
    "hand": ("hand", "fingerbase", "handmiddle1", "middle1", "handindex1", "index1", "knuckle"),
    "fingertip": ("handtip", "fingertip", "fingers", "handmiddle4", "middle4"),
    "toe_tip": ("toeend", "toetip", "toe1end"),
    "big_toe": ("bigtoe",),
    "small_toe": ("smalltoe", "littletoe"),
    "heel": ("heel",),
    "eye": ("eye",),
    "ear": ("ear",),
}
CENTRE: Final[dict[str, tuple[str, ...]]] = {
    "pelvis": ("hips", "pelvis", "midhip", "spinebase", "root", "hip", "bip01", "cog"),
    "neck": ("neck", "lowerneck", "neck01", "cervical", "spineshoulder"),
    "head": ("head", "skull"),
    "nose": ("nose",),
    "vertex": ("headtopend", "headtop", "headend", "topofhead", "vertex"),
}
SPINE: Final = re.compile(
    r"^(lowerback|upperback|spine(\d*|mid|shoulder)|chest\d*|upperchest|torso|abdomen|thorax|trunk|belly|back|lumbar|thoracic)$"
)

# Reflective markers on the skin: site, then the names used by OpenCap, Hamner, Rajagopal, Plug-in Gait and others.
SKIN_SIDED: Final[dict[str, tuple[str, ...]]] = {
    "hip": ("hjc", "hjcreg"),
    "asis": ("asis", "asi"),
    "psis": ("psis", "psi"),
    "trochanter": ("gtr", "troc", "trochanter", "gt"),
    "thigh_cluster": ("th1", "th2", "th3", "th4", "thi", "thigh", "thigh1", "thigh2", "thigh3", "thigh4", "thigh5"),
    "knee_lateral": ("knee", "kne", "lfe", "kneelat", "lateralknee"),
    "knee_medial": ("mknee", "mfe", "kneemed", "medialknee", "kne1"),
    "shank_cluster": (
        "tb1", "tb2", "tb3", "tib", "sh1", "sh2", "sh3", "sh4", "shank", "shank1", "shank2", "shank3", "shankantsup",
    ),
    "ankle_lateral": ("ankle", "ank", "lmal", "anklelat"),
    "ankle_medial": ("mankle", "mmal", "anklemed"),
    "heel_marker": ("calc", "cal", "heel", "hee"),
    "toe_marker": ("toe", "toetip", "mt1", "mt2", "1meta"),
    "fifth_metatarsal": ("mt5", "5meta", "5mt"),
    "acromion": ("acr", "shoulder", "sho", "acromion"),
    "collar_marker": ("clavicle", "sternum"),
    "upper_arm_cluster": ("ua1", "ua2", "ua3", "upa", "biceps", "humerus", "uparm"),
    "elbow_lateral": ("lel", "elbowlat", "elbow", "elb"),
    "elbow_medial": ("mel", "elbowmed"),
    "forearm_cluster": ("fasuperior", "forearm", "frm", "fa1", "fa2"),
    "wrist_radial": ("faradius", "wristradius", "wra"),
    "wrist_ulnar": ("faulna", "wristulna", "wrb"),
    "wrist_marker": ("wrist", "wri"),
    "hand_marker": ("fin", "hand"),
    "head_front": ("fhd",),
    "head_back": ("bhd",),
}  # fmt: skip
SKIN_CENTRE: Final[dict[str, tuple[str, ...]]] = {
    "jugular_notch": ("clav", "sternalnotch", "ij"),
    "c7": ("c7",),
    "t10": ("t10", "t8"),
    "xiphoid": ("strn", "px"),
    "sacrum": ("s2", "sacr", "sacrum", "vsacral"),
}

_SIDES: Final[dict[str, Side]] = {"left": "left", "right": "right", "l": "left", "r": "right"}
_NAMESPACE: Final = re.compile(r"^(.*[:|])")
_PREFIX: Final = re.compile(r"^([A-Za-z]+\d*(?:[_ ](?:Bip|Base|Base_)(?=[_ ]))?[_ ])")


@dataclass(frozen=True, slots=True)
class Name:
    """A name taken apart."""

    side: Side
    word: str  # lower case, letters and digits only


def vocabulary(skin: bool) -> frozenset[str]:
    """Every word known, of skin markers or of joints and keypoints."""
    sided, centre = (SKIN_SIDED, SKIN_CENTRE) if skin else (SIDED, CENTRE)
    return frozenset(word for table in (sided, centre) for words in table.values() for word in words)


def read_name(name: str, known: frozenset[str]) -> Name | None:
    """Side and word of a name, None when the word is not known: "RightForeArm" → ("right", "forearm")."""
    tokens = [t.lower() for t in re.findall(r"[A-Za-z]+|\d+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name))]
    whole = "".join(tokens)
    if whole in known:
        return Name("", whole)
    for token in tokens:
        if token in _SIDES:
            rest = tokens.copy()
            rest.remove(token)
            word = "".join(rest)
            return Name(_SIDES[token], word) if word in known else None
    for mark, side in _SIDES.items():
        for word in (whole.removeprefix(mark), whole.removesuffix(mark)):
            if word != whole and word in known:
                return Name(side, word)
    return None


def shared_prefix(names: Sequence[str]) -> str:
    """A prefix such as "Character1_" or "Bip01 " that at least ten names and half of all carry, else ""."""
    counts = Counter(m.group(1) for m in map(_PREFIX.match, names) if m is not None)
    for prefix, count in counts.most_common(1):
        if count >= max(10, 0.4 * len(names)) and prefix.strip("_ ").lower() not in _SIDES:
            return prefix
    return ""


def bare_names(names: Sequence[str]) -> dict[str, str]:
    """Source name → the part that means something, without namespace ("mixamorig:") and shared prefix.

    Where most names share a prefix, those without it are somebody's mesh parts and are left out.
    """
    stripped = {name: _NAMESPACE.sub("", name) for name in names}
    stripped = {name: re.sub(r"^mixamorig\d*_?(?=[A-Z])", "", bare) for name, bare in stripped.items()}
    prefix = shared_prefix(list(stripped.values()))
    if not prefix:
        return stripped
    return {name: bare[len(prefix) :] for name, bare in stripped.items() if bare.startswith(prefix)}


def is_skin_set(names: Iterable[str]) -> bool:
    """True for reflective markers on the skin: they always include the pelvis's bony points."""
    words = {n.word for n in (read_name(name, vocabulary(True)) for name in names) if n is not None and n.side}
    return bool(words & {"asis", "asi", "psis", "psi"})


def assign_joints(names: Sequence[str]) -> dict[str, str]:
    """Site of the body ("knee_left") → source name, for joints and keypoints."""
    found: dict[tuple[Side, str], str] = {}
    for source, bare in bare_names(names).items():
        name = read_name(bare, vocabulary(False))
        if name is not None:
            found.setdefault((name.side, name.word), source)
    sites = _centre_sites(found)
    for side in ("left", "right"):
        words = {word: source for (s, word), source in found.items() if s == side}
        sites |= {f"{site}_{side}": source for site, source in _side_sites(words).items()}
    return sites


def _centre_sites(found: dict[tuple[Side, str], str]) -> dict[str, str]:
    sites = {}
    for site, words in CENTRE.items():
        source = next((found["", word] for word in words if ("", word) in found), None)
        if source is not None:
            sites[site] = source
    return sites


def _side_sites(words: dict[str, str]) -> dict[str, str]:
    """Sites of one side; each word serves once, and the contested ones by what stands beside them."""
    left = dict(words)
    has_arm = bool({"upperarm", "uparm", "humerus", "arm"} & left.keys())
    bone_names = {"femur", "radius", "wrist", "hand"} <= left.keys()  # ASF: "wrist" is the lower half of the forearm
    sites: dict[str, str] = {}
    for site, candidates in SIDED.items():
        for word in candidates:
            if word not in left:
                continue
            if site == "clavicle" and word in ("shoulder", "shoulder1") and not has_arm:
                continue
            if site == "wrist" and word == "wrist" and bone_names:
                continue
            sites[site] = left.pop(word)
            break
    return sites


def assign_markers(names: Sequence[str]) -> dict[str, str]:
    """Source name → site of the body ("asis_left"), for markers on the skin; several may share a cluster."""
    sites = {word: site for site, words in SKIN_SIDED.items() for word in words}
    centres = {word: site for site, words in SKIN_CENTRE.items() for word in words}
    known = vocabulary(True)
    found = {}
    for source, bare in bare_names(names).items():
        name = read_name(bare, known)
        if name is None:
            continue
        if name.side and name.word in sites:
            found[source] = f"{sites[name.word]}_{name.side}"
        elif not name.side and name.word in centres:
            found[source] = centres[name.word]
    return found


def spine_names(names: Sequence[str]) -> tuple[str, ...]:
    """Source names of trunk joints between pelvis and neck, in the order given."""
    bare = bare_names(names)
    return tuple(n for n in names if n in bare and SPINE.match(re.sub(r"[^a-z0-9]", "", bare[n].lower())))
