"""Every command on the bundled walk, as a user would run it."""

from __future__ import annotations

import importlib.util
import json
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reenact.cli import doctor
from reenact.formats.samples import list_samples
from reenact.formats.take import read_take


def test_samples_are_listed_with_their_licence(reenact: Any) -> None:
    done = reenact("samples")
    assert done.returncode == 0
    for sample in list_samples():
        assert f"{sample.name} " in done.stdout
    assert "MIT" in done.stdout


def test_info_says_what_is_in_a_clip(reenact: Any) -> None:
    done = reenact("info", "walk")
    assert done.returncode == 0, done.stderr
    for words in ("joints", "stature", "units"):
        assert words in done.stdout


def test_info_reads_a_fitted_motion(reenact: Any, fitted: Path) -> None:
    done = reenact("info", fitted)
    assert done.returncode == 0, done.stderr
    assert "adult" in done.stdout


def test_fit_prints_the_error(reenact: Any) -> None:
    done = reenact("fit", "jump", "--to", "0.5")
    assert done.returncode == 0, done.stderr
    assert " cm" in done.stdout


def test_fit_to_a_body_of_ones_own(reenact: Any, work: Path) -> None:
    made = reenact("body", "adult", "--sex", "female", "--height", "1.62", "-o", "me.toml")
    assert made.returncode == 0, made.stderr
    done = reenact("fit", "jump", "--to", "0.5", "--body", "me.toml", "-o", "me.npz")
    assert done.returncode == 0, done.stderr
    from reenact.formats.motion_npz import load_motion

    assert load_motion(work / "me.npz").body.stature == pytest.approx(1.62, abs=1e-6)


@pytest.mark.parametrize("name", ["adult", "human50", "robot35"])
def test_bodies_are_shown(reenact: Any, name: str) -> None:
    done = reenact("body", name)
    assert done.returncode == 0, done.stderr
    assert f"{name}:" in done.stdout
    assert "degrees of freedom" in done.stdout


def test_worlds_are_listed_shown_and_written(reenact: Any, work: Path) -> None:
    assert "ice" in reenact("world").stdout
    shown = reenact("world", "ice")
    assert "friction" in shown.stdout
    assert reenact("world", "ice", "-o", "my ice.toml").returncode == 0
    assert (work / "my ice.toml").read_text().strip() == shown.stdout.strip()


def test_simulate_writes_a_take_that_the_audit_accepts(reenact: Any, take: Path, repo: Path) -> None:
    names = {p.name for p in take.iterdir()}
    assert {"take.json", "controller.json", "model.xml", "motion.npz", "reference.npz", "motion.bvh"} <= names
    assert (take / "report.html").read_text().lstrip().lower().startswith("<!doctype html")
    read = read_take(take)
    assert read.seconds == pytest.approx(1.0)
    assert read.info.input.name == "walk.npz"
    assert reenact("audit", take).returncode == 0
    tool = repo.parent / "shared" / "tools" / "audit_take.py"
    if tool.exists():
        done = subprocess.run([sys.executable, tool, take], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


def test_simulate_says_what_happened_and_what_to_open(reenact: Any, work: Path) -> None:
    done = reenact("simulate", "walk", "--to", "1.5", "--world", "ice", "--actuation", "servo", "-o", "on ice")
    assert done.returncode == 0, done.stderr
    info = read_take(work / "on ice").info
    assert info.world == "ice"
    assert {"ok": "did not fall", "fell": "fell: "}[info.status] in done.stdout
    assert info.reason in done.stdout
    assert "honest" in done.stdout
    assert "reenact view 'on ice'" in done.stdout
    assert info.input.name == "walk.bvh"


def test_pushes_are_declared_and_audited(reenact: Any, fitted: Path, work: Path) -> None:
    world = '[[push]]\nsegment = "thorax"\nfrom = "rear"\nnewtons = 100.0\nstart = 0.2\nduration = 0.2\n'
    (work / "pushed.toml").write_text(f'name = "pushed"\n{world}')
    done = reenact("simulate", fitted, "--seconds", "0.8", "--world", "pushed.toml", "-o", "pushed")
    assert done.returncode == 0, done.stderr
    read = read_take(work / "pushed")
    assert read.info.pushes[0]["newtons"] == 100.0
    assert np.abs(read.motion["external"]).max() == pytest.approx(100.0)
    assert reenact("audit", "pushed").returncode == 0


def test_audit_as_json_and_its_verdict_on_a_forged_take(reenact: Any, take: Path, work: Path) -> None:
    done = reenact("audit", take, "--json")
    assert json.loads(done.stdout)["honest"] is True
    forged = work / "forged"
    forged.mkdir()
    for path in take.iterdir():
        (forged / path.name).write_bytes(path.read_bytes())
    with np.load(take / "motion.npz") as archive:
        motion = dict(archive)
    motion["qpos"][40, 2] += 0.01
    np.savez(forged / "motion.npz", **motion)
    done = reenact("audit", forged)
    assert done.returncode == 1
    assert "not honest" in done.stdout


@pytest.mark.parametrize("kind", ["bvh", "trc", "mot", "csv", "glb"])
def test_export_writes_a_file_that_reads_back(reenact: Any, take: Path, work: Path, kind: str) -> None:
    done = reenact("export", take, "--to", kind, "-o", f"out/walk.{kind}")
    assert done.returncode == 0, done.stderr
    path = work / "out" / f"walk.{kind}"
    assert path.stat().st_size > 1000
    if kind in ("bvh", "trc", "mot"):
        from reenact.formats.read import read_clip

        assert read_clip(path).duration == pytest.approx(1.0, abs=0.02)


def test_export_names_the_file_after_the_take(reenact: Any, fitted: Path, work: Path) -> None:
    done = reenact("export", fitted, "--to", "csv")
    assert done.returncode == 0, done.stderr
    assert (work / "walk.csv").exists()


def test_contacts_are_told_by_part(reenact: Any, take: Path, work: Path) -> None:
    done = reenact("contacts", take, "--csv", "forces.csv", "--summary", "parts.csv")
    assert done.returncode == 0, done.stderr
    assert "foot_right" in done.stdout
    motion = read_take(take).motion
    from reenact.formats.csv_table import read_csv

    table = read_csv(work / "forces.csv")
    upward = sum(table.column(name) for name in table.columns if name.endswith("_fz"))
    np.testing.assert_allclose(upward, motion["support"], atol=0.02)
    np.testing.assert_allclose(table.time, motion["time"][1:])
    rows = [line.split(",") for line in (work / "parts.csv").read_text().splitlines()]
    assert rows[0][:2] == ["part", "peak_force_N"]
    impulse = sum(float(row[6]) for row in rows[1:])
    assert impulse == pytest.approx(float(motion["support"].mean()) * float(motion["time"][-1]), rel=1e-3)


def test_contacts_of_two_takes_side_by_side(reenact: Any, take: Path, fitted: Path, work: Path) -> None:
    assert reenact("simulate", fitted, "--seconds", "0.5", "--world", "crash_pad", "-o", "on pad").returncode == 0
    done = reenact("contacts", take, "on pad", "--summary", "both.csv", "--figure", "both.html")
    assert done.returncode == 0, done.stderr
    head = done.stdout.splitlines()[:2]
    assert head[0].split() == ["peak", "N"] * 2 + ["impulse", "N·s"] * 2 + ["contact", "s"] * 2
    assert head[1].split() == ["part", *(["walk", "take", "on", "pad"] * 3)]
    assert "Written to both.html" in done.stdout
    rows = [line.split(",") for line in (work / "both.csv").read_text().splitlines()]
    assert rows[0][:3] == ["take", "part", "peak_force_N"]
    assert {row[0] for row in rows[1:]} == {"walk take", "on pad"}
    alone = reenact("contacts", take).stdout.splitlines()[2].split()
    shown = next(line.split() for line in done.stdout.splitlines() if line.startswith(alone[0]))
    assert shown[1] == alone[1], "the first take's peak"
    assert (work / "both.html").read_text().count("<svg viewBox") > 20


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "no take was named"),
        (["walk take", "walk take", "--csv", "x.csv"], "forces of one take"),
        (["walk take", "--figure", "x.png"], ".html"),
        (["walk take", "nowhere", "--figure", "x.html"], "nowhere"),
    ],
)
def test_contacts_refuses_in_one_line(reenact: Any, take: Path, work: Path, arguments: list[str], words: str) -> None:
    done = reenact("contacts", *arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert not any((work / name).exists() for name in ("x.csv", "x.png", "x.html"))


def test_contacts_refuses_a_folder_to_write_to(reenact: Any, take: Path) -> None:
    done = reenact("contacts", take, "--csv", take)
    assert done.returncode == 2
    assert "is a folder" in done.stderr


def test_render_makes_a_picture(reenact: Any, take: Path, work: Path) -> None:
    if "rendering without a screen" not in _ok_lines(reenact("doctor").stdout):
        pytest.skip("no off-screen OpenGL here")
    done = reenact("render", take, "-o", "walk.png", "--size", "640", "360")
    assert done.returncode == 0, done.stderr
    assert (work / "walk.png").read_bytes().startswith(b"\x89PNG")


def test_view_serves_this_machine_until_stopped(take: Path) -> None:
    pytest.importorskip("viser")
    command = [sys.executable, "-m", "reenact", "view", str(take), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as page:
        assert page.stdout is not None
        line = page.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+", line)
        assert address is not None, line
        with urllib.request.urlopen(address.group(), timeout=30) as answer:
            assert answer.status == 200
        page.send_signal(signal.SIGINT)
        _, error = page.communicate(timeout=30)
    assert (page.returncode, error) == (0, "")


def test_doctor_finds_what_the_tests_run_on(reenact: Any) -> None:
    done = reenact("doctor")
    assert done.returncode == 0, done.stdout
    for name in ("Python", "MuJoCo", "compiler cache"):
        assert name in _ok_lines(done.stdout)
    assert ("viser installed" in done.stdout) == (importlib.util.find_spec("viser") is not None)


def _ok_lines(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if line.startswith("ok"))


def test_doctor_spells_out_what_to_install(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    missing = doctor.Finding(name="x", ok=False, detail="[bold]", advice="pip install 'reenact[view]'", essential=True)
    monkeypatch.setattr(doctor, "findings", lambda: iter([missing]))
    assert doctor.doctor() == 2
    text = capsys.readouterr().out
    assert "pip install 'reenact[view]'" in text
    assert "[bold]" in text


def test_doctor_tells_whether_the_networks_weights_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def row() -> doctor.Finding:
        return next(each for each in doctor.findings() if each.name == "pose network's weights")

    monkeypatch.setattr(doctor, "_outcome", lambda *_: ("", None))  # no process for what is not looked at here
    monkeypatch.setenv("REENACT_CACHE_DIR", str(tmp_path))
    found = row()
    assert not found.ok
    assert not found.essential, "all but the network works without"
    assert "reenact network fetch" in found.advice
    assert "0 of 2 files" in found.detail
    assert str(tmp_path) in found.detail
    monkeypatch.setattr("reenact.observe.network.weights._sound", lambda each: True)
    assert row().ok
    monkeypatch.setattr("reenact.observe.network.weights._sound", lambda each: "landmark" in each.name)
    assert "1 of 2 files" in row().detail


def test_a_fitted_motion_goes_to_another_body(reenact: Any, work: Path) -> None:
    reenact("fit", "jump", "--to", "0.4", "-o", "jump.npz")
    done = reenact("simulate", "jump.npz", "--body", "robot35", "-o", "robot")
    assert "on robot35 in flat" in done.stdout
    assert "honest" in (work / "robot" / "report.html").read_text()
