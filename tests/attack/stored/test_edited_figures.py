"""Points whose figures were edited and whose digests fit: one line with the store and the point, from every verb."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from jumpnet.cli import main
from jumpnet.study.digest import text_digest
from jumpnet.study.names import Names
from jumpnet.study.repair import check, repair
from jumpnet.study.results import open_plan
from jumpnet.study.run import states
from jumpnet.study.settings import MODEL
from jumpnet.study.store import Store

STUDY = '[[sweep]]\nnetwork = "torus:4x4"\nload = [0.1, 0.2]\n'
FIGURES = {
    "accepted_load": 0.1, "packet_latency_mean_cycles": 9.5, "packet_latency_half_width_cycles": None,
    "saturated": False,
}  # fmt: skip


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    from jumpnet.study.point import resolve

    monkeypatch.setenv("JUMPNET_QUIET", "1")
    path = tmp_path / "s.toml"
    path.write_text(STUDY)
    plan = open_plan(path)
    with Store(path.with_suffix(".sqlite")) as store:
        for _, _, name, _ in list(states(plan, store, Names(store, resolve, MODEL))):
            store.finish(name, {}, FIGURES, {})
    return path


def edit(study: Path, text: str) -> str:
    """The figures of a point made others, its digest too; the point's name."""
    with closing(sqlite3.connect(study.with_suffix(".sqlite"))) as db, db:
        row = db.execute("SELECT * FROM results ORDER BY hash").fetchone()
        new = (*row[:2], text, *row[3:5])
        db.execute("UPDATE results SET result=?, digest=? WHERE hash=?", (text, text_digest(*new), row[0]))
    return str(row[0])


def said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: object) -> tuple[int, str, str]:
    """Status, standard output and error stream of `jumpnet WORDS`, run here."""
    monkeypatch.setattr("sys.argv", ["jumpnet", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    found = capsys.readouterr()
    return int(ended.value.code or 0), found.out, found.err


@pytest.mark.parametrize(
    "text", ["{", "[1]", "{},{}", '{"a":NaN}', '{"a":-Infinity}', '{"a":1e999}', f'{{"a":1{"0" * 400}}}']
)
def test_figures_that_are_none_are_damage(
    study: Path, text: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name, store = edit(study, text), study.with_suffix(".sqlite")
    for words in (["results", study, "--json"], ["sweep", study], ["plot", study]):
        status, out, told = said(capsys, monkeypatch, *words)
        assert status == 2 and out == "" and told.count("\n") == 1
        assert f"{store} is damaged: point {name}: it" in told and "`jumpnet store repair`" in told
    assert not check(store).whole and repair(store)[1] is not None and check(store).whole
    status, out, _ = said(capsys, monkeypatch, "results", study, "--json")
    assert status == 0 and len(json.loads(out)["hash"]) == len(name)


ODD = [{}, FIGURES | {"saturated": []}, FIGURES | {"saturated": None}, FIGURES | {"kind": "none"}] + [
    FIGURES | {key: value}
    for key in ("accepted_load", "packet_latency_mean_cycles", "packet_latency_half_width_cycles")
    for value in ("x", [1], {"a": 1})
    if key != "packet_latency_half_width_cycles" or value == "x"
]


@pytest.mark.parametrize("figures", ODD, ids=range(len(ODD)))
def test_odd_figures_are_not_drawn(
    study: Path, figures: dict[str, object], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = edit(study, json.dumps(figures))
    edit(study, json.dumps(figures))
    status, out, told = said(capsys, monkeypatch, "plot", study)
    if figures.get("kind"):  # the other point is drawn, and this one left out
        assert status == 0 and "1 point in" in out
    else:
        assert status == 2 and told.count("\n") == 1 and f"s.sqlite: point {name} has " in told
