"""`jumpnet machine`: figures of a small trace argued by hand, every encoding, bad input in one line."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from jumpnet.cli import app
from jumpnet.coherence.encoding import encodings
from jumpnet.errors import JumpnetError


def _trace(tmp_path):
    # Four nodes read one line of node 0's page, node 1 writes it twice: the first write finds 0, 2 and 3 with a copy,
    # the second none; node 5 writes another line of the page.
    lines = ["0 40 0", "0 40 1", "0 40 2", "0 40 3", "1 40 1", "1 40 1", "1 80 5"]
    path = tmp_path / "t.dinp"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def _run(*words):
    return CliRunner().invoke(app("machine"), ["machine", *words])


def _row(*words):
    result = _run(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.output)


def test_line_and_page(tmp_path) -> None:
    trace = _trace(tmp_path)
    row = _row(trace, "--directory", "line")
    assert (row["references"], row["messages"], row["destinations_histogram"]) == (7, 1, {"3": 1})
    row = _row(trace, "--directory", "page")
    assert row["destinations_histogram"] == {"3": 1, "4": 1}
    assert (row["pages"], row["lines"]) == (1, 2)
    row = _row(trace, "--directory", "line", "--protocol", "update")
    assert row["destinations_histogram"] == {"3": 2}
    row = _row(trace, "--clusters-of", "4")
    assert row["destinations_histogram"] == {"1": 1}


@pytest.mark.parametrize("name", sorted(encodings()))
def test_every_encoding(tmp_path, name) -> None:
    row = _row(_trace(tmp_path), "--encoding", name, "--network", "rdt:16")
    # Node 0 is the home, so 2 and 3, then 1, 2 and 3, are reached over the network.
    assert row["receivers_mean"] * 2 == 5 + row["unnecessary"]
    assert row["unnecessary"] >= 0
    assert row["directory_bits"] == encodings()[name].bits(256).entry
    assert (
        _row(_trace(tmp_path), "--directory", "line", "--encoding", name.replace("_", "-"), "--network", "rdt:16")[
            "directory_bits"
        ]
        == 2 * row["directory_bits"]
    )


def test_bad_input_in_one_line(tmp_path) -> None:
    trace = _trace(tmp_path)
    for words, found in (
        (("--protocol", "updat"), "did you mean 'update'"),
        (("--directory", "pages"), "did you mean 'page'"),
        (("--encoding", "SMM", "--network", "rdt:16"), "did you mean 'SM'"),
        (("--processors", "4"), "processor 5 found, 0 to 3 expected"),
        (("--caches", "4k"), "infinite expected"),
        (("--network", "rdt:17"), "17"),
        (("--encoding", "SM", "--network", "torus:4x4"), "torus"),
    ):
        result = _run(trace, *words)
        assert isinstance(result.exception, JumpnetError), (words, result.output)
        assert found in str(result.exception)
        assert "\n" not in str(result.exception)
