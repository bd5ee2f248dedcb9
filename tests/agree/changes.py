"""Changes from one routing to another held against all buffer states: `python -m tests.agree.changes`.

A packet may be routed anew at any moment, where its head stands, and never goes back. That a packet goes over one
channel by the old routing, and that it does so and is routed anew there, are two places (`tests.naive.buffers.Places`)
with the same channel, so that the search takes either whenever it takes the channel.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from typing import NamedTuple

from tests.agree.campaign import BUBBLE, EMPTY, FLOWS, MOST, ONE, TWO
from tests.agree.instances import escapes
from tests.naive.buffers import Found, Places, explore

from jumpnet.analysis.deadlock.changes.changeover import Changeover, prove_changeover
from jumpnet.routings import bind
from jumpnet.routings.view import ENTERS
from jumpnet.topology import build

SHIPPED = [
    ("mesh:3x2", "mesh.duato", "mesh.duato"), ("mesh:3x2", "mesh.duato", "mesh.north_last"),
    ("mesh:2x3", "mesh.west_first", "mesh.duato"), ("torus:3", "torus.duato", "torus.dateline"),
    ("torus:4", "torus.dateline", "torus.duato"), ("mesh:3x2", "mesh.duato", "up_down"),
]  # fmt: skip


class Compared(NamedTuple):
    """What is said of a change, and what was reached by flow control."""

    change: Changeover
    verdict: str
    method: str
    found: dict[str, Found]

    @property
    def differs(self) -> bool:
        """Whether it is said to be free, and a deadlock is reached."""
        return self.verdict == "free" and any(found.verdict == "deadlock" for found in self.found.values())

    @property
    def reached(self) -> str:
        """The worst that was reached."""
        verdicts = {found.verdict for found in self.found.values()}
        return next(verdict for verdict in ("deadlock", "over", "none") if verdict in verdicts)


def places_of_change(change: Changeover) -> Places:
    """The places of packets before, during and after."""
    channel: list[int] = []
    wants: list[list[tuple[int, bool]]] = []
    first: list[tuple[int, bool]] = []
    for section in change.sections():
        base, ways = len(channel), section.ways.tolist()
        by_state: list[list[tuple[int, bool]]] = [[] for _ in section.router]
        for k, (state, _, kind, _) in enumerate(ways):
            by_state[state].append((base + k, kind & ENTERS != 0))
        for state, one, kind, after in ways:
            channel.append(one)
            wants.append(by_state[after])
            first += [(len(wants) - 1, kind & ENTERS != 0)] if section.begins[state] else []
    return Places(channel, wants, first)


def drawn(number: int, seed: int) -> Changeover:
    """Two drawn routings with escapes on one network."""
    draw = random.Random(f"{seed} {number}")
    old = escapes(draw)
    return Changeover(old, escapes(draw, old.network))


def compare(change: Changeover, share: float = 1.0) -> Compared:
    """What is said of one change, under the flow controls that Duato's condition speaks of, or with bubbles."""
    proof, places = prove_changeover(change), places_of_change(change)
    flows = (BUBBLE,) if "bubble" in proof.method else (ONE, TWO, EMPTY)
    found = {flow: explore(places, FLOWS[flow], round(MOST[flow] * share)) for flow in flows}
    return Compared(change, proof.verdict, proof.method, found)


def main() -> int:
    """Shipped and drawn changes; exit status 1 where a verdict differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.agree.changes", description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--share", type=float, default=1.0)
    given = parser.parse_args()
    changes = [Changeover(*(bind(name, build(spec)) for name in names)) for spec, *names in SHIPPED]
    changes += [drawn(number, given.seed) for number in range(given.count)]
    all_of = [compare(change, given.share) for change in changes]
    for (said, reached), many in sorted(Counter((f"{c.verdict}, {c.method[:17]}", c.reached) for c in all_of).items()):
        print(f"{many:5} {said}; reached: {reached}")
    states = sum(found.states for c in all_of for found in c.found.values())
    differ = [c for c in all_of if c.differs]
    print(f"{states} states; {len(differ)} differ")
    return bool(differ)


if __name__ == "__main__":
    raise SystemExit(main())
