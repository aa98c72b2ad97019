"""Machines tried against a video's masks: many candidates at once, from a start state up to the video's end.

As `estimate/states/window.py` does with markers. The objective is [V12] Eq. 8 with the likelihood of Eq. 9, in cm²:

    E = silhouette · (mismatch + mismatch past the end) + depth · depths² + track · squares + CONTACT · changes + priors

Mismatches are means over frames and views. Squares are means over markers of the squared distance from the kinematic
track, depths² the same along the line of sight alone, of which one view's silhouettes tell next to nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reenact.control.machine import layout as at
from reenact.control.machine import watch
from reenact.control.machine.machine import Machine
from reenact.estimate.states.reference import Reference, watch_block
from reenact.estimate.states.task import Task
from reenact.estimate.states.weights import CONTACT, STABILITY
from reenact.estimate.states.window import EVERY, LIMIT, SQUARE_CM, Tried, Window
from reenact.geometry.rotation import Array
from reenact.observe import machine_seen_table as seen
from reenact.observe.machine_seen import run_seen
from reenact.observe.machine_seen_table import Look, memory_of, seen_block
from reenact.physics.controller import Program
from reenact.physics.rollout import BatchResult, rollout_batch
from reenact.physics.state import row_width

WORST = 2.0  # a mismatch cannot be greater


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Of the objective's terms."""

    silhouette: float = 60.0  # [cm²] of a mean mismatch of 1
    depth: float = 1.0  # of the mean squared distance from the track along the line of sight, with one view
    track: float = 0.3  # of the mean squared distance from the track


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeenWindow(Window):
    """Frames up to `last` of a video, and of the track that was made of it."""

    looks: tuple[Look, ...]
    weights: Weights
    sights: Array  # (K, 3·S, 3) of each marker of the track, towards it, unit; empty where views differ
    cap: float = seen.NEVER  # mismatch at which a run is given up
    beyond: int = 0  # frames to go on after the video's end, [V12] Eq. 11

    def try_out(
        self, machine: Machine, params: Array, *, steps: int | None = None, starts: Array | None = None
    ) -> Tried:
        """Run candidates with params (n, M·W) of a machine's graph; starts: (n, X) of their own."""
        own, looked, kept = self._sizes(machine)
        program = Program(
            function=run_seen,
            table=self._table(machine, own + looked),
            params=machine.rows().ravel(),
            memory=own + looked + kept,
            drives_root=machine.root_by == "swing thigh",
        )
        begun = self.start[None] if starts is None else starts
        known = min(begun.shape[1], row_width(self.model, own + looked))
        rows = np.zeros((len(begun), row_width(self.model, own + looked + kept)))
        rows[:, :known] = begun[:, :known]
        result = rollout_batch(
            self.model,
            program,
            rows,
            self.last + 1 - self.begin + self.beyond if steps is None else steps,
            params=params,
            start_of=np.zeros(len(params), np.int64) if starts is None else np.arange(len(params)),
            threads=self.threads,
        )
        return self._judged(result, own, looked, kept)

    def mismatch(self, machine: Machine, final: Array) -> Array:
        """Mean mismatch (n,), 0 … 2, over frames and views, of runs that ended in rows (n, X)."""
        _, looked, kept = self._sizes(machine)
        saw = final[:, final.shape[1] - looked - kept : final.shape[1] - kept]
        return np.asarray(saw[:, seen.SUM] + WORST * (1.0 - saw[:, seen.COUNTED]))

    def _sizes(self, machine: Machine) -> tuple[int, int, int]:
        """Numbers of memory: the machine's own, of what is seen, and of the offsets kept."""
        segments = len(self.model.segment_body)
        kept = watch.kept_numbers.py_func(segments) * self.clock.kept
        return at.memory_size(len(machine.states)), memory_of(segments), kept

    def _table(self, machine: Machine, offsets_at: int) -> Array:
        watched = watch_block(self.reference, self.clock, len(machine.states), offsets_at)
        block = seen_block(self.looks, self.model.timestep, last=self.last, past=self.beyond, cap=self.cap)
        return np.concatenate([machine.table(self.limbs, watched), block])

    def _judged(self, result: BatchResult, own: int, looked: int, kept: int) -> Tried:
        memory = result.final[:, result.final.shape[1] - own - looked - kept :]
        score, saw = memory[:, at.SCORE : at.SCORE + at.SCORES], memory[:, own : own + looked]
        diverged = ~np.isfinite(result.final).all(axis=1)
        missing = self.last - score[:, watch.COUNTED]
        off = self._pulled(memory[:, own + looked :])
        pull = (off**2).sum(axis=1) + (0.0 if self.worked is None else self.worked[0])
        cost = self.weights.silhouette * (saw[:, seen.SUM] + WORST * (1.0 - saw[:, seen.COUNTED])) + pull
        cost += SQUARE_CM * LIMIT * missing / self.last + CONTACT * memory[:, at.EXCESS]
        if self.beyond:
            past = saw[:, seen.BEYOND] + WORST * (1.0 - saw[:, seen.COUNTED_BEYOND])
            cost += STABILITY * self.weights.silhouette * past
        joints = 100.0 * (score[:, watch.JOINTS] + 0.5 * missing) / self.last
        off[diverged | (missing > 0)] = np.nan
        cost[diverged], joints[diverged] = np.inf, np.inf
        return Tried(cost=cost, joints=joints, offsets=off, final=result.final, efforts=pull[:, None])

    def _pulled(self, kept: Array) -> Array:
        """Numbers (n, R) [cm] whose squares add up to the pull of the track, by step."""
        clock, segments = self.clock, len(self.model.segment_body)
        steps = np.arange(clock.kept) * clock.every + clock.first
        off = kept.reshape(len(kept), clock.kept, watch.kept_numbers.py_func(segments))[..., : 9 * segments]
        off = off.reshape(len(kept), clock.kept, 3 * segments, 3)
        scaled = np.sqrt(self.weights.track) * off
        if len(self.sights):
            sight = self.sights[np.minimum(steps, len(self.sights) - 1)]
            deep = np.einsum("nkmi,kmi->nkm", off, sight)
            more = np.sqrt(self.weights.track + self.weights.depth) - np.sqrt(self.weights.track)
            scaled += more * deep[..., None] * sight
        share = np.sqrt(SQUARE_CM * EVERY / (self.last * 3.0 * segments))
        return np.asarray(share * scaled.reshape(len(kept), clock.kept * 9 * segments))


def seen_window(task: Task, looks: tuple[Look, ...], weights: Weights, last: int, *, past: int = 0) -> SeenWindow:
    """The window from the start up to `last`, and `past` steps beyond it."""
    return SeenWindow(
        model=task.model, limbs=task.limbs, reference=task.reference, start=task.start, begin=0, last=last,
        beyond=past, threads=task.threads, looks=looks, weights=weights, sights=sights_of(task.reference, looks),
    )  # fmt: skip


def sights_of(reference: Reference, looks: tuple[Look, ...]) -> Array:
    """Unit vectors (K, 3·S, 3) from the camera to the track's markers; none where there is more than one camera."""
    if len(looks) != 1:
        return np.zeros((0, 0, 3))
    markers = reference.markers.reshape(reference.frames, -1, 3)
    way = markers - looks[0].projection.camera.position
    return np.asarray(way / np.linalg.norm(way, axis=-1, keepdims=True))
