"""A network of chips at speed: the kernel's tables from a wiring and packets, and what came in, as Python objects.

`FastNetwork` is `network.ChipNetwork` in normal mode with one slice, compiled. It leaves to the plain model what is not
about load: injected faults, watchdogs, timers of the combining unit, the modes of shooting down and setting up, and the
second slice, which carries the other half of every flit and acts alike as long as nothing fails. Its twin is
`ChipNetwork` itself. Used by the report and by whoever measures loads on the chip.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from jumpnet.chip import _fast_layout as at
from jumpnet.chip._fast import run
from jumpnet.chip.configuration import Wiring, wire
from jumpnet.chip.links import LINKS, MBP0
from jumpnet.chip.settings import Settings
from jumpnet.errors import JumpnetError
from jumpnet.terms import I64

__all__ = ["Arrival", "Done", "FastNetwork", "Sending"]

ERRORS = {
    at.ERROR_HEADER: "a header that leads nowhere",
    at.ERROR_ACKS: f"more than {at.ACKS} acknowledges waiting at an MBP",
    at.ERROR_SOFTWARE: f"more than {at.SOFTWARE} multicasts combined at an MBP",
    at.ERROR_OVERRUN: "a packet longer than a buffer",
}


class Sending(NamedTuple):
    """A packet to send."""

    router: int
    clock: int
    flits: Sequence[int]


class Arrival(NamedTuple):
    """A packet that came in: clocks of its last and first flit."""

    clock: int
    head: int
    router: int
    link: int
    flits: tuple[int, ...]


class Done(NamedTuple):
    """An own multicast that all have answered."""

    clock: int
    router: int
    key: int
    body: int


class FastNetwork:
    """Chips at the routers of an RDT, compiled. Packets of a router leave by MBP link 0 in the order given.

    >>> from jumpnet.chip.messages import message
    >>> wiring = wire("rdt:8")
    >>> net = FastNetwork(wiring, [Sending(0, 0, message(wiring.where, 0, 1, body=(5,)).flits())])
    >>> net.run(40)
    >>> [(a.clock, a.router, a.flits[3]) for a in net.arrivals()]
    [(17, 1, 5)]
    """

    def __init__(
        self, wiring: Wiring | str, packets: Iterable[Sending], settings: Settings | None = None, ack_delay: int = 1
    ) -> None:
        self.wiring = wire(wiring) if isinstance(wiring, str) else wiring
        self.settings = settings or Settings()
        if self.settings.entry_ticks or self.settings.cascade:
            raise JumpnetError("entry_ticks or cascade found, settings without faults and timers expected")
        self.clock = 0
        self.state = _state(self.wiring, sorted(packets, key=lambda p: p.router), self.settings, ack_delay)

    def run(self, clocks: int) -> None:
        """So many clocks more. Raises JumpnetError when a table of the MBPs overflows."""
        last = self.clock + clocks
        while self.clock < last:
            self.clock = int(run(self.state, self.clock, last))
            why = int(self.state.counter[0, at.C_ERROR])
            if why:
                raise JumpnetError(f"{self.wiring.spec}: {ERRORS[why]} found")
            if self.clock < last:
                self.state = self.state._replace(row=_doubled(self.state.row), row_flits=_doubled(self.state.row_flits))

    @property
    def flit_moves(self) -> int:
        """Flits put on lines so far."""
        return int(self.state.counter[0, at.C_HOPS])

    @property
    def idle(self) -> bool:
        """Whether nothing is on the way or queued."""
        return bool(self.state.chip[:, : at.K_OCCUPIED].all())

    def _rows(self, kind: int) -> I64:
        rows = self.state.row[: self.state.counter[0, at.C_ROWS]]
        return rows[rows[:, at.D_KIND] == kind]

    def arrivals(self) -> list[Arrival]:
        """What came in, in order of time and router."""
        flits = self.state.row_flits[:, 0]
        return [
            Arrival(int(w[at.D_CLOCK]), int(w[at.D_HEAD]), int(w[at.D_ROUTER]), int(w[at.D_LINK]), _slice(flits, w))
            for w in self._rows(at.DELIVERED)
        ]

    def completed(self) -> list[Done]:
        """Own multicasts that all have answered."""
        return [_done(row) for row in self._rows(at.COMPLETED)]

    @property
    def unanswered(self) -> int:
        """Multicasts that not all have answered, sent or not."""
        return int(self.state.mbp[:, at.M_OWN].sum())


def _slice(flits: I64, row: I64) -> tuple[int, ...]:
    first = int(row[at.D_OFFSET])
    return tuple(flits[first : first + int(row[at.D_LENGTH])].tolist())


def _done(row: I64) -> Done:
    return Done(*(int(row[c]) for c in (at.D_CLOCK, at.D_ROUTER, at.D_OFFSET, at.D_LENGTH)))


def _doubled(table: I64) -> I64:
    return np.concatenate([table, np.zeros_like(table)])


def _state(wiring: Wiring, packets: list[Sending], settings: Settings, ack_delay: int) -> at.State:
    """The kernel's tables at clock 0."""
    R = wiring.chips

    def table(rows: int, words: int, fill: int = 0) -> I64:
        return np.full((rows, words), fill, np.int64)

    queue = np.array([(0, len(p.flits), p.clock, p.flits[0] >> 17 & 1) for p in packets], np.int64).reshape(
        -1, at.P_WORDS
    )
    queue[:, at.P_OFFSET] = np.cumsum(queue[:, at.P_LENGTH]) - queue[:, at.P_LENGTH]
    flits = np.array([flit for p in packets for flit in p.flits], np.int64).reshape(-1, 1)
    mbp = table(2 * R, at.M_WORDS)
    mbp[:, at.M_TAG] = -1
    bounds = np.searchsorted([p.router for p in packets], np.arange(R + 1))
    mbp[0::2, at.M_HEAD], mbp[0::2, at.M_END] = bounds[:-1], bounds[1:]
    acked = [p.router for p in packets if p.flits[1] >> 13 & 1]
    mbp[0::2, at.M_OWN] = np.bincount(np.array(acked, np.int64), minlength=R)
    inputs, outputs = table(10 * R, at.I_WORDS), table(11 * R, at.O_WORDS)
    inputs[:, [at.I_BUFFER, at.I_TAG, at.I_TARGET]] = -1
    inputs[:, at.I_LAST_VC] = 1
    outputs[:, at.O_OWNER], outputs[:, at.O_ARBITER] = -1, LINKS - 1
    end, line = _lines(wiring)
    setting = np.array(
        [
            [
                settings.full_duplex,
                settings.turn_round,
                settings.early,
                settings.bitmap_clocks,
                settings.entries,
                ack_delay,
            ]
        ],
        np.int64,
    )
    return at.State(
        buffer=table(20 * R, at.B_WORDS),
        input=inputs,
        output=outputs,
        end=end,
        line=line,
        unit=table(R, at.U_ENTRIES + max(1, settings.entries) * at.N_WORDS),
        mbp=mbp,
        acks=table(R, at.ACKS * at.A_WORDS),
        software=table(R, 1 + at.SOFTWARE * at.S_WORDS),
        registers=np.array(wiring.registers),
        packets=queue,
        flits=flits,
        row=table(16 * R, at.D_WORDS),
        row_flits=table(64 * R, 1),
        counter=table(1, at.C_WORDS),
        setting=setting,
        chip=table(R, at.K_WORDS),
    )


def _lines(wiring: Wiring) -> tuple[I64, I64]:
    """Ends and lines. As in the plain model, the first tie goes to the end of the lower (router, link)."""
    R = wiring.chips
    end = np.zeros((12 * R, at.E_WORDS), np.int64)
    end[:, at.E_PEER] = -1
    end[:, at.E_READY] = 3
    lines: list[tuple[int, int]] = []
    for r in range(R):
        for link in range(LINKS):
            e = LINKS * r + link
            if link >= MBP0:
                other = LINKS * R + 2 * r + link - MBP0
            elif wiring.peer[r, link] < 0:
                continue
            else:
                other = int(LINKS * wiring.peer[r, link] + wiring.peer_link[r, link])
            if end[e, at.E_PEER] < 0:
                end[e, [at.E_PEER, at.E_LINE]] = other, len(lines)
                end[other, [at.E_PEER, at.E_LINE]] = e, len(lines)
                lines.append((other, -1))
    return end, np.array(lines, np.int64)
