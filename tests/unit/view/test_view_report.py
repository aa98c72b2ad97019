from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path

from standing_take import standing_take

from reenact.formats.take import Source, Take
from reenact.physics.audit import audit_motion
from reenact.view.recording import recording_of
from reenact.view.report import report_html, write_report


def test_names_from_the_take_cannot_become_markup(take: Take) -> None:
    hostile = '</script><img src=x onerror="boom()">{{script}}'
    info = replace(take.info, input=Source(name=hostile, sha256="0" * 64), reason=hostile, versions={hostile: hostile})
    page = report_html(replace(take, info=info), name=hostile)
    assert "<img" not in page
    assert page.count("<script") == 2
    assert page.count("</script>") == 2
    assert page.count("{{script}}") >= 3, "a value that looks like a placeholder is shown, not expanded"


def test_the_page_asks_for_nothing_from_outside(take: Take) -> None:
    page = report_html(take)
    assert "default-src 'none'" in page
    assert not re.search(r"""(?:src|href)\s*=\s*["'](?!data:)""", page)
    assert not re.search(r"https?://|fetch\(|XMLHttpRequest|import\(|@import|url\(", page)


def test_every_script_and_placeholder_is_filled(take: Take) -> None:
    page = report_html(take)
    assert not re.search(r"\{\{\w+\}\}", page)
    for part in ("class Renderer", "class Player", "class Plots", "class Camera", "window.reenact"):
        assert page.count(part) == 1


def test_it_is_written_into_the_folder_whole(take_folder: Path, tmp_path: Path) -> None:
    path = write_report(take_folder)
    assert path == take_folder / "report.html"
    assert path.read_text(encoding="utf-8") == report_html(take_folder)
    assert [p.name for p in take_folder.iterdir() if p.name.startswith(".")] == []
    assert write_report(take_folder, tmp_path / "other.html").exists()


def test_the_audit_is_told_where_there_is_one(take: Take) -> None:
    recording = recording_of(take)
    audit = audit_motion(recording.model, take.motion, take.reference, declared=False)
    assert audit.honest, audit.faults
    assert "Audit: honest" in report_html(take, audit=audit)
    caught = replace(audit, honest=False, faults=("step 3 leaves 2 N <unexplained>",))
    page = report_html(take, audit=caught)
    assert "Audit: not honest" in page
    assert "step 3 leaves 2 N &lt;unexplained&gt;" in page
    assert "Audit:" not in report_html(take)


def test_a_motion_that_was_not_done_is_no_success_on_the_page(take: Take) -> None:
    """A body that stepped off its beam was simulated to the end, so its status is "ok"."""
    info = replace(take.info, status="ok", reason="stepped off: the foot", metrics={"success": False})
    page = report_html(replace(take, info=info))
    assert '<span class="status" data-status="bad">Not done</span>' in page
    assert '<span class="reason" data-status="bad">stepped off: the foot</span>' in page
    assert 'data-status="good"' not in page.split("</header>")[0].split("<header>")[1]
    done = report_html(replace(take, info=replace(info, reason="", metrics={"success": True})))
    assert '<span class="status" data-status="good">Done</span>' in done


def test_ten_seconds_stay_small_and_quick() -> None:
    long = standing_take(seconds=10.0)
    begun = time.process_time()
    page = report_html(long)
    assert time.process_time() - begun < 2.0
    assert len(page.encode()) < 2.5e6
