"""A trace as the timed machine runs it: a stream of references for each processor, lines, pages and locks numbered.

The order between processors is not kept, as the machine makes its own; what keeps it apart are locks, barriers and
flags (`objects`). The trace is read once, some records at a time; where it is long it lies in files meanwhile, and so
do the streams (`spool`), so that memory goes with the lines and locks of a trace, not with its length.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from jumpnet.api.public import public
from jumpnet.coherence.functional import MOST_NODES, PLACEMENTS, given_homes
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.machine.records import checked_blocks
from jumpnet.machine.timed.design import MOST_PAGE
from jumpnet.machine.timed.references import WHAT_BITS, WRITE
from jumpnet.machine.timed.streams.footprint import Footprint, Places
from jumpnet.machine.timed.streams.objects import RECORD, Objects, objects_of
from jumpnet.machine.timed.streams.spool import MOST_HELD, PIECE, References, Spool
from jumpnet.machine.trace import Block, Trace
from jumpnet.machine.traffic import processors_of
from jumpnet.terms import I64, Array

__all__ = ["Sizes", "Streams", "require_own", "streams_of"]

UNIT = np.dtype([("proc", np.uint16), ("unit", np.int64), ("what", np.uint8)])
"""A reference as it is kept until lines are numbered: line or address of the object."""


class Sizes(NamedTuple):
    """Settings of a machine by which a trace was read."""

    clusters_of: int
    line_bytes: int
    page_bytes: int


class Streams(NamedTuple):
    """What every processor does, in its order. Kernels trust the arrays: they are read-only (`require_own`)."""

    first: I64
    """(P + 1,) processor p's references are first[p] up to first[p + 1]."""
    code: I64
    """(K,) number of the line or the object, times 8, plus what: READ, WRITE, LOCK and so on; empty where they lie in
    a file (`references`)."""
    page: I64
    """(lines,) page of each line."""
    number: I64
    """(lines,) address of each line, in lines."""
    page_number: I64
    """(pages,) address of each page, in pages."""
    home: I64
    """(pages,) node of the first processor that touches the page in the trace, or by number."""
    members: I64
    """(objects,) as in `objects.Objects`, and the next three too."""
    barrier: I64
    """(objects,)"""
    expected: I64
    """(barriers, nodes)"""
    where: I64
    """(objects,) home of each: that of its page, or the node that touches it first if there are no data on its page."""
    holder: I64
    """(objects,) as in `Objects`."""
    first_flag: I64
    """(F,) likewise: references name flags by numbers from this one on."""
    references: References
    """What `code` says, wherever it lies."""
    sizes: Sizes


def require_own(streams: Streams, sizes: Sizes) -> None:
    """Raise JumpnetError for streams that are not as `streams_of` gave them, or for a machine of other sizes.

    >>> from jumpnet.machine.workload import workload
    >>> found = streams_of(workload("lu:processors=4,n=16").trace(), line_bytes=64)
    >>> require_own(found, Sizes(1, 32, 4096))
    Traceback (most recent call last):
    ...
    jumpnet.errors.JumpnetError: streams read with line_bytes 64 found, 32 expected, as the machine has
    """
    given = streams.references.arrays
    if len(given) != len(streams) - 2 or any(a is not b for a, b in zip(given, streams, strict=False)):
        raise JumpnetError("streams changed since they were read found, those of `streams_of` expected")
    for name, found, wanted in zip(Sizes._fields, streams.sizes, sizes, strict=True):
        if found != wanted:
            raise JumpnetError(f"streams read with {name} {found} found, {wanted} expected, as the machine has")


@public
def streams_of(
    trace: Trace,
    *,
    clusters_of: int = 1,
    line_bytes: int = 32,
    page_bytes: int = 4096,
    placement: str = "first-touch",
    homes: Mapping[int, int] | None = None,
    processors: int | None = None,
    chunk: int | None = None,
) -> Streams:
    """Read a trace, once. An access that spans lines counts on each.

    placement: `first-touch`, `round-robin` (pages in the order of their first touch), `interleaved`, or `given`: by
    homes, node by page number, other pages by first touch. processors: of the machine, those that the trace names
    unless given. chunk: references of a processor that a machine has in memory at a time, and records that are taken up
    at a time here; by default all of some four million, of more a million of all processors together. What is not in
    memory lies in temporary files, some 15 bytes a reference while the trace is read, then 4. The chunk changes no
    result. Raises JumpnetError for a trace whose lines do not fit in memory, or that names more processors, for homes
    that are no nodes, for a barrier that its processors do not pass equally often, and for a lock that is given back
    when it is free; records count from 0 as the trace gives them. Cost: some 0.3 microseconds a reference; memory goes
    with the lines, pages and objects.
    """
    for what, size in (("clusters", clusters_of), ("lines", line_bytes), ("pages", page_bytes)):
        if not 1 <= size <= MOST_PAGE:
            raise JumpnetError(f"{what} of {size} found, 1 to {MOST_PAGE} expected")
    if processors is not None and not 1 <= processors <= MOST_NODES:
        raise JumpnetError(f"{processors} processors found, 1 to {MOST_NODES} expected")
    if chunk is not None and chunk < 1:
        raise JumpnetError(f"chunks of {chunk} references found, at least 1 expected")
    processors = processors_of(trace) if processors is None else processors
    nodes = -(-processors // clusters_of)
    most, piece = (MOST_HELD, PIECE) if chunk is None else (0, chunk)
    read = _read(trace, processors, line_bytes, page_bytes, most, piece)
    sizes = {"clusters_of": clusters_of, "nodes": nodes, "processors": processors}
    made = objects_of(trace.name, read.records, int(np.count_nonzero(read.of_processor)), **sizes)
    lines = read.footprint.lines()
    pages, page = np.unique(lines * line_bytes // page_bytes, return_inverse=True)
    home = _homes(placement, read.footprint.touches(), pages, clusters_of, nodes, homes)
    first = np.concatenate([[0], np.cumsum(read.of_processor - made.dropped)]).astype(np.int64)
    largest = (max(len(lines), made.numbers) << WHAT_BITS) + (1 << WHAT_BITS)
    references = References(first, largest, most, chunk or 0)
    _number(read.units, Places(lines), made, references)
    found = Streams(
        first=first,
        code=np.zeros(0, np.int64) if references.held is None else references.held,
        page=page.astype(np.int64),
        number=lines.astype(np.int64),
        page_number=pages.astype(np.int64),
        home=home,
        members=made.members,
        barrier=made.barrier,
        expected=made.expected,
        where=_where(made, pages, home, page_bytes, clusters_of),
        holder=made.holder,
        first_flag=made.first_flag,
        references=references,
        sizes=Sizes(clusters_of, line_bytes, page_bytes),
    )
    references.arrays = found[:-2]
    for array in references.arrays:
        array.flags.writeable = False
    return found


class _Read(NamedTuple):
    """A trace when it has been read."""

    units: Spool
    """Of UNIT."""
    records: Spool
    """Those but for data."""
    footprint: Footprint
    of_processor: I64
    """(P,) references of each processor."""


def _read(trace: Trace, processors: int, line_bytes: int, page_bytes: int, most: int, piece: int) -> _Read:
    """Read a trace; most, piece: as of a `Spool`."""
    found = _Read(Spool(UNIT, most, piece), Spool(RECORD, most, piece), Footprint(line_bytes, page_bytes),
                  np.zeros(processors, np.int64))  # fmt: skip
    read, largest = 0, 0
    for block in checked_blocks(trace):
        largest = max(largest, int(block.proc.max(initial=0)))
        rows = np.flatnonzero(block.kind > WRITE)
        about = np.empty(len(rows), RECORD)
        about["record"] = read + rows
        about["proc"], about["address"], about["what"] = block.proc[rows], block.address[rows], block.kind[rows]
        read += len(block.proc)
        if largest >= processors:
            continue  # refused when all has been read
        units = _units(block, line_bytes)
        found.records.append(about)
        found.units.append(units)
        data = units["what"] <= WRITE
        found.footprint.add(units["proc"][data], units["unit"][data])
        count = np.bincount(units["proc"], minlength=processors)
        np.add(found.of_processor, count, out=found.of_processor)
    if largest >= processors:
        raise JumpnetError(f"{trace.name}: processor {largest} found, 0 to {processors - 1} expected")
    return found


def _number(units: Spool, lines: Places, made: Objects, references: References) -> None:
    """Put all references where machines find them, lines and objects by their numbers."""
    for piece in units.pieces():
        proc, unit, what = piece["proc"], piece["unit"], piece["what"].astype(np.int64)
        about, code = what > WRITE, np.empty(len(piece), np.int64)
        data = ~about
        code[data] = lines.of(unit[data]) << WHAT_BITS | what[data]
        if about.any():
            thing, does = made.numbered(proc[about], unit[about], what[about])
            code[about] = thing << WHAT_BITS | does
            used = code >= 0  # what has nothing to do is object -1
            proc, code = proc[used], code[used]
        references.put(proc, code)


def _homes(
    placement: str, touches: tuple[I64, I64], pages: I64, clusters_of: int, nodes: int, homes: Mapping[int, int] | None
) -> I64:
    """(pages,) home of each page; touches: pages in the order of their first touch, and the processor of that."""
    number, given = given_homes(homes, placement, nodes)
    place, home = np.searchsorted(pages, touches[0]), np.zeros(len(pages), np.int64)
    if placement in ("first-touch", "given"):
        home[place] = touches[1] // clusters_of
        home[np.isin(pages, number)] = given[np.isin(number, pages)]
    elif placement == "round-robin":
        home[place] = np.arange(len(pages)) % nodes
    elif placement == "interleaved":
        home = pages % nodes
    else:
        raise unknown_name("placement", placement, PLACEMENTS)
    return home.astype(np.int64)


def _where(made: Objects, pages: I64, home: I64, page_bytes: int, clusters_of: int) -> I64:
    """(objects,) home of each lock, barrier and flag."""
    page = made.address // page_bytes
    near = np.minimum(np.searchsorted(pages, page), max(0, len(pages) - 1))
    on_data = (pages[near] == page) if len(pages) else np.zeros(len(page), bool)
    found = made.first() // clusters_of
    found[on_data] = home[near[on_data]]
    return found


def _units(block: Block, line_bytes: int) -> Array:
    """Records as UNIT; those that span lines are repeated."""
    proc, address, size, is_write, kind = block
    start, stop = address // line_bytes, (address + size - 1) // line_bytes
    data = kind <= WRITE
    unit, what = np.where(data, start, address), np.where(data, is_write, kind)
    spans = data & (stop > start)
    if spans.any():
        times = np.where(spans, stop - start + 1, 1)
        again = np.repeat(np.arange(len(proc)), times)
        offset = np.arange(len(again)) - np.repeat(np.cumsum(times) - times, times)
        proc, unit, what = proc[again], unit[again] + offset, what[again]
    found = np.empty(len(proc), UNIT)
    found["proc"], found["unit"], found["what"] = proc, unit, what
    return found
