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
    return json.loads(result.stdout)


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


def test_pages_are_chosen(tmp_path) -> None:
    """Page 0 is read after every write by five others: a multicast update is cheaper; page 1 has one writer."""
    lines = ["0 10 0", "0 10 0"]
    for _ in range(3):
        lines += ["1 10 0", *(f"0 10 {p}" for p in range(1, 6)), "1 1000 0", "0 1000 1", "1 1000 0", "1 1000 0"]
    path = tmp_path / "t.dinp"
    path.write_text("\n".join(lines) + "\n")
    words = (str(path), "--protocol", "mixed", "--directory", "line")
    row = _row(*words, "--pages", "measured-multicast")
    assert row["pages_updated"] == 1
    assert row["packets_multicast"] < min(row["packets_invalidate"], row["packets_update"])
    for others, found in (
        ((*words, "--pages", "measure"), "did you mean 'measured'"),
        ((*words, "--pages", "measured", "--update-pages", "x"), "one of them expected"),
        ((str(path), "--pages", "measured"), "with protocol invalidate found, mixed expected"),
    ):
        result = _run(*others)
        assert isinstance(result.exception, JumpnetError) and found in str(result.exception)


def test_a_sole_reader_need_not_ask(tmp_path) -> None:
    path = tmp_path / "t.dinp"
    path.write_text("0 40 0\n1 40 0\n0 40 1\n")  # node 0 reads and writes, then node 1 reads
    asked, silent = (_row(str(path), "--directory", "line", *more) for more in ((), ("--exclusive",)))
    assert (asked["requests"], silent["requests"], asked["packets"], silent["packets"]) == (3, 2, 2, 2)
    by_name = _row(str(path), "--directory", "line", "--protocol", "mesi")
    assert by_name == {**silent, "protocol": "mesi"}
    for name, writes in (("msi", 1), ("mesi", 0), ("moesi", 0), ("dragon", 0)):
        timed = _row(str(path), "--protocol", name, "--timed", "--network", "rdt:4", "--directory", "line")
        assert (timed["write_stall"] > 0) == bool(writes), name
    same = [_row(str(path), "--protocol", p, "--timed", "--network", "rdt:4") for p in ("msi", "invalidate")]
    assert same[0] == {**same[1], "protocol": "msi"}
    timed = _run(str(path), "--exclusive", "--timed", "--network", "rdt:4")
    assert isinstance(timed.exception, JumpnetError) and "--timed with --exclusive found" in str(timed.exception)


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


def test_evicted_copies_are_missed_again(tmp_path) -> None:
    """Eight nodes read a line in turn, twice: with six pointers beside the home's the second round misses anew."""
    path = tmp_path / "t.dinp"
    path.write_text("".join(f"0 40 {p}\n" for p in (*range(8), *range(8))))
    words = (str(path), "--directory", "line", "--network", "rdt:16", "--encoding")
    full, evicting = (_row(*words, name) for name in ("full-map", "limited-evicting"))
    assert (full["misses"], full["evicted"]) == (8, 0)
    assert (evicting["misses"], evicting["evicted"]) == (15, 8)
    broadcast = _row(*words, "limited-broadcast")
    assert (broadcast["misses"], broadcast["broadcasts"]) == (8, 0)
    path.write_text(path.read_text() + "1 40 0\n")
    broadcast = _row(*words, "limited-broadcast")
    assert (broadcast["broadcasts"], broadcast["receivers_mean"], broadcast["unnecessary"]) == (1, 255, 248)


def test_a_page_entry_of_valid_holders(tmp_path) -> None:
    """Node 1 lost its only line of the page: the write to another line is told to nobody but node 2."""
    path = tmp_path / "t.dinp"
    path.write_text("1 40 0\n0 40 1\n1 40 0\n1 80 0\n0 80 2\n1 80 0\n")
    assert _row(str(path))["destinations_histogram"] == {"1": 2, "2": 1}
    assert _row(str(path), "--page-entry", "valid-holders")["destinations_histogram"] == {"1": 2}


def test_bad_input_in_one_line(tmp_path) -> None:
    trace, pages = _trace(tmp_path), str(tmp_path / "pages.txt")
    (tmp_path / "pages.txt").write_text("0\n")
    for words, found in (
        (("--protocol", "updat"), "did you mean 'update'"),
        (("--directory", "pages"), "did you mean 'page'"),
        (("--encoding", "SMM", "--network", "rdt:16"), "did you mean 'SM'"),
        (("--processors", "4"), "processor 5 found, 0 to 3 expected"),
        (("--page-bytes", "4k"), "--page-bytes '4k' found, a number of bytes such as 64 or 4K expected"),
        (("--line-bytes", "-1"), "--line-bytes '-1' found, a number of bytes"),
        (("--caches", "4k"), "infinite or SIZE,WAYS such as 16K,4 expected"),
        (("--caches", "96,1"), "a power of two of sets expected"),
        (("--translation", "64"), "entries of two stages such as 64,1024 expected"),
        (("--translation", "0,0"), "translation 0,0 found without entries of one of its stages at least"),
        (("--homes", "missing.txt"), "missing.txt: no such file"),
        (("--homes", trace), "t.dinp:1: '0 40 0' found, PAGE NODE expected"),
        (("--place", "hops"), "--place found without --network"),
        (("--encoding", "SM"), "an encoding without a network found"),
        (("--seed", "2"), "--seed 2 found without --place"),
        (("--homes", trace, "--placement", "round-robin"), "--homes found without --placement first-touch"),
        (("--pruning", "64", "--directory", "line"), "a pruning cache of 64 entries found without directory page"),
        (("--page-entry", "holders"), "unknown page entry 'holders'"),
        (
            ("--page-entry", "valid-holders", "--directory", "line"),
            "page entry valid_holders found without",
        ),
        (("--hints",), "hints found without caches of limited size"),
        (
            ("--hints", "--caches", "256,2", "--protocol", "dragon"),
            "hints found without copies that protocol dragon gives up in silence",
        ),
        (("--exclusive", "--protocol", "update"), "exclusive found without a sole reader that asks before it writes"),
        (("--exclusive", "--protocol", "mesi"), "exclusive found without a sole reader that asks before it writes"),
        (("--protocol", "drago"), "did you mean 'dragon'"),
        (("--update-pages", pages), "pages in update mode found without protocol mixed"),
        (("--place", "hop", "--network", "rdt:8"), "did you mean 'hops'"),
        (("--clusters-of", "0"), "clusters of 0 processors found"),
        (("--network", "rdt:17"), "17"),
        (("--encoding", "SM", "--network", "torus:4x4"), "torus"),
    ):
        result = _run(trace, *words)
        assert isinstance(result.exception, JumpnetError), (words, result.output)
        assert found in str(result.exception)
        assert "\n" not in str(result.exception)


def test_parts_of_the_machine(tmp_path) -> None:
    # A cache of one line: the write to 0x80 by processor 5 falls nowhere, the trace's others keep 0x40.
    row = _row(_trace(tmp_path), "--caches", "32,1", "--translation", "1,1")
    # Five processors touch the line first, processor 5 its own; each misses once in cache and in translation.
    assert (row["cache_misses"], row["write_backs"], row["stage_1_misses"]) == (5, 0, 5)
    assert (row["requests"], row["stage_2_misses"], row["bus_transfers"]) == (6, 1, 0)
    assert _row(_trace(tmp_path), "--page-bytes", "4K") == _row(_trace(tmp_path), "--page-bytes", "4096")
    row = _row(_trace(tmp_path), "--caches", "32,1", "--clusters-of", "4")
    assert (row["cache_misses"], row["bus_transfers"]) == (5, 3)
    homes = tmp_path / "homes.txt"
    homes.write_text("0 3 # page 0 lies at node 3\n")
    near, far = (_row(_trace(tmp_path), "--network", "rdt:16", *more) for more in ((), ("--homes", str(homes))))
    # At node 3 the destinations that need the network are {0, 2} and {0, 1, 2}, as many as from node 0.
    assert (near["receivers_mean"], far["receivers_mean"]) == (2.5, 2.5)
    pages = tmp_path / "pages.txt"
    pages.write_text("0x0\n")
    mixed = _row(_trace(tmp_path), "--protocol", "mixed", "--update-pages", str(pages))
    update = _row(_trace(tmp_path), "--protocol", "update")
    assert mixed["destinations_histogram"] == update["destinations_histogram"] == {"3": 2, "4": 1}


def test_a_workload_is_a_trace() -> None:
    row = _row("workload:lu,processors=4,n=32", "--directory", "line")
    assert row["references"] > 1000 and row["misses"] > 0


def test_processes_are_placed(tmp_path) -> None:
    # Nodes 0 and 17 of the 16 x 16 torus lie in no common territory of rank 0; side by side they do.
    path = tmp_path / "far.dinp"
    path.write_text("0 40 0\n0 40 119\n1 40 0\n")
    words = (str(path), "--network", "prdt:16", "--encoding", "LPRA")
    row = _row(*words, "--place", "best")
    assert (row["messages"], row["messages_before"]) == (1, 1)
    assert row["unnecessary"] == 0 < row["unnecessary_before"] == _row(*words)["unnecessary"]
    assert len(set(row["slots"])) == 120 and row["distance"] < row["distance_before"]
    assert row["place"] in ("hops", "territory")
    result = _run(*words, "--place", "best", "--placement", "interleaved")
    assert "placement 'interleaved' of homes found, first-touch expected" in str(result.exception)
