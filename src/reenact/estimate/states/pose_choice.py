"""Which pose model serves a motion: each is tried, and the objective decides, [V12] §4.1.2.

What the objective is made of is no concern of this: a contest is told what each model has cost, and in which order to
try them. It may be kept between two of them, and gone on with.

Deviation: the paper runs its whole search with each model and keeps the best controller. Here they compete on the first
windows alone (`first_windows.py`), where a search takes seconds; the whole search is run with the winner.
"""

from __future__ import annotations

import difflib
import hashlib
import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.estimate.states.pose_space import EACH, PLAIN, pose_space_of, pose_spaces
from reenact.priors.file import dump_model
from reenact.priors.hinges import hinges_of, what_differs
from reenact.priors.load import bundled_models, load_model


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """Pose spaces that are tried one after the other; where there is one alone, none need be."""

    names: tuple[str, ...]  # in the order in which they are tried, "plain" first where it takes part
    costs: tuple[float, ...] = ()  # of those tried so far: the objective, priors included, on what is the same for all

    def __post_init__(self) -> None:
        """Refuse a contest of nobody."""
        if not self.names or len(self.costs) > len(self.names):
            raise InputError(f"{len(self.names)} pose spaces and {len(self.costs)} costs make no contest")

    @property
    def next(self) -> str | None:
        """The one to be tried now; None where it is settled who is best."""
        if len(self.names) == 1 or len(self.costs) == len(self.names):
            return None
        return self.names[len(self.costs)]

    def after(self, cost: float) -> Contest:
        """The contest with what the next one has cost; infinite where it came to nothing."""
        return replace(self, costs=(*self.costs, math.inf if math.isnan(cost) else float(cost)))

    @property
    def best(self) -> str:
        """The one that cost least so far, the first of equals; the first of all while none was tried."""
        costs = self.table
        return min(costs, key=lambda name: costs[name], default=self.names[0])

    @property
    def table(self) -> dict[str, float]:
        """What each that was tried has cost, by name."""
        return dict(zip(self.names, self.costs, strict=False))


NO_CONTEST: Final = Contest(names=(PLAIN,))


def contest_of(asked: str, body: Body) -> Contest:
    """For "each" a contest of all spaces that fit a body; else the one asked for, which is refused if it does not."""
    refuse_unknown(asked)
    if asked == EACH:
        return Contest(names=fitting(body))
    pose_space_of(asked, body)
    return Contest(names=(asked,))


def refuse_unknown(asked: str) -> None:
    """Refuse what is neither the name of a space, nor "each", nor the file of a pose model."""
    names = (PLAIN, EACH, *pose_spaces()[1:])
    if asked in names:
        return
    if not Path(asked).is_file():
        close = difflib.get_close_matches(asked, names, n=1)
        hint = f"did you mean '{close[0]}'? " if close else ""
        raise InputError(
            f"no target poses '{asked}': neither a name nor a pose model's file; {hint}there are: {', '.join(names)}"
        )
    load_model(asked)


def fitting(body: Body) -> tuple[str, ...]:
    """Names of the spaces that come with the package and fit a body; "plain" and "identity" fit every body."""
    own = hinges_of(body)
    activities = bundled_models()
    return tuple(n for n in pose_spaces() if n not in activities or not what_differs(load_model(n).hinges, own))


def contents(contest: Contest, body: Body) -> str:
    """Hash of what the models of a contest say, for a file may change under its name; empty where there is no model."""
    spaces = [pose_space_of(name, body) for name in contest.names]
    texts = [dump_model(space.model) for space in spaces if space is not None]
    return hashlib.sha256("".join(texts).encode()).hexdigest() if texts else ""
