"""A page that follows a search, beside what the search keeps on disk: what the terminal has no room for."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from reenact.estimate.sampling.sampler import Event
    from reenact.estimate.sampling.task import Task
    from reenact.view.progress import Costs, Progress, State
    from reenact.view.thumbnails import Picture, Sketcher

PAGE: Final = "progress.html"
SHARE: Final = 0.01  # of the time that goes by, at most, is spent on pages
PATIENCE: Final = 3.0  # a search that is shorter has no page [s]


class LivePage:
    """Told of every event of a search, writes a page now and then; only looks, so the result is the same."""

    def __init__(self, folder: Path, task: Task, name: str) -> None:
        self.path = folder / PAGE
        self._task, self._name = task, name
        self._begun = time.monotonic()
        self._due = self._begun + PATIENCE
        self._first: tuple[float, float] | None = None  # when the first event came, and the part of the work done then
        self._event: Event | None = None
        self._visits: list[list[float]] = [[] for _ in task.ends]  # least cost of every visit to each sampling step
        self._kept = np.zeros((0, task.model.mj.nq))  # where the search was at the end of each step, sweeps before
        self._sketcher: Sketcher | None = None

    def follow(self, event: Event) -> bool:
        """Take note of an event, and write the page where it is time to; says whether that was the first page."""
        from reenact.view.progress import EVERY

        begun = time.monotonic()
        self._note(event, begun)
        if begun < self._due:
            return False
        first = self._sketcher is None
        self._write(event, "searching")
        ended = time.monotonic()
        self._due = max(begun + EVERY, ended + (ended - begun) / SHARE)
        return first

    def _note(self, event: Event, now: float) -> None:
        """Remember costs, and the best way where the search goes back to sweep over it again."""
        layers = event.search.layers
        if self._first is None or self._event is None:
            self._first = now, event.fraction
            for visits, layer in zip(self._visits, layers[1:-1], strict=False):  # of a search that goes on
                visits.append(float(layer.cost.min()))
        elif event.search.done <= self._event.search.done:
            states = self._states(self._event)
            self._kept = np.concatenate([states, self._kept[len(states) :]])
        if event.search.done and not event.rewound:
            self._visits[event.search.done - 1].append(event.cost)
        self._event = event

    def found(self, report: Path) -> None:
        """The search is done: whoever looks at the page is led to the report."""
        if self._event is not None and self.path.exists():
            address = Path(os.path.relpath(report, self.path.parent)).as_posix()
            self._write(self._event, "found", report=address)

    def stopped(self) -> None:
        """The search was ended by hand: the page no longer renews itself."""
        if self._event is not None and self.path.exists():
            self._write(self._event, "stopped")

    def remove(self) -> None:
        """Take the page away."""
        self.path.unlink(missing_ok=True)

    def _write(self, event: Event, state: State, report: str = "") -> None:
        from reenact.formats.replace_file import replace_file
        from reenact.view.progress import progress_html
        from reenact.view.thumbnails import Sketcher

        if self._sketcher is None:
            self._sketcher = Sketcher(self._task.model.mj, self._references(range(len(self._task.reference.qpos))))
        page = progress_html(self._progress(event, state, report), self._sketcher, self._pictures(event))
        with suppress(OSError):  # a full disk is the search's own affair; the page is not worth ending it for
            replace_file(self.path, page)

    def _progress(self, event: Event, state: State, report: str) -> Progress:
        from reenact.view.progress import Progress

        now, (since, share) = time.monotonic(), self._first or (self._begun, 0.0)
        made = event.fraction - share
        return Progress(
            name=self._name,
            state=state,
            sweep=event.search.sweep + 1,
            step=event.search.done,
            steps=event.steps,
            seconds=event.seconds,
            length=self._task.ends[-1] * self._task.model.timestep,
            fraction=event.fraction,
            cost=event.cost,
            rewinds=event.search.rewinds,
            elapsed=now - self._begun,
            left=(now - since) * (1.0 - event.fraction) / made if made > 0.0 else None,
            costs=self._costs(),
            report=report,
            renewed=time.strftime("%H:%M:%S"),
        )

    def _costs(self) -> tuple[Costs, ...]:
        """The first visits, the second ones and so on, each over the steps that have had one, and last the latest."""
        from reenact.view.progress import Costs

        ends = np.array(self._task.ends) * self._task.model.timestep
        rounds = [
            Costs(
                time=ends[[len(visits) > number for visits in self._visits]],
                cost=np.array([visits[number] for visits in self._visits if len(visits) > number]),
            )
            for number in range(max(len(visits) for visits in self._visits) - 1)
        ]
        reached = [len(visits) > 0 for visits in self._visits]
        latest = np.array([visits[-1] for visits in self._visits if visits])
        return *rounds, Costs(time=ends[reached], cost=latest)

    def _states(self, event: Event) -> NDArray[np.float64]:
        """The model's positions (n, nq) at the end of each step of the best way so far."""
        from reenact.estimate.sampling.so_far import found

        return found(event.search).state[:, 1 : 1 + self._task.model.mj.nq]

    def _pictures(self, event: Event) -> list[Picture]:
        """Poses over the whole motion: the best way so far, beyond it the last sweep's, beyond that the reference."""
        from reenact.view.thumbnails import COUNT, Picture

        task, states = self._task, self._states(event)
        frames = [0, *task.ends]
        chosen = sorted({round(i) for i in np.linspace(0, len(task.ends), COUNT)})
        ghosts = self._references([frames[i] for i in chosen])
        pictures = []
        for i, ghost in zip(chosen, ghosts, strict=True):
            shown = Picture(time=frames[i] * task.model.timestep, pose=None, ghost=ghost)
            if i == 0:
                shown = replace(shown, pose=task.start.qpos)
            elif i <= len(states):
                shown = replace(shown, pose=states[i - 1])
            elif i <= len(self._kept):
                shown = replace(shown, pose=self._kept[i - 1], faint=True)
            pictures.append(shown)
        return pictures

    def _references(self, frames: range | list[int]) -> NDArray[np.float64]:
        """The reference's poses as positions of the model (T, nq); other things are where they begin."""
        from reenact.view.recording import whole_states

        return whole_states(self._task.model.mj, self._task.reference.qpos[list(frames)])
