"""Numbers that say how to search for a state machine; one set of defaults serves every motion."""

from __future__ import annotations

from dataclasses import dataclass

from reenact.estimate.states.pose_space import PLAIN
from reenact.estimate.states.weights import EFFORT, PRIOR


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a state machine is searched for."""

    seed: int = 0
    budget: float | None = None  # seconds of two cores that say how much to search; None: what stands below
    price: float = 4.0  # of a state when the recording is cut [cm²]: with more, states are fewer and longer
    growth: int = 0  # frames by which the window grows where it is not cut by what it shows; 0: it is
    look: int = 12  # frames beyond a window that count while the chain grows
    beam: int = 3  # chains that are carried on
    reopened: tuple[int, ...] = (1, 2, 3)  # last states that are improved together; the first number before the others
    rounds: int = 6
    whole_rounds: int = 8  # when all states are improved together
    samples: int = 64  # of a state's numbers in each round
    batch_rounds: int | None = None  # of the search at once, Algorithm 2; None: as many steps as the other takes
    prior: float = PRIOR  # price of numbers outside their priors [cm²] per unit
    effort: float = EFFORT  # price of the mean of (torque / bound)² [cm²]
    share: float = 0.5  # of the standing hip's velocity that holds the root
    poses: str = PLAIN  # what target poses are made of: plain angles, a pose model's name or file, "each" to try all
    walk: bool = True  # where the recording is a gait: practise it until it goes on
    pushes: int = 0  # parts of its practice under pushes, or of a motion that ends standing under disturbances

    @property
    def later_rounds(self) -> int:
        """Rounds for each new structure that is tried, and at the end."""
        return max(1, self.whole_rounds // 2)
