"""The ends of several beginnings on disk, each in a file of its own beside what it depends on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from reenact.errors import InputError
from reenact.estimate.video.several_beginnings import End
from reenact.estimate.video.track_file import KeptTrack, load_track, save_track


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptEnds:
    """Files as of a track, see `track_file`; what they are of is `Ends`."""

    path: Callable[[int], Path]  # of a beginning's end
    depends: str  # hash of all that they are found from

    def find(self, number: int) -> End | None:
        """The end of a beginning that was found before from the same."""
        with suppress(InputError):
            kept = load_track(self.path(number))
            if kept.depends == self._of(number):
                return End(
                    track=kept.track, model=kept.model, variant=kept.variant, first=kept.first, price=kept.prices[0]
                )
        return None

    def keep(self, number: int, end: End) -> End:
        """Keep it; the end as it is read again."""
        path = self.path(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = KeptTrack(
            depends=self._of(number), track=end.track, model=end.model, variant=end.variant, first=end.first, frame=0,
            first_mismatch=0.0, words="", prices=(end.price,),
        )  # fmt: skip
        save_track(path, kept)
        return self.find(number) or end

    def _of(self, number: int) -> str:
        return f"{self.depends} {number}"
