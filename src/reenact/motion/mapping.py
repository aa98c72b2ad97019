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
from typing import Any, Final

from reenact.errors import FitError, InputError
from reenact.motion import names as naming
from reenact.motion.clip import Clip, SkeletonClip
from reenact.motion.sites import all_sites, is_joint
from reenact.motion.skeleton_sites import add_by_tree, orientations

ESSENTIAL: Final = tuple(f"{j}_{s}" for j in ("hip", "knee", "ankle", "shoulder", "elbow") for s in ("left", "right"))
PELVIS_MARKERS: Final = ("asis", "psis", "sacrum")
LEG_MARKERS: Final = ("knee", "ankle", "shank", "thigh")

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
    weight: float


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


NO_OVERRIDES: Final = Overrides(sources={}, weights={})


def map_clip(clip: Clip, overrides: Overrides = NO_OVERRIDES) -> Mapping:
    """The mapping of a clip's joints or markers by name and tree, with a user's overrides on top."""
    available = clip.skeleton.names if isinstance(clip, SkeletonClip) else clip.names
    unknown = [s for s in overrides.sources.values() if s and s not in available]
    if unknown:
        raise FitError(f"clip '{clip.name}' has no {', '.join(map(repr, unknown))}; there are: {', '.join(available)}")
    if isinstance(clip, SkeletonClip):
        return _map_skeleton(clip, overrides)
    if naming.is_skin_set(clip.names):
        return _map_skin(clip.name, clip.names, overrides)
    sites = _merge(naming.assign_joints(clip.names), overrides)
    _need(clip.name, sites, available)
    return Mapping(links=_links(sites, overrides))


def _map_skeleton(clip: SkeletonClip, overrides: Overrides) -> Mapping:
    skeleton = clip.skeleton
    joints = [name for name, end in zip(skeleton.names, skeleton.ends, strict=True) if not end]
    named = naming.assign_joints(joints)
    if "head" in named and "neck" not in named:  # a skeleton without a neck turns its head where the neck begins
        named["neck"] = named.pop("head")
    sites, notes = add_by_tree(skeleton, _merge(named, overrides))
    sites = _merge(sites, overrides)
    _need(clip.name, sites, skeleton.names)
    turns = orientations(skeleton, sites)
    return Mapping(
        links=_links(sites, overrides),
        turns=tuple(Turn(source=source, part=part, weight=weight) for part, (source, weight) in turns.items()),
        notes=notes,
    )


def _map_skin(clip: str, names: Sequence[str], overrides: Overrides) -> Mapping:
    found = {n: site for n, site in naming.assign_markers(names).items() if site not in overrides.sources}
    found |= {source: site for site, source in overrides.sources.items() if source}
    pelvis = sum(site.startswith(PELVIS_MARKERS) for site in found.values())
    missing = [f"at least 3 pelvis markers (got {pelvis})"] if pelvis < 3 else []
    for side in ("left", "right"):
        legs = [site for site in found.values() if site.startswith(LEG_MARKERS) and site.endswith(side)]
        missing += [f"markers of the {side} thigh and shank"] if len(legs) < 2 else []
    if missing:
        raise FitError(f"clip '{clip}': not found: {'; '.join(missing)}. There are: {', '.join(names)}")
    unused = [n for n in names if n not in found]
    return Mapping(
        links=tuple(Link(source=n, site=s, weight=overrides.weights.get(s, _weight(s))) for n, s in found.items()),
        skin=True,
        notes=(f"markers not used: {', '.join(unused)}",) if unused else (),
    )


def _merge(sites: Dict[str, str], overrides: Overrides) -> dict[str, str]:
    return {site: source for site, source in {**sites, **overrides.sources}.items() if source}


def _links(sites: Dict[str, str], overrides: Overrides) -> tuple[Link, ...]:
    order = sorted(sites, key=lambda site: (not is_joint(site), site))
    return tuple(Link(source=sites[s], site=s, weight=overrides.weights.get(s, _weight(s))) for s in order)


def _need(clip: str, sites: Dict[str, str], available: Sequence[str]) -> None:
    missing = [site for site in ESSENTIAL if site not in sites]
    if missing:
        found = ", ".join(f"{site} = {source}" for site, source in sites.items()) or "nothing"
        raise FitError(
            f"clip '{clip}': nothing stands for {', '.join(missing)}. Name what does in a mapping file, e.g. "
            f'{missing[0]} = "{available[0]}", for `reenact fit --mapping`, whose result `capture` takes. '
            f"Found: {found}. There are: {', '.join(available)}"
        )


def _weight(site: str) -> float:
    return WEIGHTS.get(site.removesuffix("_left").removesuffix("_right"), 1.0)


def read_overrides(path: str | Path) -> Overrides:
    """Overrides from a TOML or JSON file; a site that does not exist is named with those that do."""
    path = Path(path)
    data = _read_table(path)
    raw_weights = data.pop("weights", {})
    if not isinstance(raw_weights, dict):
        raise InputError("expected [weights] with site = number", path=path)
    return Overrides(
        sources={_site(key, path): _text(key, value, path) for key, value in data.items()},
        weights={_site(key, path): _number(key, value, path) for key, value in raw_weights.items()},
    )


def _read_table(path: Path) -> dict[str, Any]:
    kind = "JSON" if path.suffix.lower() == ".json" else "TOML"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the mapping: {error}", path=path) from error
    try:
        data = json.loads(text) if kind == "JSON" else tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # syntax errors, which name the line
        raise InputError(f"not a mapping in {kind}: {error}", path=path) from error
    if not isinstance(data, dict):
        raise InputError(f"expected site = source, got {type(data).__name__}", path=path)
    return data


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
