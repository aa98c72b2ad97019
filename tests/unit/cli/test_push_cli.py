"""`reenact push` as a user runs it."""

from __future__ import annotations

import itertools
import json
import shlex
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "control"))
from sliding_takes import standing

from reenact.cli.main import main
from reenact.control.pushing import findings
from reenact.control.ragdoll import Ragdoll
from reenact.formats.take import sha256_of, write_take

SHORT = ("--seconds", "2", "--every", "1", "--duration", "0.2", "--phases", "1", "--draws", "2", "--resolution", "20")


@pytest.fixture(scope="module")
def stand(work: Path) -> Path:
    write_take(work / "a stand", standing())
    return work / "a stand"


@pytest.fixture(scope="module")
def pushed(reenact: Any, stand: Path) -> Any:
    done = reenact("push", stand.name, "--directions", "2", *SHORT)
    assert done.returncode == 0, done.stderr
    return done


def test_it_prints_a_table_and_writes_its_files(pushed: Any, work: Path) -> None:
    assert "pushed from" in pushed.stdout
    assert "front" in pushed.stdout
    assert "rear" in pushed.stdout
    folder = work / "a stand-push"
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["certificate.txt", "push.html", "push.json", "push.svg", "pushed-front.toml", "pushed-rear.toml"]
    record = json.loads((folder / "push.json").read_text())
    assert record["finished"] is True
    assert record["protocol"]["segment"] == "thorax"
    assert [side["name"] for side in record["directions"]] == ["front", "rear"]
    assert record["controller"]["sha256"] == sha256_of(work / "a stand" / "controller.json")
    assert record["command"] in (folder / "certificate.txt").read_text()


def test_a_heavier_body_bears_as_much_more(reenact: Any, stand: Path, work: Path) -> None:
    done = reenact("push", stand.name, "--directions", "1", *SHORT, "--mass", "160", "-o", "heavy")
    assert done.returncode == 0, done.stderr
    heavy = json.loads((work / "heavy" / "push.json").read_text())
    light = json.loads((work / "a stand-push" / "push.json").read_text())
    assert heavy["body"]["mass_kg"] == pytest.approx(160.0)
    assert "--mass 160" in heavy["command"]
    more = heavy["directions"][0]["newtons"] / light["directions"][0]["newtons"]
    assert more == pytest.approx(160.0 / light["body"]["mass_kg"], rel=0.15), "found to 20 N"
    done = reenact("push", stand.name, "--mass", "1600")
    assert done.returncode == 2
    assert "a mass of 1600 kg, expected" in done.stderr


def test_the_command_in_the_certificate_makes_the_same_again(pushed: Any, reenact: Any, work: Path) -> None:
    first = json.loads((work / "a stand-push" / "push.json").read_text())
    done = reenact(*shlex.split(first["command"])[1:], "--threads", "1", "-o", "again")
    assert done.returncode == 0, done.stderr
    second = json.loads((work / "again" / "push.json").read_text())
    assert second["directions"] == first["directions"]
    assert second["controller"] == first["controller"]


def test_a_second_test_replaces_the_first_and_leaves_other_files(stand: Path, work: Path) -> None:
    folder = work / "kept"
    folder.mkdir()
    (folder / "push.json").write_text("{}")
    (folder / "pushed-old.toml").write_text("")
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(SystemExit) as left:
        main(["push", str(stand), "--directions", "1", "-o", str(folder), *SHORT])
    assert left.value.code == 0
    assert (folder / "notes.txt").read_text() == "mine"
    assert not (folder / "pushed-old.toml").exists()
    assert json.loads((folder / "push.json").read_text())["finished"]


def test_ctrl_c_keeps_what_was_found(
    stand: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real, folder = findings.push_test, tmp_path / "cut"

    def cut_short(*given: Any, **options: Any) -> Iterator[findings.Findings]:
        yield from itertools.islice(real(*given, **options), 3)
        raise KeyboardInterrupt

    monkeypatch.setattr(findings, "push_test", cut_short)
    with pytest.raises(SystemExit) as left:
        main(["push", str(stand), "-o", str(folder), "--directions", "1", *SHORT])
    assert left.value.code == 130
    said = capsys.readouterr()
    assert "what was found is kept in" in said.err
    assert "unfinished" in said.out
    assert json.loads((folder / "push.json").read_text())["finished"] is False
    assert "UNFINISHED" in (folder / "certificate.txt").read_text()


def test_ctrl_c_before_the_first_trial_writes_nothing(
    stand: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_short(*_: Any, **__: Any) -> Iterator[findings.Findings]:
        raise KeyboardInterrupt

    monkeypatch.setattr(findings, "push_test", cut_short)
    with pytest.raises(SystemExit) as left:
        main(["push", str(stand), "-o", str(tmp_path / "cut"), *SHORT])
    assert left.value.code == 130
    assert not (tmp_path / "cut").exists()


CASES = {
    "no take": (("nowhere",), "nowhere: no such take"),
    "not a take": (("other",), "other: not a take"),
    "no name": ((), "which take is to be pushed"),
    "no torque": (("a stand", "--torque", "0"), "torque is 0, expected above 0"),
    "less than no torque": (("a stand", "--torque", "-1"), "torque is -1"),
    "an unknown segment": (("a stand", "--segment", "chest"), "no segment 'chest'; there are: pelvis"),
    "no directions": (("a stand", "--directions", "0"), "directions is 0, expected a whole number from 1"),
    "no phases": (("a stand", "--phases", "0"), "phases is 0"),
    "too short": (("a stand", "--seconds", "5"), "seconds is 5, expected at least 8"),
    "a push longer than the pause": (("a stand", "--duration", "5"), "duration is 5 s"),
    "no threads": (("a stand", "--threads", "0", *SHORT), "threads is 0"),
    "a folder in use": (("a stand", "-o", "other"), "other: holds other files"),
    "a file in the way": (("a stand", "-o", "file.txt"), "file.txt: is a file"),
    "no table": (("--people", "nowhere.csv"), "nowhere.csv: no such file"),
    "people and one who stands": (("a stand", "--people", "people.csv"), "does not walk"),
    "people and directions": (
        ("a stand", "--people", "people.csv", "--directions", "4"),
        "--directions has no meaning",
    ),
    "people and no take, but a folder": (("--people", "people.csv", "-o", "sum"), "-o has no meaning without a take"),
    "people and no take, but torque": (("--people", "people.csv", "--torque", "0.5"), "--torque has no meaning"),
    "another table": (("--people", "file.txt"), "file.txt:1: no column 'subject'"),
}


@pytest.fixture
def mistakes(stand: Path, work: Path, shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where mistakes are made."""
    (work / "other").mkdir(exist_ok=True)
    (work / "other" / "thesis.tex").write_text("years of work")
    (work / "file.txt").write_text("x\n")
    (work / "people.csv").write_text((shared_data / "snu_pushed_walking_stats" / "human-data.csv").read_text())
    monkeypatch.chdir(work)
    return work


@pytest.mark.parametrize("case", CASES)
def test_a_mistake_is_one_line(case: str, mistakes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, words = CASES[case]
    with pytest.raises(SystemExit) as left:
        main(["push", *arguments])
    said = capsys.readouterr()
    assert left.value.code == 2, said
    assert said.err.startswith("reenact: ")
    assert len(said.err.splitlines()) == 1
    assert words in said.err
    assert said.out == ""


def test_one_that_falls_by_itself_is_refused(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    limp = standing()
    write_take(work / "limp", replace(limp, controller={**limp.controller, **Ragdoll().to_json()}))
    with pytest.raises(SystemExit) as left:
        main(["push", str(work / "limp")])
    assert left.value.code == 2
    said = capsys.readouterr().err
    assert "the ragdoll controller does not go on for 40 s without a push" in said
    assert len(said.splitlines()) == 1


def test_people_are_summed_up(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["push", "--people", str(shared_data / "snu_pushed_walking_stats" / "human-data.csv")])
    assert left.value.code == 0
    said = capsys.readouterr().out
    assert "322 trials of 15 people" in said
    assert "0.5–0.6" in said
