"""What a search from video begins with: a track to follow as one view tells of it, a first velocity that physics can go
on from, and the masks, against which the chain is improved for the last time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

import numpy as np

from reenact.control.place import start_state
from reenact.errors import InputError
from reenact.estimate.states.capture import Subject, subject_of
from reenact.estimate.states.gait import aloft_of, strikes_of
from reenact.estimate.states.launch import launched
from reenact.estimate.states.reference import reference_of, reference_of_poses
from reenact.estimate.states.search import Progress
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.sight import sight_of
from reenact.estimate.states.task import Task
from reenact.estimate.video.evidence import Evidence
from reenact.estimate.video.mean_gait import mean_gait
from reenact.estimate.video.possible import Possible, possible
from reenact.estimate.video.seen_polish import DONE, PolishSettings, looks_of, polishing
from reenact.estimate.video.sighting import Sighting
from reenact.estimate.walking.search import LAST
from reenact.geometry.one_thread import one_thread
from reenact.motion.motion import Motion
from reenact.world.world import World

SECONDS_A_ROUND: Final = 5.0  # of a budget, for each round of the last improvement
MOST_ROUNDS: Final = PolishSettings().rounds


def subject_seen(
    seen: Evidence, world: World, settings: Settings, *, torque_scale: float = 1.0, threads: int | None = None
) -> Subject:
    """Make what was seen ready for the search.

    The sightings' cameras are put where the world has the motion. A chain that is lost follows what a body can do near
    the track instead.
    """
    subject = subject_of(seen.motion, world, torque_scale=torque_scale, threads=threads)
    if subject.task.reference.glide is not None:
        raise InputError(
            f"world '{world.name}' carries the body away from where the camera sees it; capture in 'flat', then "
            "`reenact adapt TAKE --world` puts it there"
        )
    sightings = seen.sightings_at(subject.task.reference.qpos[0])
    task = subject.task
    if len(sightings) == 1:
        task = replace(task, sight=sight_of(task.reference, sightings[0].camera.position))
    with one_thread():
        task = launched(task, settings)
    task = replace(task, gait=gait_of(seen.motion, task))

    @cache
    def instead() -> Task | None:
        found = possible(seen.motion, world, settings.seed, torque_scale=torque_scale, threads=threads)
        return None if found is None else followed_instead(subject.task, found)

    def last(task: Task, settings: Settings, now: Progress) -> Iterator[Progress]:
        assert now.best is not None
        looks = looks_of(task, sightings, seen.start)
        for event in polishing(task, now.best.machine, looks, polish_settings(settings), now):
            yield event if event.phase == DONE else replace(event, phase=LAST)

    return replace(subject, task=task, seen=hash_of(sightings, seen.start), last=last, instead=instead)


def followed_instead(task: Task, found: Possible) -> Task:
    """The task with a simulated motion to follow, begun as it begins."""
    start = start_state(task.model, found.qpos[0], found.qvel).row(task.model)
    return replace(
        task,
        reference=reference_of_poses(found.qpos, task.model),
        start=np.concatenate([start, task.start[len(start) :]]),
    )


def gait_of(motion: Motion, task: Task) -> Task | None:
    """The task with the mean of a motion's steps as its reference; None where there are none in turn.

    Its first frame stays the motion's, by which headings are told.
    """
    mean = mean_gait(motion)
    if mean is None:
        return None
    reference = reference_of(mean, task.model)
    qpos = np.concatenate([task.reference.qpos[:1], reference.qpos[1:]])
    strikes, aloft = strikes_of(mean, task.limbs, reference.rate), aloft_of(mean, task.limbs)
    return replace(task, reference=replace(reference, qpos=qpos), strikes=strikes, aloft=aloft, gait=None)


def polish_settings(settings: Settings) -> PolishSettings:
    """How long a chain is held against the masks: less where the budget is small."""
    rounds = MOST_ROUNDS if settings.budget is None else int(settings.budget / SECONDS_A_ROUND)
    return PolishSettings(seed=settings.seed, rounds=min(max(rounds, 1), MOST_ROUNDS))


def hash_of(sightings: Sequence[Sighting], start: float) -> str:
    """Of all that was seen, and when the simulation begins in it [s]."""
    total = hashlib.sha256(np.float64(start).tobytes())
    for each in sightings:
        camera = each.camera
        for part in (each.masks, each.times, each.quality, camera.position, camera.orientation):
            total.update(np.ascontiguousarray(part).tobytes())
        total.update(np.concatenate([camera.focal, camera.centre]).tobytes())
    return total.hexdigest()
