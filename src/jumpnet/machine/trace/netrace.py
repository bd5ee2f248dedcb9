"""netrace 1.0: packets of a cache-coherent chip with what depends on them, for the network alone (no loads and stores).

A bzip2 file: header, notes, regions, packets in order of cycle, each with the numbers of the packets that wait for it.
Layout from the library's netrace.h and netrace.c; other versions are refused. Called by notebooks and `cli`.
"""

from __future__ import annotations

import bz2
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.files import must_be_regular
from jumpnet.machine.trace._netrace import HEAD, parse_packets
from jumpnet.memory import require
from jumpnet.terms import I64
from jumpnet.traffic import PacketList

__all__ = ["BYTES", "Netrace", "Packets", "dependences", "open_netrace", "packet_list"]

HEADER = struct.Struct("<If30sBBQQII8x")
REGION = struct.Struct("<QQQ")
PACKET = struct.Struct("<QIIBBBBB")
CHUNK = 1 << 20
"""Bytes unpacked at a time."""
MOST_PACKET = HEAD + 4 * 255
"""Bytes of the longest packet."""
MAGIC, VERSION = 0x484A5455, 1.0
MOST_NOTES = 8192
MOST_REGIONS = 4096
MOST_CYCLE = 2**39
"""As `traffic.read_packets`."""
KINDS = {
    1: ("ReadReq", 8), 2: ("ReadResp", 72), 3: ("ReadRespWithInvalidate", 72), 4: ("WriteReq", 72),
    5: ("WriteResp", 8), 6: ("Writeback", 72), 13: ("UpgradeReq", 8), 14: ("UpgradeResp", 8), 15: ("ReadExReq", 8),
    16: ("ReadExResp", 72), 25: ("BadAddressError", 8), 27: ("InvalidateReq", 8), 28: ("InvalidateResp", 8),
    29: ("DowngradeReq", 8), 30: ("DowngradeResp", 72),
}  # fmt: skip
"""Name and bytes of each type of packet."""
BYTES = np.array([KINDS.get(k, ("", 0))[1] for k in range(256)])
"""Bytes by type, 0 for a type that is none."""


class Packets(NamedTuple):
    """Packets in the order of the file; the first five arrays have the same length (K,)."""

    cycle: I64
    """(K,) int64 cycle of injection in the recorded system."""
    number: I64
    """(K,) int64 the packet's own number."""
    kind: I64
    """(K,) int64 key of KINDS."""
    source: I64
    """(K,) int64 node."""
    destination: I64
    """(K,) int64 node."""
    first: I64
    """(K + 1,) int64: the dependants of packet k are waiting[first[k] : first[k + 1]]."""
    waiting: I64
    """(D,) int64 numbers of the packets that may be sent once theirs has arrived."""


@dataclass(frozen=True)
class Netrace:
    """A netrace file whose header has been checked; the packets are read, and checked, by `blocks`."""

    path: Path
    name: str
    """Benchmark."""
    nodes: int
    cycles: int
    packets: int
    """As the header says."""
    notes: str
    regions: tuple[tuple[int, int, int], ...]
    """(offset in the packets, cycles, packets) of each region."""
    start: int
    """Offset of the first packet in the unpacked file."""

    def blocks(self) -> Iterator[Packets]:
        """Packets, some ten thousand at a time. Raises JumpnetError with the offset in the unpacked file for damage.

        Cost: some 0.02 microseconds a packet, and unpacking. Memory is that of one block.
        """
        found, data, more = 0, b"", b"start"
        with bz2.open(self.path) as file:
            offset = len(_exactly(file, self.start, 0, self.path.name))
            while more:
                more = _exactly(file, CHUNK, offset + len(data), self.path.name)
                data += more
                part, used = _packets(data, self.nodes)
                offset, data = offset + used, data[used:]
                # What is left is either the beginning of a packet or one that is wrong.
                if data and (not more or len(data) >= MOST_PACKET):
                    raise _wrong(data, offset, self)
                found += len(part.cycle)
                if found > self.packets:  # whatever may come behind: a small file can hold any number
                    raise JumpnetError(f"{self.path.name}: more than the {self.packets} packets of the header found")
                if len(part.cycle):
                    yield part
        if found != self.packets:
            raise JumpnetError(f"{self.path.name}: {found} packets found, {self.packets} expected by the header")


def _exactly(file: IO[bytes], count: int, offset: int, name: str) -> bytes:
    """So many bytes of the unpacked file, or fewer at its end."""
    try:
        return file.read(count)
    except (OSError, EOFError, ValueError) as error:
        raise JumpnetError(f"{name}: damaged after offset {offset} of the unpacked file: {error}") from None


def _packets(data: bytes, nodes: int) -> tuple[Packets, int]:
    """The packets at the head of some bytes, and how many bytes they take."""
    most = len(data) // HEAD
    table, first = np.empty((most, 5), np.int64), np.empty(most + 1, np.int64)
    waiting = np.empty(len(data) // 4, np.int64)
    count, used = parse_packets(np.frombuffer(data, np.uint8), BYTES, nodes, MOST_CYCLE, table, first, waiting)
    columns = [*table[:count].T.copy(), first[: count + 1].copy(), waiting[: first[count]].copy()]
    return Packets(*columns), used


def _wrong(data: bytes, offset: int, trace: Netrace) -> JumpnetError:
    """What is wrong with the packet at the head of some bytes, which lie at an offset."""
    name = trace.path.name
    if len(data) < HEAD:
        return JumpnetError(f"{name}: {len(data)} bytes found at offset {offset}, a packet of {HEAD} expected")
    cycle, _, _, kind, source, destination, _, _ = PACKET.unpack(data[:HEAD])
    if kind not in KINDS:
        return JumpnetError(f"{name}: packet type {kind} found at offset {offset}, one of {_kinds()} expected")
    if max(source, destination) >= trace.nodes:
        wrong = max(source, destination)
        return JumpnetError(f"{name}: node {wrong} found at offset {offset}, 0 to {trace.nodes - 1} expected")
    if cycle > MOST_CYCLE:
        return JumpnetError(f"{name}: cycle {cycle} found at offset {offset}, at most {MOST_CYCLE} expected")
    return JumpnetError(f"{name}: the file ends in the dependants of the packet at offset {offset}")


def _kinds() -> str:
    return ", ".join(map(str, KINDS))


def open_netrace(path: str | Path) -> Netrace:
    """Open a netrace file and check its header.

    Raises JumpnetError when there is no such file, it is not bzip2, or the header is not one of version 1.0.

    >>> open_netrace("missing.tra.bz2")
    Traceback (most recent call last):
    ...
    jumpnet.errors.JumpnetError: no trace file 'missing.tra.bz2' found
    """
    place = Path(path)
    if not place.exists():
        raise JumpnetError(f"no trace file {str(path)!r} found")
    must_be_regular(place, "a netrace file expected")
    with bz2.open(place) as file:
        data = _exactly(file, HEADER.size, 0, place.name)
        if len(data) < HEADER.size:
            raise JumpnetError(f"{place.name}: {len(data)} bytes found, a netrace header of {HEADER.size} expected")
        magic, version, name, nodes, _, cycles, packets, notes_bytes, regions = HEADER.unpack(data)
        if magic != MAGIC:
            raise JumpnetError(f"{place.name}: {magic:#x} found at offset 0, netrace's {MAGIC:#x} expected")
        if version != VERSION:
            raise JumpnetError(f"{place.name}: netrace version {version:g} found, 1.0 can be read")
        for what, found, least, most in (
            ("nodes", nodes, 1, 255), ("bytes of notes", notes_bytes, 0, MOST_NOTES - 1),
            ("regions", regions, 0, MOST_REGIONS),
        ):  # fmt: skip
            if not least <= found <= most:
                raise JumpnetError(f"{place.name}: {found} {what} found in the header, {least} to {most} expected")
        rest = _exactly(file, notes_bytes + REGION.size * regions, HEADER.size, place.name)
        if len(rest) < notes_bytes + REGION.size * regions:
            raise JumpnetError(f"{place.name}: the file ends in the header, at offset {HEADER.size + len(rest)}")
    notes = rest[:notes_bytes].rstrip(b"\0").decode("ascii", "replace")
    table = tuple(REGION.iter_unpack(rest[notes_bytes:]))
    label = name.partition(b"\0")[0].decode("ascii", "replace")
    return Netrace(place, label, nodes, cycles, packets, notes, table, HEADER.size + len(rest))


def packet_list(trace: Netrace, terminals: int | None = None, flit_bytes: int = 8) -> PacketList:
    """All packets at their recorded cycles, for `sim`; node i is terminal i. They do not wait for each other.

    terminals: those of the network. flit_bytes: bytes that a flit carries; the type decides a packet's length (8 or 72
    bytes). Packets inside one node, between its caches, are left out. Raises JumpnetError for damage, more nodes than
    terminals, and when the packets would not fit in memory.
    """
    if flit_bytes < 1:
        raise JumpnetError(f"{flit_bytes} bytes a flit found, 1 or more expected")
    if terminals is not None and trace.nodes > terminals:
        raise JumpnetError(f"{trace.path.name}: {trace.nodes} nodes found, at most {terminals} terminals expected")
    require(40 * trace.packets, f"{trace.packets} packets")
    parts = []
    for block in trace.blocks():
        away = block.source != block.destination
        flits = -(-BYTES[block.kind[away]] // flit_bytes)
        small = (column.astype(np.int32) for column in (block.source[away], block.destination[away], flits))
        parts.append((block.cycle[away], *small))
    types = (np.int64, np.int32, np.int32, np.int32)
    columns = (np.concatenate([np.zeros(0, kind), *(part[k] for part in parts)]) for k, kind in enumerate(types))
    return PacketList(*columns)


def dependences(trace: Netrace) -> Iterator[tuple[int, int]]:
    """(packet, packet that waits for it) by their numbers, in the order of the file."""
    for block in trace.blocks():
        number = np.repeat(block.number, np.diff(block.first))
        yield from zip(number.tolist(), block.waiting.tolist(), strict=True)
