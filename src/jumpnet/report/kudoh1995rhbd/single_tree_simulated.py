"""Section 4 of the bit-map directory paper: a single tree against the fat tree on the flit-level simulator."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from jumpnet.analysis.routes.trees import path_rules
from jumpnet.multicast import scheme
from jumpnet.multicast.chip_rules import chip_rules
from jumpnet.multicast.plan import Plan, bit_map_plan, plan_from
from jumpnet.multicast.territory import territories
from jumpnet.networks import Network
from jumpnet.report._prose import span
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report._single_tree import DESTINATIONS, SEED, casts, single_tree
from jumpnet.report.kudoh1995rhbd._simulated import FLITS
from jumpnet.routings import bind, default_routing
from jumpnet.sim.config.sim_config import preset
from jumpnet.sim.multicast.engine import Delivered, send_messages
from jumpnet.sim.multicast.messages import NO_ACK, Messages, forest
from jumpnet.terms import I64
from jumpnet.topology import build

TITLE = "Section 4: a single tree against the fat tree, simulated"
ORDER = 8

PAIRS = (("tree:8,height=2", "rdt:8"), ("tree:4,height=4", "rdt:16"))
"""A tree with as many leaves as the RDT has routers."""
CHANNELS = 2
SAMPLE, APART = 32, 500
"""Messages to a neighbor, one at a time: cycles from one to the next."""
PAPER = "kudoh1995rhbd, section 4"


def leaf_digits(side: int, fanout: int) -> list[tuple[int, ...]]:
    """Where each router of a torus is in the single tree, the top level first: by the RDT's own digits in an 8-ary
    tree, by quarters of the torus in a 4-ary one.

    >>> leaf_digits(4, 4)[:6]
    [(0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (0, 3)]
    """
    if fanout == 8:
        return single_tree(territories(f"prdt:{side}"))
    bits = range(side.bit_length() - 2, -1, -1)
    return [tuple(2 * (y >> b & 1) + (x >> b & 1) for b in bits) for y in range(side) for x in range(side)]


class Contest:
    """One tree and one RDT, the same multicasts on both."""

    def __init__(self, tree: str, spec: str) -> None:
        self.tree, self.rdt = build(tree), build(spec)
        self.side, self.fanout = territories(spec).side, self.tree.ports - 1
        leaves = np.flatnonzero(self.tree.coord[:, 0] == self.tree.coord[:, 0].max()).tolist()
        digits = leaf_digits(self.side, self.fanout)
        self.leaf = [leaves[reduce(lambda n, d: n * self.fanout + d, path, 0)] for path in digits]
        self._paths, self._rules = path_rules(bind(default_routing(self.tree), self.tree)), chip_rules(self.rdt)

    def plans(self, source: int, to: Sequence[int]) -> tuple[Plan, Plan]:
        """On the tree, and on the RDT with full maps."""
        at = self.leaf[source]
        first = self._paths.first(at, [self.leaf[d] for d in to])
        return plan_from(self._paths, at, first), bit_map_plan(self._rules, scheme("full"), source, to)

    def all_at_once(self, sets: Sequence[Sequence[int]]) -> list[Delivered]:
        """Every router multicasts at cycle 0."""
        plans = [self.plans(source, to) for source, to in enumerate(sets)]
        at = np.zeros(len(plans), np.int64)
        return [_run(net, [p[k] for p in plans], at) for k, net in enumerate((self.tree, self.rdt))]

    def to_neighbor(self) -> list[float]:
        """Mean cycles of a message to the eastern neighbor, alone, over routers that are spread out."""
        routers = range(0, self.side**2, max(1, self.side**2 // SAMPLE) + 1)
        east = [(r, r // self.side * self.side + (r + 1) % self.side) for r in routers]
        plans = [self.plans(r, [s]) for r, s in east]
        at = np.arange(len(plans)) * APART
        every = [_run(net, [p[k] for p in plans], at).last_arrival - at for k, net in enumerate((self.tree, self.rdt))]
        assert all(after.max() < APART for after in every)
        return [float(after.mean()) for after in every]


def _run(net: Network, plans: Sequence[Plan], at: I64) -> Delivered:
    """Send messages that are created at cycles `at`."""
    count = len(plans)
    messages = Messages(at, np.arange(count), np.full(count, FLITS), np.full(count, NO_ACK))
    return send_messages(net, CHANNELS, forest(net, list(plans)), messages, preset("jump1"))


def section(golden: Golden, progress: Progress) -> Section:
    """Run both networks of each pair."""
    rows: Rows = []
    for done, (tree, spec) in enumerate(PAIRS):
        progress(done, len(PAIRS))
        contest = Contest(tree, spec)
        for sigma in (1.0, 0.0):
            single, fat = contest.all_at_once(casts(contest.side, sigma))
            last = [float(found.last_arrival.max()) for found in (single, fat)]
            mean = [float(found.last_arrival.mean()) for found in (single, fat)]
            cells: list[Cell | None] = [
                *(Cell(None, value, claim="roots_relaxed") for value in (*mean, *last)),
                claimed(golden, "roots_relaxed", "yes" if mean[1] < mean[0] and last[1] < last[0] else "no"),
                *([None] * 3),
            ]
            rows.append((f"{tree} and {spec}, {f'sigma {sigma:g}' if sigma else 'anywhere'}", cells))
        up = contest.to_neighbor()
        shown: list[Cell | None] = [Cell(None, value, claim="upstream_latency") for value in up]
        verdict = claimed(golden, "upstream_latency", "yes" if up[1] < up[0] else "no")
        rows.append((f"{tree} and {spec}, neighbors", [*([None] * 5), *shown, verdict]))
    columns = (
        "tree: mean cycles", "RDT: mean cycles", "tree: until the last", "RDT: until the last", "RDT sooner",
        "tree: cycles to a neighbor", "RDT: cycles to a neighbor", "RDT nearer",
    )  # fmt: skip
    note = f"Multicasts to {DESTINATIONS} destinations, {FLITS} flits, all created at cycle 0, full maps; seed {SEED}."
    table = Table("Cycles on the simulator", PAPER, columns, rows, note)
    return Section(TITLE, _text(table), (table,))


def _text(table: Table) -> str:
    def share(pair: tuple[str, str], where: str) -> float:
        row = f"{pair[0]} and {pair[1]}, {where}"
        single, fat = (float(table.at(row, f"{name}: mean cycles").computed) for name in ("tree", "RDT"))
        return 100 * fat / single

    small, large = PAIRS
    near, far = sorted(share(small, where) for where in ("sigma 1", "anywhere"))
    return TEXT.format(small=span([f"{near:.0f}", f"{far:.0f}"]), large=f"{share(large, 'anywhere'):.0f}")


TEXT = """The same multicasts on a single tree and on RDT(2,4,1)/alpha, with the router of JUMP-1 on both: five cycles a
hop, two virtual channels. The tree has a router at each inner node, and the clusters at its leaves, so that a tree link
is one hop here. With 64 clusters the RDT takes {small} % of the tree's time in the mean; with 256 and
destinations anywhere {large} %: nearly every message then crosses the tree's root. A message to a neighbor, alone,
takes the RDT one hop, and the tree up to twice its height."""
