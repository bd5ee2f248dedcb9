"""The forwarding rules of the RDT router chip: descending ranks, y before x, and two virtual channels a link.

Source: nishi1997router sections 4.2.1 and 4.2.2. Rank by rank a router sends to N E W S, and the southern one on to SE
SW SS. Going south twice closes rings of waiting packets, so the channel number changes at the wrap-around link; and
where a router lacks the next rank the packet first takes a base link, on the special channel (number 1).

The text leaves open which of two southward hops is changed. `second` (the default) changes a packet whose second hop
is, or comes after, the wrap-around link: that breaks every ring. `wrap` also changes a packet whose first hop is the
wrap-around link, as "changed when the packet is transferred through the wrap around link" may be read; on
RDT(2,4,1)/alpha its hops after the wrap-around share channel 1 with moves to an upper rank, and a cycle is left. (The
model in `chip` keeps that reading and calls another link the wrap-around: docs/decisions/0050, B12.)
`none` and `special=false` are the negative controls. `jumpnet prove SPEC --multicast chip` examines each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.multicast._scheme import Digits
from jumpnet.multicast.children import children, route
from jumpnet.multicast.forwarding import Branch, Fork, Read
from jumpnet.multicast.territory import Territories, territories
from jumpnet.multicast.tree import onward
from jumpnet.networks import Network
from jumpnet.settings.settings import make, spell
from jumpnet.spec import split

__all__ = ["ChannelUse", "ChipRules", "Stage", "chip_rules"]


@dataclass(frozen=True)
class ChannelUse:
    """When a hop takes channel 1 instead of 0."""

    change: Literal["second", "wrap", "none"] = "second"
    """On straight lines; see above."""
    special: bool = True
    """On base hops to a router that has another rank."""


class Stage(NamedTuple):
    """Header of a packet, without its bit-maps."""

    rank: int
    """Rank that it is multicast on next."""
    place: tuple[int, int] = (0, 0)
    """Where this router is seen from the node of the tree, in units of the rank."""
    away: tuple[int, int] = (0, 0)
    """Base hops still to go to a router that has the rank."""
    changed: bool = False
    """Whether the straight line it is on has crossed the wrap-around link."""
    node: Digits = ()
    """The node of the tree: digits from the top rank down. Left empty when every branch is asked for."""


@dataclass(frozen=True, eq=False)
class ChipRules:
    """The chip's rules on an RDT or PRDT.

    >>> from jumpnet.topology import build
    >>> rules = chip_rules(build("prdt:8"))
    >>> fork = rules.fork(0, Stage(0))
    >>> len(fork.branches), fork.local
    (4, True)
    """

    network: Network
    where: Territories
    use: ChannelUse

    def __post_init__(self) -> None:
        if self.where.spec != self.network.spec:
            raise JumpnetError(f"territories of {self.where.spec} found, those of {self.network.spec} expected")

    @property
    def name(self) -> str:
        """Spec with the options that differ from their defaults."""
        return spell(self.use, "chip")

    @property
    def vcs(self) -> int:
        """Two, or one when neither option needs the second."""
        return 2 if self.use.special or self.use.change != "none" else 1

    @cached_property
    def _ports(self) -> dict[tuple[int, int, int], list[int]]:
        """Ports by (router, rank, router at the far end), the port of the asked direction first."""
        found: dict[tuple[int, int, int], list[int]] = {}
        net = self.network
        for r, rows in enumerate(zip(net.neighbor.tolist(), net.link_class.tolist(), strict=True)):
            for p, (far, kind) in enumerate(zip(*rows, strict=True)):
                if far >= 0:
                    found.setdefault((r, kind // 4, far), []).append(p)
        return found

    def _hop(self, here: int, rank: int, step: tuple[int, int]) -> tuple[int, bool]:
        """Port, and whether the link is its ring's wrap-around, of one hop on a rank."""
        x, y = self.where.vectors[rank]
        dx, dy = (int(v) for v in step[0] * x + step[1] * y)
        side, there = self.where.side, self.where.moved(here, dx, dy)
        ports = self._ports.get((here, rank, there))
        if ports is None:
            raise JumpnetError(f"{self.network.spec}: router {here} has no link of rank {rank} to router {there}")
        wanted = 4 * rank + (0 if step[0] else 2) + (min(step) < 0)
        port = next((p for p in ports if self.network.link_class[here, p] == wanted), ports[0])
        wraps = not 0 <= here // side + dy < side if dy else not 0 <= here % side + dx < side
        return port, wraps

    def first(self, source: int, top: int) -> Stage:
        """Header with which a multicast of that top rank leaves its source."""
        return Stage(top, away=self._away(source, top))

    def _away(self, here: int, rank: int) -> tuple[int, int]:
        return self.where.hop(here, rank) if rank else (0, 0)

    def starts(self) -> Iterator[tuple[int, Stage]]:
        """Every source and top rank."""
        for source in range(self.where.routers):
            for top in range(self.where.top + 1):
                yield source, self.first(source, top)

    def _every(self, rank: int, node: Digits) -> int:
        return self.where.distinct if rank == self.where.top else (1 << self.where.fanout) - 1

    def fork(self, here: int, stage: Stage, read: Read | None = None) -> Fork:
        """Branches of a packet at a router: the base hop it still has to go, else its hops on this rank and below.

        Raises JumpnetError where a link that the rules need is missing.
        """
        branches, below, local = self.on_rank(here, stage, read)
        if below is None:
            return Fork(branches, local)
        more = self.fork(here, below, read)
        return Fork((*branches, *more.branches), more.local)

    def on_rank(
        self, here: int, stage: Stage, read: Read | None = None
    ) -> tuple[tuple[Branch, ...], Stage | None, bool]:
        """Branches of a packet on its rank alone; the header with which the next rank starts from here, if it does;
        whether the terminal receives."""
        if stage.away != (0, 0):
            b = route(stage.away)[1]
            port, _ = self._taken(here, 0, (0, 0), False, b)
            left = stage.away[0] - b[0], stage.away[1] - b[1]
            return (Branch(port, int(self.use.special), stage._replace(away=left)),), None, False
        mask = (read or self._every)(stage.rank, stage.node)
        branches = tuple(self._branch(here, stage, to) for to in onward(mask, self.where.n, stage.place))
        digit = children(self.where.n).index(stage.place)
        if not mask >> digit & 1:
            return branches, None, False
        if stage.rank == 0:
            return branches, None, True
        node = (*stage.node, digit) if read else ()
        return branches, Stage(stage.rank - 1, away=self._away(here, stage.rank - 1), node=node), False

    def _branch(self, here: int, stage: Stage, to: tuple[int, int]) -> Branch:
        """The hop from the stage's place to a neighboring one on the same rank."""
        port, changed = self._taken(here, stage.rank, stage.place, stage.changed, to)
        return Branch(port, int(changed), Stage(stage.rank, to, (0, 0), changed, stage.node))

    def _taken(
        self, here: int, rank: int, place: tuple[int, int], changed: bool, to: tuple[int, int]
    ) -> tuple[int, bool]:
        """Port of the hop from a place to a neighboring one on a rank, and whether the straight line that it is on has
        then crossed the wrap-around link; worked out once."""
        key = here, rank, place, changed, to
        if key in self._known:
            return self._known[key]
        step = to[0] - place[0], to[1] - place[1]
        port, wraps = self._hop(here, rank, step)
        straight = place != (0, 0) and (place[0] == 0) == (step[0] == 0)
        crossed = (straight and changed) or (wraps and (straight or (self.use.change == "wrap" and step[0] == 0)))
        return self._known.setdefault(key, (port, crossed and self.use.change != "none"))

    @cached_property
    def _known(self) -> dict[tuple[int, int, tuple[int, int], bool, tuple[int, int]], tuple[int, bool]]:
        """What `_taken` has found."""
        return {}


@public
def chip_rules(net: Network, spec: str = "chip") -> ChipRules:
    """The chip's rules on a network, with options: `chip:change=none`, `chip:special=false`.

    Raises JumpnetError for other families and unknown options.

    >>> from jumpnet.topology import build
    >>> chip_rules(build("rdt:16"), "chip:change=none").name
    'chip:change=none'
    """
    name, positional, keyed = split(spec)
    if name != "chip" or positional:
        raise JumpnetError(f"multicast forwarding {spec!r} found, chip (with change=, special=) expected")
    return ChipRules(net, territories(net), make(ChannelUse, keyed, "chip"))
