"""A trace as the timed machine runs it: a stream of references for each processor, lines, pages and locks numbered.

The order between processors is not kept, as the machine makes its own; what keeps it apart are locks and barriers. A
condition (kind 5) is a barrier of those that wait on it, as in the Splash-3 programs, and gives up the lock held.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.machine.trace import Block, Trace
from jumpnet.machine.traffic import processors_of
from jumpnet.memory import require
from jumpnet.terms import I64

__all__ = ["BARRIER", "CONDITION", "LOCK", "READ", "UNLOCK", "WRITE", "Streams", "streams_of"]

READ, WRITE, LOCK, UNLOCK, BARRIER, CONDITION = 0, 1, 2, 3, 4, 5
WHAT_BITS = 3


class Streams(NamedTuple):
    """What every processor does, in its order."""

    first: I64
    """(P + 1,) processor p's references are first[p] up to first[p + 1]."""
    code: I64
    """(K,) number of the line or the object, times 8, plus READ, WRITE, LOCK, UNLOCK, BARRIER or CONDITION."""
    page: I64
    """(lines,) page of each line."""
    home: I64
    """(pages,) node of the first processor that touches the page in the trace, or by number."""
    members: I64
    """(objects,) processors that meet at each barrier or condition; 0 for locks."""


def streams_of(
    trace: Trace, *, clusters_of: int = 1, line_bytes: int = 32, page_bytes: int = 4096, placement: str = "first-touch"
) -> Streams:
    """Read a trace whole. An access that spans lines counts on each.

    placement: `first-touch`, or `round-robin` (pages in the order of their first touch). Raises JumpnetError for a
    trace that does not fit in memory, and for a barrier that its processors do not pass equally often. Cost: some 0.3
    microseconds and 40 bytes a reference.
    """
    processors = processors_of(trace)
    parts: list[list[I64]] = []
    records = 0
    for block in trace.blocks():
        records += len(block.proc)
        require(60 * records, f"the streams of {trace.name}, from {records} records on,")
        parts.append(_units(block, line_bytes))
    proc, unit, what = (np.concatenate(c) if parts else np.zeros(0, np.int64) for c in _columns(parts))
    data = what <= WRITE
    lines, line = np.unique(unit[data], return_inverse=True)
    pages, page = np.unique(lines * line_bytes // page_bytes, return_inverse=True)
    objects, thing = np.unique(unit[~data], return_inverse=True)
    number = np.empty(len(unit), np.int64)
    number[data], number[~data] = line, thing
    order = np.argsort(proc, kind="stable")
    nodes = -(-processors // clusters_of)
    touched, at = np.unique(page[line], return_index=True)
    home = np.zeros(len(pages), np.int64)
    if placement == "first-touch":
        home[touched] = proc[data][at] // clusters_of
    elif placement == "round-robin":
        home[touched[np.argsort(at)]] = np.arange(len(touched)) % nodes
    else:
        raise JumpnetError(f"placement {placement!r} found, first-touch or round-robin expected")
    return Streams(
        np.searchsorted(proc[order], np.arange(processors + 1)).astype(np.int64),
        (number << WHAT_BITS | what)[order],
        page.astype(np.int64),
        home,
        _members(trace.name, proc[~data], thing, what[~data], len(objects)),
    )


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


def _members(name: str, proc: I64, thing: I64, what: I64, objects: int) -> I64:
    """Processors of each barrier; all of them must pass it equally often."""
    members = np.zeros(objects, np.int64)
    for wanted in (BARRIER, CONDITION):
        at = what == wanted
        for number in np.unique(thing[at]).tolist():
            who, times = np.unique(proc[at & (thing == number)], return_counts=True)
            if times.min() != times.max():
                found = f"barrier passed {times.min()} times by processor {who[times.argmin()]}"
                raise JumpnetError(f"{name}: {found} and {times.max()} by {who[times.argmax()]}, as often expected")
            members[number] = len(who)
    return members
