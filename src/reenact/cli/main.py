"""The command `reenact`: finds the subcommand, turns its errors into one line and an exit code.

Exit codes: 0 done, 1 an audit that found a fault or with --strict a motion not done, 2 an input or option that cannot
be used, 70 a bug in reenact, 130 stopped by Ctrl-C. Commands import what is heavy inside their functions, so that
`--help` answers at once.
"""

from __future__ import annotations

import difflib
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NoReturn

from reenact import __version__
from reenact.errors import InputError, ReenactError

COMMANDS = (
    "samples",
    "info",
    "fit",
    "edit",
    "simulate",
    "silhouettes",
    "network",
    "calibrate",
    "capture",
    "adapt",
    "replay",
    "show",
    "push",
    "view",
    "render",
    "export",
    "contacts",
    "audit",
    "body",
    "world",
    "prior",
    "bench",
    "doctor",
)  # each is the function of its name in the module of its name
_BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
_STOPPED = "stopped; nothing unfinished was written"
_ABOUT = "Physics-based motion capture: from a recorded motion to a simulated body that re-enacts it."
_ADVICE = """Start with
  reenact capture walk -o walk/
  reenact view walk/

Wherever a clip is expected, give a file (BVH, ASF/AMC, C3D, TRC, DeepMimic JSON, or a motion fitted before, .npz) or
the name of a bundled sample. `reenact COMMAND --help` explains a command. --debug shows the traceback of an error."""


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run one command and leave with its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    for name in _BLAS_THREADS:  # our matrices are small: more threads wait for each other, on busy machines for long
        os.environ.setdefault(name, "1")
    debug = "--debug" in arguments or os.environ.get("REENACT_DEBUG", "") not in ("", "0")
    sys.exit(_guarded([a for a in arguments if a != "--debug"], debug))


def _guarded(arguments: list[str], debug: bool) -> int:
    try:
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except ReenactError as error:
        return _fail(2, str(error), debug)
    except KeyboardInterrupt:
        return _fail(130, _STOPPED, debug)
    except BrokenPipeError:  # `reenact samples | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _fail(2, f"{error.filename}: {error.strerror}" if error.filename else str(error), debug)
    except MemoryError:
        return _fail(2, "out of memory; cut the clip with --from and --to", debug)
    except Exception as error:  # the one place where anything else is a bug to report, not a result
        if _from_interrupt(error):
            return _fail(130, _STOPPED, debug)
        kind = type(error).__name__
        return _fail(70, f"a bug in reenact: {kind}: {error} (run again with --debug for the traceback)", debug)


def _run(arguments: list[str]) -> int:
    name = arguments[0] if arguments else "--help"
    if name in ("-h", "--help", "help"):
        print(overview())
        return 0
    if name in ("-V", "--version"):
        print(f"reenact {__version__}")
        return 0
    if name not in COMMANDS:
        near = difflib.get_close_matches(name, COMMANDS, n=1)
        hint = f"did you mean '{near[0]}'?" if near else f"there are: {', '.join(COMMANDS)}"
        raise InputError(f"no command '{name}'; {hint}")
    from reenact.cli.options import parsed

    return int(parsed(_command(name), f"reenact {name}", arguments[1:])() or 0)


def overview() -> str:
    """What `reenact --help` prints: every command with the first line of its explanation."""
    lines = [f"usage: reenact COMMAND …    {_ABOUT}", ""]
    lines += [f"  {name:12}{(_command(name).__doc__ or '').splitlines()[0]}" for name in COMMANDS]
    return "\n".join([*lines, "", _ADVICE])


def _command(name: str) -> Callable[..., Any]:
    command: Callable[..., Any] = getattr(import_module(f"reenact.cli.{name}"), name)
    return command


def _from_interrupt(error: BaseException | None) -> bool:
    """Whether Ctrl-C stands behind an error: while a compiled module is imported it surfaces as an ImportError."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__cause__ or error.__context__
    return False


def _fail(code: int, message: str, debug: bool) -> int:
    if debug:
        traceback.print_exc()
    print("reenact: " + " ".join(message.split()), file=sys.stderr)
    return code
