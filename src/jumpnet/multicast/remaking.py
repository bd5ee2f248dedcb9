"""Forwarding where processors make the maps anew: at every router where a rank's multicast starts.

Source: kudoh1995rhbd section 6. The packet leaves the network there for the processor, whole; what the processor sends
is a packet of its own, which starts with the map of that node of the tree. On its rank it goes by the chip's rules, so
that no channel waits for one that it does not wait for without processors. The source is a processor that has just made
the map: where it has the top rank itself, nothing is handed over before the first transfer. Used by `plan` and proofs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from jumpnet.multicast.chip_rules import ChipRules, Stage
from jumpnet.multicast.forwarding import Fork, Read, rules_are_own
from jumpnet.networks import Network

__all__ = ["Made", "Remaking"]


class Made(NamedTuple):
    """Header of a packet that the processor of this router has just made."""

    stage: Stage


@dataclass(frozen=True, eq=False)
class Remaking:
    """The chip's rules with processors that make maps anew.

    >>> from jumpnet.multicast.chip_rules import chip_rules
    >>> from jumpnet.topology import build
    >>> rules = Remaking(chip_rules(build("prdt:16")))
    >>> arrives = Stage(1)
    >>> fork = rules.fork(7, arrives)
    >>> fork.branches, fork.again == Made(arrives), len(rules.fork(7, fork.again).branches)
    ((), True, 4)
    """

    rules: ChipRules
    lowest: int = 0
    """Ranks below go on with the maps of the last processor."""

    @property
    def network(self) -> Network:
        """The network."""
        return self.rules.network

    @property
    def name(self) -> str:
        """That of the chip's rules, and how far down maps are made anew."""
        return f"{self.rules.name} remade to rank {self.lowest}"

    @property
    def vcs(self) -> int:
        """As many as without processors."""
        return self.rules.vcs

    @property
    def own(self) -> bool:
        """Whether the rules are a user's own, so that every answer is checked."""
        return rules_are_own(self.rules)

    def starts(self) -> Iterator[tuple[int, Stage | Made]]:
        """Every source and top rank; what processors send starts in the same ways."""
        for source, stage in self.rules.starts():
            yield source, self._sent(stage)

    def first(self, source: int, top: int) -> Stage | Made:
        """Header with which a multicast of that top rank leaves its source."""
        return self._sent(self.rules.first(source, top))

    def _sent(self, stage: Stage) -> Stage | Made:
        return stage if stage.away != (0, 0) else Made(stage)

    def _starts_here(self, stage: Stage) -> bool:
        """Whether a rank that is made anew starts at the router where a packet has this header."""
        return stage.rank >= self.lowest and stage.away == (0, 0) and stage.place == (0, 0)

    def fork(self, here: int, stage: Stage | Made, read: Read | None = None) -> Fork:
        """Branches at a router on the rank in use, and what its processor sends on when the next rank starts here.

        Raises JumpnetError where a link that the rules need is missing.
        """
        now = stage.stage if isinstance(stage, Made) else stage
        if now is stage and self._starts_here(now):
            return Fork((), False, Made(now))
        branches, below, local = self.rules.on_rank(here, now, read)
        if below is None:
            return Fork(branches, local)
        more = self.fork(here, below, read)  # the processor's, a base hop, or a rank that is not made anew
        return Fork((*branches, *more.branches), more.local, more.again)
