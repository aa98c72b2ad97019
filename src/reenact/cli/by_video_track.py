"""The tracks of a capture from video: a first pose shown, masks followed, all of it kept."""

from __future__ import annotations

import shlex
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from reenact.cli import terminal
from reenact.cli.by_video_kept import PICTURES, hash_of
from reenact.cli.by_video_say import say_beginnings
from reenact.cli.watching import EACH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reenact.body.body import Body
    from reenact.cli.by_video_kept import Kept
    from reenact.estimate.video.begin import Beginning
    from reenact.estimate.video.settings import Settings
    from reenact.estimate.video.sighting import Sighting
    from reenact.estimate.video.track import Track
    from reenact.estimate.video.track_file import KeptTrack
    from reenact.formats.video import Video
    from reenact.measure import Progress
    from reenact.observe.first_poses import FirstPoses
    from reenact.priors.model import PoseModel

BACK = 0.1  # of the time, for the way from a known pose to the first frame, or for the search of one
TALLER = 0.04  # share by which a body may differ from the person's height in the picture unnoticed


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scene:
    """What tracks are found from."""

    body: Body
    video: Video  # of the first view, for pictures
    sightings: tuple[Sighting, ...]
    rate: float
    poses: FirstPoses | None
    sided: bool  # whether left and right are known in them
    activity: str
    settings: Settings
    beginnings: int  # that a doubtful track may have
    unsized: bool = False  # whether nobody told how tall the person is, but the camera's ground may tell
    weighed: bool = True  # whether somebody told how heavy
    threads: int | None = None  # all cores unless said

    def models(self) -> list[PoseModel]:
        """Pose models to be tried."""
        return models_of(self.activity, self.body)

    def depends(self, first: int, seed: int) -> str:
        """A hash of all that a track depends on; `first` is the seed of the track whose way it goes again."""
        from reenact.body.toml import dump_body
        from reenact.estimate.video.several_beginnings import SPREAD
        from reenact.formats.camera.toml import format_camera_toml
        from reenact.observe.camera_file import calibration_of
        from reenact.priors.file import dump_model

        views = [
            (
                each.times.tobytes().hex(),
                each.quality.tobytes().hex(),
                format_camera_toml([calibration_of(each.camera)]),
            )
            for each in self.sightings
        ]
        known = None if self.poses is None else (self.poses.time.tolist(), self.poses.qpos.tolist())
        models = [dump_model(model) for model in self.models()]
        masks = b"".join(each.masks.tobytes() for each in self.sightings)
        joints = [
            None if each.marks is None else (each.marks.names, *(a.tolist() for a in each.marks.arrays))
            for each in self.sightings
        ]
        return hash_of(
            masks,
            joints,
            views,
            dump_body(self.body),
            known,
            self.sided,
            models,
            self.rate,
            asdict(self.settings),
            [self.beginnings, SPREAD],
            [self.unsized, self.weighed],
            first,
            seed,
        )


def models_of(activity: str, body: Body) -> list[PoseModel]:
    """Pose models of an activity for a body, all where each is to be tried; a name that means nothing is refused."""
    from reenact.priors.identity import IDENTITY
    from reenact.priors.load import bundled_models, model_for

    if activity != EACH:
        return [model_for(activity, body)]
    names = (*bundled_models(), IDENTITY) if body.name == "adult" else (IDENTITY,)
    return [model_for(name, body) for name in names]


def tracks_of(scene: Scene, seeds: Sequence[int], kept: Kept) -> list[KeptTrack]:
    """A track for each seed, kept ones where there are; seeds other than 0 begin a little elsewhere."""
    found: list[KeptTrack] = []
    for seed in seeds:
        depends = scene.depends(seeds[0], seed)
        one = kept.track(seed, depends)
        if one is not None:
            terminal.say(f"The track of an earlier run is used, from {terminal.escape(kept.folder)}.")
            if not found:
                _show_first(scene, one.first, one.frame, one.first_mismatch, one.words, kept)
        else:
            with kept.timed(f"track {seed}"), terminal.progress(f"following {scene.video.path.name}") as advance:
                one = _found(scene, seed, found[0] if found else None, kept, advance, depends)
            kept.keep_track(seed, one)
            one = kept.track(seed, depends) or one  # as it is read again, so that a resumed run has the same bits
        if not found:
            _show_track(scene, one, kept)
        found.append(one)
    return found


def _found(scene: Scene, seed: int, before: KeptTrack | None, kept: Kept, advance: Progress, depends: str) -> KeptTrack:
    from reenact.estimate.video.begin import varied
    from reenact.estimate.video.several_beginnings import follow_again
    from reenact.estimate.video.track import track
    from reenact.estimate.video.track_file import KeptTrack
    from reenact.estimate.video.variants import SIDED, VARIANTS
    from reenact.priors.load import model_for

    def told(begin: float, end: float) -> Progress:
        return lambda done, what: advance(begin + (end - begin) * done, f"2 of 3, following: {what}")

    seen = [each.seen for each in scene.sightings]
    if before is not None:  # another seed: the same way from a first pose a little elsewhere
        model = next((each for each in scene.models() if each.name == before.model), None)
        model = model or model_for(before.model, scene.body)
        start = varied(before.track.poses[0], seed)
        body = before.track.body if scene.unsized else scene.body
        again = track(
            body, seen, scene.rate, start, model, settings=scene.settings, threads=scene.threads,
            progress=told(0.0, 1.0),
        )  # fmt: skip
        return replace(before, depends=depends, track=again, prices=(), doubts=())
    begun = _begun(scene, told(0.0, BACK))
    _show_first(scene, begun.pose, begun.frame, begun.mismatch, begun.words, kept)
    firsts = [varied(first, seed) for first in begun.firsts]
    result = follow_again(
        scene.body, seen, scene.rate, firsts, scene.models(), seed=seed, beginnings=scene.beginnings,
        settings=scene.settings, variants=SIDED if begun.known and scene.sided else VARIANTS,
        ends=kept.ends(seed, replace(scene, beginnings=1).depends(seed, seed)), threads=scene.threads,
        progress=told(BACK, 1.0),
    )  # fmt: skip
    best = result.end.track
    found = _as_tall(scene, best, result.model) if scene.unsized else best
    return KeptTrack(
        depends=depends, track=found, model=result.model.name, variant=result.end.variant, first=begun.pose,
        frame=begun.frame, first_mismatch=begun.mismatch, words=begun.words, prices=result.prices, doubts=result.doubts,
    )  # fmt: skip


def _as_tall(scene: Scene, found: Track, model: PoseModel) -> Track:
    """The track with a body as tall as camera and ground tell the person to be, which is said."""
    from reenact.estimate.video.explain import mismatch_of
    from reenact.estimate.video.stature import stature_of

    if any(each.fine is None for each in scene.sightings):
        return found
    seen = [each.seen for each in scene.sightings]
    told = stature_of(found, seen, model, weighed=scene.weighed, settings=scene.settings)
    terminal.say(
        f"Person: {told.height:.2f} m tall, told to about {100.0 * told.doubt:.0f} cm by where the feet are on the "
        "camera's ground; --height says it exactly."
    )
    return replace(told.track, mismatch=mismatch_of(told.track.body, scene.sightings, told.track.poses))


def _begun(scene: Scene, tell: Progress) -> Beginning:
    """A first pose: known beside the camera, or searched for."""
    from reenact.estimate.video.begin import by_search, from_known, known_pose
    from reenact.priors.identity import IDENTITY
    from reenact.priors.load import model_for

    models = scene.models()
    poses = scene.poses
    known = None if poses is None else known_pose(scene.body, scene.sightings, poses.time, poses.qpos)
    if poses is None or known is None:
        return by_search(scene.body, scene.sightings, scene.rate, models, settings=scene.settings, progress=tell)
    which, frame = known
    model = models[0] if len(models) == 1 else model_for(IDENTITY, scene.body)
    return from_known(
        scene.body, scene.sightings, scene.rate, poses.qpos[which], frame, model, settings=scene.settings,
        threads=scene.threads, progress=tell, words=f"calibrated at {poses.time[which]:.2f} s",
    )  # fmt: skip


def _show_first(scene: Scene, pose: np.ndarray, frame: int, off: float, words: str, kept: Kept) -> None:
    from reenact.cli.by_video_picture import write_poses
    from reenact.estimate.video.doubt import POOR

    seen, path = scene.sightings[0], kept.picture(PICTURES[0])
    write_poses(path, scene.video, seen.camera, scene.body, pose[None], [float(seen.times[frame])])
    terminal.say(
        f"First pose, {terminal.escape(words)}: silhouettes differ by {off:.2f} (0 the same, 2 nothing in common); "
        f"look at {terminal.escape(shlex.quote(str(path)))}"
    )
    if off > POOR:
        terminal.say("[yellow]warning[/]: the first pose is hardly the person's: stop here where the picture is wrong")


def _show_track(scene: Scene, one: KeptTrack, kept: Kept) -> None:
    from reenact.cli.by_video_picture import spread_out, write_poses
    from reenact.estimate.video.doubt import POOR
    from reenact.estimate.video.explain import tallness
    from reenact.observe.silhouettes import TRUSTED

    seen, path, poses = scene.sightings[0], kept.picture(PICTURES[1]), one.track.poses
    which = spread_out(len(poses))
    write_poses(path, scene.video, seen.camera, one.track.body, poses[which], [float(seen.times[i]) for i in which])
    terms = one.track.mismatch[np.min([each.quality for each in scene.sightings], axis=0) >= TRUSTED]
    mean = float(terms.mean())
    terminal.say(
        f"Track, poses like '{terminal.escape(one.model)}', first pose {terminal.escape(one.variant)}: silhouettes "
        f"differ by {mean:.2f} on average, {terms.max():.2f} at most; look at "
        f"{terminal.escape(shlex.quote(str(path)))}"
    )
    say_beginnings(one)
    tall = tallness(one.track.body, seen, poses)
    if abs(tall - 1.0) > TALLER:
        by = f"{abs(tall - 1.0):.0%} {'taller' if tall > 1.0 else 'shorter'}"
        terminal.say(
            f"[yellow]warning[/]: in the picture the body is {by} than the person: before this camera somebody "
            f"{one.track.body.stature / tall:.2f} m tall would fit; either the height or the camera's distance is off"
        )
    if mean > POOR:
        terminal.say(
            "[yellow]warning[/]: the track does not match the masks; what is captured from it is not to be trusted"
        )
