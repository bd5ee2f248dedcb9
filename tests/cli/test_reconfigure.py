"""`jumpnet reconfigure`: keys of its JSON, the picture, certificates and one-line errors."""

from __future__ import annotations

import json

import pytest

from jumpnet.cli import main


def _run(words, capsys, monkeypatch) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.argv", ["jumpnet", "reconfigure", *map(str, words)])
    with pytest.raises(SystemExit) as stop:
        main()
    said = capsys.readouterr()
    return int(stop.value.code or 0), said.out, said.err


def test_json_and_picture(capsys, monkeypatch, tmp_path) -> None:
    (tmp_path / "map.csv").write_text("row,column\n5,6\n9,9\n0,3\n")
    words = ["srt2d:16", "--spares", 1, "--defects", tmp_path / "map.csv", "--method", "local", "--json"]
    status, out, _ = _run([*words, "--draw", tmp_path / "map.svg"], capsys, monkeypatch)
    row = json.loads(out)
    assert status == 0 and row["repaired"] and row["verified"] and row["isomorphic"] and row["certificate"] is None
    assert row["defects"] == 3 and row["core_faults"] == 2 and len(row["paths"]) == 2
    assert len(row["mapping"]) == 256 and [5, 6] not in row["mapping"] and row["longest_wire"] >= 8
    assert len(row["switches"]["horizontal_links"]) == 18 and row["switches"]["states"][1] == "cross"
    assert (tmp_path / "map.svg").read_bytes().startswith(b"<?xml")


def test_a_wafer_beyond_repair_says_why(capsys, monkeypatch, tmp_path) -> None:
    (tmp_path / "map.json").write_text(json.dumps({"defects": [[1 + i, 1 + j] for i in range(4) for j in range(4)]}))
    words = ["torus:4x4", "--defects", tmp_path / "map.json", "--method", "exact"]
    status, out, _ = _run([*words, "--json"], capsys, monkeypatch)
    row = json.loads(out)
    assert status == 0 and not row["repaired"] and row["longest_wire"] is None and row["unrepaired"]
    assert row["certificate"]["kind"] == "cut" and len(row["certificate"]["elements"]) < len(
        row["certificate"]["enclosed"]
    )
    assert row["certificate"]["checked"] and row["certificate"]["moves"] == "any"
    assert "in order can mend it" in _run(words, capsys, monkeypatch)[1]
    (tmp_path / "map.json").write_text(json.dumps({"defects": [[1, 1], [1, 2], [1, 3]]}))
    words += ["--spares", 2, "--sides", "E"]
    (tmp_path / "map.json").write_text(json.dumps({"defects": [[1, c] for c in (0, 2, 4)]}))
    status, out, _ = _run([*words, "--json"], capsys, monkeypatch)
    why = json.loads(out)["certificate"]
    assert why["kind"] == "cut" and why["checked"] and len(why["region"]) > len(why["elements"])


def test_a_conflict_is_checked_by_trying_all_choices(capsys, monkeypatch) -> None:
    for spares, density, seed, kind in ((1, 0.15, 1, "conflict"), (2, 0.25, 2, "lines")):
        words = ["torus:8x8", "--method", "exact", "--spares", spares, "--density", density, "--seed", seed, "--json"]
        why = json.loads(_run(words, capsys, monkeypatch)[1])["certificate"]
        assert why["kind"] == kind and why["checked"] is True


def test_broken_links_are_shifted_off_drawn_or_named(capsys, monkeypatch, tmp_path) -> None:
    (tmp_path / "map.json").write_text(json.dumps({"links": [[3, 3, "E"]], "switches": [[5, 2, "S", 0]]}))
    words = ["srt2d:8", "--defects", tmp_path / "map.json"]
    for method in ("local", "graph", "exact"):
        status, out, _ = _run([*words, "--method", method, "--json"], capsys, monkeypatch)
        row = json.loads(out)
        assert status == 0 and row["verified"] and row["isomorphic"] and row["broken_switches"] == 2
        assert {tuple(path[0]) for path in row["paths"]} == {(3, 3), (3, 4), (5, 2), (6, 2)}
    _run([*words, "--draw", tmp_path / "map.svg"], capsys, monkeypatch)
    (tmp_path / "map.json").write_text(json.dumps({"links": []}))
    _run([*words, "--draw", tmp_path / "plain.svg"], capsys, monkeypatch)
    assert (tmp_path / "map.svg").read_bytes() != (tmp_path / "plain.svg").read_bytes()
    (tmp_path / "map.json").write_text(json.dumps({"links": [[4, 0, "E"]]}))
    assert "beside a spare of logical rows 3" in _run(words, capsys, monkeypatch)[1]


def test_yield_rows(capsys, monkeypatch) -> None:
    words = ["torus:8x8", "--wafers", 60, "--density", 0.08, "--method", "all", "--json"]
    status, out, _ = _run(words, capsys, monkeypatch)
    rows = [json.loads(line) for line in out.splitlines()]
    assert status == 0 and [r["method"] for r in rows] == ["exact", "graph", "local", "bound"]
    assert all(r["low"] <= r["yield"] <= r["high"] for r in rows)


def test_yield_over_densities_as_rows_and_curves(capsys, monkeypatch, tmp_path) -> None:
    words = ["torus:8x8", "--wafers", 40, "--density", "0.02,0.06,0.12", "--method", "all", "--json"]
    status, out, _ = _run([*words, "--draw", tmp_path / "yield.svg"], capsys, monkeypatch)
    rows = [json.loads(line) for line in out.splitlines()]
    assert status == 0 and [r["density"] for r in rows] == [d for d in (0.02, 0.06, 0.12) for _ in range(4)]
    exact = [r["yield"] for r in rows if r["method"] == "exact"]
    assert exact == sorted(exact, reverse=True) and exact[0] > exact[-1]
    assert (tmp_path / "yield.svg").read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["torus:4x4", "--defects", "no-such.csv"], "a defect file expected"),
        (["torus:4x4", "--draw", "map.gif"], "unknown picture format"),
        (["torus:4x4", "--wafers", "10", "--defects", "map.csv"], "--wafers and --defects"),
        (["torus:4x4", "--density", "0.01", "--defects", "map.csv"], "how to draw them (density) found"),
        (["torus:4x4", "--seed", "2", "--track-density", "0.1", "--defects", "a.csv"], "them (seed, track density)"),
        (["torus:4x4", "--method", "lokal"], "did you mean 'local'"),
        (["torus:4x4", "--method", "all"], "--method all found without --wafers"),
        (["torus:4x4", "--wafers", "10", "--method", "bond"], "did you mean 'bound'"),
        (["torus:4x4", "--track-density", "nan"], "track density nan found"),
        (["torus:4x4", "--density", "nan"], "density nan found"),
        (["torus:4x4", "--density", "0.1,0.2"], "without --wafers found, one number expected"),
        (["torus:4x4", "--density", "0.1,x", "--wafers", "5"], "a number expected, or with --wafers"),
        (["torus:4"], "two-dimensional"),
    ],
)
def test_errors(words, message, capsys, monkeypatch) -> None:
    status, _, err = _run(words, capsys, monkeypatch)
    assert status == 2 and message in err and err.count("\n") == 1
