"""Which source joint or marker stands for which site of the body: found by name and tree, readable, overridable.

An override file is TOML or JSON:

    left_knee = "MyKnee"          # or knee_left; any site, see `reenact.motion.sites`
    head = ""                     # leave this site out

    [weights]
    left_knee = 0.5               # relative to 1 for a joint centre
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping as Dict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from reenact.errors import FitError, InputError
from reenact.motion import names as naming
from reenact.motion.clip import Clip, Skeleton, SkeletonClip
from reenact.motion.sites import all_sites, is_joint

ESSENTIAL: Final = tuple(f"{j}_{s}" for j in ("hip", "knee", "ankle", "shoulder", "elbow") for s in ("left", "right"))

WEIGHTS: Final[Dict[str, float]] = {  # of sites that say less than a joint centre; the others weigh 1
    "pelvis": 0.5,
    "clavicle": 0.3,
    "head": 0.5,
    "vertex": 0.2,
    "hand": 0.3,
    "fingertip": 0.2,
    "toe_tip": 0.3,
    "eye": 0.1,
    "ear": 0.1,
    "nose": 0.2,
    "big_toe": 0.4,
    "small_toe": 0.3,
    "heel": 0.4,
    "wrist_radial": 0.4,
    "wrist_ulnar": 0.4,
    "thigh_cluster": 0.3,
    "shank_cluster": 0.4,
    "upper_arm_cluster": 0.3,
    "forearm_cluster": 0.3,
}
REACH: Final[Dict[str, float]] = {
    "toe_tip": 0.20,
    "fingertip": 0.30,
    "vertex": 0.40,
    "wrist": 0.45,
    "toe": 0.30,
    "head": 0.50,
}
"""Greatest believable length of a bone to an end site [m]: longer ones are rig parts parked somewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One source point and the site of the body it stands for."""

    source: str
    site: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A source joint whose orientation tells how a part of the body is turned, up to a constant."""

    source: str
    part: str  # "pelvis", "thorax", "head", or the joint that the segment hangs on
    weight: float = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapping:
    """How a clip's points meet a body."""

    links: tuple[Link, ...]
    turns: tuple[Turn, ...] = ()
    skin: bool = False  # markers on the skin: all places on the segments are estimated
    notes: tuple[str, ...] = ()

    def source_of(self, site: str) -> str | None:
        """The source that stands for a site, None when nothing does."""
        return next((link.source for link in self.links if link.site == site), None)

    def to_text(self) -> str:
        """The mapping as the text of an override file."""
        lines = [f"{link.site} = {json.dumps(link.source)}" for link in self.links]
        weights = [f"{link.site} = {link.weight:g}" for link in self.links if link.weight != _weight(link.site)]
        return "\n".join([*lines, *(["", "[weights]", *weights] if weights else []), ""])


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrides:
    """What a user wants otherwise: site → source ("" to leave out), and site → weight."""

    sources: Dict[str, str]
    weights: Dict[str, float]


def map_clip(clip: Clip, overrides: Overrides | None = None) -> Mapping:
    """The mapping of a clip's joints or markers by name and tree, with a user's overrides on top."""
    sources = clip.skeleton.names if isinstance(clip, SkeletonClip) else clip.names
    overrides = overrides or Overrides(sources={}, weights={})
    unknown = [s for s in overrides.sources.values() if s and s not in sources]
    if unknown:
        raise FitError(f"clip '{clip.name}' has no {', '.join(map(repr, unknown))}; there are: {', '.join(sources)}")
    if isinstance(clip, SkeletonClip):
        return _map_skeleton(clip, overrides)
    if naming.is_skin_set(clip.names):
        return _map_skin(clip.name, clip.names, overrides)
    sites = _apply(naming.assign_joints(clip.names), overrides)
    _need(clip.name, sites, sources)
    return Mapping(links=_links(sites, overrides))


def read_overrides(path: str | Path) -> Overrides:
    """Overrides from a TOML or JSON file; a site that does not exist is named with those that do."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
        data = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the mapping: {error}", path=path) from error
    except ValueError as error:  # JSON and TOML syntax errors, which name the line
        raise InputError(
            f"not a mapping in {'JSON' if path.suffix.lower() == '.json' else 'TOML'}: {error}", path=path
        ) from error
    if not isinstance(data, dict):
        raise InputError(f"expected site = source, got {type(data).__name__}", path=path)
    raw_weights = data.pop("weights", {})
    if not isinstance(raw_weights, dict):
        raise InputError("expected [weights] with site = number", path=path)
    sources = {_site(key, path): _text(key, value, path) for key, value in data.items()}
    weights = {_site(key, path): _number(key, value, path) for key, value in raw_weights.items()}
    return Overrides(sources=sources, weights=weights)


def _map_skeleton(clip: SkeletonClip, overrides: Overrides) -> Mapping:
    skeleton = clip.skeleton
    joints = [n for n, end in zip(skeleton.names, skeleton.ends, strict=True) if not end]
    sites = naming.assign_joints(joints)
    notes = _add_ends(skeleton, sites)
    if "pelvis" not in sites and "hip_left" in sites and "hip_right" in sites:
        sites["pelvis"] = skeleton.names[_meeting(skeleton, sites["hip_left"], sites["hip_right"])]
    sites = _apply(sites, overrides)
    _need(clip.name, sites, skeleton.names)
    return Mapping(links=_links(sites, overrides), turns=_turns(skeleton, sites), notes=tuple(notes))


def _map_skin(clip: str, names: Sequence[str], overrides: Overrides) -> Mapping:
    found = naming.assign_markers(names)
    for site, source in overrides.sources.items():
        found = {n: s for n, s in found.items() if s != site or (not source and n != source)}
        if source:
            found[source] = site
        else:
            found = {n: s for n, s in found.items() if s != site}
    links = [Link(source=n, site=s, weight=overrides.weights.get(s, _weight(s))) for n, s in found.items()]
    groups = {"pelvis": ("asis", "psis", "sacrum"), "left leg": ("left",), "right leg": ("right",)}
    pelvis = sum(s.startswith(groups["pelvis"]) for s in found.values())
    legs = {
        side: [s for s in found.values() if s.startswith(("knee", "ankle", "shank", "thigh")) and s.endswith(side)]
        for side in ("left", "right")
    }
    missing = [f"at least 3 pelvis markers (got {pelvis})"] if pelvis < 3 else []
    missing += [f"markers of the {side} thigh and shank" for side, sites in legs.items() if len(sites) < 2]
    if missing:
        raise FitError(f"clip '{clip}': not found: {'; '.join(missing)}. There are: {', '.join(names)}")
    unused = [n for n in names if n not in found]
    notes = (f"markers not used: {', '.join(unused)}",) if unused else ()
    return Mapping(links=tuple(links), skin=True, notes=notes)


def _add_ends(skeleton: Skeleton, sites: dict[str, str]) -> list[str]:
    """Sites that no name gives but the tree does: the wrist at the forearm's end, toe tips, fingertips, vertex."""
    notes = []
    rest = _rest(skeleton)
    wanted = [(f"{a}_{s}", f"{b}_{s}") for s in ("left", "right") for a, b in (
        ("elbow", "wrist"), ("ankle", "toe"), ("toe", "toe_tip"), ("wrist", "fingertip"))]  # fmt: skip
    wanted += [("neck", "head"), ("head", "vertex")]
    if "neck" not in sites and "head" not in sites and "shoulder_left" in sites and "shoulder_right" in sites:
        chest = skeleton.names[_meeting(skeleton, sites["shoulder_left"], sites["shoulder_right"])]
        sites |= _end_below(skeleton, rest, chest, "head", set(sites.values()), notes, direct=True)
    for above, below in wanted:
        if below in sites or above not in sites:
            continue
        bare = below.removesuffix("_left").removesuffix("_right")
        direct = bare in ("wrist", "toe", "head")
        found = _end_below(skeleton, rest, sites[above], bare, set(sites.values()), notes, direct=direct)
        sites |= {below: source for source in found.values()}
    return notes


def _end_below(
    skeleton: Skeleton, rest: np.ndarray, above: str, site: str, used: set[str], notes: list[str], *, direct: bool
) -> dict[str, str]:
    """{site: name} of the farthest end below a joint (or its own end, when `direct`) within reach, else {}."""
    top = skeleton.index(above)
    best, best_length = "", 0.01
    for j in range(top + 1, skeleton.size):
        below = skeleton.parents[j] == top if direct else _is_below(skeleton, j, top)
        if not (below and skeleton.ends[j]) or skeleton.names[j] in used:
            continue
        length = float(np.linalg.norm(rest[j] - rest[top]))
        if length > REACH[site]:
            notes.append(f"end site '{skeleton.names[j]}' is {length:.2f} m from '{above}' and was left out")
        elif length > best_length:
            best, best_length = skeleton.names[j], length
    return {site: best} if best else {}


def _turns(skeleton: Skeleton, sites: Dict[str, str]) -> tuple[Turn, ...]:
    """Joints whose orientation matters: foot roll, head, hands, the trunk, and twist of straight limbs."""
    ends = {n for n, end in zip(skeleton.names, skeleton.ends, strict=True) if end}
    turns = []
    if "pelvis" in sites:
        turns.append(Turn(source=sites["pelvis"], part="pelvis", weight=0.1))
    chest = skeleton.names[_meeting(skeleton, sites["shoulder_left"], sites["shoulder_right"])]
    if chest != sites.get("pelvis"):
        turns.append(Turn(source=chest, part="thorax", weight=0.05))
    if "head" in sites and sites["head"] not in ends:
        turns.append(Turn(source=sites["head"], part="head", weight=0.1))
    for side in ("left", "right"):
        for joint, weight in (("hip", 0.02), ("ankle", 0.3), ("shoulder", 0.02), ("wrist", 0.02), ("toe", 0.02)):
            source = sites.get(f"{joint}_{side}")
            if source is not None and source not in ends:
                turns.append(Turn(source=source, part=f"{joint}_{side}", weight=weight))
    return tuple(turns)


def _apply(sites: Dict[str, str], overrides: Overrides) -> dict[str, str]:
    merged = {**sites, **overrides.sources}
    return {site: source for site, source in merged.items() if source}


def _links(sites: Dict[str, str], overrides: Overrides) -> tuple[Link, ...]:
    order = sorted(sites, key=lambda site: (not is_joint(site), site))
    return tuple(Link(source=sites[s], site=s, weight=overrides.weights.get(s, _weight(s))) for s in order)


def _need(clip: str, sites: Dict[str, str], available: Sequence[str]) -> None:
    missing = [site for site in ESSENTIAL if site not in sites]
    if missing:
        found = ", ".join(f"{site} = {source}" for site, source in sites.items()) or "nothing"
        raise FitError(
            f"clip '{clip}': nothing stands for {', '.join(missing)}. Found: {found}. There are: {', '.join(available)}. "
            f'Name the missing ones in a mapping file, e.g. {missing[0]} = "{available[0]}"'
        )


def _weight(site: str) -> float:
    return WEIGHTS.get(site.removesuffix("_left").removesuffix("_right"), 1.0)


def _rest(skeleton: Skeleton) -> np.ndarray:
    position = np.array(skeleton.offsets)
    for j, parent in enumerate(skeleton.parents):
        if parent >= 0:
            position[j] += position[parent]
    return position


def _is_below(skeleton: Skeleton, joint: int, top: int) -> bool:
    while joint > top:
        joint = skeleton.parents[joint]
    return joint == top


def _meeting(skeleton: Skeleton, a: str, b: str) -> int:
    """The lowest joint above both."""
    above = []
    for name in (a, b):
        j, chain = skeleton.index(name), []
        while j >= 0:
            chain.append(j)
            j = skeleton.parents[j]
        above.append(chain)
    shared = [j for j in above[0] if j in above[1]]
    return shared[0] if shared else 0


def _site(key: str, path: Path) -> str:
    site = key
    for side in ("left", "right"):
        if key.startswith(f"{side}_"):
            site = f"{key.removeprefix(f'{side}_')}_{side}"
    if site not in all_sites():
        raise InputError(f"'{key}' is not a site of the body; there are: {', '.join(all_sites())}", path=path)
    return site


def _text(key: str, value: object, path: Path) -> str:
    if not isinstance(value, str):
        raise InputError(f"{key}: expected the name of a joint or marker in quotes, got {value!r}", path=path)
    return value


def _number(key: str, value: object, path: Path) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1000:
        raise InputError(f"weights.{key}: expected a number from 0 to 1000, got {value!r}", path=path)
    return float(value)
