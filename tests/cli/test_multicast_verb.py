"""`jumpnet multicast` as a user runs it."""

from __future__ import annotations

import json

import pytest

from jumpnet.cli import main

KEYS = ("receivers", "destinations", "unnecessary", "bits", "top_rank", "steps")


def _run(monkeypatch, capsys, *words):
    monkeypatch.setattr("sys.argv", ["jumpnet", "multicast", *words])
    with pytest.raises(SystemExit) as stop:
        main()
    out = capsys.readouterr()
    return stop.value.code, out.out, out.err


def test_json(monkeypatch, capsys):
    words = ("rdt:128", "--scheme", "SM", "--source", "5,7", "--to", "6,7", "--to", "9,3", "--json")
    code, out, _ = _run(monkeypatch, capsys, *words)
    row = json.loads(out)
    assert code == 0
    assert {key: row[key] for key in KEYS} == {
        "receivers": 4, "destinations": 2, "unnecessary": 2, "bits": 32, "top_rank": 3, "steps": 6,
    }  # fmt: skip


def test_all_schemes_and_the_tree(monkeypatch, capsys):
    words = ("prdt:64", "--scheme", "all", "--source", "0", "--to", "1", "--to", "130", "--tree", "--json")
    code, out, _ = _run(monkeypatch, capsys, *words)
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0 and [row["scheme"] for row in rows] == ["LARP", "LARP:path", "LPRA", "REMAKE", "SM", "full"]
    for row in rows:
        assert {1, 130} <= set(row["receiver_routers"]) and len(row["receiver_routers"]) == row["receivers"]
        assert row["tree"] and row["maps"]


def test_cycles_of_one_alone(monkeypatch, capsys):
    """Six steps: 3 + 7 routers of 4 cycles + 6 links + 12 more flits; 8 hops of a packet and of an acknowledge."""
    words = ("rdt:16", "--scheme", "full", "--source", "5,7", "--to", "6,7", "--to", "9,3", "--cycles", "--json")
    code, out, _ = _run(monkeypatch, capsys, *words)
    row = json.loads(out)
    assert code == 0 and (row["steps"], row["hops"]) == (6, 8)
    assert row["last_arrival_cycles"] == 3 + 7 * 4 + 6 + 12 and row["link_flits"] == 8 * 13 + 8 * 3
    assert row["last_ack_cycles"] > row["last_arrival_cycles"]


def test_processors_that_make_maps_anew_cost_their_time(monkeypatch, capsys):
    """The same destinations: REMAKE reaches no others, and is late by the time of every processor on the way."""
    where = ("prdt:128,R=4", "--source", "5,7", "--destinations", "6,7 9,3", "--destinations", "20,11", "--json")
    found = {}
    for scheme, *more in (("SM",), ("full",), ("REMAKE",), ("REMAKE", "--remake-cycles", "100")):
        code, out, _ = _run(monkeypatch, capsys, *where, "--scheme", scheme, "--cycles", "--tree", *more)
        assert code == 0
        found[(scheme, *more)] = json.loads(out)
    slow, quick, full = found[("REMAKE", "--remake-cycles", "100")], found[("REMAKE",)], found[("full",)]
    assert found[("SM",)]["receivers"] > slow["receivers"] == slow["destinations"] == 3
    assert slow["remade"] == len(slow["remade_at"]) > slow["top_rank"] == 4 and full["remade_at"] == []
    assert slow["hops"] == full["hops"] and slow["bits"] == 8
    late = slow["last_arrival_cycles"] - quick["last_arrival_cycles"]
    assert late == 100 * slow["top_rank"]
    assert quick["last_arrival_cycles"] > full["last_arrival_cycles"] + 13 * 4
    assert slow["last_ack_cycles"] - quick["last_ack_cycles"] == late


def test_broadcast_and_table(monkeypatch, capsys):
    code, out, _ = _run(monkeypatch, capsys, "rdn:3,k=2", "--broadcast", "rdn", "--source", "4", "--json")
    assert code == 0 and json.loads(out)["steps"] == 14
    both = ("--broadcast", "binomial", "--collective", "all-reduce", "--source", "3", "--tree", "--json")
    code, out, _ = _run(monkeypatch, capsys, "hypercube:3", *both)
    row = json.loads(out)
    assert code == 0 and (row["steps"], row["transfers"], row["informed"]) == (6, 14, 8)
    assert [hop["step"] for hop in row["tree"] if 3 in hop.values()][-1] == 5 and row["tree"][6]["receiver"] == 3
    code, out, _ = _run(monkeypatch, capsys, "rdt:16", "--source", "1,1", "--to", "2,2", "--tree")
    assert code == 0 and "transfers" in out


def test_territories_are_drawn(monkeypatch, capsys, tmp_path):
    file = tmp_path / "territory.svg"
    code, _, _ = _run(monkeypatch, capsys, "prdt:32", "--source", "0", "--to", "70", "--draw", str(file), "--json")
    assert code == 0 and file.read_text(encoding="utf-8").startswith("<?xml")


ALONE = ("rdt:8", "--source", "0", "--top-rank", "0", "--draw", "territory.svg")
"""Territories without a message."""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("rdt:128", "--source", "0,0", "--to", "300,1"), "no router at 300,1"),
        (("rdt:128", "--scheme", "SN", "--source", "0", "--to", "1"), "did you mean 'SM'"),
        (("rdt:128", "--source", "0"), "no --to found"),
        ((*ALONE, "--scheme", "LPRA"), "--scheme without --to found"),
        ((*ALONE, "--tree"), "--tree without --to found"),
        ((*ALONE, "--model", "all-port"), "--model without --broadcast found"),
        (("rdt:16", "--source", "0", "--broadcast", "bfs", "--collective", "gathr"), "did you mean 'gather'"),
        (("rdt:16", "--source", "0", "--to", "1", "--collective", "gather"), "--collective without --broadcast found"),
        (("prdt:32", "--source", "0", "--to", "1", "--draw", "a.gif"), "unknown picture format 'gif'"),
        (("prdt:32", "--source", "0", "--to", "1", "--draw", "/nowhere/a.svg"), "folder /nowhere not found"),
        (("rdt:128", "--source", "0", "--to", "1", "--broadcast", "bfs"), "both"),
        (("rdn:3,k=1", "--source", "0", "--broadcast", "rdn", "--cycles"), "--cycles together with --broadcast found"),
        (("torus:8x8", "--source", "0", "--to", "1"), "family rdt or prdt"),
        (("rdt:256", "--source", "0,0", "--to", "128,128"), "territory of rank 4"),
        (("prdt:64", "--source", "0", "--to", "5", "--top-rank", "0"), "territory of rank 0"),
        (("prdt:64", "--source", "0", "--to", "5", "--top-rank", "9"), "top rank 9 found"),
        (("prdt:64", "--source", "0", "--to", "5", "--remake-cycles", "9"), "--remake-cycles without --cycles"),
        (
            ("prdt:16", "--source", "0", "--to", "5", "--cycles", "--remake-cycles", "-1"),
            "remake_cycles -1 found",
        ),
    ],
)
def test_bad_input(monkeypatch, capsys, words, message):
    code, _, err = _run(monkeypatch, capsys, *words)
    assert code == 2 and message in err and err.count("\n") == 1
