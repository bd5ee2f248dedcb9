"""A trace as the timed machine runs it: a stream of references for each processor, lines, pages and locks numbered.

The order between processors is not kept, as the machine makes its own; what keeps it apart are locks, barriers and
flags (`objects`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from jumpnet._public import public
from jumpnet.coherence.functional import MOST_NODES, PLACEMENTS, given_homes
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.machine.timed.objects import (
    AWAIT,
    BARRIER,
    CONDITION,
    LOCK,
    POST,
    READ,
    UNLOCK,
    WRITE,
    Objects,
    objects_of,
)
from jumpnet.machine.trace import Block, Trace
from jumpnet.machine.traffic import processors_of
from jumpnet.memory import require
from jumpnet.terms import I64

__all__ = [
    "AWAIT", "BARRIER", "CONDITION", "LOCK", "POST", "READ", "UNLOCK", "WHAT_BITS", "WRITE", "Streams", "streams_of",
]  # fmt: skip

WHAT_BITS = 3


class Streams(NamedTuple):
    """What every processor does, in its order."""

    first: I64
    """(P + 1,) processor p's references are first[p] up to first[p + 1]."""
    code: I64
    """(K,) number of the line or the object, times 8, plus what: READ, WRITE, LOCK and so on."""
    page: I64
    """(lines,) page of each line."""
    number: I64
    """(lines,) address of each line, in lines."""
    page_number: I64
    """(pages,) address of each page, in pages."""
    home: I64
    """(pages,) node of the first processor that touches the page in the trace, or by number."""
    members: I64
    """(objects,) as in `timing_objects.Objects`, and the next three too."""
    barrier: I64
    """(objects,)"""
    expected: I64
    """(barriers, nodes)"""
    where: I64
    """(objects,) home of each: that of its page, or the node that touches it first if there are no data on its page."""
    holder: I64
    """(objects,) as in `Objects`."""


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
) -> Streams:
    """Read a trace whole. An access that spans lines counts on each.

    placement: `first-touch`, `round-robin` (pages in the order of their first touch), `interleaved`, or `given`: by
    homes, node by page number, other pages by first touch. processors: of the machine, those that the trace names
    unless given. Raises JumpnetError for a trace that does not fit in memory or in so many processors, for homes that
    are no nodes, for a barrier that its processors do not pass equally often, and for a lock that is given back when it
    is free; records count from 0 as the trace gives them. Cost: some 0.3 microseconds and 40 bytes a reference.
    """
    if processors is not None and not 1 <= processors <= MOST_NODES:
        raise JumpnetError(f"{processors} processors found, 1 to {MOST_NODES} expected")
    processors = processors_of(trace) if processors is None else processors
    nodes = -(-processors // clusters_of)
    parts: list[list[I64]] = []
    numbers, records = [np.zeros(0, np.int64)], 0
    for block in trace.blocks():
        numbers.append(records + np.flatnonzero(block.kind > 1))
        records += len(block.proc)
        require(60 * records, f"the streams of {trace.name}, from {records} records on,")
        parts.append(_units(block, line_bytes))
    proc, unit, what = (np.concatenate(c) if parts else np.zeros(0, np.int64) for c in _columns(parts))
    if len(proc) and proc.max() >= processors:
        raise JumpnetError(f"{trace.name}: processor {proc.max()} found, 0 to {processors - 1} expected")
    data = what <= WRITE
    lines, line = _numbered(unit[data])
    pages, page = np.unique(lines * line_bytes // page_bytes, return_inverse=True)
    home = _homes(placement, page[line], pages, proc[data] // clusters_of, nodes, homes)
    about = np.concatenate(numbers), proc[~data], unit[~data], what[~data]
    everyone = int(np.count_nonzero(np.bincount(proc)))
    made = objects_of(trace.name, *about, everyone, clusters_of, nodes)
    code = np.empty(len(unit), np.int64)
    code[data], code[~data] = line << WHAT_BITS | what[data], made.thing << WHAT_BITS | made.what
    used = code >= 0  # what has nothing to do is object -1
    if not used.all():
        proc, code = proc[used], code[used]
    narrow = proc.astype(np.uint16) if processors <= 1 << 16 else proc  # which sorts by counting
    return Streams(
        first=np.concatenate([[0], np.cumsum(np.bincount(proc, minlength=processors))]).astype(np.int64),
        code=code[np.argsort(narrow, kind="stable")],
        page=page.astype(np.int64),
        number=lines.astype(np.int64),
        page_number=pages.astype(np.int64),
        home=home,
        members=made.members,
        barrier=made.barrier,
        expected=made.expected,
        where=_where(made, pages, home, page_bytes, clusters_of),
        holder=made.holder,
    )


def _numbered(values: I64) -> tuple[I64, I64]:
    """The different values in order, and the place of each among them; by a table where that is no longer than they."""
    least = int(values.min()) if len(values) else 0
    span = int(values.max()) - least + 1 if len(values) else 0
    if span > len(values):
        known, place = np.unique(values, return_inverse=True)
        return known.astype(np.int64), place.astype(np.int64)
    offset, there = values - least, np.zeros(span, bool)
    there[offset] = True
    return np.flatnonzero(there) + least, (np.cumsum(there) - 1)[offset]


def _homes(placement: str, touched: I64, pages: I64, node: I64, nodes: int, homes: Mapping[int, int] | None) -> I64:
    """(pages,) home of each page, from the page and the node of every access in order."""
    home, at = np.zeros(len(pages), np.int64), np.zeros(len(pages), np.int64)
    at[touched[::-1]] = np.arange(len(touched))[::-1]  # of several the last one written stays: each page's first
    number, given = given_homes(homes, placement, nodes)
    if placement in ("first-touch", "given"):
        home = node[at]
        home[np.isin(pages, number)] = given[np.isin(number, pages)]
    elif placement == "round-robin":
        home[np.argsort(at)] = np.arange(len(pages)) % nodes
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
    found = made.first // clusters_of
    found[on_data] = home[near[on_data]]
    return found


def _columns(parts: list[list[I64]]) -> list[tuple[I64, ...]]:
    return list(zip(*parts, strict=True)) if parts else [(), (), ()]


def _units(block: Block, line_bytes: int) -> list[I64]:
    """Processor, line or object, and what, of each record; records that span lines are repeated."""
    proc, address, size, is_write, kind = block
    start, stop = address // line_bytes, (address + size - 1) // line_bytes
    data = kind <= 1
    times = np.where(data, stop - start + 1, 1)
    again = np.repeat(np.arange(len(proc)), times)
    offset = np.arange(len(again)) - np.repeat(np.cumsum(times) - times, times)
    unit = np.where(data[again], start[again] + offset, address[again])
    what = np.where(data, is_write.astype(np.int64), kind)
    return [proc[again], unit, what[again].astype(np.int64)]
