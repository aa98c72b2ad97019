"""`reenact capture`: find the control behind a clip."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import tyro

from reenact.cli import terminal
from reenact.cli.inputs import Reading
from reenact.cli.watching import Watching

Method = Literal["states", "sampling"]


def capture(
    clip: Annotated[
        tyro.conf.Positional[str | None], tyro.conf.arg(metavar="CLIP|FITTED.npz|VIDEO", help_behavior_hint="")
    ] = None,
    /,
    *,
    output: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="TAKE", help_behavior_hint="")] = None,
    method: Method = "states",
    body: Annotated[str | None, tyro.conf.arg(metavar="NAME|FILE", help_behavior_hint="")] = None,
    world: Annotated[str, tyro.conf.arg(metavar="NAME|FILE")] = "flat",
    torque: Annotated[str, tyro.conf.arg(metavar="SHARE|human")] = "1",
    seed: int = 0,
    budget: Annotated[float | None, tyro.conf.arg(metavar="SECONDS", help_behavior_hint="")] = None,
    robust: Annotated[int, tyro.conf.arg(metavar="PARTS")] = 0,
    ease: Annotated[float | None, tyro.conf.arg(metavar="WEIGHT", help_behavior_hint="")] = None,
    poses: Annotated[str | None, tyro.conf.arg(metavar="plain|each|MODEL", help_behavior_hint="")] = None,
    effort: Annotated[
        Literal["fast", "normal", "high"] | None, tyro.conf.arg(metavar="fast|normal|high", help_behavior_hint="")
    ] = None,
    samples: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None,
    save: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None,
    actuation: Annotated[
        Literal["motor", "servo"] | None, tyro.conf.arg(metavar="motor|servo", help_behavior_hint="")
    ] = None,
    variations: int = 1,
    resume: bool = False,
    strict: bool = False,
    smooth: Annotated[float | None, tyro.conf.arg(metavar="HZ", help_behavior_hint="")] = None,
    threads: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None,
    cluster: Annotated[str | None, tyro.conf.arg(metavar="auto|ADDRESS", help_behavior_hint="")] = None,
    reading: Reading = Reading(),  # noqa: B008  (frozen)
    watching: Watching = Watching(),  # noqa: B008  (frozen)
) -> int:
    """Find the control whose simulation follows a clip or a video, and write it with its motion as a take.

    By default that is a small state machine with balance feedback, its structure included: `reenact show` prints it,
    controller.json is meant to be read and edited. By sampling it is open-loop control, a displacement of the recorded
    pose for every tenth of a second: for motions of many contacts, such as rolls and get-ups.

    The take says whether the body did the motion, and if not, why. Ctrl-C keeps what was found, of a state machine as a
    take that says it was stopped; --resume goes on. The exit code is 0 where a take was made and is honest, also of a
    body that did not do the motion; 1 where the audit found a fault, or with --strict where the motion was not done.

    Of a video the person is cut out, a first pose is taken from `reenact calibrate` or searched for, and a body of the
    person's size is followed through the masks; the search then goes on from that. Masks, first pose and track are
    told of and shown in pictures before it begins. The camera must stand still; where it stands is read from a file,
    or solved by the pose network where that is installed.

    Example: reenact capture walk -o walk/

    Example: reenact capture walk.mp4 --height 1.68 --sex f --activity walk -o walk/

    Args:
        clip: A clip file, a bundled sample's name, a motion fitted before, or a video.
        output: The take folder to write; an older take there is replaced. CLIP-take in this folder unless said.
        method: What to find: states for a state machine, sampling for open-loop control.
        body: Who performs it: a body's name or a TOML file; unless said the fitted motion's own, else for states an
            adult of the person's size, for sampling human50.
        world: A bundled world (see `reenact world`) or a TOML file.
        torque: Share of the body's torque limits that it may use, or human for limits like people's.
        seed: Another number gives another performance.
        budget: States: how much to search, as seconds on two cores, about. It is counted in simulated steps, so that
            the result is the same on any machine. Of a video also from how many beginnings a doubtful track is
            followed.
        robust: States: practise a gait, or a motion that ends standing, under pushes, on slopes and bumps, with less
            strength, the latter with loads too, in so many parts of one to three minutes each. For some motions
            nothing is gained; a part that loses more than it gains is dropped.
        ease: States: how much to spare the joints beside following the clip; 0, the clip alone, unless said. 1000
            lowers torques by about a sixth and follows the clip somewhat less well.
        poses: States: what target poses are made of: plain, joint angles as they are, unless said; the name or file of
            a pose model (see `reenact prior`), so that targets are poses of that activity; or each, to try all models
            on the first states and keep the one that follows the clip best.
        effort: Sampling: how many samples: fast 180, normal 1400, high 4000 a step; normal unless said.
        samples: Sampling: samples a step, instead of the effort's.
        save: Sampling: how many of them live on to the next step.
        actuation: How joints are driven: motor is a velocity constraint within the torque limit, servo, for sampling
            alone, a PD spring; motor unless said.
        variations: So many performances with seeds one after the other, written to TAKE-1, TAKE-2, …
        resume: Go on with a capture that was stopped or killed, to the same result; variations that are finished are
            kept.
        strict: End with exit code 1 where the body did not do the motion.
        smooth: Also write motion.smoothed.bvh, low-pass filtered at this frequency and so no longer simulated.
        threads: Cores to use; all unless said. The result is the same.
        cluster: Sampling: search on a Ray cluster, with the same result: HOST:PORT, ray://HOST:PORT, or auto for the
            one that runs here, which is started where there is none.
    """
    from reenact.cli.asked import HUMAN, asked_of, share_of
    from reenact.cli.by_sampling import by_sampling
    from reenact.cli.by_states import by_states
    from reenact.cli.capture_run import STOPPED, Way, refuse_losses, run_all
    from reenact.errors import InputError

    if variations < 1:
        raise InputError(f"--variations is {variations}, expected at least 1")
    videos = watching.videos(clip)
    _refuse_contradictions(method, budget, robust, ease, poses, effort, samples, save, actuation, cluster)
    share = share_of(torque)
    way: Way = (
        by_states(seed, share, budget, robust, poses, ease)
        if method == "states"
        else by_sampling(seed, share, effort or "normal", samples, save, actuation or "motor", cluster, threads)
    )
    if videos:
        from reenact.cli.by_video import asked_of_video, folders_for
        from reenact.cli.by_video_done import asked_hash, done_before

        takes = folders_for(videos, output, variations)
        whole = asked_hash(videos, watching, reading, way, takes, world, body, torque, seed, smooth, poses)
        if resume and (before := done_before(whole, takes, strict=strict)) is not None:
            return before
        of_videos = asked_of_video(
            videos, watching, reading, output=output, world=world, body=body, human=torque == HUMAN, seed=seed,
            variations=variations, resume=resume, smooth=smooth, threads=threads, budget=budget,
        )  # fmt: skip
        if of_videos is None:
            return STOPPED
        parts = of_videos
    else:
        assert clip is not None
        parts = [
            asked_of(
                clip, output, world, body, human=torque == HUMAN, seed=seed, variations=variations, resume=resume,
                smooth=smooth, threads=threads, reading=reading, fitted_to=way.fitted_to,
            )
        ]  # fmt: skip
    works = [work for part in parts for work in way.works(part)]
    refuse_losses(works)
    with way.helpers():
        code = run_all(works, strict=strict)
    if videos and code < STOPPED:
        from reenact.cli.by_video import finish
        from reenact.cli.by_video_done import mark_done

        finish(videos, output, parts)
        mark_done(whole, takes)
    if output is None and code < STOPPED:
        names = ", ".join(f"{folder}/" for part in parts for folder in part.folders)
        terminal.say(f"Written to {terminal.escape(names)}; -o names another.")
    return code


def _refuse_contradictions(
    method: Method,
    budget: float | None,
    robust: int,
    ease: float | None,
    poses: str | None,
    effort: str | None,
    samples: int | None,
    save: int | None,
    actuation: str | None,
    cluster: str | None,
) -> None:
    """One line for an option that the method does not have."""
    from reenact.errors import InputError

    if method == "sampling":
        if budget is not None:
            raise InputError("--budget is of --method states; how long sampling takes is said by --effort")
        if robust:
            raise InputError("--robust is of --method states: what sampling finds does not feel pushes")
        if ease is not None:
            raise InputError("--ease is of --method states: sampling has weights of its own")
        if poses is not None:
            raise InputError("--poses is of --method states: sampling aims at displacements of the recorded poses")
        return
    if robust < 0:
        raise InputError(f"--robust is {robust}, expected 0 or more")
    if actuation == "servo":
        raise InputError("--actuation servo is of --method sampling: a state machine drives motors")
    for name, given in (("effort", effort), ("samples", samples), ("save", save), ("cluster", cluster)):
        if given is not None:
            instead = "--budget says how long to search" if name == "effort" else "leave it out, or say that method"
            raise InputError(f"--{name} is of --method sampling, and this is --method states: {instead}")
    if ease is not None and not 0.0 <= ease < float("inf"):
        raise InputError(f"--ease is {ease:g}, expected 0 or more")
    if budget is not None and not 0.0 < budget < float("inf"):
        raise InputError(f"--budget is {budget:g} s, expected more than 0")
