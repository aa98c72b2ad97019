"""How far each mask can be trusted, and why not further."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.observe.cut import Cut
from reenact.observe.mask import Mask
from reenact.observe.silhouettes import DOUBTS
from reenact.observe.steady import STILL

BORDER: Final = 2  # [px] from the picture's border at which a person counts as cut off
PIECES: Final = 0.8  # share that is one piece below which a mask counts as broken
SURE: Final = 0.6  # share of pixels that stand out by themselves below which a mask is doubtful
OWN_EDGES: Final = 0.42  # of an outline; below, the edges are the empty scene's
FLICKER: Final = 0.12  # share of the picture beside the person that may stand out
BEHIND: Final = 0.2  # share of a person that may be where the empty scene was hardly ever seen
JUMP: Final = 1.35  # ratio to the usual area nearby from which on it counts as a jump
USUAL: Final = 0.3  # [s] to either side over which an area is usual
SLIGHT: Final = 0.08  # share of frames below which a doubt is not worth a remark
ADVICE: Final = {
    "cut": "step back, or choose a range --from … --to … in which the whole person is in the picture",
    "meets": "--person x,y,seconds says who is meant",
    "light": "lock the camera's exposure, or give a --plate",
    "camera": "fix the camera, or choose a range in which it stands still",
    "pieces": "clothes unlike the background help",
    "unlike": "clothes unlike the background help",
    "behind": "give a picture of the empty scene as --plate, or a longer video in which the person goes elsewhere",
    "ghost": "give a picture of the empty scene as --plate, or start the video before the person comes in",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Look:
    """What is known of one frame before its mask is judged."""

    cut: Cut | None  # None: not seen
    shared: bool  # touches another thing
    unlike: float  # share of the picture that stands out
    flooded: bool  # so much that nothing was looked for
    behind: float  # share of the person where nothing shows what is behind
    shift: float  # of the camera, as a share of the longer side; NaN where unknown


def judged(looks: Sequence[Look], time: NDArray[np.float64]) -> tuple[NDArray[np.float64], tuple[tuple[str, ...], ...]]:
    """Quality 0 … 1 of each frame's mask, a product of what speaks against it, and the doubts as keys of DOUBTS."""
    areas = np.array([0 if look.cut is None else look.cut.mask.area for look in looks], float)
    usual = usual_areas(areas, time)
    found = [_judge(look, area, typical) for look, area, typical in zip(looks, areas, usual, strict=True)]
    return np.array([quality for quality, _ in found]), tuple(doubts for _, doubts in found)


def usual_areas(areas: NDArray[np.float64], time: NDArray[np.float64]) -> NDArray[np.float64]:
    """Median of the areas that are not zero within `USUAL` of each time."""
    out = np.zeros(len(areas))
    for i, now in enumerate(time):
        first, last = np.searchsorted(time, (now - USUAL, now + USUAL))
        near = areas[first : max(last, i + 1)]
        out[i] = np.median(near[near > 0]) if np.any(near > 0) else 0.0
    return out


def touches_border(mask: Mask) -> bool:
    """Whether a mask reaches the border of its picture."""
    left, top, right, bottom = mask.box
    height, width = mask.shape
    return left < BORDER or top < BORDER or right > width - BORDER or bottom > height - BORDER


def _judge(look: Look, area: float, usual: float) -> tuple[float, tuple[str, ...]]:
    moved = look.shift > STILL
    if look.cut is None or look.cut.mask.empty:
        return 0.0, ("absent", *(("light",) if look.flooded else ()), *(("camera",) if moved else ()))
    cut = look.cut
    share = area / (cut.mask.shape[0] * cut.mask.shape[1])
    off = abs(np.log(area / usual)) if usual > 0 else 0.0
    against = {
        "cut": 0.4 if touches_border(cut.mask) else 1.0,
        "meets": 0.4 if look.shared else 1.0,
        "light": 0.6 if look.unlike - share > FLICKER else 1.0,
        "camera": 0.1 if moved else 1.0,
        "pieces": _ramp(cut.whole, 0.4, PIECES),
        "jump": _ramp(-off, -np.log(2.0), -np.log(JUMP)),
        "unlike": _ramp(cut.sure, 0.2, SURE),
        "ghost": _ramp(cut.edge, 0.2, OWN_EDGES),
        "behind": _ramp(-look.behind, -3.0 * BEHIND, -BEHIND),
    }
    return float(np.prod(list(against.values()))), tuple(name for name, factor in against.items() if factor < 1.0)


def _ramp(value: float, worst: float, good: float) -> float:
    """1 from `good` on, falling to 0.1 at `worst`."""
    return float(np.clip(0.1 + 0.9 * (value - worst) / (good - worst), 0.1, 1.0))


def remarks_of(doubts: Sequence[tuple[str, ...]], time: NDArray[np.float64]) -> list[str]:
    """Doubts that hold for more than a few frames, in words, with what helps."""
    present = [i for i, each in enumerate(doubts) if "absent" not in each]
    said = []
    for name, words in DOUBTS.items():
        where = [i for i in (range(len(doubts)) if name in ("light", "camera") else present) if name in doubts[i]]
        if name == "absent" or len(where) <= SLIGHT * max(1, len(present)):
            continue
        share = len(where) / len(doubts)
        advice = f"; {ADVICE[name]}" if name in ADVICE else ""
        said.append(f"in {share:.0%} of the frames ({_spans(where, time)}) {words}{advice}")
    return said


def _spans(frames: Sequence[int], time: NDArray[np.float64]) -> str:
    """Times of runs of frames: "0.0–1.2, 3.4 s", the longest few."""
    runs: list[list[int]] = []
    for i in frames:
        if runs and i <= runs[-1][1] + 3:
            runs[-1][1] = i
        else:
            runs.append([i, i])
    longest = sorted(sorted(runs, key=lambda run: run[0] - run[1])[:3])
    texts = [f"{time[a]:.1f}–{time[b]:.1f}" if b > a else f"{time[a]:.1f}" for a, b in longest]
    return ", ".join(texts) + (" s" if len(longest) == len(runs) else " s, …")
