"""The options of `reenact capture` for videos: which, by which camera, who is meant and how large."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from reenact.cli import by_video_network
from reenact.errors import InputError

if TYPE_CHECKING:
    from reenact.body.anthropometrics import Sex
    from reenact.cli.inputs import Reading
    from reenact.observe.person import Hint

EACH = "each"


@dataclass(frozen=True, slots=True, kw_only=True)
class Watching:
    """How a video is watched; --from, --to and --up say which part, and which way is up in the camera's file."""

    video: Annotated[tyro.conf.UseAppendAction[tuple[Path, ...]], tyro.conf.arg(metavar="FILE")] = ()
    """A video instead of CLIP; once more for every further view of the same moments, begun at the same instant."""
    camera: Annotated[tyro.conf.UseAppendAction[tuple[Path, ...]], tyro.conf.arg(metavar="CAM.toml")] = ()
    """Where the camera stands: a file of `reenact calibrate` or another calibration, see docs/video.md; of several
    cameras the one with the video's name. Unless said, the cam.toml beside the video or here that was made for it;
    without one it is solved from joints that the pose network sees, where that is installed."""
    person: Annotated[tyro.conf.UseAppendAction[tuple[str, ...]], tyro.conf.arg(metavar="X,Y[,SECONDS]")] = ()
    """A point on the person meant, as shares of the picture's width and height from its top left corner, and when; the
    largest that moves unless said. With several videos once for each."""
    height: Annotated[float | None, tyro.conf.arg(metavar="METRES", help_behavior_hint="")] = None
    """The person's stature; that of the calibration unless said. Every distance scales with it."""
    mass: Annotated[float | None, tyro.conf.arg(metavar="KG", help_behavior_hint="")] = None
    """The person's mass."""
    sex: Annotated[
        Literal["female", "male", "f", "m"] | None, tyro.conf.arg(metavar="female|male", help_behavior_hint="")
    ] = None
    """The person's sex, for the proportions."""
    activity: Annotated[str, tyro.conf.arg(metavar="each|MODEL")] = EACH
    """What the person does, a pose model's name or file (see `reenact prior`): walk, jump …; each tries all."""
    masks: Annotated[tyro.conf.UseAppendAction[tuple[Path, ...]], tyro.conf.arg(metavar="FOLDER")] = ()
    """Masks made before by `reenact silhouettes`; with several videos once for each."""
    by: Literal["background", "network"] = "background"
    """What tells the person from the rest, as for `reenact silhouettes`."""
    joints: Literal["auto", "yes", "no"] = "auto"
    """Whether joints that the pose network sees are followed beside the masks: auto where it is installed."""
    plate: Annotated[tyro.conf.UseAppendAction[tuple[Path, ...]], tyro.conf.arg(metavar="PICTURE|VIDEO")] = ()
    """A picture of the empty scene, as for `reenact silhouettes`; with several videos once for each."""
    ground: Annotated[float | None, tyro.conf.arg(metavar="METRES", help_behavior_hint="")] = None
    """Height of the ground in the world of the camera's file, where that is not what the file says, or 0."""

    def videos(self, clip: str | None) -> tuple[Path, ...]:
        """The videos to capture from, none where CLIP is a recording; options that contradict that are refused."""
        from reenact.formats.video_guess import is_video

        if clip is not None and is_video(clip):
            if self.video:
                raise InputError(f"{clip} and --video: give all videos with --video, or CLIP alone")
            return (Path(clip),)
        if self.video:
            if clip is not None:
                raise InputError(f"{clip} is a recording: capture from it or from --video, not from both")
            for path in self.video:
                if self.video.count(path) > 1:
                    raise InputError("is given twice: each --video is another view", path=path)
            return self.video
        if clip is None:
            raise InputError("nothing to capture from: give a clip, a sample's name or a video; `reenact samples`")
        self._refuse_alone(clip)
        return ()

    def check(self, count: int, reading: Reading) -> None:
        """Refuse what does not go together, for so many views."""
        for name, given in (("person", self.person), ("masks", self.masks), ("plate", self.plate)):
            if given and len(given) != count:
                raise InputError(f"--{name} is given {len(given)} times, expected once for each of {count} video(s)")
        if len(self.camera) > 1 and len(self.camera) != count:
            raise InputError(
                f"--camera is given {len(self.camera)} times, expected once, or for each of {count} videos"
            )
        if count > 1 and not self.camera:
            raise InputError(f"{count} videos need --camera FILE: cameras measured in one world")
        if self.joints == "yes" and (lacks := by_video_network.network_lacks()):
            raise InputError(f"--joints needs the pose network: {lacks}")
        if self.by == "network" and self.plate:
            raise InputError("--plate shows the background, which --by network does not learn; leave one of them out")
        if self.masks and (self.plate or self.person or self.by == "network"):
            raise InputError("--masks are cut out already; --person, --plate and --by are for `reenact silhouettes`")
        if reading.units != "guess" or reading.rate is not None:
            which = "--units" if reading.units != "guess" else "--rate"
            raise InputError(
                f"{which} is of recordings; a video has its own times, and its size is the person's --height"
            )
        for plate in self.plate:
            if not plate.is_file():
                raise InputError("there is no such file", path=plate)
        for hint in self.hints(count):
            from reenact.observe.watch import Asked

            Asked(begin=reading.begin, end=reading.end, hint=hint)  # refuses a hint at a time that is not watched

    def hints(self, count: int) -> tuple[Hint | None, ...]:
        """Who is meant, in each view."""
        from reenact.cli.silhouettes import hint_of

        return tuple(hint_of(text) for text in self.person) or (None,) * count

    @property
    def whole_sex(self) -> Sex | None:
        """The sex as a word."""
        return None if self.sex is None else "female" if self.sex.startswith("f") else "male"

    def _refuse_alone(self, clip: str) -> None:
        usual = Watching()
        for each in fields(self):
            if getattr(self, each.name) != getattr(usual, each.name):
                raise InputError(f"--{each.name} is of videos, and '{clip}' is not one")
