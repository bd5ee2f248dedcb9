"""`jumpnet route`: the keys of its JSON, and one-line errors."""

from __future__ import annotations

import json

import pytest

from jumpnet.cli import main


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
    ],
)
def test_errors(words, message, capsys, monkeypatch) -> None:
    monkeypatch.setattr("sys.argv", ["jumpnet", "route", *words])
    with pytest.raises(SystemExit) as stop:
        main()
    said = capsys.readouterr()
    assert stop.value.code == 2 and message in said.err and said.err.count("\n") == 1
