"""Several beginnings of a doubtful track: the cheapest end, what is kept on the way, one contest where all is well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from side_walk import BODY, GRID, RATE, side_view, side_walk

from reenact.errors import InputError
from reenact.estimate.video import follow as contest
from reenact.estimate.video import several_beginnings
from reenact.estimate.video.follow import Followed, Tried, follow
from reenact.estimate.video.kept_ends import KeptEnds
from reenact.estimate.video.settings import Settings
from reenact.estimate.video.several_beginnings import BEGINNINGS, SPREAD, Cheapest, beginnings_for, follow_again, starts
from reenact.estimate.video.track import Seen, Track
from reenact.estimate.video.variants import AS_IS
from reenact.geometry.rotation import Array
from reenact.motion.tree import difference
from reenact.observe.projection import projection_of
from reenact.priors.load import model_for

QUICK = Settings(ways=1, later_ways=1, rounds=1, last_steps=2)
WHY = ("the body turns quickly",)
TRUTH = side_walk()[:6]
MODELS = [model_for("walk", BODY)]


def _seen() -> Seen:
    camera = side_view()
    return Seen(camera=camera, masks=projection_of(BODY, camera, GRID).drawn(TRUTH), size=GRID)


class StandIns:
    """Contests that end at once, at given costs."""

    def __init__(self, costs: Sequence[float]) -> None:
        self.costs, self.begun = list(costs), list[Array]()

    def __call__(self, body: Any, seen: Any, rate: float, firsts: Sequence[Array], models: Any, **how: Any) -> Followed:
        self.begun.append(firsts[0])
        for done in (0.0, 0.5, 1.0):
            how["progress"](done, "all frames")
        cost = self.costs[len(self.begun) - 1]
        if not np.isfinite(cost):
            raise KeyboardInterrupt
        poses = np.tile(firsts[0], (len(TRUTH), 1))
        track = Track(body=body, rate=rate, poses=poses, mismatch=np.full(len(poses), 0.1), cost=cost, swaps=0)
        tried = Tried(model="walk", first=0, variant=AS_IS, frames=len(poses), cost=cost)
        return Followed(best=track, model=models[0], tried=(tried,))


def _found(patch: pytest.MonkeyPatch, contests: Any, why: tuple[str, ...] = WHY, **how: Any) -> Cheapest:
    patch.setattr(several_beginnings, "follow", contests)
    patch.setattr(several_beginnings, "doubts", lambda *_: why)
    return follow_again(BODY, [_seen()], RATE, [TRUTH[0]], MODELS, settings=QUICK, **how)


def test_the_cheapest_end_of_a_doubtful_track_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    contests, told = StandIns([2487.0, 1960.0, 2007.0]), list[tuple[float, str]]()
    found = _found(monkeypatch, contests, progress=lambda done, what: told.append((done, what)))
    assert len(contests.begun) == BEGINNINGS == 3
    assert found.end.track.cost == 1960.0
    assert np.diff(found.prices) == pytest.approx([-527.0, 47.0])
    assert found.end.price == min(found.prices)
    assert np.array_equal(found.end.first, contests.begun[1])
    assert (found.model.name, found.doubts) == ("walk", WHY)
    assert np.array_equal(contests.begun[0], TRUTH[0]), "the first pose as it is comes first"
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1] == (1.0, "done")
    assert told[1] == (0.25, "all frames")
    assert (0.625, "contest 2 of 3: all frames") in told


def test_where_nothing_is_doubtful_there_is_one_contest(monkeypatch: pytest.MonkeyPatch) -> None:
    for why, how in (((), {}), (WHY, {"beginnings": 1})):
        contests = StandIns([2487.0])
        found = _found(monkeypatch, contests, why, **how)
        assert (len(contests.begun), len(found.prices), found.doubts) == (1, 1, ())
        assert found.end.track.cost == 2487.0


def test_beginnings_differ_a_little_and_by_seed_alone() -> None:
    firsts = [TRUTH[0], TRUTH[3]]
    assert all(np.array_equal(a, b) for a, b in zip(starts(firsts, 4, 0), firsts, strict=True))
    made = [starts(firsts, seed, number) for seed in (0, 1) for number in (1, 2)]
    off = np.array([[difference(a, b) for a, b in zip(firsts, each, strict=True)] for each in made])
    assert len({each.tobytes() for each in np.round(off, 9).reshape(8, -1)}) == 8, "each by itself"
    for part, spread in ((slice(0, 3), SPREAD[0]), (slice(3, 6), SPREAD[1]), (slice(6, None), SPREAD[2])):
        assert np.std(off[..., part]) == pytest.approx(spread, rel=0.4)
    assert np.array_equal(starts(firsts, 1, 2)[1], made[3][1]), "the same again"
    assert np.array_equal(starts(firsts[:1], 1, 2)[0], made[3][0]), "whatever else there is"


def test_a_small_budget_allows_fewer() -> None:
    assert [beginnings_for(budget) for budget in (None, 20.0, 60.0, 120.0, 180.0, 1e4)] == [3, 1, 1, 2, 3, 3]
    with pytest.raises(InputError, match="0 beginnings"):
        follow_again(BODY, [_seen()], RATE, [TRUTH[0]], MODELS, beginnings=0)


def test_what_was_stopped_goes_on_after_the_last_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = KeptEnds(path=lambda number: tmp_path / "kept" / f"track-0-{number}.npz", depends="masks")
    whole = _found(monkeypatch, StandIns([2487.0, 1960.0, 2007.0]))
    with pytest.raises(KeyboardInterrupt):
        _found(monkeypatch, StandIns([2487.0, 1960.0, np.inf]), ends=ends)
    rest = StandIns([2007.0])
    found = _found(monkeypatch, rest, ends=ends)
    assert len(rest.begun) == 1
    assert found.prices == whole.prices
    assert np.array_equal(found.end.track.poses, whole.end.track.poses)
    assert (found.end.model, found.end.variant) == (whole.end.model, whole.end.variant)
    again = _found(monkeypatch, StandIns([]), ends=ends)
    assert again.prices == whole.prices
    other = StandIns([1.0, 2.0, 3.0])
    _found(monkeypatch, other, ends=replace(ends, depends="other masks"))
    assert len(other.begun) == 3, "what was found from something else is not used"


def test_an_easy_track_is_the_contests_own_bit_by_bit() -> None:
    alone = follow(BODY, [_seen()], RATE, [TRUTH[1]], MODELS, settings=QUICK)
    found = follow_again(BODY, [_seen()], RATE, [TRUTH[1]], MODELS, settings=QUICK)
    assert (len(found.prices), found.doubts) == (1, ())
    assert np.array_equal(found.end.track.poses, alone.best.poses)
    assert found.end.variant == alone.tried[0].variant


def test_the_number_of_threads_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(several_beginnings, "doubts", lambda *_: WHY)
    models, made = [*MODELS, model_for("jump", BODY)], []
    for threads in (1, 3):
        monkeypatch.setattr(contest, "cores", lambda threads=threads: threads)
        made.append(
            follow_again(BODY, [_seen()], RATE, [TRUTH[1]], models, settings=QUICK, beginnings=2, variants=(AS_IS,))
        )
    assert made[0].prices == made[1].prices
    assert np.array_equal(made[0].end.track.poses, made[1].end.track.poses)
    assert made[0].prices[0] != made[0].prices[1]
    assert made[0].end.price == min(made[0].prices)
