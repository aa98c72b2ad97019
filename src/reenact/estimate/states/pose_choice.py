"""Which pose model serves a clip: each is tried, and the objective decides, [V12] §4.1.2.

Deviation: the paper runs its whole search with each model and keeps the best controller. Here they compete on the first
window alone, where a search takes a second or two; the whole search is run with the winner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.estimate.states.pose_space import BEST, PoseSpace, pose_space_of, pose_spaces
from reenact.priors.hinges import hinges_of, what_differs
from reenact.priors.load import bundled_models, load_model


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Choice:
    """The space that did best, and what each that was tried has cost."""

    name: str
    poses: PoseSpace | None  # None: plain
    costs: dict[str, float]  # objective by name, in the order in which they were tried; empty where nothing was tried


def chosen(
    name: str, body: Body, cost_of: Callable[[PoseSpace | None], float], names: Sequence[str] | None = None
) -> Choice:
    """The space of a name; for "best" the one of `names`, or of all that fit the body, for which `cost_of` is least.

    cost_of: the objective, priors included, of a search in a space, on a window that is the same for all. Of equals the
    first counts, and "plain" stands first.
    """
    if name != BEST:
        return Choice(name=name, poses=pose_space_of(name, body), costs={})
    tried = fitting(body) if names is None else tuple(names)
    if not tried:
        raise InputError(f"'{BEST}' needs pose spaces to choose from; there are: {', '.join(pose_spaces())}")
    spaces = {each: pose_space_of(each, body) for each in tried}
    costs = {each: float(cost_of(space)) for each, space in spaces.items()}
    best = min(costs, key=lambda each: costs[each])
    return Choice(name=best, poses=spaces[best], costs=costs)


def fitting(body: Body) -> tuple[str, ...]:
    """Names of the spaces that come with the package and fit a body; "plain" and "identity" fit every body."""
    own = hinges_of(body)
    activities = bundled_models()
    return tuple(n for n in pose_spaces() if n not in activities or not what_differs(load_model(n).hinges, own))
