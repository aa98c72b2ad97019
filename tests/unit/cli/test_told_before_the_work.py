"""What a user would lose work by is refused before the work, and what is doubtful is said in words that help."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from example_machines import machine_take, walk_machine
from reenact.cli import earlier
from reenact.cli.controller_file import read_controller
from reenact.cli.options import parsed
from reenact.control.machine.text import machine_from
from reenact.errors import InputError
from reenact.formats.take import changed_files, read_take, refuse_foreign, write_take
from reenact.formats.writable import refuse_unwritable
from reenact.observe.camera_guess import Known
from reenact.world.load import load_world
from run_command import run

Output = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("told") / "walk"
    write_take(folder, machine_take(walk_machine(), 0.2))
    return folder


@pytest.fixture
def take(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "my walk"))


def test_a_take_is_not_replaced_by_what_is_made_of_it(take: Path, capsys: Output) -> None:
    before = read_take(take).motion["qpos"]
    for command in (("replay", take, "--seconds", "0.1"), ("adapt", take, "--world", "slope")):
        assert run(*command, "-o", f"{take.parent}/./{take.name}") == 2
        assert "-o is the take itself" in capsys.readouterr().err
    assert (read_take(take).motion["qpos"] == before).all()


@pytest.mark.parametrize("place", ["/proc/new", "/proc/new/deeper/take"])
def test_a_place_that_cannot_be_written_is_refused(place: str) -> None:
    for refuse in (refuse_unwritable, refuse_foreign):
        with pytest.raises(InputError, match=r"/proc/new.*: cannot be written"):
            refuse(Path(place))


def test_a_place_that_can_be_written_is_left_as_it_is(tmp_path: Path) -> None:
    refuse_unwritable(tmp_path / "not" / "there" / "yet")
    assert not list(tmp_path.iterdir())


def test_nothing_is_pushed_or_cut_out_for_a_place_that_cannot_be_written(take: Path, capsys: Output) -> None:
    for command in (("push", take), ("silhouettes", take / "film.mp4"), ("calibrate", take / "film.mp4")):
        assert run(*command, "-o", "/proc/new.toml") == 2
        assert "/proc/new.toml: cannot be written" in capsys.readouterr().err


def test_a_finished_take_is_told_from_one_that_was_stopped(take: Path, tmp_path: Path) -> None:
    assert earlier.whole(take)
    assert not earlier.whole(tmp_path / "nothing")
    head = take / "take.json"
    head.write_text(head.read_text().replace('"status": "ok"', '"status": "stopped"'))
    assert not earlier.whole(take)


def test_a_world_without_a_name_has_its_files(tmp_path: Path) -> None:
    (tmp_path / "steep.toml").write_text("[ground]\nfriction = 0.5\n")
    (tmp_path / "named.toml").write_text('name = "ice"\n')
    (tmp_path / "10 m.toml").write_text("")
    names = [load_world(tmp_path / f"{name}.toml").name for name in ("steep", "named", "10 m")]
    assert names == ["steep", "ice", "flat"], "a name that a model cannot carry is none"


def test_a_shorter_run_tells_how_much_of_the_clip_it_is(take: Path, tmp_path: Path, capsys: Output) -> None:
    assert run("replay", take, "--seconds", "0.1", "-o", tmp_path / "short") == 0
    assert "0.10 s of the clip's 0.20 s in flat" in capsys.readouterr().out


def test_who_goes_on_beyond_the_clip_off_its_place_is_told_to_stay_up(
    take: Path, tmp_path: Path, capsys: Output
) -> None:
    whole = read_take(take)
    judged = replace(whole.info, metrics={**whole.info.metrics, "success": True})
    away = {**whole.reference, "qpos": whole.reference["qpos"] + [5.0, *[0.0] * (whole.reference["qpos"].shape[1] - 1)]}
    write_take(take, replace(whole, info=judged, reference=away))
    assert run("replay", take, "--seconds", "0.3", "-o", tmp_path / "long") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "not done: lost its place" in said
    assert "but it stays up to the end" in said


def test_other_bits_are_told_how_far_apart_they_are(take: Path, capsys: Output) -> None:
    again = read_take(take)
    shifted = {**again.motion, "qpos": again.motion["qpos"] + 1e-12}
    write_take(take, replace(again, motion=shifted))
    assert run("replay", take, "-o", take.parent / "again") == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "not the same bits: states differ by up to 1e-12, by the same versions" in said


def test_files_that_were_exchanged_are_named(take: Path, capsys: Output) -> None:
    assert changed_files(take) == ()
    content = dict(np.load(take / "reference.npz"))
    np.savez(take / "reference.npz", **{**content, "joints": content["joints"] + 0.01})
    assert changed_files(take) == ("reference.npz",)
    assert run("audit", take) in (0, 1)
    said = " ".join(capsys.readouterr().out.split())
    assert (
        "reference.npz is not the one that the take was written with; errors are distances from what it holds" in said
    )


def test_an_edited_take_that_cannot_be_read_tells_the_way_out(take: Path) -> None:
    controller = take / "controller.json"
    controller.write_text(controller.read_text() + "\n")
    with pytest.raises(InputError, match=r"reenact replay .*my walk' -o NEW"):
        read_take(take)


def test_a_controller_file_that_is_not_there_is_no_take(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"controler\.json: cannot be read: No such file"):
        read_controller(tmp_path / "controler.json")


def test_a_misspelt_number_of_a_controller_is_guessed(take: Path) -> None:
    description = {**read_controller(take).description, "torque_scal": 1.0}
    with pytest.raises(InputError, match=r"knows no 'torque_scal'.* steps, .*did you mean 'torque_scale'"):
        machine_from(description)


def test_a_number_that_is_none_is_said_in_a_line() -> None:
    def command(*, height: float | None = None, count: int = 3) -> tuple[float | None, int]:
        """A command.

        Args:
            height: Of somebody.
            count: Of them.
        """
        return height, count

    assert parsed(command, "reenact x", ["--height", "1.7"])() == (1.7, 3)
    with pytest.raises(InputError, match="--height is '1,68', expected a number like"):
        parsed(command, "reenact x", ["--height", "1,68"])
    with pytest.raises(SystemExit):
        parsed(command, "reenact x", ["--heigt", "1.7"])


def test_angles_of_a_camera_are_told_in_degrees() -> None:
    Known(tilt=np.radians(80.0))
    with pytest.raises(InputError, match="the camera's tilt is 400°, expected -86 to 86°"):
        Known(tilt=np.radians(400.0))
