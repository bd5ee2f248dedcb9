"""Which pages to keep by update under the protocol `mixed`: measured by a run of the program under each of the two.

JUMP-1 chooses the type of protocol page by page (kudoh1995rhbd section 5.1); how is left open there. Here a page is
kept by update where that takes fewer packets between nodes (`Functional.packets`). With caches without limit no page's
packets depend on another page, so that two runs tell the packets of all choices, and no choice takes fewer than this
one; with caches of limited size it is an estimate. Called by `cli` and the report.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jumpnet.coherence.functional import Functional, FunctionalDesign
from jumpnet.errors import JumpnetError
from jumpnet.machine.records import checked_blocks
from jumpnet.machine.trace import Trace
from jumpnet.machine.traffic import processors_of
from jumpnet.settings.typed import refuse_unknown

__all__ = ["PageChoice", "measured_pages"]


@dataclass(frozen=True)
class PageChoice:
    """Pages by update, and what the choice saves. Packets are those of `Functional.packets`."""

    update_pages: tuple[int, ...]
    """Page numbers, ascending."""
    pages: int
    """Pages touched."""
    invalidate_packets: int
    """Of all pages by invalidation."""
    update_packets: int
    """Of all pages by update."""
    packets: int
    """As chosen: the sum of the smaller number of each page."""

    @property
    def gain(self) -> float:
        """Part of the packets of the better protocol that the choice saves.

        >>> PageChoice((1,), 2, 100, 200, 75).gain
        0.25
        """
        best = min(self.invalidate_packets, self.update_packets)
        return 1 - self.packets / best if best else 0.0


def measured_pages(
    trace: Trace, processors: int | None = None, *, multicast: bool = False, **machine: Any
) -> PageChoice:
    """Choose the protocol of each page. The trace is read once; both protocols run beside each other.

    multicast: a message to many destinations counts as one packet, and their acknowledges too. machine: keywords of
    `Functional` without `protocol` and `update_pages`. A page that takes as many packets either
    way is kept by invalidation. Raises JumpnetError as `Functional` does. Cost: some 100 ns a reference.

    >>> from jumpnet.machine.trace import block_of
    >>> a, b = 0x0, 0x1000  # processor 1 reads what 0 writes in page a; in page b processor 1 only read it once
    >>> proc, address = [0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0], [a, a, a, a, a, a, b, b, b, b, b]
    >>> write = [True, False, True, False, True, False, True, False, True, True, True]
    >>> trace = Trace("two pages", 2, lambda: iter([block_of(proc, address, 4, write)]))
    >>> found = measured_pages(trace, directory="line")
    >>> found.update_pages, found.invalidate_packets, found.update_packets, found.packets
    ((0,), 14, 14, 10)
    """
    for key in ("protocol", "update_pages"):
        if key in machine:
            raise JumpnetError(f"{key} {machine[key]!r} found, none expected where pages are to be chosen")
    refuse_unknown(FunctionalDesign, machine)
    count = processors_of(trace) if processors is None else processors
    # By update every write is told to the home, also of a sole reader, and whoever has touched a page holds all that it
    # read of it, unless it gives that up with a hint: what only counts where copies are taken away would be refused.
    idle = {"exclusive"} if machine.get("hints") else {"exclusive", "page_entry"}
    by_update = {key: value for key, value in machine.items() if key not in idle}
    engines = [Functional(count, **machine), Functional(count, protocol="update", **by_update)]
    for block in checked_blocks(trace):
        for engine in engines:
            engine.feed(*block)
    invalidate, update = (engine.packets_of_pages(multicast) for engine in engines)
    return PageChoice(
        tuple(sorted(page for page, packets in invalidate.items() if update[page] < packets)),
        len(invalidate),
        sum(invalidate.values()),
        sum(update.values()),
        sum(min(packets, update[page]) for page, packets in invalidate.items()),
    )
