"""What faults leave of a network, one after another, as `simulate --fault` names them.

Used by `prove --then`, `degrade --fault` and `simulate --without`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from jumpnet.cli._options.shared import not_with, only_with
from jumpnet.errors import JumpnetError
from jumpnet.fault.degraded import degraded
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting, bind
from jumpnet.sim.faults.plan import parse_fault

__all__ = ["Change", "after_faults", "broken_by", "without"]


@dataclass(frozen=True)
class Change:
    """The options."""

    then: Annotated[
        list[str] | None,
        typer.Option(
            "--then",
            help="Prove instead the change to this routing while packets are on their way; may be repeated, one "
            "change after another.",
        ),
    ] = None
    faults: Annotated[
        list[str] | None,
        typer.Option(
            "--fault",
            help="With one --then: what fails at the change, e.g. link=3-7,router=5; may be repeated, one fault after "
            "another.",
        ),
    ] = None

    def check(self, others: dict[str, object]) -> None:
        """Refuse faults without another routing or with several, and one with a question that is not about it."""
        if self.then:
            not_with("--then", others)
        else:
            only_with("--then", {"--fault": self.faults})
        if self.then and len(self.then) > 1:  # which of them comes with which fault is not said
            not_with("several --then", {"--fault": self.faults})

    def new(self, net: Network, vcs: int | None) -> list[BoundRouting]:
        """The routings that take the place of the one on a network, one after another."""
        return [bind(name, left, vcs) for name in self.then or () for left in after_faults(net, self.faults or [])]


def after_faults(net: Network, faults: list[str]) -> list[Network]:
    """The network after each of the faults, by cycle where they have one; itself where there is none.

    >>> from jumpnet.topology import build
    >>> [left.links for left in after_faults(build("mesh:3x3"), ["link=0-1", "router=5"])]
    [11, 8]
    """
    return [degraded(net, routers, links) for routers, links in broken_by(net, faults)] or [net]


def without(net: Network, missing: list[str]) -> Network:
    """A network without some links and routers.

    >>> from jumpnet.topology import build
    >>> without(build("mesh:3x3"), ["link=0-1", "router=5"]).links
    8

    Raises JumpnetError, also for a cycle among the words.
    """
    for text in missing:
        if "cycle" in text:
            raise JumpnetError(f"--without {text} found, without a cycle expected, such as link=3-7,router=5")
    return after_faults(net, missing)[-1]


def broken_by(net: Network, faults: list[str]) -> list[tuple[list[int], list[tuple[int, int]]]]:
    """Routers, and (router, port) of links, that are broken after each of the faults.

    >>> from jumpnet.topology import build
    >>> broken_by(build("mesh:3x3"), ["link=0-1", "router=5"])
    [([], [(0, 0), (1, 1)]), ([5], [(0, 0), (1, 1)])]
    """
    plan = [parse_fault(text if "cycle=" in text else f"cycle={k},{text}") for k, text in enumerate(faults)]
    found, routers, links = [], list[int](), list[tuple[int, int]]()
    for fault in sorted(plan, key=lambda fault: fault.cycle):
        routers = [*routers, *fault.routers]
        links = links + fault.channels(net)
        found.append((routers, links))
    return found
