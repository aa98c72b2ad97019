"""What every capture is asked for, whatever its method: of what, where, how strong, and where the takes go."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from reenact.cli.inputs import FITTED, Fitting, Reading, motion_of, source_path
from reenact.errors import InputError

if TYPE_CHECKING:
    from reenact.estimate.video.evidence import Evidence
    from reenact.formats.take import Source
    from reenact.motion.motion import Motion
    from reenact.world.world import World

HUMAN: Final = "human"  # see `body/human_strength.py`
MOST_TORQUE: Final = 10.0  # times the body's own limits


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A capture as asked for, made ready as far as that is the same for all methods."""

    motion: Motion
    world: World
    source: Source
    seeds: tuple[int, ...]
    folders: tuple[Path, ...]  # where their takes go
    resume: bool
    smooth: float | None
    threads: int | None
    seen: Evidence | None = None  # of a video


def asked_of(
    clip: str,
    output: Path | None,
    world: str,
    body: str | None,
    *,
    human: bool,
    seed: int,
    variations: int,
    resume: bool,
    smooth: float | None,
    threads: int | None,
    reading: Reading,
    fitted_to: str | None,
) -> Asked:
    """Read and fit; fitted_to: who a clip is fitted to where no body is said, None for an adult of the person's size.

    human: whether the body gets the torque limits of people. Places that cannot hold a take are refused before the work
    rather than after it.
    """
    from reenact.formats.take import Source, sha256_of
    from reenact.geometry.one_thread import one_thread
    from reenact.world.load import load_world

    check_numbers(seed, threads)
    place, path = load_world(world), source_path(clip)
    folders = folders_of(output or Path(f"{path.stem}-take"), variations)
    own = None if Path(clip).suffix == FITTED else fitted_to
    with one_thread():
        motion = motion_of(clip, reading, Fitting(body=body or own))
    return Asked(
        motion=as_strong_as_people(motion) if human else motion,
        world=place,
        source=Source(name=path.name, sha256=sha256_of(path)),
        seeds=tuple(seed + i for i in range(variations)),
        folders=tuple(folders),
        resume=resume,
        smooth=smooth,
        threads=threads,
    )


def check_numbers(seed: int, threads: int | None) -> None:
    """Refuse a seed or a number of cores that cannot be."""
    if threads is not None and threads < 1:
        raise InputError(f"--threads is {threads}, expected at least 1")
    if seed < 0:
        raise InputError(f"seed is {seed}, expected a whole number from 0")


def folders_of(chosen: Path, variations: int) -> list[Path]:
    """Where the takes go; places that cannot hold one are refused."""
    from reenact.formats.take import refuse_foreign

    folders = [chosen] if variations == 1 else [_numbered(chosen, i + 1) for i in range(variations)]
    for folder in folders:
        refuse_foreign(folder)
    return folders


def as_strong_as_people(motion: Motion) -> Motion:
    """The motion on a body with the torque limits of people."""
    from reenact.body.human_strength import strengthened

    return replace(motion, body=strengthened(motion.body, HUMAN))


def share_of(torque: str) -> float:
    """The share of a body's torque limits that is meant; all of them where they are to be like people's."""
    if torque == HUMAN:
        return 1.0
    try:
        share = float(torque)
    except ValueError:
        share = 0.0
    if not 0.0 < share <= MOST_TORQUE:
        raise InputError(
            f"--torque is '{torque}', expected {HUMAN} or a number above 0 and at most {MOST_TORQUE:g}: the share of "
            "the body's torque limits"
        )
    return share


def _numbered(output: Path, number: int) -> Path:
    folder = output.absolute()
    return output.parent / f"{folder.name}-{number}"
