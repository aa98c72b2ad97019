"""What a capture from video has found so far, in the folder beside its take: masks and tracks, used again as they are.

All of it is the same whenever it is found, so what was kept from the same files and options need not be found again.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reenact.cli.capture_run import partial_of
from reenact.errors import InputError

if TYPE_CHECKING:
    from reenact.estimate.video.kept_ends import KeptEnds
    from reenact.estimate.video.track_file import KeptTrack
    from reenact.observe.network.keypoints import Keypoints
    from reenact.observe.silhouettes import Silhouettes

HEAD = "watched.json"  # of each file, what it depends on
PICTURES = ("first_pose.png", "track.png")
CORE = "core seconds of"  # how the words in it begin that tell what something cost


def hash_of(*parts: Any) -> str:
    """Of numbers, text and bytes, in hexadecimal, the versions of what computes them included."""
    from reenact.control.make_take import versions

    whole = hashlib.sha256(json.dumps(versions(), sort_keys=True).encode())
    for part in parts:
        content = part if isinstance(part, bytes) else json.dumps(part, sort_keys=True, default=str).encode()
        whole.update(f"{len(content)}:".encode())
        whole.update(content)
    return whole.hexdigest()


class Kept:
    """The folder."""

    def __init__(self, output: Path) -> None:
        self.folder = partial_of(output)

    def masks(self, view: str, depends: str) -> Silhouettes | None:
        """Masks of a view found before from the same."""
        from reenact.observe.silhouettes_npz import load_silhouettes

        if self.holds(view, depends):
            with suppress(InputError):
                return load_silhouettes(self._masks(view))
        return None

    def keep_masks(self, view: str, depends: str, found: Silhouettes) -> None:
        """Keep masks of a view."""
        from reenact.observe.silhouettes_npz import save_silhouettes

        save_silhouettes(self._masks(view), found)
        self.hold(view, depends)

    def keypoints(self, view: str, depends: str) -> Keypoints | None:
        """What the pose network saw in a view, found before from the same."""
        from reenact.observe.network.keypoint_file import load_keypoints

        if self.holds(f"joints {view}", depends):
            with suppress(InputError):
                return load_keypoints(self._keypoints(view))
        return None

    def keep_keypoints(self, view: str, depends: str, found: Keypoints) -> None:
        """Keep what the pose network saw in a view."""
        from reenact.observe.network.keypoint_file import save_keypoints

        self.folder.mkdir(parents=True, exist_ok=True)
        save_keypoints(self._keypoints(view), found)
        self.hold(f"joints {view}", depends)

    def holds(self, what: str, depends: str) -> bool:
        """Whether something was kept that depends on the same."""
        return self._head().get(what) == depends

    def hold(self, what: str, depends: str) -> None:
        """Say what something that is kept depends on."""
        from reenact.formats.replace_file import replace_file

        replace_file(self.folder / HEAD, json.dumps({**self._head(), what: depends}, indent=1) + "\n")

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        """Note the processor time of some work, all cores together, once it is done."""
        begun = time.process_time()
        yield
        self.hold(f"{CORE} {what}", f"{time.process_time() - begun:.1f}")

    def spent(self, whats: Iterable[str]) -> float:
        """Processor time of some work [s], as far as it was noted; 0 of what was not done here."""
        head = self._head()
        return sum(float(head.get(f"{CORE} {what}", 0.0)) for what in whats)

    def track(self, seed: int, depends: str) -> KeptTrack | None:
        """A track found before from the same."""
        from reenact.estimate.video.track_file import load_track

        with suppress(InputError):
            kept = load_track(self._track(seed))
            return kept if kept.depends == depends else None
        return None

    def keep_track(self, seed: int, kept: KeptTrack) -> None:
        """Keep a track."""
        from reenact.estimate.video.track_file import save_track

        save_track(self._track(seed), kept)

    def ends(self, seed: int, depends: str) -> KeptEnds:
        """Tracks from several beginnings, before one of them is chosen."""
        from reenact.estimate.video.kept_ends import KeptEnds

        return KeptEnds(path=lambda number: self.folder / f"track-{seed}-{number}.npz", depends=depends)

    def picture(self, name: str) -> Path:
        """Where a picture goes."""
        self.folder.mkdir(parents=True, exist_ok=True)
        return self.folder / name

    @property
    def any(self) -> bool:
        """Whether there is something."""
        return bool(self._files())

    def remove(self) -> None:
        """Clear all of it away, and the folder where nothing else is in it."""
        for path in self._files():
            path.unlink(missing_ok=True)
        with suppress(OSError):
            self.folder.rmdir()

    def _files(self) -> list[Path]:
        patterns = (HEAD, "masks-*.npz", "joints-*.npz", "track-*.npz", "cam.*", *PICTURES)
        return [path for pattern in patterns for path in self.folder.glob(pattern)]

    def _head(self) -> dict[str, str]:
        try:
            content = json.loads((self.folder / HEAD).read_text())
        except (OSError, ValueError):
            return {}
        return content if isinstance(content, dict) else {}

    def _masks(self, view: str) -> Path:
        return self.folder / f"masks-{view}.npz"

    def _keypoints(self, view: str) -> Path:
        return self.folder / f"joints-{view}.npz"

    def _track(self, seed: int) -> Path:
        return self.folder / f"track-{seed}.npz"
