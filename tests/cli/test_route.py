"""`jumpnet route`: the keys of its JSON, and one-line errors."""

from __future__ import annotations

import json

import numpy as np
import pytest

import jumpnet
from jumpnet.cli import main, run_words
from jumpnet.errors import JumpnetError
from jumpnet.fault.degraded import degraded
from jumpnet.graph.distances import distances_from
from jumpnet.sim.faults.plan import ports_between
from jumpnet.topology import build


def test_json(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["jumpnet", "route", "rdt:16", "1,2", "5,9", "--routing", "rdt.floating", "--json"]
    monkeypatch.setattr("sys.argv", words)
    with pytest.raises(SystemExit):
        main()
        raise SystemExit(0)
    row = json.loads(capsys.readouterr().out)
    assert set(row) == {"spec", "routing", "source", "destination", "path", "length", "channels", "shortest"}
    assert row["path"][0] == row["source"] == 33 and row["path"][-1] == row["destination"] == 149
    assert row["length"] == len(row["channels"]) == len(row["path"]) - 1 >= row["shortest"]


def test_routes_round_faults_are_those_of_what_is_left(capsys: pytest.CaptureFixture[str]) -> None:
    """Routers by number and links by their ends or, where another joins the same two, by their port."""
    whole = build("torus:2x2,double=true")
    [(first, second)] = [np.flatnonzero(whole.neighbor[0] == 1).tolist()]
    for words, left in (
        ([f"link=0@{first}"], degraded(whole, links=[(0, first)])),
        ([f"link=0@{second},link=2-3"], degraded(whole, links=[(0, second), *ports_between(whole, 2, 3)])),
        (["router=2", "link=0-1"], degraded(whole, [2], ports_between(whole, 0, 1))),
    ):
        missing = [word for each in words for word in ("--without", each)]
        for source, destination in ((0, 1), (1, 0), (3, 1)):
            asked = ["route", whole.spec, str(source), str(destination), *missing, "--json"]
            if distances_from(left, source)[destination] < 0:
                with pytest.raises(JumpnetError, match=f"^no path from router {source} to {destination} of"):
                    run_words(asked)
                continue
            status = run_words(asked)
            row = json.loads(capsys.readouterr().out)
            expected = jumpnet.network(left).route(source, destination, "lash")
            assert (status, row["routing"], row["spec"]) == (0, "lash", left.spec)
            assert row["channels"] == [hop._asdict() for hop in expected]
            assert all(left.neighbor[hop["router"], hop["port"]] >= 0 for hop in row["channels"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["rdt:16", "1,2", "99,9"], "no router at 99,9"),
        (["rdt:16", "0", "1", "--routing", "rdt.floting"], "did you mean 'rdt.floating'"),
        (["fattree:4,n=3", "0", "7"], "router 0 has no terminal, one such as 32 expected by routing fattree.nca"),
        (["fattree:4,n=3", "32", "7"], "router 7 has no terminal, one such as 32 expected by routing fattree.nca"),
        (
            ["torus:4x4", "0", "5", "--routing", "torus.duato", "--take", "3"],
            "candidate 3 found at hop 0, 0 to 2 expected",
        ),
        (["torus:4x4", "0", "5", "--take", "0 0 0"], "3 choices found, at most 2 expected on this route"),
        (["torus:4x4", "0", "5", "--take", "-1"], "--take -1 found, numbers of candidates from 0 expected"),
        (["torus:4x4", "0", "1", "--routing", "rdt.floating"], "it needs a network of family rdt or prdt"),
        (["mesh:3x1", "0", "2", "--without", "router=1"], "no path from router 0 to 2 of mesh:3x1 without 1 router,"),
        (["mesh:3x1", "0", "2", "--without", "link=0@7"], "link at port 7 of router 0 found, a port with a link"),
        (["mesh:3x1", "0", "2", "--without", "link=0@"], "'link=0@' found in a fault, such as"),
        (["mesh:3x1", "0", "2", "--without", "cycle=1,link=0-1"], "without a cycle expected, such as link=3-7"),
    ],
)
def test_errors(words, message, capsys, monkeypatch) -> None:
    monkeypatch.setattr("sys.argv", ["jumpnet", "route", *words])
    with pytest.raises(SystemExit) as stop:
        main()
    said = capsys.readouterr()
    assert stop.value.code == 2 and message in said.err and said.err.count("\n") == 1
