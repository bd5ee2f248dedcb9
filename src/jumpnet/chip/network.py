"""A network of chips, clock by clock: the slow and obvious model. Lines, chips of every slice, MBPs, the barrier line.

Source: nishi1997router sections 4.1, 4.4 and 4.5. All chips run on one clock. With two slices each node has two chips
that carry half of every flit and must act alike: the parities of their internal state are compared one clock later.
`run` advances, `trace` writes a line a clock for the chips one wants to see. Choices in docs/decisions/0050.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from jumpnet.api.public import public
from jumpnet.chip.chip import Chip
from jumpnet.chip.configuration import Wiring, wire
from jumpnet.chip.half_duplex import Line
from jumpnet.chip.links import LINKS, MBP0, MBP1
from jumpnet.chip.mbp import MBP_END, Mbp
from jumpnet.chip.modes import NORMAL, SETTING_UP, SHOOTING
from jumpnet.chip.remake import DirectoryMap
from jumpnet.chip.settings import Settings
from jumpnet.errors import JumpnetError

__all__ = ["PHASES", "ChipNetwork"]

PHASES = ("transfer", "arbitrate", "check", "decide", "receive", "finish")


@public
class ChipNetwork:
    """Chips at the routers of an RDT with their MBPs; `chips[slice][router]`, `mbps[router]`.

    >>> from jumpnet.chip.messages import message
    >>> net = ChipNetwork("rdt:8")
    >>> net.mbps[0].send(message(net.wiring.where, 0, 1, body=(5,)).flits())
    >>> net.run(40)
    >>> [d.flits[3] for d in net.mbps[1].deliveries]
    [5]
    """

    def __init__(self, wiring: Wiring | str, settings: Settings | None = None, slices: int = 1) -> None:
        self.wiring = wire(wiring) if isinstance(wiring, str) else wiring
        self.settings = settings or Settings()
        if slices not in (1, 2):
            raise JumpnetError(f"{slices} slices found, 1 or 2 expected")
        self.clock = 0
        self.chips = [[Chip(row, self.settings) for row in self.wiring.registers] for _ in range(slices)]
        again = self.settings.remake_clocks
        self.mbps = [Mbp([plane[r] for plane in self.chips], remake_clocks=again) for r in range(self.wiring.chips)]
        for plane in self.chips:
            self._join(plane)
        self.barrier = [False] * self.wiring.chips
        """The wired-or line as each chip sees it."""
        self._parities = [[0] * slices for _ in range(self.wiring.chips)]
        self.seen: dict[int, list[str]] = {}
        """Trace lines of each chip that is traced."""

    def _join(self, plane: list[Chip]) -> None:
        """The lines of one slice."""
        w = self.wiring
        for r, chip in enumerate(plane):
            for link in range(MBP0):
                other, far = int(w.peer[r, link]), int(w.peer_link[r, link])
                if other >= 0 and chip.lines[link] is None:
                    line = self._line()
                    chip.lines[link], chip.ends[link] = line, 0
                    plane[other].lines[far], plane[other].ends[far] = line, 1
                    line.at = [chip, plane[other]]
            pair = [self._line() for _ in (MBP0, MBP1)]
            for line, link in zip(pair, (MBP0, MBP1), strict=True):
                chip.lines[link], chip.ends[link] = line, 1 - MBP_END
                line.ready[MBP_END] = (True, True)
                line.at = [chip, self.mbps[r]]
            self.mbps[r].lines.append(pair)

    def _line(self) -> Line:
        return Line(self.settings.turn_round, self.settings.full_duplex)

    def install(self, maps: Iterable[DirectoryMap]) -> None:
        """Fill the directories of the MBPs, for packets under REMAKE."""
        for each in maps:
            self.mbps[each.router].remaker.install([each])

    def run(self, clocks: int) -> None:
        """So many clocks more."""
        for _ in range(clocks):
            self.step()

    def run_until(self, done: Callable[[], bool], limit: int = 100_000) -> int:
        """Clocks until something holds; raises JumpnetError when it does not within `limit`."""
        start = self.clock
        while not done():
            if self.clock - start >= limit:
                raise JumpnetError(f"{limit} clocks passed, what was waited for did not happen")
            self.step()
        return self.clock - start

    def step(self) -> None:
        """One clock: each phase over all chips and MBPs."""
        for r in self.seen:
            self.chips[0][r].log = []
        for phase in PHASES:
            for plane in self.chips:
                for chip in plane:
                    if not chip.asleep:
                        getattr(chip, phase)(self.clock)
            for mbp in self.mbps:
                if phase != "decide" and not mbp.asleep:
                    getattr(mbp, phase)(self.clock)
        self._compare()
        self._cascade()
        for r, lines in self.seen.items():
            words = self.chips[0][r].log
            if words:
                lines.append(f"{self.clock:6d} chip {r}: {'; '.join(words)}")
        self.clock += 1

    def _compare(self) -> None:
        """The slices of a node compare the parities of the clock before (choice E3); an error holds for both."""
        if len(self.chips) == 1:
            return
        for r, before in enumerate(self._parities):
            chips = [plane[r] for plane in self.chips]
            if before[0] != before[1]:
                for chip in chips:
                    if chip.modes.now == NORMAL:
                        chip.error("the slices disagree")
            if any(chip.modes.now != NORMAL for chip in chips):
                for chip in chips:
                    chip.shoot()
            self._parities[r] = [chip.status_parity() for chip in chips]

    def _cascade(self) -> None:
        """The barrier line passes one chip a clock, both ways; it falls when all chips have left the normal mode."""
        if self.settings.cascade:
            for r, chip in enumerate(self.chips[0]):
                self.barrier[r] |= chip.modes.now == SHOOTING
        if not any(self.barrier):
            return
        old = list(self.barrier)
        for r in range(len(old)):
            self.barrier[r] = any(old[max(0, r - 1) : r + 2])
            if old[r]:
                for plane in self.chips:
                    plane[r].shoot()
        if all(chip.modes.now != NORMAL for plane in self.chips for chip in plane):
            self.barrier = [False] * len(old)

    # What a user does with the whole network.

    def shoot_down(self, router: int = 0) -> int:
        """Raise the barrier line at one chip and run until every chip is in setting up; clocks this took."""
        self.barrier[router] = True
        clocks = self.run_until(lambda: all(chip.modes.now == SETTING_UP for plane in self.chips for chip in plane))
        self.step()  # The last flit may still be on its line to the MBP.
        return clocks + 1

    def set_up(self) -> int:
        """Let every MBP give back what it kept, and run until all chips are normal; clocks this took."""
        for mbp in self.mbps:
            mbp.restore(self.clock)
        return self.run_until(lambda: all(chip.modes.now == NORMAL for plane in self.chips for chip in plane))

    @property
    def idle(self) -> bool:
        """Whether nothing is on the way, kept, or queued."""
        for mbp in self.mbps:
            if any((*mbp.outbox, *mbp.current, mbp.control, mbp.again, mbp.memory, *mbp.incoming)):
                return False
        return all(chip.quiet for plane in self.chips for chip in plane)

    def trace(self, routers: Iterable[int]) -> None:
        """Keep a line for each clock in which something happens in these chips (of slice 0), in `seen`."""
        for r in routers:
            self.seen.setdefault(r, [])

    def errors(self) -> list[tuple[int, str]]:
        """(router, text) of every error found so far."""
        return [(r, text) for plane in self.chips for r, chip in enumerate(plane) for text in chip.errors]

    def lines_of(self, router: int, link: int) -> list[Line]:
        """The line at a link of a router, in every slice."""
        found = []
        for plane in self.chips:
            line = plane[router].lines[link]
            if line is None or link >= LINKS:
                raise JumpnetError(f"router {router} has no link {link}")
            found.append(line)
        return found
