"""What a model was trained on, so that nobody tests it on that."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from reenact.formats.take import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingClip:
    """One recording behind a model."""

    source: Source  # file name and hash; the hash is empty where the poses came from no file
    poses: int  # frames used of it, mirror images not counted

    def is_same(self, source: Source) -> bool:
        """Whether a file is the same recording: by content, else by name where contents cannot be compared.

        Contents cannot be compared where a hash is missing or where one file is a fitted motion of the other
        (07_12.npz, 07_12.bvh).
        """
        if self.source.sha256 and self.source.sha256 == source.sha256:
            return True
        mine, other = PurePath(self.source.name), PurePath(source.name)
        comparable = bool(self.source.sha256 and source.sha256) and mine.suffix == other.suffix
        return not comparable and mine.stem == other.stem
