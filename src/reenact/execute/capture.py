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
from reenact.estimate.sampling.settings import EFFORTS, Effort, Settings
from reenact.estimate.sampling.task import task_of
from reenact.execute.threads import Threads
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

Method = Literal["sampling"]
BODY: Final = "human50"  # the character of [L10]
FITTED: Final = ".npz"
FITTING: Final = 0.1  # share of the work that fitting is taken for


@one_thread()
def capture(
    observation: Motion | Clip | Table | Path | str,
    body: Body | Path | str | None = None,
    world: World | Path | str = "flat",
    *,
    method: Method = "sampling",
    seed: int = 0,
    effort: Effort = "normal",
    settings: Settings | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Take:
    """Find the control whose simulation follows a motion; `take.info.done` says whether the body did the motion.

    observation: a clip, a fitted motion (.npz), their file, or the name of a bundled sample. A clip is fitted first.
    body: who performs it, human50 or a motion's own body unless given; "adult" takes the person's size. seed: another
    number gives another performance. effort: how many samples. settings: all numbers of the search, instead of seed
    and effort. threads: all cores unless given; the result is the same.
    """
    if method not in get_args(Method):
        raise InputError(f"no method '{method}'; there are: {', '.join(get_args(Method))}")
    chosen = _settings(seed, effort, settings)
    place = world if isinstance(world, World) else load_world(world)
    tell = progress or (lambda fraction, what: None)
    motion = _motion(observation, body, lambda fraction, what: tell(FITTING * fraction, what))
    task = task_of(motion, place, chosen)

    def watch(event: Event) -> None:
        what = f"sweep {event.search.sweep + 1}, step {event.search.done} of {event.steps}, cost {event.cost:.1f}"
        tell(FITTING + (1.0 - FITTING) * event.fraction, what)

    executor = Threads(task.stage, threads=threads)
    return search_control(task, chosen, executor, source=_source(observation, motion), watch=watch)


def _settings(seed: int, effort: Effort, settings: Settings | None) -> Settings:
    if effort not in EFFORTS:
        raise InputError(f"no effort '{effort}'; there are: {', '.join(EFFORTS)}")
    if settings is None:
        samples, save = EFFORTS[effort]
        return Settings(samples=samples, save=save, seed=seed)
    if (seed, effort) != (0, "normal"):
        raise InputError("seed and effort are part of the settings: give one or the other")
    return settings


def _motion(
    observation: Motion | Clip | Table | Path | str, body: Body | Path | str | None, progress: Progress
) -> Motion:
    """What is observed as the motion of a body; a fitted motion is taken over by another body where one is given."""
    if isinstance(observation, (Path, str)):
        path = _path(observation)
        observation = load_motion(path) if path.suffix == FITTED else read_clip(path)
    if isinstance(observation, Motion):
        if body is None or body is observation.body:
            return observation
        observation = motion_to_skeleton_clip(observation.body, observation.qpos, observation.rate, observation.name)
    own = body if isinstance(body, Body) else load_body(BODY if body is None else body)
    if isinstance(observation, Table):
        return motion_of_table(observation, own)
    clip = replace(observation, notes=(*observation.notes, *rate_remarks(observation)))
    return fit(clip, own, scale=body == "adult", progress=progress)


def _source(observation: Motion | Clip | Table | Path | str, motion: Motion) -> Source:
    if isinstance(observation, (Path, str)):
        path = _path(observation)
        return Source(name=path.name, sha256=sha256_of(path))
    return Source(name=motion.name, sha256=hashlib.sha256(motion.qpos.tobytes()).hexdigest())


def _path(observation: Path | str) -> Path:
    return Path(observation) if Path(observation).suffix == FITTED else find_clip(observation)
