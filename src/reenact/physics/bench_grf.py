"""Does a fitted body need the ground force that the plates measured? Inverse dynamics against force plates.

Each trial is markers beside plates. Running is on an instrumented treadmill; walkers cross plates, so that only frames
in which every foot on the floor stands on a plate are compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter1d

from reenact.errors import InputError
from reenact.formats.read import read_clip
from reenact.geometry.rotation import Array
from reenact.measure import Progress, Row
from reenact.motion.clip import MarkerClip, Table
from reenact.motion.fit import fit
from reenact.motion.motion import Motion
from reenact.physics.ground_reaction import GRAVITY, agreement, ground_reaction, low_pass, plate_forces

CUTOFF: Final = 10.0  # of both curves [Hz]
LOADED: Final = 20.0  # a plate that bears less is empty [N]
MARGIN: Final = 0.08  # around a foot beside the plates: it bears load before and after it counts as touching [s]
EDGE: Final = 5  # frames at each end that the filter spoils

TRIALS: Final[dict[str, tuple[str, str]]] = {
    "run_2ms": ("hamner_s04/run200/markers.trc", "hamner_s04/run200/grf.mot"),
    "run_3ms": ("hamner_s04/run300/markers.trc", "hamner_s04/run300/grf.mot"),
    "run_5ms": ("hamner_s04/run500/markers.trc", "hamner_s04/run500/grf.mot"),
    "walk_rajagopal": ("rajagopal_walk/markers_walk.trc", "rajagopal_walk/grf_walk.mot"),
    "walk_opencap_1": ("opencap_subject4/walking1.trc", "opencap_subject4/walking1_grf.mot"),
    "walk_opencap_2": ("opencap_subject4/walking2.trc", "opencap_subject4/walking2_grf.mot"),
    "walk_opencap_3": ("opencap_unfiltered/walking2.trc", "opencap_unfiltered/walking2_grf.mot"),
    "squat": ("opencap_subject4/squats1.trc", "opencap_subject4/squats1_grf.mot"),
    "drop_jump": ("opencap_subject4/DJ1.trc", "opencap_subject4/DJ1_grf.mot"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Implied and measured ground force of one trial, both in body weights and filtered alike."""

    time: Array  # (T,) the plates' clock [s]
    implied: Array  # (T, 3) z up
    measured: Array  # (T, 3)
    covered: NDArray[np.bool_]  # (T,) whether the plates see every foot on the floor


def compare_trial(markers: Path, plates: Path, cutoff: float = CUTOFF) -> Comparison:
    """Fit the markers, imply the ground force, and lay it beside the plates'.

    The person's weight is taken so that both curves have one mean over the frames compared: it is not recorded with
    every trial, and a scale error in the body's mass is none in the motion.
    """
    clip, table = read_clip(markers), read_clip(plates)
    if not isinstance(clip, MarkerClip) or not isinstance(table, Table):
        raise InputError("expected markers and a table of plate forces", path=markers)
    motion = fit(clip)
    recorded = motion.qpos.copy()
    recorded[:, 2] -= motion.lift  # the floor's correction is no movement of the person
    reaction = ground_reaction(motion.body, recorded, motion.rate, cutoff=cutoff)
    implied = reaction.force / (GRAVITY * motion.body.mass)
    force, clock = plate_forces(table)
    time = reaction.time + clip.start
    smooth = low_pass(force, 1.0 / float(np.median(np.diff(clock))), cutoff)
    at = [[np.interp(time, clock, smooth[:, p, k]) for k in range(3)] for p in range(force.shape[1])]
    raw = np.stack([np.interp(time, clock, force[:, p, 2]) for p in range(force.shape[1])], axis=-1)
    covered = _covered(motion, raw) & (time >= clock[0]) & (time <= clock[-1])
    measured = np.transpose(np.sum(at, axis=0))
    weight = measured[covered, 2].mean() / implied[covered, 2].mean()
    return Comparison(time=time, implied=implied, measured=measured / weight, covered=covered)


def bench_grf(data: Path, progress: Progress | None = None) -> Iterator[Row]:
    """Per trial: correlation and RMS of the vertical force, RMS fore–aft and sideways, in body weights."""
    for done, (name, (markers, plates)) in enumerate(TRIALS.items()):
        if progress:
            progress(done / len(TRIALS), name)
        trial = compare_trial(data / "grf" / markers, data / "grf" / plates)
        seen = trial.covered
        up, ahead, aside = (agreement(trial.implied[seen, k], trial.measured[seen, k], 1.0) for k in (2, 0, 1))
        yield Row(name=f"grf.{name}.vertical_correlation", value=round(up.correlation, 3), unit=f"{up.frames} frames")
        yield Row(name=f"grf.{name}.vertical_rms", value=round(up.rms, 3), unit="body weights")
        yield Row(name=f"grf.{name}.fore_aft_rms", value=round(ahead.rms, 3), unit="body weights")
        yield Row(name=f"grf.{name}.sideways_rms", value=round(aside.rms, 3), unit="body weights")
    if progress:
        progress(1.0, "done")


def _covered(motion: Motion, load: Array) -> NDArray[np.bool_]:
    """Frames in which no more feet touch the floor than plates (T, P) bear load, from the first load to the last."""
    feet = np.zeros((motion.frames, 2), bool)
    for contact in motion.contacts:
        for side, name in enumerate(("left", "right")):
            if contact.segment.endswith(name) and motion.body.segment(contact.segment).part == "foot":
                feet[:, side] |= (motion.time >= contact.start) & (motion.time <= contact.end)
    loaded = load > LOADED
    beside = feet.sum(axis=1) > loaded.sum(axis=1)
    covered = ~maximum_filter1d(beside, 2 * round(MARGIN * motion.rate) + 1)
    on = np.flatnonzero(loaded.any(axis=1))
    if len(on):
        covered[: on[0]] = covered[on[-1] + 1 :] = False
    covered[:EDGE] = covered[-EDGE:] = False
    return np.asarray(covered, bool)
