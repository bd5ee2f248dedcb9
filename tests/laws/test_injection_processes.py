"""Injection processes against chains walked one cycle at a time; recorded packets come back, bad files are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from jumpnet.errors import JumpnetError
from jumpnet.jit.decorator import jit
from jumpnet.traffic import PacketList, process, processes, read_packets, write_packets
from jumpnet.traffic.injection_process import MEMORY_WORDS, call_process

CYCLES = 200_000


@jit
def _created(advance, own, memory, key, until, cycles):
    """How many packets a source creates before cycle `until`, and when."""
    count = 0
    while True:
        cycle = call_process(advance, own, memory, key)
        if cycle >= until:
            return count
        cycles[count] = cycle
        count += 1


def _memory() -> np.ndarray:
    memory = np.zeros(MEMORY_WORDS, np.int64)
    memory[0] = -1
    return memory


def _cycles(spec: str, rate: float, key: int = 77, until: int = CYCLES) -> np.ndarray:
    """When a source creates packets, by the compiled process that the simulator has."""
    found, options = process(spec)
    cycles = np.zeros(until + 1, np.int64)
    return cycles[: _created(found.pointer, found.own(rate, options), _memory(), key, until, cycles)]


@pytest.mark.parametrize(
    "spec",
    [
        "bernoulli", "onoff", "onoff:alpha=0.02,beta=0.08", "onoff:alpha=-1,beta=0.1,r1=0.6",
        "onoff:alpha=0.02,beta=-1,r1=0.6",
    ],
)  # fmt: skip
@pytest.mark.parametrize("rate", [0.02, 0.15])
def test_rate_and_order(spec: str, rate: float) -> None:
    cycles = _cycles(spec, rate)
    assert (np.diff(cycles) > 0).all() and cycles[0] >= 0
    found, options = process(spec)
    plain = found.plain(found.own(rate, options))
    memory = _memory()
    assert [plain(memory, 77) for _ in range(200)] == cycles[:200].tolist()
    spread = 30 if "0.02" in spec else 10
    assert abs(cycles.size - rate * CYCLES) < spread * np.sqrt(rate * CYCLES)


def test_bernoulli_gaps_are_geometric() -> None:
    gaps = np.diff(_cycles("bernoulli", 0.2))
    for k in range(1, 8):
        share = (gaps == k).mean()
        assert abs(share - 0.2 * 0.8 ** (k - 1)) < 0.01


def test_bursts_are_as_long_as_beta_says() -> None:
    """With r1 = 1 a source sends every cycle while on: runs of packets are geometric with mean 1 / beta."""
    cycles = _cycles("onoff:alpha=-1,beta=0.25,r1=1", 0.1)
    breaks = np.flatnonzero(np.diff(cycles) > 1)
    runs = np.diff(breaks)
    assert abs(runs.mean() - 4.0) < 0.2


def test_nothing_comes_at_rate_zero() -> None:
    for name in processes():
        assert _cycles(name, 0.0).size == 0


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("onoff:alpha=0.1,beta=0.1,r1=0.5", "exactly one of them left open"),
        ("onoff:alpha=0.01,beta=0.9", "such that 0.3 packets a cycle are possible"),
        ("onoff:alpha=-1,beta=0.1,r1=0.2", "such that 0.3 packets a cycle are possible"),
        ("onoff:0.5,alpha=0.4", "onoff: alpha is given twice, as 0.5 and as alpha=0.4"),
        ("onoff:alfa=1", "unknown setting of onoff 'alfa'; did you mean 'alpha'?"),
        ("bernouli", "unknown injection process 'bernouli'; did you mean 'bernoulli'?"),
    ],
)
def test_impossible_processes(spec: str, message: str) -> None:
    with pytest.raises(JumpnetError) as caught:
        found, options = process(spec)
        found.own(0.3, options)
    assert message in str(caught.value)


def test_packets_come_back(tmp_path: Path) -> None:
    packets = PacketList(
        np.array([5, 0, 2**38]),
        np.array([0, 1, 2], np.int32),
        np.array([2, 2, 0], np.int32),
        np.array([1, 16, 5], np.int32),
    )
    write_packets(tmp_path / "p.csv", packets)
    got = read_packets(tmp_path / "p.csv", 3)
    assert all((a == b).all() for a, b in zip(got, packets, strict=True))


BAD = [
    ("0 1 2\n", "p:1: '0 1 2' found, cycle source destination flits expected"),
    ("# fine\n0 1 2 4\n1,0,3,4\n", "p:3: destination 3 found, 0 to 2 expected"),
    ("-1 0 1 4", "p:1: cycle -1 found, 0 to"),
    ("0 0 1 0", "p:1: flits 0 found, 1 to"),
    ("0 0 1 4\ncycle source destination flits", "p:2: 'cycle source destination flits' found"),
    ("0 zero 1 4", "p:1: '0 zero 1 4' found"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_bad_lines_are_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "p").write_text(text)
    with pytest.raises(JumpnetError) as caught:
        read_packets(tmp_path / "p", 3)
    assert message in str(caught.value)


def test_binary_and_absent_files(tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"0 0 1 4\n\xff\xfe")
    with pytest.raises(JumpnetError, match="byte 8 is no ASCII text"):
        read_packets(tmp_path / "b", 3)
    with pytest.raises(JumpnetError, match="no such file"):
        read_packets(tmp_path / "absent", 3)
