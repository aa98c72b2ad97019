"""`capture`: from a clip to a take in one call, on the cores of this machine."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal, get_args

from reenact.body.body import Body
from reenact.body.load import load_body
from reenact.errors import InputError
from reenact.estimate.sampling.capture import capture as search_control
from reenact.estimate.sampling.sampler import Event
from reenact.estimate.sampling.settings import EFFORTS, Effort
from reenact.estimate.sampling.settings import Settings as SamplingSettings
from reenact.estimate.sampling.task import task_of
from reenact.estimate.sampling.threads import Threads
from reenact.estimate.states.capture import Capture, subject_of
from reenact.estimate.states.search import Progress as Grown
from reenact.estimate.states.settings import Settings as StatesSettings
from reenact.formats.motion_npz import load_motion
from reenact.formats.read import read_clip
from reenact.formats.samples import find_clip
from reenact.formats.take import Source, Take, sha256_of
from reenact.geometry.one_thread import one_thread
from reenact.measure import Progress
from reenact.motion.clip import Clip, Table
from reenact.motion.fit import fit
from reenact.motion.motion import Motion
from reenact.motion.rate import rate_remarks
from reenact.motion.skeleton_of import motion_to_skeleton_clip
from reenact.motion.table_motion import motion_of_table
from reenact.world.load import load_world
from reenact.world.world import World

Method = Literal["states", "sampling"]
Settings = StatesSettings | SamplingSettings
BODIES: Final[dict[Method, str]] = {"states": "adult", "sampling": "human50"}  # who a clip is fitted to
FITTED: Final = ".npz"
FITTING: Final = 0.1  # share of the work that fitting is taken for


@one_thread()
def capture(
    observation: Motion | Clip | Table | Path | str,
    body: Body | Path | str | None = None,
    world: World | Path | str = "flat",
    *,
    method: Method = "states",
    seed: int = 0,
    effort: Effort | None = None,
    settings: Settings | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Take:
    """Find the control whose simulation follows a motion; `take.info.done` says whether the body did the motion.

    observation: a clip, a fitted motion (.npz), their file, or the name of a bundled sample. A clip is fitted first.
    body: who performs it; unless given a motion's own body, else for states an adult of the person's size, for sampling
    human50; "adult" takes the person's size. method: "states" finds a state machine with balance feedback, "sampling"
    open-loop control. seed: another number gives another performance. effort: of sampling, how many samples. settings:
    all numbers of the search, instead of seed and effort. threads: all cores unless given; the result is the same.
    """
    chosen = _settings(method, seed, effort, settings)
    place = world if isinstance(world, World) else load_world(world)
    tell = progress or (lambda fraction, what: None)
    motion = _motion(observation, body, BODIES[method], lambda fraction, what: tell(FITTING * fraction, what))

    def advance(fraction: float, what: str) -> None:
        tell(FITTING + (1.0 - FITTING) * fraction, what)

    source = _source(observation, motion)
    if isinstance(chosen, StatesSettings):
        return _states(motion, place, chosen, source, threads, advance)
    return _sampling(motion, place, chosen, source, threads, advance)


def _states(
    motion: Motion, world: World, settings: StatesSettings, source: Source, threads: int | None, tell: Progress
) -> Take:
    def watch(now: Grown) -> None:
        found = "" if now.best is None else f", {len(now.best.machine.states)} states, joints {now.best.joints:.1f} cm"
        tell(now.fraction, f"{now.phase}{found}")

    return Capture(subject_of(motion, world, threads=threads), settings, source=source).run(watch=watch)


def _sampling(
    motion: Motion, world: World, settings: SamplingSettings, source: Source, threads: int | None, tell: Progress
) -> Take:
    task = task_of(motion, world, settings)

    def watch(event: Event) -> None:
        what = f"sweep {event.search.sweep + 1}, step {event.search.done} of {event.steps}, cost {event.cost:.1f}"
        tell(event.fraction, what)

    return search_control(task, settings, Threads(task.stage, threads=threads), source=source, watch=watch)


def _settings(method: Method, seed: int, effort: Effort | None, settings: Settings | None) -> Settings:
    if method not in get_args(Method):
        raise InputError(f"no method '{method}'; there are: {', '.join(get_args(Method))}")
    if effort is not None and effort not in EFFORTS:
        raise InputError(f"no effort '{effort}'; there are: {', '.join(EFFORTS)}")
    if effort is not None and method != "sampling":
        raise InputError("effort is of method 'sampling'; how 'states' searches is said by its settings")
    if settings is None:
        if method == "states":
            return StatesSettings(seed=seed)
        samples, save = EFFORTS[effort or "normal"]
        return SamplingSettings(samples=samples, save=save, seed=seed)
    if seed != 0 or effort is not None:
        raise InputError("seed and effort are part of the settings: give one or the other")
    if isinstance(settings, StatesSettings) != (method == "states"):
        other = "states" if isinstance(settings, StatesSettings) else "sampling"
        raise InputError(f"these settings are of method '{other}', and method is '{method}'")
    return settings


def _motion(
    observation: Motion | Clip | Table | Path | str, body: Body | Path | str | None, usual: str, progress: Progress
) -> Motion:
    """What is observed as the motion of a body; a fitted motion is taken over by another body where one is given."""
    if isinstance(observation, (Path, str)):
        path = _path(observation)
        observation = load_motion(path) if path.suffix == FITTED else read_clip(path)
    if isinstance(observation, Motion):
        if body is None or body is observation.body:
            return observation
        observation = motion_to_skeleton_clip(observation.body, observation.qpos, observation.rate, observation.name)
    chosen = usual if body is None else body
    own = chosen if isinstance(chosen, Body) else load_body(chosen)
    if isinstance(observation, Table):
        return motion_of_table(observation, own)
    clip = replace(observation, notes=(*observation.notes, *rate_remarks(observation)))
    return fit(clip, own, scale=chosen == "adult", progress=progress)


def _source(observation: Motion | Clip | Table | Path | str, motion: Motion) -> Source:
    if isinstance(observation, (Path, str)):
        path = _path(observation)
        return Source(name=path.name, sha256=sha256_of(path))
    return Source(name=motion.name, sha256=hashlib.sha256(motion.qpos.tobytes()).hexdigest())


def _path(observation: Path | str) -> Path:
    return Path(observation) if Path(observation).suffix == FITTED else find_clip(observation)
