"""netrace files: what is read, and what is refused in one line with the offset. The files are made here."""

from __future__ import annotations

import bz2
import struct
from itertools import pairwise

import numpy as np
import pytest
from tests.naive import traces as naive

from jumpnet.errors import JumpnetError
from jumpnet.machine.dependences import dependent_packets
from jumpnet.machine.trace import block_of, open_trace
from jumpnet.machine.trace.netrace import dependences, open_netrace, packet_list


def _packet(cycle, number, kind, source, destination, *waiting):
    head = struct.pack("<QIIBBBBB", cycle, number, 0x40, kind, source, destination, 0x02, len(waiting))
    return head + struct.pack(f"<{len(waiting)}I", *waiting)


def _header(packets, nodes=4, magic=0x484A5455, version=1.0, notes=b"made here\0", regions=1, notes_bytes=None):
    length = len(notes) if notes_bytes is None else notes_bytes
    head = struct.pack("<If30sBBQQII8x", magic, version, b"test", nodes, 0, 90, packets, length, regions)
    return head + notes + struct.pack("<QQQ", 0, 90, packets)


THREE = _packet(5, 1, 1, 0, 3, 2, 9) + _packet(9, 2, 2, 3, 0) + _packet(9, 9, 27, 3, 3)
START = 72 + 10 + 24


def _write(path, data):
    path.write_bytes(bz2.compress(data))
    return path


def test_packets(tmp_path) -> None:
    trace = open_netrace(_write(tmp_path / "a.tra.bz2", _header(3) + THREE))
    assert (trace.name, trace.nodes, trace.packets, trace.notes) == ("test", 4, 3, "made here")
    assert trace.regions == ((0, 90, 3),)
    (block,) = trace.blocks()
    assert block.cycle.tolist() == [5, 9, 9] and block.number.tolist() == [1, 2, 9]
    assert list(dependences(trace)) == [(1, 2), (1, 9)]
    # A request of 8 bytes, a line and its head of 72; the third stays inside node 3.
    found = packet_list(trace, 4)
    assert [column.tolist() for column in found] == [[5, 9], [0, 3], [3, 0], [1, 9]]
    assert packet_list(trace, flit_bytes=16).flits.tolist() == [1, 5]


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", "0 bytes found, a netrace header of 72 expected"),
        (_header(3, magic=7) + THREE, "0x7 found at offset 0, netrace's 0x484a5455 expected"),
        (_header(3, version=1.1) + THREE, "netrace version 1.1 found, 1.0 can be read"),
        (_header(3, nodes=0) + THREE, "0 nodes found in the header"),
        (_header(3, notes_bytes=9000) + THREE, "9000 bytes of notes found"),
        (_header(3, regions=5000) + THREE, "5000 regions found"),
        (_header(3)[:90], "the file ends in the header, at offset 90"),
        (_header(3) + THREE[:-1], f"20 bytes found at offset {START + 50}, a packet of 21 expected"),
        (_header(3) + THREE[:25], f"ends in the dependants of the packet at offset {START}"),
        (_header(4) + THREE, "3 packets found, 4 expected by the header"),
        (_header(1) + _packet(1, 1, 7, 0, 1), f"packet type 7 found at offset {START}, one of 1, 2, 3"),
        (_header(1) + _packet(1, 1, 1, 0, 4), f"node 4 found at offset {START}, 0 to 3 expected"),
        (_header(1) + _packet(1 << 40, 1, 1, 0, 1), f"cycle {1 << 40} found at offset {START}"),
    ],
)
def test_damaged_files(tmp_path, data, found) -> None:
    with pytest.raises(JumpnetError) as caught:
        list(open_netrace(_write(tmp_path / "a.tra.bz2", data)).blocks())
    assert found in str(caught.value) and "\n" not in str(caught.value)


def test_foreign_files(tmp_path) -> None:
    path = tmp_path / "a.tra.bz2"
    path.write_bytes(b"not bzip2 at all, and long enough to be looked at")
    with pytest.raises(JumpnetError, match="damaged after offset 0"):
        open_netrace(path)
    whole = bz2.compress(_header(3) + THREE)
    path.write_bytes(whole[:-6])
    with pytest.raises(JumpnetError, match=r"damaged after offset|found at offset|the header"):
        list(open_netrace(path).blocks())
    _write(path, _header(3) + THREE)
    with pytest.raises(JumpnetError, match="4 nodes found, at most 3 terminals"):
        packet_list(open_netrace(path), 3)
    with pytest.raises(JumpnetError, match="netrace holds packets, not loads and stores"):
        open_trace(path)
    (tmp_path / "a.csv").write_text("cycle,source,destination,flits\n0,1,2,1\n")
    with pytest.raises(JumpnetError, match=r"^a\.csv: 'cycle,source,.* columns proc,.* simulate --trace reads packets"):
        open_trace(tmp_path / "a.csv")


@pytest.mark.parametrize("name", ["proc", "address", "size", "is_write", "kind"])
def test_what_lies_behind_a_mask_is_no_access(name: str) -> None:
    columns = {"proc": [0, 1], "address": [64, 96], "size": [4, 4], "is_write": [1, 0], "kind": [0, 0]}
    masked = np.ma.masked_array(columns[name], [False, True])
    with pytest.raises(JumpnetError, match=f"^{name} is an array with masked values, whole numbers expected"):
        block_of(**{**columns, name: masked})


def test_dependences_by_place(tmp_path) -> None:
    data = _packet(5, 7, 1, 0, 3, 9, 2, 4) + _packet(6, 4, 13, 1, 1, 9) + _packet(9, 9, 2, 3, 0)
    found = dependent_packets(open_netrace(_write(tmp_path / "a.tra.bz2", _header(3) + data)), 16)
    assert found.first.tolist() == [0, 2, 3, 3] and found.waiting.tolist() == [2, 1, 2]
    assert found.flits.tolist() == [1, 1, 5] and found.unknown == 1  # nobody has number 2
    twice = _header(2) + _packet(1, 3, 1, 0, 1) * 2
    with pytest.raises(JumpnetError, match="two packets with number 3 found"):
        dependent_packets(open_netrace(_write(tmp_path / "a.tra.bz2", twice)))


def test_packets_across_blocks(tmp_path, monkeypatch) -> None:
    """Packets that straddle what is unpacked at a time, with up to 255 dependants."""
    monkeypatch.setattr("jumpnet.machine.trace.netrace.CHUNK", 1100)
    rows = [(k, k + 1, 1 + k % 3, k % 4, (k * 3) % 4, [k + 2 + i for i in range(k * 37 % 256)]) for k in range(60)]
    data = b"".join(_packet(*row[:5], *row[5]) for row in rows)
    trace = open_netrace(_write(tmp_path / "a.tra.bz2", _header(60) + data))
    assert len(list(trace.blocks())) > 10
    found = []
    for b in trace.blocks():
        waiting = [b.waiting[i:j].tolist() for i, j in pairwise(b.first.tolist())]
        found += list(zip(*(c.tolist() for c in b[:5]), waiting, strict=True))
    assert found == rows == naive.netrace_packets(data)
