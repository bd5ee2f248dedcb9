"""`jumpnet degrade`: the table as JSON, certificates as files, one-line errors."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from jumpnet.analysis.what_is_left import what_is_left
from jumpnet.cli import main
from jumpnet.fault.random_faults import with_faults
from jumpnet.topology import build


def _run(words, capsys, monkeypatch, verb="degrade") -> tuple[int, str, str]:
    monkeypatch.setattr("sys.argv", ["jumpnet", verb, *map(str, words)])
    with pytest.raises(SystemExit) as stop:
        main()
    said = capsys.readouterr()
    return int(stop.value.code or 0), said.out, said.err


def test_table_and_certificates(capsys, monkeypatch, tmp_path) -> None:
    words = ["torus:4x4", "--faults", "0,2", "--kind", "links", "--seeds", 2, "--routing", "up_down"]
    status, out, _ = _run([*words, "--json", "--certificates", tmp_path / "proofs"], capsys, monkeypatch)
    rows = [json.loads(line) for line in out.splitlines()]
    assert status == 0 and [row["faults"] for row in rows] == [0, 2]
    for row in rows:
        assert row["verdicts"] == {"free": 2} and row["reachable"] == {"mean": 1.0, "half_width": 0.0}
        assert all(0 < p["saturation_load"] <= p["saturation_throughput"] * 1.1 for p in row["points"])
        assert len({p["certificate"] for p in row["points"]}) == (1 if row["faults"] == 0 else 2)
    assert len(np.load(tmp_path / "proofs" / "links-2-seed-1.npy")) == 16 * 4
    status, out, _ = _run([*words, "--no-simulate", "--draw", tmp_path / "a.svg"], capsys, monkeypatch)
    assert status == 0 and "2 free" in out and "saturation" not in out
    assert (tmp_path / "a.svg").read_bytes().startswith(b"<?xml")


def test_faults_during_a_simulation(capsys, monkeypatch) -> None:
    words = ["torus:4x4", "--load", "0.3", "--packet-flits", "4", "--set", "measure_cycles=800", "--set", "vcs=4"]
    words += ["--fault", "cycle=300,link=0-1", "--fault", "cycle=500,router=7", "--retry-cycles", "20"]
    status, out, _ = _run([*words, "--json"], capsys, monkeypatch, "simulate")
    row = json.loads(out)
    assert status == 0 and row["spec"] == "torus:4x4" and row["fault_verdicts"] == ["free", "free"]
    assert row["endpoints_left"] == 15 and row["lost"] == row["cut_off"] and row["drained"]
    wrong = ["torus:4x4", "--fault", "cycle=9,link=0-1", "--trace", "no-such.csv"]
    status, _, err = _run(wrong, capsys, monkeypatch, "simulate")
    assert status == 2 and err.count("\n") == 1


def test_what_faults_leave_by_name(capsys, monkeypatch) -> None:
    words = ["mesh:3x3", "--fault", "router=1", "--fault", "link=4-3,router=8"]
    status, out, _ = _run([*words, "--json"], capsys, monkeypatch)
    found = json.loads(out)
    assert status == 0 and found["working"] == 7 and found["pieces"] == 1 and found["diameter"] == 6
    assert found == what_is_left(build("mesh:3x3"), [1, 8], [(3, 0)]).rows()[0]
    status, out, _ = _run(words, capsys, monkeypatch)
    assert status == 0 and f"{found['average_distance']:.4f}" in out and f"{100 * found['joined']:.1f} %" in out


def test_what_one_drawn_set_of_faults_leaves_is_told_to_people_alone(capsys, monkeypatch) -> None:
    net = build("mesh:3x3")
    drawn = {seed: with_faults(net, "links", 1, seed)[1].tolist() for seed in range(1, 20)}
    seed, [link] = next((seed, faults) for seed, faults in drawn.items() if faults[0][1] == 0)  # a port of number 0
    words = ["mesh:3x3", "--faults", "1", "--kind", "links", "--seeds", 1, "--seed", seed, "--no-simulate"]
    status, out, said = _run([*words, "--json"], capsys, monkeypatch)
    assert (
        status == 0 and [json.loads(line)["faults"] for line in out.splitlines()] == [1] and "what is left" not in said
    )
    status, out, _ = _run(words, capsys, monkeypatch)
    left = what_is_left(net, [], [tuple(link)])
    assert status == 0 and left.working == 9 and left.average_distance is not None
    assert re.search(r"routers that work +│ 9 ", out) and f"{float(left.average_distance):.4f}" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["torus:4x4", "--faults", "0;2"], "numbers such as 0,1,2,5,10 expected"),
        (["torus:4x4", "--faults", "40"], "40 faulty nodes found, 0 to 16 expected"),
        (["torus:4x4", "--kind", "lnks"], "did you mean 'links'"),
        (["torus:4x4", "--routing", "lsah"], "did you mean 'lash'"),
        (["torus:4x4", "--seeds", "0"], "--seeds 0 found"),
        (["torus:4x4", "--seed", "-3"], "seed -3 found"),
        (["torus:4x4", "--fault", "router=3", "--seed", "2"], "--seed together with --fault found"),
        (["torus:4x4", "--fault", "router=16"], "faulty router 16 found, 0 to 15 expected"),
    ],
)
def test_errors(words, message, capsys, monkeypatch) -> None:
    status, _, err = _run(words, capsys, monkeypatch)
    assert status == 2 and message in err and err.count("\n") == 1


def test_too_many_faults_are_refused_before_anything_is_computed(capsys, monkeypatch, tmp_path) -> None:
    words = ["torus:4x4", "--faults", "1,999", "--certificates", tmp_path / "proofs"]
    status, _, err = _run(words, capsys, monkeypatch)
    assert status == 2 and "999 faulty nodes found, 0 to 16 expected" in err
    assert list((tmp_path / "proofs").iterdir()) == []
