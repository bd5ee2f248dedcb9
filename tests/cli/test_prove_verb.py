"""`jumpnet prove`: the keys of its JSON, its words, the picture and the certificate, and one-line errors."""

from __future__ import annotations

import json
from typing import get_args

import numpy as np
import pytest

from jumpnet.analysis.deadlock import dependency
from jumpnet.analysis.deadlock.certificates.check import check_certificate
from jumpnet.analysis.deadlock.changes.changeover import Changeover, prove_changeover
from jumpnet.analysis.deadlock.cycles.checker import accepts
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.how import HOW, How
from jumpnet.analysis.deadlock.ways_to_graph.digits import graph
from jumpnet.cli import main
from jumpnet.routings import bind
from jumpnet.topology import build


def prove_verb(monkeypatch, *words):
    """Run the verb; its exit status."""
    monkeypatch.setattr("sys.argv", ["jumpnet", "prove", *map(str, words)])
    with pytest.raises(SystemExit) as caught:
        main()
        raise SystemExit(0)
    return caught.value.code or 0


def test_free_by_default_with_a_certificate_that_anyone_can_check(monkeypatch, capsys, tmp_path):
    file = tmp_path / "numbers.npy"
    assert prove_verb(monkeypatch, "torus:5x5", "--json", "--certificate", file) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["routing"] == "torus.dateline"
    assert row["deadlock_free"] is True and row["certificate_checked"] is True and row["cycle"] is None
    indptr, indices = dependencies(bind("torus.dateline", build("torus:5x5"))).rows
    assert row["dependencies"] == len(indices)
    assert accepts(np.load(file), np.repeat(np.arange(len(indptr) - 1), np.diff(indptr)), indices)


def test_what_is_said_meanwhile_is_true_whatever_is_done(monkeypatch, capsys):
    """Large networks are proved without following packets, and what follows them may be compiled first."""
    from jumpnet.cli import prove

    said, bar = [], prove.progress_bar
    monkeypatch.setattr(prove, "progress_bar", lambda what: said.append(what) or bar(what))
    assert prove_verb(monkeypatch, "torus:64x64") == 0
    assert "dimension by dimension" in capsys.readouterr().out and said == ["proving"]


def test_cycle_is_an_answer_and_is_drawn(monkeypatch, capsys, tmp_path):
    file = tmp_path / "cycle.svg"
    words = ["torus:5x5", "--routing", "torus.dateline", "--vcs", 1]
    assert prove_verb(monkeypatch, *words, "--json", "--draw", file) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["deadlock_free"] is False and row["vcs"] == 1 and len(row["cycle"]) == 5
    assert {"router", "port", "vc", "to", "link", "coord"} == set(row["cycle"][0])
    assert file.read_text().startswith("<?xml")
    assert prove_verb(monkeypatch, *words) == 0
    said = capsys.readouterr().out
    assert "can deadlock" in said and "shortest cycle, 5 channels" in said and "dimension 0 +" in said


def test_where_there_is_no_cycle_none_is_drawn(monkeypatch, capsys, tmp_path):
    file = tmp_path / "cycle.svg"
    assert prove_verb(monkeypatch, "torus:5x5", "--draw", file) == 0
    assert f"{file} is not written: there is no cycle to draw" in capsys.readouterr().err and not file.exists()


def test_duato_says_what_it_rests_on(monkeypatch, capsys):
    assert prove_verb(monkeypatch, "mesh:4x4", "--routing", "mesh.duato") == 0
    said = capsys.readouterr().out
    assert "free of deadlock" in said and "Duato" in said and "48 escape channels" in said


@pytest.mark.parametrize(
    ("words", "how"),
    [
        (["rdt:8"], "walks"),
        (["mesh:4x4"], "dimensions"),
        (["hypercube:4"], "translation"),
        (["fattree:2,n=3"], "digits"),
    ],
)
def test_every_way_of_looking_at_packets_is_said(monkeypatch, capsys, words, how):
    """Small networks are not walked either, where another way fits."""
    for where, size in ((dependency, "GRID_ROUTERS"), (dependency, "DIGITS_ROUTERS"), (graph, "SHARE")):
        monkeypatch.setattr(where, size, 0)
    if how == "translation":
        monkeypatch.setattr(dependency, "dependencies_by_dimension", lambda bound, job, phases: None)
    assert set(HOW) == set(get_args(How))
    assert prove_verb(monkeypatch, *words) == 0
    assert f"packet states {HOW[how].followed}\n" in capsys.readouterr().out


def test_multicast_by_the_chips_rules(monkeypatch, capsys):
    assert prove_verb(monkeypatch, "rdt:8", "--multicast", "chip", "--json") == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["routing"], row["vcs"], row["verdict"]) == ("multicast chip", 2, "free")
    assert prove_verb(monkeypatch, "rdt:8", "--multicast", "remake", "--json") == 0
    made = json.loads(capsys.readouterr().out)
    assert made["routing"] == "multicast chip remade to rank 0" and made["verdict"] == "free"
    assert made["dependencies"] < row["dependencies"]
    assert prove_verb(monkeypatch, "rdt:8", "--multicast", "chip:change=none") == 0
    said = capsys.readouterr().out
    assert "can deadlock" in said and "rank 1 y+" in said
    assert prove_verb(monkeypatch, "torus:4x4", "--multicast", "paths", "--vcs", "1", "--json") == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "deadlock"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["torus:4x4", "--routing", "torus.datelin"], "did you mean 'torus.dateline'"),
        (["mesh:4x4", "--routing", "torus.dateline"], "it needs a torus"),
        (["torus:4x4", "--vcs", "-1"], "at least 1 expected"),
        (["torus:4x4", "--vcs", "0"], "--vcs 0 found, at least 1 expected"),
        (["torus:4x4", "--vcs", "0", "--multicast", "paths"], "--vcs 0 found, at least 1 expected"),
        (["mesh:3x3", "--fault", "link=0-1", "--fault", "router=5"], "--fault link=0-1 router=5 without --then found"),
        (["mesh:3x3", "--then", "up_down", "--fault", "link=0-8"], "one of router 0 expected, to 1, 3"),
        (
            ["mesh:3x3", "--then", "up_down", "--then", "lash", "--fault", "link=0-1"],
            "--fault together with several --then found, one of them expected",
        ),
        (["mesh:3x3", "--then", "up_down", "--then", "lash", "--replay"], "--replay together with --then found"),
        (["mesh:3x3", "--then", "up_dwn", "--then", "lash"], "did you mean 'up_down'"),
        (["rdt:8", "--multicast", "chip", "--vcs", "3"], "one without the other expected"),
        (["rdt:8", "--multicast", "chip", "--buffers", "packets"], "did you mean 'packet'"),
        (["torus:5x5", "--routing", "minimal", "--draw", "cycle.gif"], "unknown picture format 'gif'"),
    ],
)
def test_errors_in_one_line(monkeypatch, capsys, words, message):
    assert prove_verb(monkeypatch, *words) == 2
    said = capsys.readouterr().err
    assert message in said and said.count("\n") == 1


def test_several_changes_are_one_after_another(tmp_path, monkeypatch, capsys):
    """The one in the middle makes the cycle: without it the last gives an order."""
    net, names = build("mesh:3x3"), ["mesh.west_first", "mesh.north_last", "mesh.dimension_order"]
    for verdict, chain in (("unproved", names), ("free", [names[0], names[2], names[2]])):
        proof = prove_changeover(Changeover(*(bind(name, net) for name in chain)))
        words = [net.spec, "--routing", chain[0], "--then", chain[1], "--then", chain[2]]
        assert prove_verb(monkeypatch, *words, "--explain", "--json") == 0
        row = json.loads(capsys.readouterr().out)
        assert (row["verdict"], row["routing"]) == (verdict, " then ".join(chain))
        assert (proof.verdict, proof.states, proof.dependencies) == (verdict, row["states"], row["dependencies"])
        by = {hop["by"] for packet in row["explanation"]["packets"] for hop in packet["way"]}
        assert (names[1] in by) == (verdict == "unproved")
        assert prove_verb(monkeypatch, *words, "--certificate", tmp_path / "c.cert") == 0
        assert (tmp_path / "c.cert").exists() == (verdict == "free")
        capsys.readouterr()
    checked = check_certificate(tmp_path / "c.cert").head
    assert (checked["routing"], checked["states"]) == (" then ".join(chain), proof.states)


def test_all_sizes_in_words_and_as_an_object(monkeypatch, capsys):
    assert prove_verb(monkeypatch, "torus:4", "--all-sizes", "--json") == 0
    row = json.loads(capsys.readouterr().out)
    assert row["deadlock_free"] and row["rules"][0] == "dimension 0 + vc 0, by coordinate 0 rising"
    assert (row["family"], row["dimensions"], row["least_side"], row["checked"][0]) == ("torus", 1, 3, "torus:3")
    assert prove_verb(monkeypatch, "torus:4", "--vcs", 1, "--all-sizes") == 0
    assert "not proved for all sizes" in capsys.readouterr().out
    assert prove_verb(monkeypatch, "rdt:8", "--all-sizes") == 2
    assert "a mesh or torus expected" in capsys.readouterr().err
    for option in (["--least-vcs"], ["--draw", "x.svg"], ["--explain"]):
        assert prove_verb(monkeypatch, "torus:4", "--all-sizes", *option) == 2
        assert "--all-sizes" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "condition"),
    [
        (["torus:4x4"], "acyclic"),
        (["mesh:3x3", "--routing", "mesh.duato"], "escape"),
        (["torus:4x4", "--routing", "torus.bubble"], "rings"),
        (["torus:4x4", "--routing", "torus.bubble_adaptive"], "escape-rings"),
        (["mesh:3x3", "--routing", "mesh.west_first", "--then", "mesh.dimension_order"], "acyclic"),
        (["torus:4", "--all-sizes"], "acyclic"),
    ],
)
def test_an_object_names_the_condition_that_was_examined(monkeypatch, capsys, words, condition):
    assert prove_verb(monkeypatch, *words, "--json") == 0
    row = json.loads(capsys.readouterr().out)
    assert row["deadlock_free"] and row["condition"] == condition
