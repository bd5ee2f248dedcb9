"""`jumpnet chip`: decoding, traces, and one-line errors."""

from __future__ import annotations

import dataclasses
import json

import pytest

from jumpnet.chip.configuration import wire
from jumpnet.chip.messages import message
from jumpnet.chip.settings import Settings
from jumpnet.cli import main


def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Status, output and errors of the verb."""
    monkeypatch.setattr("sys.argv", ["jumpnet", "chip", *words])
    with pytest.raises(SystemExit) as stop:
        main()
    out, err = capfd.readouterr()
    return int(stop.value.code or 0), out, err


@pytest.mark.parametrize("joined", [False, True])
def test_decode_gives_every_field(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], joined: bool
) -> None:
    words = [f"{flit:05x}" for flit in message(wire("rdt:16").where, 0, 5, body=(7,), key=9).flits()]
    status, out, _ = run(monkeypatch, capfd, "decode", *(["".join(words)] if joined else words), "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    fields = {(row["flit"], row["field"]): row["value"] for row in rows}
    assert status == 0 and fields[4, "key"] == 9 and fields[5, "body"] == 7 and fields[2, "length"] == 1
    assert rows[-1]["meaning"] == "good packet"


def test_both_slices_are_decoded(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    flits = message(wire("rdt:16").where, 0, 5).flits()
    words = [f"{flit << 18 | flit:09x}" for flit in flits]
    _, out, _ = run(monkeypatch, capfd, "decode", *words, "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert {row["slice"] for row in rows} == {0, 1}


def test_a_trace_has_a_line_a_clock(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(monkeypatch, capfd, "trace", "rdt:8", "--source", "0", "--to", "1,0", "--acknowledged")
    lines = out.splitlines()
    assert status == 0 and "map M0.0=E0" in out and "AC" in out
    places = [(int(line.split()[0]), int(line.split()[2].rstrip(":"))) for line in lines]
    assert places == sorted(places)


def test_a_trace_under_remake_goes_through_the_mbp_of_the_root(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Two copies to the root's MBP, for rank 1 and for rank 0; with slower maps the last line comes later."""
    words = ("trace", "rdt:8", "--to", "36", "--scheme", "REMAKE")
    ends = []
    for clocks in ("1", "40"):
        status, out, _ = run(monkeypatch, capfd, *words, "--set", f"remake_clocks={clocks}")
        assert status == 0
        ends.append(int(out.splitlines()[-1].split()[0]))
        assert out.count(">M0") + out.count(",M0") >= 3
    assert ends[1] - ends[0] in (39, 78)


def test_every_setting_can_be_given_and_changes_the_run(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Each away from its default; all but the timers, which have nothing to do here, change what comes of the load."""
    base = ["load", "rdt:4", "--load", "0.05", "--clocks", "100", "--destinations", "3", "--json", "--scheme", "REMAKE"]
    given = {
        "full_duplex": "true", "turn_round": "1", "early": "false", "bitmap_clocks": "3", "entries": "0",
        "entry_ticks": "90", "watchdog_clocks": "90000", "cascade": "true", "remake_clocks": "50",
        "wait_for_all": "true",
    }  # fmt: skip
    assert set(given) == {field.name for field in dataclasses.fields(Settings)}
    results = {}
    for name, value in {"": "", **given}.items():
        words = ["--set", f"{name}={value}"] if name else []
        words += ["--set", "full_duplex=true"] if name == "wait_for_all" else []
        status, out, _ = run(monkeypatch, capfd, *base, *words)
        row = json.loads(out)
        assert status == 0 and row["reached"] == row["received"] == row["wanted"] and row["answered"] == row["packets"]
        assert not name or str(row[f"set_{name}"]).lower() == value
        results[name] = (row["latency"], row["answer"])
    same = {name for name, found in results.items() if found == results[""]}
    assert same == {"", "entry_ticks", "watchdog_clocks", "cascade"}
    assert results["wait_for_all"] != results["full_duplex"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("decod",), "unknown action of chip 'decod'; did you mean 'decode'?"),
        (("decode",), "no packet found"),
        (("decode", "xyz"), "hexadecimal digits expected"),
        (("decode", "fffff"), "flit 'fffff' found, 18 bits in up to 5 digits expected"),
        (("decode", "00005", "1ffffffff"), "flit '1ffffffff' found"),
        (("decode", *["00005"] * 17), "packet of 17 flits found, 1 to 16 expected"),
        (("trace", "rdt:8"), "no --to found"),
        (("trace", "torus:4x4", "--to", "1"), "a network of family rdt or prdt expected"),
        (("trace", "rdt:8", "--to", "1", "--scheme", "full"), "unknown scheme of the chip"),
        (("trace", "rdt:8", "--to", "1", "--scheme", "sm"), "did you mean 'SM'?"),
        (("trace", "rdt:8", "rdt:4", "--to", "1"), "'rdt:4' found, one network expected after trace"),
        (("faults", "x"), "'x' found, nothing expected after faults"),
        (("faults", "--to", "1"), "--to with faults found, trace expected"),
        (("faults", "--set", "entries=1"), "--set with faults found, trace or load expected"),
        (("trace", "rdt:8", "--to", "1", "--load", "0.1"), "--load with trace found, load expected"),
        (("load", "rdt:8", "--set", "entrys=1"), "unknown setting of chip 'entrys'; did you mean 'entries'?"),
        (("load", "rdt:8", "--set", "entries"), "--set 'entries' found, key=value expected"),
        (("load", "rdt:8", "--set", "entries=two"), "a whole number expected"),
        (("load", "rdt:8", "--set", "turn_round=2"), "turn_round 2 found, 0 to 1 expected"),
        (("load", "rdt:8", "--set", "wait_for_all=true"), "full_duplex expected with it"),
        (("load", "rdt:8", "--load", "0"), "load of 0.0 packets a router and clock found"),
        (("load", "rdt:8", "--body", "12", "--acknowledged"), "body of 12 flits found, 0 to 11 expected"),
        (("load", "rdt:4", "--destinations", "17"), "17 destinations found, at most 16 expected at rank 1"),
        (("load", "rdt:4", "--rank", "2"), "top rank 2 found, 0 to 1 expected"),
        (("load", "rdt:4", "--scheme", "sm"), "did you mean 'SM'?"),
        (("decode", "00005", "--full"), "--full with decode found, faults expected"),
    ],
)
def test_errors_are_one_line(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], words: tuple[str, ...], message: str
) -> None:
    status, _, err = run(monkeypatch, capfd, *words)
    assert status == 2 and message in err and len(err.splitlines()) == 1
