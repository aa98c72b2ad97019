"""`reenact adapt`: fit a captured controller again in another world."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import tyro


def adapt(
    take: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="TAKE")],
    /,
    *,
    world: Annotated[str, tyro.conf.arg(metavar="NAME|FILE")],
    output: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="TAKE", help_behavior_hint="")] = None,
    seed: int = 0,
    robust: Annotated[int, tyro.conf.arg(metavar="PARTS")] = 0,
    resume: bool = False,
    strict: bool = False,
    threads: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None,
) -> int:
    """Fit a captured state machine again in another world, such as one in which it carries a load.

    `reenact replay --world` puts a controller there as it is, and feedback may or may not keep it up. Here its numbers
    are fitted anew in that world, from what they are: to the recording that it was found from, and to standing after
    its end where that is at rest. Structure may change where that costs little. One to four
    minutes of one core for a motion of two seconds.

    On a slippery slope the recording glides down with the body. On a trampoline it hardly works yet: the plate rises
    with the feet.

    For motions that end; a walk is practised for other ground by `reenact capture --robust`. Ctrl-C keeps what was
    found, --resume goes on. The exit code is 0 where a take was made and is honest; 1 where the audit found a fault, or
    with --strict where the motion was not done.

    Example: reenact adapt twist/ --world hand_weight -o laden/

    Args:
        take: A take with a state machine, as `reenact capture` makes it; controller.json may have been edited.
        world: A bundled world (see `reenact world`) or a TOML file.
        output: The take folder to write; an older take there is replaced. TAKE-WORLD-adapted unless said.
        seed: Another number gives another performance.
        robust: Practise it there under disturbances, too, in so many parts of one to three minutes each.
        resume: Go on with a search that was stopped or killed, to the same result.
        strict: End with exit code 1 where the body did not do the motion.
        threads: Cores to use; all unless said. The result is the same.
    """
    from dataclasses import replace

    from reenact.cli.asked import check_numbers
    from reenact.cli.by_states import Searched
    from reenact.cli.capture_run import refuse_losses, run_all
    from reenact.cli.controller_file import read_to_run
    from reenact.errors import InputError
    from reenact.estimate.states.capture import subject_elsewhere
    from reenact.estimate.walking.again import SETTINGS
    from reenact.formats.take import refuse_foreign, refuse_itself, require_take
    from reenact.geometry.one_thread import one_thread
    from reenact.world.load import load_world

    check_numbers(seed, threads)
    if robust < 0:
        raise InputError(f"--robust is {robust}, expected 0 or more")
    require_take(take)
    place = load_world(world)
    output = output or take.parent / f"{take.absolute().name}-{place.name}-adapted"
    refuse_foreign(output)
    refuse_itself(output, take)
    first, _ = read_to_run(take, None)
    with one_thread():
        try:
            subject = subject_elsewhere(first, place, threads=threads)
        except InputError as error:
            raise error if error.path is not None else InputError(error.cause, path=take) from None
    work = Searched(
        subject=subject,
        settings=replace(SETTINGS, seed=seed, pushes=robust),
        output=output,
        source=first.info.input,
        resume=resume,
        smooth=None,
    )
    refuse_losses([work])
    return run_all([work], strict=strict)
