"""Options of the benches that run many captures, which may be stopped and gone on with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro

Part = Literal[
    "human", "robot", "animal", "worlds", "fast", "unseen", "figure6", "time", "walking", "push", "people", "held",
    "methods", "figure7", "real", "open",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """For `bench sampling`, `bench states` and `bench video`."""

    quick: bool = False
    """A few short motions with few seeds, in about two minutes."""
    part: tuple[Part, ...] = ()
    """Only these parts. sampling: human robot animal worlds fast unseen; states: figure6 time walking push people
    worlds held methods; video: figure7 real open worlds."""
    motion: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME …")] = ()
    """Only the lines of these names."""
    seeds: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """So many runs of each line; unless said ten of sampling, three of states, of video and of clips no search was made
    with."""
    keep: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER", help_behavior_hint="")] = None
    """Keep the takes there; what is there already and unchanged is not run again."""
    records: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER", help_behavior_hint="")] = None
    """states, video: also keep the records and certificates there, without the takes; a run whose record is there and
    unchanged is not run again."""
    only_kept: bool = False
    """states, video: run nothing, show what is kept."""
    markdown: Annotated[Path | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None
    """Also write the tables to this page, between its marks where it has them."""
    strips: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER", help_behavior_hint="")] = None
    """Also draw a strip of poses of each line there."""
    walker: Annotated[tuple[Path, ...], tyro.conf.arg(metavar="TAKE …", help_behavior_hint="")] = ()
    """states: takes of trained walks, one for each seed, instead of training them."""
    videos: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER", help_behavior_hint="")] = None
    """video: where real videos are, as their packages have them; lines whose video is not there are skipped."""
