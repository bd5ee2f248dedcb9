"""What has come in to a compiled network of chips, and what its chips have found: its rows, as Python objects."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jumpnet.chip.compiled import _layout as at
from jumpnet.chip.configuration import Wiring
from jumpnet.chip.links import NAMES
from jumpnet.chip.packet import FLIT_BITS, damage
from jumpnet.terms import I64

__all__ = ["Arrival", "Done", "Found"]

FOUND = {
    at.BAD_FLIT: "wrong parity in flit {place} on {link}",
    at.BAD_TAG: "wrong parity in a tag on {link}",
    at.BAD_COMMAND: "wrong parity in a command",
    at.SLICES_DISAGREE: "the slices disagree",
    at.TOO_LONG: "watchdog of {link}.{place}",
}


class Arrival(NamedTuple):
    """A packet that came in: clocks of its last and first flit."""

    clock: int
    head: int
    router: int
    link: int
    flits: tuple[int, ...]

    @property
    def damage(self) -> str:
        """What is wrong with it, as the receiver finds."""
        return damage(self.flits, 2 if self.flits[0] >> FLIT_BITS else 1)


class Done(NamedTuple):
    """An own multicast that all have answered."""

    clock: int
    router: int
    key: int
    body: int


class Found:
    """The rows that the kernel has written so far."""

    wiring: Wiring
    state: at.State

    def errors(self) -> list[tuple[int, str]]:
        """(router, text) of every error found so far, in order of time."""
        found = []
        for row in self._rows(at.FOUND).tolist():
            text = FOUND[row[at.D_HEAD]].format(link=NAMES[row[at.D_LINK]], place=row[at.D_OFFSET])
            found.append((row[at.D_ROUTER] % self.wiring.chips, text))
        return found

    def error_clocks(self) -> list[int]:
        """When each error was found."""
        return [int(clock) for clock in self._rows(at.FOUND)[:, at.D_CLOCK]]

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

    def delivered(self, place: int) -> list[list[int]]:
        """[clock, router, flit at that place] of each of `arrivals`, for runs with many of them."""
        rows = self._rows(at.DELIVERED)
        return np.hstack(
            [rows[:, [at.D_CLOCK, at.D_ROUTER]], self.state.row_flits[rows[:, at.D_OFFSET] + place]]
        ).tolist()

    def completed(self) -> list[Done]:
        """Own multicasts that all have answered."""
        return [_done(row) for row in self._rows(at.COMPLETED)]

    def started(self) -> list[tuple[int, int, int, int]]:
        """(clock, router, key, rank) of every multicast that an MBP has started again."""
        rows = self._rows(at.AGAIN_ROW)[:, [at.D_CLOCK, at.D_ROUTER, at.D_OFFSET, at.D_HEAD]]
        return [(clock, router, key, rank) for clock, router, key, rank in rows.tolist()]

    def lost(self) -> list[Done]:
        """What combining units have sent to their MBPs for multicasts that they gave up."""
        return [_done(row) for row in self._rows(at.LOST)]


def _slice(flits: I64, row: I64) -> tuple[int, ...]:
    first = int(row[at.D_OFFSET])
    return tuple(flits[first : first + int(row[at.D_LENGTH])].tolist())


def _done(row: I64) -> Done:
    return Done(*(int(row[c]) for c in (at.D_CLOCK, at.D_ROUTER, at.D_OFFSET, at.D_LENGTH)))
