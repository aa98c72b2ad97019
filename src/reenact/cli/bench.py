"""`reenact bench`: the figures of the documentation, measured here."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro

from reenact.cli import terminal
from reenact.cli.bench_options import Runs
from reenact.cli.bench_sampling import bench_sampling
from reenact.cli.bench_states import bench_states
from reenact.cli.bench_video import bench_video
from reenact.errors import InputError

if TYPE_CHECKING:
    from reenact.measure import Progress, Row

Bench = Literal["loop", "fit", "grf", "silhouette", "sampling", "states", "video", "cluster"]
DATA = Path("..") / "shared" / "data"
LONG = {"sampling": bench_sampling, "states": bench_states, "video": bench_video}  # of many runs


def bench(
    name: tyro.conf.Positional[Bench],
    /,
    *,
    json_file: Annotated[Path | None, tyro.conf.arg(name="json", metavar="FILE", help_behavior_hint="")] = None,
    data: Annotated[Path, tyro.conf.arg(metavar="FOLDER")] = DATA,
    runs: Runs = Runs(),  # noqa: B008  (frozen)
) -> int:
    """Measure on this machine what the documentation claims, each figure beside its goal and a peer's figure.

    loop: speed of the closed loop against the bare engine. fit: joint error and speed over recorded clips.
    grf: ground force from inverse dynamics against force plates. silhouette: how exact and how fast bodies are drawn
    as a camera sees them; takes --quick. sampling: how often, how fast and how well the
    control of motions is found; about two hours in all, and with --keep in as many goes as you like. states: state
    machines from recordings, how long they walk on, how hard they may be pushed, and how they do in new worlds; hours
    in all. video: captures from drawn videos with exact truth, and from real ones in the folder --videos; hours in all.
    cluster: what Ray costs against threads, and what more machines would give; takes --quick too.

    Example: reenact bench loop --json loop.json

    Args:
        name: Which bench.
        json_file: Also write the table to this file.
        data: Folder of recorded motion that fit and grf read, and sampling, states and video where it is there.
    """
    if runs.videos is not None and name != "video":
        raise InputError(f"bench {name} has no option --videos")
    if name in LONG and data != DATA and not data.is_dir():
        raise InputError("there is no such folder", path=data)
    if name in LONG:
        rows, finished = LONG[name](runs, data)
        if finished:
            _write(json_file, name, rows)
        return 0 if finished else 130
    if runs != Runs(quick=runs.quick and name in ("cluster", "silhouette")):
        raise InputError(f"bench {name} has no such options; --json and --data are all it takes")
    with terminal.progress(f"bench {name}") as advance:
        rows = list(_rows(name, data, advance, quick=runs.quick))
    _show(rows)
    _write(json_file, name, rows)
    return 0


def _write(json_file: Path | None, name: str, rows: Iterable[Row]) -> None:
    if json_file is None:
        return
    from reenact.formats.replace_file import replace_file

    replace_file(json_file, json.dumps(as_json(name, rows), indent=2, ensure_ascii=False) + "\n")
    terminal.say(f"Written to [bold]{terminal.escape(json_file)}[/].")


def as_json(name: str, rows: Iterable[Row]) -> dict[str, Any]:
    """The table as other programs read it."""
    return {"bench": name, "machine": machine(), "rows": [asdict(row) for row in rows]}


def machine() -> dict[str, str | int]:
    """Where a figure was measured, as far as it bears on the figure."""
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        "python": platform.python_version(),
        **{name: version(name) for name in ("reenact", "mujoco", "numba", "numpy")},
    }


def _rows(name: Bench, data: Path, advance: Progress, *, quick: bool) -> Iterable[Row]:
    if name == "loop":
        from reenact.physics.bench_loop import bench_loop

        return bench_loop(progress=advance)
    if name == "cluster":
        from reenact.execute.bench_cluster import bench_cluster

        return bench_cluster(quick=quick, progress=advance)
    if name == "silhouette":
        from reenact.view.bench_silhouette import bench_silhouette

        return bench_silhouette(quick=quick, progress=advance)
    if not data.is_dir():
        raise InputError("no recorded motion here; give its folder with --data", path=data)
    if name == "fit":
        from reenact.formats.read import read_clip
        from reenact.motion.bench_fit import bench_fit

        return bench_fit(data, read_clip, progress=advance)
    from reenact.physics.bench_grf import bench_grf

    return bench_grf(data, progress=advance)


def _show(rows: list[Row]) -> None:
    table = terminal.table("figure", "value", "unit", "goal", "holds", "peer", numbers=("value",))
    for row in rows:
        holds = "" if row.holds is None else "[green]yes[/]" if row.holds else "[red]no[/]"
        value = f"{row.value:.4g}" if isinstance(row.value, float) else str(row.value)
        table.add_row(row.name, value, row.unit, row.goal, holds, terminal.escape(row.peer))
    terminal.show(table)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor())
