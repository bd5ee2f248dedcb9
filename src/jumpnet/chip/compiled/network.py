"""A network of chips at speed: the kernel's tables from a wiring and packets, and what came in, as Python objects.

`FastNetwork` is `network.ChipNetwork` compiled, clock by clock: one slice or two, shooting down and setting up, timers,
injected faults. It leaves to the plain model traces and commands that load registers. Its twin is `ChipNetwork` itself.
Used by the report and by whoever measures loads on the chip.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from jumpnet.api.public import public
from jumpnet.chip.compiled import _layout as at
from jumpnet.chip.compiled._memory import Memory
from jumpnet.chip.compiled._phases import run
from jumpnet.chip.compiled.results import Arrival, Done, Found
from jumpnet.chip.configuration import Wiring, wire
from jumpnet.chip.links import LINKS, MBP0
from jumpnet.chip.mbp import Kept
from jumpnet.chip.modes import CODES, CONFIGURE, NORMAL, SETTING_UP, WATCHDOG, Command
from jumpnet.chip.packet import FLIT_BITS, Tag
from jumpnet.chip.remake import DirectoryMap
from jumpnet.chip.settings import Settings
from jumpnet.chip.watchdog import Watchdog, limit_clocks
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.terms import I64

__all__ = ["Arrival", "Done", "FastNetwork", "Sending"]

ERRORS = {
    at.ERROR_ACKS: f"more than {at.ACKS} acknowledges waiting at an MBP",
    at.ERROR_SOFTWARE: f"more than {at.SOFTWARE} multicasts combined at an MBP",
    at.ERROR_OVERRUN: "a packet longer than a buffer",
    at.ERROR_KEPT: f"more than {at.KEPT} packets of a chip at its MBP",
    at.ERROR_MAP: "a packet to start again without a map in the directory of the MBP",
    at.ERROR_AGAIN: f"more than {at.AGAIN} packets to start again at an MBP, or {at.WAITING} not answered,",
}
LIMIT = 100_000
"""Clocks that a shoot-down or a set-up may take."""


@public
class Sending(NamedTuple):
    """A packet to send."""

    router: int
    clock: int
    flits: Sequence[int]


@public
class FastNetwork(Found):
    """Chips at the routers of an RDT, compiled. Packets of a router leave by MBP link 0 in the order given.

    With two slices every flit has 36 bits, the low ones for slice 0.

    >>> from jumpnet.chip.messages import message
    >>> wiring = wire("rdt:8")
    >>> net = FastNetwork(wiring, [Sending(0, 0, message(wiring.where, 0, 1, body=(5,)).flits())])
    >>> net.run(40)
    >>> [(a.clock, a.router, a.flits[3]) for a in net.arrivals()]
    [(17, 1, 5)]
    """

    def __init__(
        self,
        wiring: Wiring | str,
        packets: Iterable[Sending],
        settings: Settings | None = None,
        ack_delay: int = 1,
        slices: int = 1,
        maps: Iterable[DirectoryMap] = (),
    ) -> None:
        self.wiring = wire(wiring) if isinstance(wiring, str) else wiring
        self.settings = settings or Settings()
        if slices not in (1, 2):
            raise JumpnetError(f"{slices} slices found, 1 or 2 expected")
        self.slices = slices
        self.clock = 0
        self.sizes = _sizes(self.wiring, self.settings, ack_delay, slices)
        queued, known = sorted(packets, key=lambda p: p.router), sorted(maps)
        self.state = _state(self.wiring, queued, self.settings, slices, known)

    def run(self, clocks: int) -> None:
        """So many clocks more. Raises JumpnetError when a table of the MBPs overflows."""
        self._advance(self.clock + clocks)

    def _advance(self, last: int, until: int = -1) -> bool:
        """Run to a clock, or until all chips are in a mode; whether they are."""
        counter = self.state.counter[0]
        while self.clock < last:
            memory = Memory(self.sizes, self.state)
            self.clock = int(run(memory.address, self.clock, last, until))
            why = int(counter[at.C_ERROR])
            if why:
                raise JumpnetError(f"{self.wiring.spec}: {ERRORS[why]} found")
            if until >= 0 and counter[at.C_MODES + until] == self.sizes.chips:
                return True
            if self.clock < last:
                row, flits = (int(counter[c]) for c in (at.C_ROWS, at.C_FLITS))
                self.state = self.state._replace(
                    row=_doubled(self.state.row, row), row_flits=_doubled(self.state.row_flits, flits)
                )
        return False

    def _until(self, mode: int) -> int:
        start = self.clock
        if not self._advance(start + LIMIT, mode):
            raise JumpnetError(f"{LIMIT} clocks passed, what was waited for did not happen")
        return self.clock - start

    # What a user does with the whole network, as in `network`.

    def raise_line(self, router: int) -> None:
        """Raise the barrier line at one chip."""
        self.state.chip[router, at.K_BARRIER] = self.state.counter[0, at.C_BARRIER] = 1

    def shoot_down(self, router: int = 0) -> int:
        """Raise the barrier line at one chip and run until every chip is in setting up; clocks this took."""
        self.raise_line(router)
        clocks = self._until(SETTING_UP)
        self.run(1)  # The last flit may still be on its line to the MBP.
        return clocks + 1

    def set_up(self) -> int:
        """Let every MBP give back what it kept, and run until all chips are normal; clocks this took."""
        held = self.kept()
        self.state.mbp[0::2, at.M_KEPT] = 0
        for router in range(self.wiring.chips):
            for kept in held.get(router, []):
                self._control(router, [self._wide(kept.tag.flit()), *kept.flits])
            self.command(router, "END")
        return self._until(NORMAL)

    def kept(self) -> dict[int, list[Kept]]:
        """Packets of a shoot-down or a timer at each MBP that has any, in the order in which they came."""
        found: dict[int, list[Kept]] = {}
        for router, count in enumerate(self.state.mbp[0::2, at.M_KEPT].tolist()):
            rows = self.state.kept[router].reshape(-1, at.H_WORDS)[:count].tolist()
            for row in rows:
                flits = tuple(row[at.H_FLITS : at.H_FLITS + row[at.H_LENGTH]])
                found.setdefault(router, []).append(Kept(Tag.parse(row[at.H_TAG]), flits))
        return found

    def command(self, router: int, name: str, value: int = 0) -> None:
        """Queue a command of an MBP to its chips: END, SHOOT, or WATCHDOG with a setting 0 to 3."""
        if name not in CODES or CODES.index(name) == CONFIGURE:
            raise unknown_name("command of the compiled model", name, CODES[:CONFIGURE])
        if CODES.index(name) == WATCHDOG:
            limit_clocks(value)
        self._control(router, [self._wide(flit) for flit in Command(CODES.index(name), 0, value).flits()], True)

    def _control(self, router: int, flits: Sequence[int], command: bool = False) -> None:
        """Queue something that goes ahead of all packets."""
        m, queue = self.state.mbp[2 * router], self.state.control[router].reshape(-1, at.G_WORDS)
        if m[at.M_CONTROL] == m[at.M_CONTROL_END]:
            m[at.M_CONTROL] = m[at.M_CONTROL_END] = 0
        if m[at.M_CONTROL_END] == at.CONTROL:
            raise JumpnetError(f"more than {at.CONTROL} commands and packets to give back found at MBP {router}")
        row = queue[m[at.M_CONTROL_END]]
        row[[at.G_CLOCK, at.G_COMMAND, at.G_LENGTH]] = self.clock, command, len(flits)
        row[at.G_FLITS : at.G_FLITS + len(flits)] = flits
        m[at.M_CONTROL_END] += 1
        self.state.chip[router, at.K_MBP_ASLEEP] = 0

    def _wide(self, flit: int) -> int:
        """The same flit in every slice."""
        return sum(flit << FLIT_BITS * s for s in range(self.slices))

    # Fault injection.

    def flip(self, router: int, link: int, clock: int, bits: int, slice_: int = 0) -> None:
        """Flip bits of the flit that passes on the line at a link in a clock."""
        end = self._end(router, link, slice_)
        flips = np.vstack([self.state.flip, [[self.state.end[end, at.E_LINE], clock, bits]]])
        self.state = self.state._replace(flip=flips)
        self.state.counter[0, at.C_FLIPS] = len(flips)

    def stick(self, router: int, link: int, stuck: bool = True) -> None:
        """Hold the ready wires that a router drives on a link down, in every slice; or mend them."""
        for s in range(self.slices):
            chip = self.state.chip[self._end(router, link, s) // LINKS]
            chip[at.K_STUCK] = chip[at.K_STUCK] & ~(1 << link) | stuck << link
            chip[at.K_BUSY] |= 1 << link
            chip[at.K_ASLEEP] = 0

    def disturb(self, router: int, link: int, vc: int, bits: int, slice_: int = 0) -> None:
        """Flip bits of the outputs that a buffer still has to serve."""
        buffer = 2 * self._end(router, link, slice_) + vc
        self.state.buffer[buffer, at.B_REMAINING] ^= bits

    def _end(self, router: int, link: int, slice_: int) -> int:
        """Row of a chip's end of a line."""
        if not 0 <= slice_ < self.slices:
            raise JumpnetError(f"slice {slice_} found, 0 to {self.slices - 1} expected")
        end = LINKS * (slice_ * self.wiring.chips + router) + link
        if not 0 <= link < LINKS or self.state.end[end, at.E_PEER] < 0:
            raise JumpnetError(f"router {router} has no link {link}")
        return end

    # What is known.

    @property
    def flit_moves(self) -> int:
        """Flits put on lines so far."""
        return int(self.state.counter[0, at.C_HOPS])

    @property
    def idle(self) -> bool:
        """Whether nothing is on the way, kept or queued."""
        chip = self.state.chip
        if self.state.mbp[0::2, at.M_KEPT].any() or not chip[:, at.K_MBP_ASLEEP].all():
            return False
        if self.settings.entry_ticks:  # such chips never sleep: their entries grow older
            moving = [at.K_OCCUPIED, at.K_ACTIVE, at.K_COMING, at.K_COMING + 1, at.K_MODE]
            return not (chip[:, moving].any() or self.state.unit[:, [at.U_IN, at.U_STRAY, at.U_OUT]].any())
        return bool(chip[:, at.K_ASLEEP].all())

    @property
    def modes(self) -> list[int]:
        """Mode of each chip, slice by slice."""
        return [int(mode) for mode in self.state.chip[:, at.K_MODE]]

    @property
    def unanswered(self) -> int:
        """Multicasts that not all have answered, sent or not."""
        return int(self.state.mbp[:, at.M_OWN].sum())


def _doubled(table: I64, used: int) -> I64:
    made = np.zeros((2 * len(table), table.shape[1]), np.int64)  # what is zero takes no time until it is written
    made[:used] = table[:used]
    return made


def _sizes(wiring: Wiring, settings: Settings, ack_delay: int, slices: int) -> at.Sizes:
    """The kernel's numbers: those of a network, then the settings of the same names."""
    known = {name: getattr(settings, name) for name in at.Sizes._fields if hasattr(settings, name)}
    return at.Sizes(slices * wiring.chips, wiring.chips, slices, ack_delay, **known)


def _state(
    wiring: Wiring, packets: list[Sending], settings: Settings, slices: int, maps: list[DirectoryMap]
) -> at.State:
    """The kernel's tables at clock 0."""
    R, C = wiring.chips, slices * wiring.chips

    def table(rows: int, words: int, fill: int = 0) -> I64:
        return np.full((rows, words), fill, np.int64) if fill else np.zeros((rows, words), np.int64)

    queue, flits = _queue(packets)
    mbp = table(2 * R, at.M_WORDS)
    mbp[:, at.M_TAG] = -1
    bounds = np.searchsorted([p.router for p in packets], np.arange(R + 1))
    mbp[0::2, at.M_HEAD], mbp[0::2, at.M_END] = bounds[:-1], bounds[1:]
    acked = [p.router for p in packets if p.flits[1] >> 13 & 1]
    mbp[0::2, at.M_OWN] = np.bincount(np.array(acked, np.int64), minlength=R)
    bounds = np.searchsorted([each.router for each in maps], np.arange(R + 1))
    mbp[0::2, at.M_MAPS], mbp[1::2, at.M_MAPS] = bounds[:-1], bounds[1:]
    inputs, outputs, chip = table(10 * C, at.I_WORDS), table(11 * C, at.O_WORDS), table(C, at.K_WORDS)
    inputs[:, [at.I_BUFFER, at.I_TAG, at.I_TARGET]] = -1
    inputs[:, at.I_LAST_VC] = 1
    outputs[:, at.O_OWNER], outputs[:, at.O_ARBITER] = -1, LINKS - 1
    chip[:, at.K_PERIOD] = Watchdog(settings.watchdog_clocks).period
    chip[:, at.K_TURN] = LINKS - 1
    chip[R:, at.K_MBP_ASLEEP] = 1  # the MBPs stand in the rows of slice 0
    end, line = _lines(wiring, slices)
    counter = table(1, at.C_WORDS)
    counter[0, at.C_MODES + NORMAL] = C
    return at.State(
        buffer=table(20 * C, at.B_WORDS),
        input=inputs,
        output=outputs,
        end=end,
        line=line,
        unit=table(C, at.U_WORDS),
        entry=table(C * settings.entries, at.N_WORDS),
        mbp=mbp,
        acks=table(R, at.ACKS * at.A_WORDS),
        software=table(R, 1 + at.SOFTWARE * at.S_WORDS),
        again=table(R, at.AGAIN * at.X_WORDS),
        waiting=table(R, 1 + at.WAITING * at.W_WORDS),
        maps=np.array([each[1:] for each in maps], np.int64).reshape(-1, at.Q_WORDS),
        kept=table(R, at.KEPT * at.H_WORDS),
        control=table(R, at.CONTROL * at.G_WORDS),
        flip=table(0, at.F_WORDS),
        registers=np.tile(wiring.registers, (slices, 1)),
        packets=queue,
        flits=flits,
        row=table(2 * at.ROWS * C, at.D_WORDS),
        row_flits=table(2 * at.ROW_FLITS * C, 1),
        counter=counter,
        chip=chip,
    )


def _queue(packets: list[Sending]) -> tuple[I64, I64]:
    """Packets to send, and their flits."""
    queue = np.array([(0, len(p.flits), p.clock, p.flits[0] >> 17 & 1) for p in packets], np.int64)
    queue = queue.reshape(-1, at.P_WORDS)
    queue[:, at.P_OFFSET] = np.cumsum(queue[:, at.P_LENGTH]) - queue[:, at.P_LENGTH]
    return queue, np.array([flit for p in packets for flit in p.flits], np.int64).reshape(-1, 1)


def _lines(wiring: Wiring, slices: int) -> tuple[I64, I64]:
    """Ends and lines. As in the plain model, the first tie goes to the end of the lower (router, link)."""
    R, C = wiring.chips, slices * wiring.chips
    peer, peer_link = wiring.peer.tolist(), wiring.peer_link.tolist()
    at_end = [(-1, 0)] * (12 * C)  # (peer, line)
    lines: list[tuple[int, int]] = []
    for c in range(C):
        r, chips_before = c % R, c - c % R
        for link in range(LINKS):
            e = LINKS * c + link
            if link >= MBP0:
                other = LINKS * C + 2 * c + link - MBP0
            elif peer[r][link] < 0:
                continue
            else:
                other = LINKS * (chips_before + peer[r][link]) + peer_link[r][link]
            if at_end[e][0] < 0:
                at_end[e], at_end[other] = (other, len(lines)), (e, len(lines))
                lines.append((other, -1))
    end = np.zeros((12 * C, at.E_WORDS), np.int64)
    end[:, [at.E_PEER, at.E_LINE]] = at_end
    end[:, at.E_READY] = 3
    return end, np.array(lines, np.int64)
