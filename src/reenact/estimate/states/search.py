"""The whole search of [V12] Algorithm 4: a chain grown with the window, improved as a whole, its structure refined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from reenact.control.machine.machine import Machine
from reenact.control.machine.text import as_written
from reenact.estimate.critic import Critic
from reenact.estimate.states.effort import within
from reenact.estimate.states.first_windows import first_windows, in_poses
from reenact.estimate.states.hold import NAME, ways_to_stand, withstood
from reenact.estimate.states.incremental import Stage, as_it_was, ends_of, improved, kept, with_a_state
from reenact.estimate.states.otherwise import landing_otherwise
from reenact.estimate.states.pose_choice import NO_CONTEST, Contest, contest_of
from reenact.estimate.states.refine import CYCLES_TRIED, TOLERANCE, Performance, cycles, on_contact, perform
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task

CONTEST = 0.1  # of the work, about, where pose models are tried
HOPELESS = 2.0  # times what would be accepted: a candidate that costs more on the way is left
MENDED = 3  # times that a machine is found anew where its text is worse than it by more than would be accepted
AT_ONCE = 2  # rounds of improving all states from one event to the next
MIDDLING = 0.15  # spread of the samples when what was found is fitted again window by window
GROW, AGAIN = "grow", "again"  # phases: the first, unless pose models are tried, and what follows it
NARROW = 0.1  # spread of the samples when all states are improved: what is early in a chain moves all that follows
_GROW, _WHOLE, _CONTACT, _CYCLE, _POLISH, _AGAIN, _HOLD, _TEXT = range(8)  # in the seeds of random numbers


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Progress:
    """How far a search has come; all that is needed to go on."""

    phase: str  # "poses", "grow", "again", "whole", "contact", "cycle", "polish", "hold", "done"
    number: int  # of the next window while the chain grows; else of the next part
    best: Stage | None
    fraction: float  # of the work, about
    part: int = 0  # of the window: the chain that comes next; else of the candidate's rounds
    beam: tuple[Stage, ...] = ()  # chains that are carried on, best first
    tried: tuple[Stage, ...] = ()  # chains for the present window so far; else the candidate being improved
    contest: Contest = NO_CONTEST  # of pose models; settled after the phase "poses"
    lost: float = 0.0  # share of the work after which a chain was lost and something else was to be followed; 0: none
    disturbed: int = 0  # parts of practice under disturbances that are done
    bought: int = 0  # of those, whose lesson was kept
    critic: Critic | None = None  # what was learned of the worth of moments in the practice of a walk


def search(task: Task, settings: Settings, start: Progress | None = None, *, close: bool = True) -> Iterator[Progress]:
    """Search to the end, one event after each part of the work; each part depends on what came before and the seed.

    close: whether to look for cycles.
    """
    task, settings = task.weighing(settings.effort), within(task, settings)
    now = _begun(task, settings) if start is None else start
    share = CONTEST if len(now.contest.names) > 1 else 0.0
    posed: Task | None = None
    steps = {
        GROW: _grown,
        AGAIN: _again,
        "whole": _improved,
        "contact": _on_contact,
        "cycle": _closed if close else _left_open,
        "polish": _improved,
        "hold": _held,
    }
    while now.phase != "done":
        if now.phase == "poses":
            now = _contested(task, settings, now)
        else:
            posed = posed or in_poses(task, now.contest.best)
            then = steps[now.phase](posed, settings, now)
            now = replace(then, contest=now.contest, fraction=share + (1.0 - share) * then.fraction)
        yield now


def _begun(task: Task, settings: Settings) -> Progress:
    contest = contest_of(settings.poses, task.model.body)
    return Progress(phase=GROW if contest.next is None else "poses", number=0, best=None, fraction=0.0, contest=contest)


def _contested(task: Task, settings: Settings, now: Progress) -> Progress:
    """One pose model more is tried on the first windows; after the last the chain grows with the best."""
    assert now.contest.next is not None
    stage = first_windows(task, settings, now.contest.next)
    contest = now.contest.after(stage.cost)
    best = stage if now.best is None or stage.cost < now.best.cost else now.best
    fraction = CONTEST * len(contest.costs) / len(contest.names)
    phase = GROW if contest.next is None else "poses"
    return Progress(phase=phase, number=0, best=best, fraction=fraction, contest=contest)


def _grown(task: Task, settings: Settings, now: Progress) -> Progress:
    """One chain more for the present window; after the last, the best are carried on to the next window."""
    ends = ends_of(task, settings)
    rng = np.random.default_rng([settings.seed, _GROW, now.number, now.part])
    parents: tuple[Stage | None, ...] = now.beam or (None,) * settings.beam
    if now.part < len(parents):
        new = with_a_state(task, settings, parents[now.part], ends, now.number, rng)
    else:
        new = [as_it_was(task, settings, now.beam[0], ends, now.number, rng)]
    tried, part = (*now.tried, *new), now.part + 1
    parts = len(parents) + len(now.beam[:1])  # the first window has no chain to go on with
    done = (now.number + part / parts) / len(ends)
    beam = kept(tried, settings)
    if part < parts:
        return replace(now, best=beam[0], tried=tried, part=part, fraction=0.55 * done)
    last = now.number + 1 == len(ends)
    return Progress(
        phase=AGAIN if last else GROW,
        number=0 if last else now.number + 1,
        best=beam[0],
        fraction=0.55 * done,
        beam=() if last else beam,
    )


def _again(task: Task, settings: Settings, now: Progress) -> Progress:
    """The chain fitted once more from the start, window by window: now what follows a window is known."""
    assert now.best is not None
    rng = np.random.default_rng([settings.seed, _AGAIN, now.number])
    chain = now.tried[0] if now.tried else replace(now.best, last=0)
    chain = _window(task, settings, now.best, chain, perform(task, now.best.machine, now.best.last), rng)
    share = chain.last / now.best.last
    if share < 1.0:
        return replace(now, number=now.number + 1, tried=(chain,), fraction=0.55 + 0.05 * share)
    both = [weighed(task, settings, each.machine, each.last) for each in (now.best, chain)]
    return Progress(phase="whole", number=0, best=min(both, key=lambda stage: stage.cost), fraction=0.6)


def _improved(task: Task, settings: Settings, now: Progress) -> Progress:
    """A few rounds in all states together; before the structure is refined, and after it has been."""
    assert now.best is not None
    early = now.phase == "whole"
    total = settings.whole_rounds if early else settings.later_rounds
    rounds = min(AT_ONCE, total - AT_ONCE * now.number)
    best = _rounds(task, settings, now.best, rounds, [_WHOLE if early else _POLISH, now.number])
    share = min(1.0, (now.number + 1) * AT_ONCE / total)
    begun, whole = (0.6, 0.1) if early else (0.85, 0.05)
    if share < 1.0:
        return replace(now, number=now.number + 1, best=best, fraction=begun + whole * share)
    return Progress(phase="contact" if early else "hold", number=0, best=best, fraction=begun + whole)


def _held(task: Task, settings: Settings, now: Progress) -> Progress:
    """The end is stood, where the recording ends at rest; and on the way there, where that costs at most δ more.

    A way that withstands fewer pushes than to stand at the end alone is not accepted.
    """
    assert now.best is not None
    candidates = now.tried
    if now.number == 0:
        machine, candidates = ways_to_stand(task, now.best)
        now = replace(now, number=1, best=weighed(task, settings, machine, now.best.last))
    assert now.best is not None
    seen = perform(task, now.best.machine, now.best.last + 1)
    then = _refined(task, settings, now, candidates, seen, _HOLD, "done", 0.9)
    assert then.best is not None
    if then.phase != "done":
        return then
    if then.best is not now.best and withstood(task, then.best) < withstood(task, now.best):
        if candidates[1:]:
            return replace(now, number=now.number + 1, part=0, tried=candidates[1:], fraction=0.95)
        then = replace(then, best=now.best)
    assert then.best is not None
    return replace(then, best=as_text(task, settings, _wary(task, settings, then.best)), fraction=1.0)


def _wary(task: Task, settings: Settings, best: Stage) -> Stage:
    """A machine that stands in the end, with ways to stand sooner; unless it withstands fewer pushes so.

    It does the same until one is taken, so no number is fitted again.
    """
    if best.machine.states[-1].name != NAME:
        return best
    machine = landing_otherwise(task, best.machine, best.last, NAME)
    if machine is None:
        return best
    wary = weighed(task, settings, machine, best.last)
    return best if withstood(task, wary) < withstood(task, best) else wary


def _on_contact(task: Task, settings: Settings, now: Progress) -> Progress:
    """T⊥, where it costs at most δ more."""
    assert now.best is not None
    seen = perform(task, now.best.machine, now.best.last)
    candidates = now.tried
    if now.number == 0:
        changed = on_contact(now.best.machine, seen, task)
        candidates = () if changed is None else (_from(now.best, changed, seen),)
    return _refined(task, settings, now, candidates, seen, _CONTACT, "cycle", 0.7)


def _closed(task: Task, settings: Settings, now: Progress) -> Progress:
    """T∞, where it costs at most δ more; the likest pairs of states are tried.

    Deviation: not of a recording that ends at rest. A jump begins and ends alike, but to go round is to jump again.
    """
    assert now.best is not None
    seen = perform(task, now.best.machine, now.best.last)
    candidates = now.tried
    if now.number == 0:
        found = [] if task.reference.ends_at_rest else cycles(now.best.machine)[:CYCLES_TRIED]
        candidates = tuple(_from(now.best, machine, seen) for machine in found)
    return _refined(task, settings, now, candidates, seen, _CYCLE, "polish", 0.775)


def _left_open(_task: Task, _settings: Settings, now: Progress) -> Progress:
    """No T∞."""
    return Progress(phase="polish", number=0, best=now.best, fraction=0.85)


def _from(best: Stage, machine: Machine, seen: Performance) -> Stage:
    """A machine of another structure, which does as the best one up to the first transition that is not the same."""
    pairs = zip(machine.states, best.machine.states, strict=False)
    same = next(i for i, (a, b) in enumerate(pairs) if (a.until, a.then) != (b.until, b.then))
    return replace(best, machine=machine, last=int(seen.entered[same + 1]))


def _refined(
    task: Task,
    settings: Settings,
    now: Progress,
    candidates: tuple[Stage, ...],
    seen: Performance,
    number: int,
    then: str,
    done: float,
) -> Progress:
    """Some more work on the first of the candidates for another structure; in the end it is accepted or left.

    It is fitted again window by window, as a chain grows, from where it is no longer the same; then as a whole.
    """
    assert now.best is not None
    if not candidates:
        return Progress(phase=then, number=0, best=now.best, fraction=done + 0.075)
    first, *others = candidates
    rng = np.random.default_rng([settings.seed, number, now.number])
    if first.last < now.best.last:
        first = _window(task, settings, now.best, first, seen, rng)
        if not _hopeless(task, settings, now.best, first):
            return replace(now, number=now.number + 1, part=0, tried=(first, *others), fraction=done)
        if others:
            return replace(now, number=now.number + 1, part=0, tried=tuple(others), fraction=done)
        return Progress(phase=then, number=0, best=now.best, fraction=done + 0.075)
    first = improved(task, settings, first.machine, first.last, rng, rounds=AT_ONCE, spread=NARROW)
    limit = now.best.cost * (1.0 + TOLERANCE)
    rounds = AT_ONCE * (now.part + 1)
    if first.cost < now.best.cost or (first.cost < limit and rounds >= settings.later_rounds):
        return Progress(phase=then, number=0, best=first, fraction=done + 0.075)
    if rounds < settings.later_rounds and first.cost < HOPELESS * limit:
        return replace(now, number=now.number + 1, part=now.part + 1, tried=(first, *others), fraction=done)
    if others:
        return replace(now, number=now.number + 1, part=0, tried=tuple(others), fraction=done)
    return Progress(phase=then, number=0, best=now.best, fraction=done + 0.075)


def _hopeless(task: Task, settings: Settings, best: Stage, stage: Stage) -> bool:
    """Whether a candidate that is being fitted costs far more up to here than what would be accepted."""
    same = improved(task, settings, best.machine, stage.last, np.random.default_rng(0), rounds=0, look=settings.look)
    return stage.cost > HOPELESS * (1.0 + TOLERANCE) * same.cost


def _window(
    task: Task, settings: Settings, best: Stage, stage: Stage, seen: Performance, rng: np.random.Generator
) -> Stage:
    """A machine fitted to one window more, which ends where the best one, as seen, enters its next state.

    The last few states that are at work there are improved; of a cycle all.
    """
    ends = [*(int(step) for step in seen.entered[1:]), best.last]
    window = next(i for i, end in enumerate(ends) if end > stage.last)
    count = len(stage.machine.states)
    cyclic = count < len(best.machine.states)
    states = range(count) if cyclic else range(max(0, window + 1 - max(settings.reopened)), window + 1)
    return improved(
        task, settings, stage.machine, ends[window], rng, states=states, look=settings.look, spread=MIDDLING
    )


def _rounds(task: Task, settings: Settings, stage: Stage, rounds: int, seed: list[int]) -> Stage:
    rng = np.random.default_rng([settings.seed, *seed])
    return improved(task, settings, stage.machine, stage.last, rng, rounds=rounds, spread=NARROW)


def weighed(task: Task, settings: Settings, machine: Machine, last: int) -> Stage:
    """A machine with what it costs as it is."""
    return improved(task, settings, machine, last, np.random.default_rng(0), rounds=0)


def as_text(task: Task, settings: Settings, best: Stage) -> Stage:
    """The machine as its text says it, weighed again; found anew around that where the rounding has upset it.

    A foot that only just touches may not do so by the text's last digit, and all that follows is another motion.
    """
    limit = best.cost * (1.0 + TOLERANCE)
    written = weighed(task, settings, as_written(best.machine), best.last)
    for number in range(MENDED):
        if written.cost <= limit:
            break
        again = _rounds(task, settings, written, AT_ONCE, [_TEXT, number])
        again = weighed(task, settings, as_written(again.machine), best.last)
        written = min(written, again, key=lambda stage: stage.cost)
    return written
