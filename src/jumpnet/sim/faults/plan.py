"""Which links and routers die when, as people write it; what is done then; and the counts of what became of packets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError, unknown_name, written
from jumpnet.networks import Network
from jumpnet.spec import is_count
from jumpnet.terms import NO_ROUTER

ON_RING = ("watch", "drop")
"""Go on, so that the run's watch ends a deadlock; or take out the packets of the ring."""


@public
@dataclass(frozen=True)
class Fault:
    """Links and routers that die before a cycle."""

    cycle: int
    routers: tuple[int, ...] = ()
    links: tuple[tuple[int, int], ...] = ()
    """Pairs of routers; every link between them dies, both ways."""
    ports: tuple[tuple[int, int], ...] = ()
    """(router, port) of single links, which die both ways: for links beside which others join the same two routers."""

    def __post_init__(self) -> None:
        for name, expected in (("links", "pairs of routers"), ("ports", "pairs of a router and its port")):
            given = getattr(self, name)
            pairs = [tuple(pair) if isinstance(pair, tuple | list | np.ndarray) else () for pair in given]
            if not all(len(pair) == 2 and all(isinstance(end, int | np.integer) for end in pair) for pair in pairs):
                raise JumpnetError(f"fault: {name} {written(given):.80} found, {expected} expected")
            object.__setattr__(self, name, tuple((int(a), int(b)) for a, b in pairs))

    def channels(self, net: Network) -> list[tuple[int, int]]:
        """(router, port) of the channels of its links, one or both of each; raises JumpnetError for one not there.

        >>> from jumpnet.topology import build
        >>> Fault(0, links=((0, 1),), ports=((3, 1),)).channels(build("torus:2x2,double=true"))
        [(0, 0), (0, 1), (1, 0), (1, 1), (3, 1)]
        """
        return [*(end for pair in self.links for end in ports_between(net, *pair)), *self.ports]


@dataclass(frozen=True)
class Recovery:
    """What is done about faults. Raises JumpnetError for values out of range."""

    reroute: str | None = None
    """Routing after the first fault; the same as before when left out."""
    retry_cycles: int | None = None
    """Cycles from the entry of a lost packet to its being sent again; None: it stays lost."""
    flush: bool = False
    """Whether all packets are taken out, not only those that the fault breaks."""
    on_ring: str = "watch"
    """One of `ON_RING`: what is done where packets of the old and of the new routes may wait for each other."""

    def __post_init__(self) -> None:
        if self.retry_cycles is not None and self.retry_cycles < 0:
            raise JumpnetError(f"a retry after {self.retry_cycles} cycles found, 0 or more expected")
        if self.on_ring not in ON_RING:
            raise unknown_name("answer to a ring", self.on_ring, ON_RING)


@dataclass
class FaultCounts:
    """Packets by what the faults did to them; each packet counts once a fault."""

    lost: int = 0
    """Taken out for good."""
    retried: int = 0
    """Taken out, and sent again by their source."""
    recovered: int = 0
    """Routed again after they had won or wanted a channel that died, without a flit lost."""
    rerouted: int = 0
    """Heads sent back to route computation, the recovered ones among them."""
    cut_off: int = 0
    """Of the lost: those whose source or destination is gone."""
    flits_lost: int = 0
    """Flits taken out of routers and links."""
    dropped_on_rings: int = 0
    """Of the lost and retried: those taken out because old and new routes could wait for each other in a ring."""
    not_created: int = 0
    """Packets that working sources have not created since: their destination is gone, or the pattern gave none."""


def parse_fault(text: str) -> Fault:
    """A fault as people write it; `link` and `router` may be repeated.

    `link=3-7` is every link between two routers, `link=3@1` the one at a port of a router.

    >>> parse_fault("cycle=1000,link=3-7,link=3@1,router=5")
    Fault(cycle=1000, routers=(5,), links=((3, 7),), ports=((3, 1),))
    """
    cycle, routers, links, ports = -1, list[int](), list[tuple[int, int]](), list[tuple[int, int]]()
    for word in text.split(","):
        key, _, value = word.strip().partition("=")
        if key not in ("cycle", "link", "router"):
            raise unknown_name("part of a fault", key, ["cycle", "link", "router"])
        between = "@" if key == "link" and "@" in value else "-"
        numbers = value.split(between)
        if len(numbers) != (2 if key == "link" else 1) or not all(is_count(n) for n in numbers):
            raise JumpnetError(f"{word.strip()!r} found in a fault, such as cycle=1000,link=3-7,router=5 expected")
        if key == "cycle":
            if cycle >= 0:
                raise JumpnetError(f"fault {text!r} found, one cycle expected; --fault may be repeated")
            cycle = int(value)
        elif key == "router":
            routers.append(int(value))
        else:
            (ports if between == "@" else links).append((int(numbers[0]), int(numbers[1])))
    if cycle < 0 or not (routers or links or ports):
        raise JumpnetError(f"fault {text!r} found, a cycle and a link or router expected: cycle=1000,link=3-7")
    return Fault(cycle, tuple(routers), tuple(links), tuple(ports))


def ports_between(net: Network, a: int, b: int) -> list[tuple[int, int]]:
    """(router, port) of every channel between two routers; raises JumpnetError when there is none."""
    for r in (a, b):
        if not 0 <= r < net.routers:
            raise JumpnetError(f"faulty link {a}-{b} found, routers 0 to {net.routers - 1} expected in {net.spec}")
    found = [(r, int(p)) for r, s in ((a, b), (b, a)) for p in np.flatnonzero(net.neighbor[r] == s)]
    if not found:
        near = ", ".join(map(str, np.unique(net.neighbor[a][net.neighbor[a] != NO_ROUTER])))
        raise JumpnetError(f"faulty link {a}-{b} found, one of router {a} expected, to {near}")
    return found
