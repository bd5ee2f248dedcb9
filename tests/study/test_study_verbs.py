"""The verbs of a study, end to end on four small points: sweep, sweep again, results, plot, replay, bad input."""

from __future__ import annotations

import contextlib
import io
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from unittest import mock

import pytest

from jumpnet.cli import main
from jumpnet.errors import JumpnetError
from jumpnet.study.results import frame, open_plan, rows
from jumpnet.study.store import Store

STUDY = """
[settings]
packet_flits = 2
warmup_cycles = 200
measure_cycles = 500
[[sweep]]
network = ["torus:4x4", "mesh:4x4"]
routing = ["torus.dateline", "mesh.dimension_order"]
zip = [["network", "routing"]]
vcs = 2
load = [0.05, 0.1]
"""


def _jumpnet(*words: object) -> subprocess.CompletedProcess[str]:
    """A command, without another process."""
    printed, said = io.StringIO(), io.StringIO()
    argv = mock.patch.object(sys, "argv", ["jumpnet", *map(str, words)])
    with argv, contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said):
        try:
            main()
            status = 0
        except SystemExit as end:
            status = int(end.code or 0)
    return subprocess.CompletedProcess(words, status, printed.getvalue(), said.getvalue())


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("study") / "four.toml"
    path.write_text(STUDY)
    first = _jumpnet("sweep", path, "--json", "--workers", 2)
    assert json.loads(first.stdout) == {
        "study": "four",
        "store": str(path.with_suffix(".sqlite")),
        "points": 4,
        "run": 4,
    }
    return path


def test_nothing_is_run_twice(study: Path) -> None:
    again = _jumpnet("sweep", study, "--json")
    assert json.loads(again.stdout)["run"] == 0


def test_a_store_without_its_study_is_listed_whole(study: Path) -> None:
    """As `jumpnet metrics four.sqlite` says; sweeps in Python and curves have no study file."""
    store = study.with_suffix(".sqlite")
    by_file = {row["hash"]: row for row in rows(study)}
    found = rows(store)
    assert [(r["spec"], r["load"]) for r in found] == [
        ("mesh:4x4", 0.05), ("mesh:4x4", 0.1), ("torus:4x4", 0.05), ("torus:4x4", 0.1),
    ]  # fmt: skip
    for row in found:
        assert row.items() <= by_file[row["hash"]].items()
    listed = _jumpnet("results", store)
    assert listed.returncode == 0 and listed.stdout.startswith(f"{store}: 4 points")


def test_a_command_that_is_told_can_be_copied_into_a_shell(tmp_path: Path) -> None:
    path = tmp_path / "my study.toml"
    path.write_text(STUDY)
    with pytest.raises(JumpnetError, match=r"no store found; `jumpnet sweep '.*/my study\.toml'` makes it$"):
        rows(path)


@pytest.mark.parametrize("verb", ["sweep", "plot"])
def test_a_store_is_no_study(study: Path, verb: str) -> None:
    refused = _jumpnet(verb, study.with_suffix(".sqlite"))
    assert refused.returncode == 2
    assert refused.stderr.endswith("a store found, its study file (TOML) expected; `jumpnet results` lists a store\n")


def test_results_in_the_order_of_the_file(study: Path) -> None:
    found = rows(study)
    assert [(r["spec"], r["load"]) for r in found] == [
        ("torus:4x4", 0.05),
        ("torus:4x4", 0.1),
        ("mesh:4x4", 0.05),
        ("mesh:4x4", 0.1),
    ]
    shown = _jumpnet("results", study, "--json").stdout.splitlines()
    assert [json.loads(line)["hash"] for line in shown] == [r["hash"] for r in found]
    table = frame(study)
    assert list(table["hash"]) == [r["hash"] for r in found]
    assert len(_jumpnet("results", study, "--csv").stdout.splitlines()) == 5


def test_points_that_are_not_there_are_told(study: Path, tmp_path: Path) -> None:
    """A row whose hash was edited went missing without a word."""
    for end in (".toml", ".sqlite"):
        (tmp_path / f"four{end}").write_bytes(study.with_suffix(end).read_bytes())
    moved = tmp_path / "four.toml"
    assert _jumpnet("results", moved).stderr == ""
    name, lost = (row["hash"] for row in rows(moved)[:2])
    for change, said in (
        ("DELETE FROM results WHERE hash=?", "3 of 4 points there"),
        (
            "UPDATE results SET hash='0' || hash WHERE hash=?",
            f"2 of 4 points there; 1 point of the store damaged, such as '0{name}': see",
        ),
    ):
        with closing(sqlite3.connect(moved.with_suffix(".sqlite"), isolation_level=None)) as db:
            db.execute(change, (name if "UPDATE" in change else lost,))
        for words in (["results", moved], ["results", moved, "--json"], ["plot", moved, "--json"]):
            found = _jumpnet(*words)
            assert found.returncode == 0 and f"jumpnet: {moved}: {said}" in found.stderr
    with closing(sqlite3.connect(moved.with_suffix(".sqlite"), isolation_level=None)) as db:
        db.execute("DELETE FROM results WHERE hash NOT LIKE '0%' OR length(hash) = 16")
    none = _jumpnet("plot", moved)
    assert none.returncode == 2 and none.stderr.count("\n") == 1
    assert "no finished points found; 1 point of the store damaged" in none.stderr


def test_listing_loads_neither_compiler_nor_simulator(study: Path) -> None:
    code = "import sys; from jumpnet.cli import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    words = ["results", str(study), "--csv"]
    for _ in range(2):  # the first may follow an edit of the sources
        done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert "jumpnet.study.store" in loaded and len(done.stdout.splitlines()) == 5
    assert not loaded & {"numba", "scipy", "pandas", "matplotlib", "jumpnet.networks", "jumpnet.sim.engine"}


def test_a_picture(study: Path) -> None:
    out = study.with_suffix(".svg")
    assert _jumpnet("plot", study).returncode == 0
    assert out.read_text().lstrip().startswith("<?xml")
    packets = out.read_bytes()
    assert _jumpnet("plot", study, "--latency", "flit").returncode == 0 and out.read_bytes() != packets
    bad = _jumpnet("plot", study, "--latency", "hop")
    assert bad.returncode == 2 and "flit" in bad.stderr
    looks = study.with_name("own.mplstyle")
    looks.write_text('lines.linewidth: 4  # thick\nlines.color: "#ff0000"  # red\n', encoding="utf-8")
    seen = {packets}
    for more in (
        ("--over", "offered"), ("--log",), ("--per", "link"), ("--per", "port"), ("--per", "length"),
        ("--title", "own"), ("--style", looks), ("--style", "grayscale"),
    ):  # fmt: skip
        assert _jumpnet("plot", study, *more).returncode == 0
        assert out.read_bytes() not in seen, more
        seen.add(out.read_bytes())
    assert _jumpnet("plot", study, "--per", "port").returncode == 0
    by_port = out.read_bytes()
    assert _jumpnet("plot", study, "--per", "pin").returncode == 0 and out.read_bytes() == by_port
    looks.write_text("lines.linewidth: 4\nfigure.hooks: os:getcwd\n", encoding="utf-8")
    for more, said in (
        (("--over", "received"), "unknown load to draw over 'received'"),
        (("--per", "tile"), "unknown unit of load 'tile'"),
        (("--style", "ggplott"), "did you mean 'ggplot'?"),
        (("--style", looks), "own.mplstyle, line 2: 'figure.hooks: os:getcwd' found, a setting of how a picture looks"),
    ):
        bad = _jumpnet("plot", study, *more)
        assert bad.returncode == 2 and said in bad.stderr and bad.stderr.count("\n") == 1
    bad = _jumpnet("plot", study, "--out", "x.gif")
    assert bad.returncode == 2 and "unknown picture format 'gif'" in bad.stderr


def test_replay_is_equal_bit_by_bit_and_sees_a_changed_figure(study: Path) -> None:
    store = study.with_suffix(".sqlite")
    name = rows(study)[0]["hash"]
    same = _jumpnet("replay", name[:8], "--store", store, "--json")
    assert json.loads(same.stdout) == {"hash": name, "equal": True, "differing": [], "not_stored": []}
    with Store(store) as opened:
        changed = {**opened.get(name).result, "hops_mean": 99.0}
        del changed["fairness_jain"]
        before = opened.get(name)
        opened._db.execute("DELETE FROM results WHERE hash=?", (name,))
        opened.finish(name, before.config, changed, before.provenance)
    other = _jumpnet("replay", name, "--store", store, "--json")
    said = json.loads(other.stdout)
    assert other.returncode == 1 and said["differing"] == ["hops_mean"] and said["not_stored"] == ["fairness_jain"]


def test_shipped_studies_are_valid() -> None:
    folder = Path(__file__).parents[2] / "studies"
    plans = {path.stem: open_plan(path) for path in sorted(folder.glob("*.toml"))}
    assert sum(len(c.loads) for c in plans["small"].curves) == 40
    assert len(plans["yang2001"].curves) == 24


def test_a_picture_has_the_title_of_the_study_or_its_name(tmp_path: Path) -> None:
    path = tmp_path / "stem.toml"
    path.write_text("[study]\nname = 'Named'\n" + STUDY)
    assert _jumpnet("sweep", path, "--workers", 1).returncode == 0
    for about, shown in (("name = 'Named'", "Named"), ("name = 'Named'\ntitle = 'A $\\foo$ title'", r"A $\foo$ title")):
        path.write_text(f"[study]\n{about}\n{STUDY}")
        done = _jumpnet("plot", path, "--out", tmp_path / "a.svg")
        assert done.returncode == 0, done.stderr
        assert f"<!-- {shown} -->" in (tmp_path / "a.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[sweep]]\nnetwork = 'torsu:4x4'\nload = 0.1", "unknown family 'torsu'; did you mean 'torus'?"),
        ("[[sweep]]\nnetwork = 'torus:4x4'\nrouting = 'torus.datelin'\nload = 0.1", "did you mean 'torus.dateline'?"),
        ("[[sweep]]\nnetwork = 'torus:4x4'\nbuffer_flits = 0\nload = 0.1", "buffer_flits 0 found"),
        ("[[sweep]]\nnetwork = 'torus:4x4'\nbufer_flits = 4", "did you mean 'buffer_flits'?"),
    ],
)
def test_bad_studies_end_before_anything_runs(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    done = _jumpnet("sweep", path)
    assert done.returncode == 2 and message in done.stderr and done.stderr.count("\n") == 1
    assert not path.with_suffix(".sqlite").exists()


def test_a_job_too_big_for_its_workers_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "big.toml"
    path.write_text("[[sweep]]\nnetwork = 'torus:64x64'\nbuffer_flits = 64\nload = 0.1")
    monkeypatch.setenv("JUMPNET_MEMORY_LIMIT", "30000000")
    done = _jumpnet("sweep", path)
    assert done.returncode == 2 and "torus:64x64" in done.stderr and "MB" in done.stderr
