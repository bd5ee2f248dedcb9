"""Section 6 on the simulated chip: a scheme for each packet, all of them mixed; their order; no ring that waits."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.multicast import prove_multicast
from jumpnet.multicast import scheme
from jumpnet.multicast.chip_rules import ChipRules, chip_rules
from jumpnet.multicast.plan import bit_map_plan
from jumpnet.multicast.receivers import receivers
from jumpnet.multicast.remaking import Remaking
from jumpnet.report._section import Cell, Golden, Progress, Section, Table, claimed
from jumpnet.report.kudoh1995rhbd._simulated import CHIP, FLITS, NETWORK
from jumpnet.report.kudoh1995rhbd._study import SCHEMES, SEED
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.message_layout import DATA, PLACE_ROW
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.sim.multicast.engine import MulticastEngine
from jumpnet.sim.multicast.messages import COMBINED, Messages, forest
from jumpnet.topology import build

TITLE = "Section 6: a scheme for each packet, and their order"
ORDER = 57

WAYS = (*SCHEMES, "REMAKE")
BURST, BURSTS, CYCLES = 3, 200, 800
"""Multicasts that a source sends one after another; how many times that happens, and in how many cycles."""
WANTED = "of those that the text names here, SM, LPRA and LARP; REMAKE, which it adds, takes part too"
DESTINATIONS = 4
REMAKE_CYCLES = 20
PROVED = ("rdt:16", "rdt:32")
RULES = ("chip", "chip:change=none", "chip:special=false")


class Mixed(NamedTuple):
    """A run in which every packet has a scheme of its own."""

    finished: bool
    """Whether all were received and acknowledged, with the laws of conservation checked."""
    right: dict[str, tuple[int, int]]
    """For each scheme: packets that reached their destinations, and in all as many as its closed form gives; of how
    many."""
    overtaken: int
    """Packets that arrived somewhere before an earlier one of the same source, destinations and scheme."""
    arrivals: int
    """Arrivals that had such an earlier packet."""


def _sets(rules: ChipRules) -> list[tuple[int, list[int]]]:
    """For each router the destinations of all its packets, inside a territory of any rank."""
    draw, found = random.Random(SEED), []
    for source in range(rules.where.routers):
        members = rules.where.members(source, draw.randrange(rules.where.top + 1)).tolist()
        found.append((source, draw.sample([r for r in members if r != source], DESTINATIONS)))
    return found


def mixed(rules: ChipRules, entry_vcs: int) -> Mixed:
    """Bursts of multicasts from random sources, a random scheme for each packet; entering on the first channels."""
    sets, draw = _sets(rules), random.Random(SEED + 1)
    plans = [bit_map_plan(rules, scheme(way), source, to) for source, to in sets for way in WAYS]
    bursts = sorted((draw.randrange(CYCLES), draw.randrange(len(sets))) for _ in range(BURSTS))
    rows = [(cycle, len(WAYS) * s + draw.randrange(len(WAYS))) for cycle, s in bursts for _ in range(BURST)]
    cycle, plan = (np.array(column) for column in zip(*rows, strict=True))
    messages = Messages(cycle, plan, np.full(len(rows), FLITS), np.full(len(rows), COMBINED))
    config, trees = CHIP.replace(entry_vcs=entry_vcs, events=True), forest(rules.network, plans)
    engine = MulticastEngine(rules.network, 2, trees, messages, config, MulticastConfig(remake_cycles=REMAKE_CYCLES))
    engine.go(config.max_cycles)
    engine.check()
    done, events = engine.result(), engine.events()
    last = events[(events[:, 1] == at.EVENT_ARRIVE) & (events[:, 4] == DATA) & (events[:, 5] == FLITS - 1)]
    last = last[trees.place[last[:, 3], PLACE_ROW.drops] == 0]
    seen: dict[int, list[int]] = {}
    order: dict[tuple[int, int], list[int]] = {}
    for message, router in last[:, [2, 6]].tolist():
        seen.setdefault(message, []).append(router)
        order.setdefault((int(plan[message]), router), []).append(message)
    right = {way: [0, 0] for way in WAYS}
    for message, number in enumerate(plan.tolist()):
        (source, to), way = sets[number // len(WAYS)], WAYS[number % len(WAYS)]
        wanted, got = receivers(rules.where, scheme(way), source, to), seen.get(message, [])
        right[way][0] += set(to) <= set(got) and len(got) == len(set(got)) == wanted
        right[way][1] += 1
    overtaken = sum(a > b for met in order.values() for a, b in pairwise(met))
    counts = {way: (good, of) for way, (good, of) in right.items()}
    return Mixed(done.finished, counts, overtaken, sum(len(met) - 1 for met in order.values()))


def _proofs() -> dict[tuple[str, str], bool]:
    """Whether no packets can wait in a ring, by network and rules."""
    found = {}
    for spec in PROVED:
        net = build(spec)
        for rules in RULES:
            found[spec, rules] = prove_multicast(chip_rules(net, rules)).deadlock_free
        found[spec, "REMAKE"] = prove_multicast(Remaking(chip_rules(net))).deadlock_free
    return found


def _order(golden: Golden, run: Mixed) -> Cell:
    return claimed(golden, "chip_fifo", run.overtaken, detail=f"of {run.arrivals} arrivals after an earlier packet")


def _said(golden: Golden, runs: Sequence[Mixed], proofs: Mapping[tuple[str, str], bool]) -> Table:
    one, both = runs
    chosen = sum(one.right[way][0] == one.right[way][1] > 0 for way in SCHEMES)
    free = all(proofs[spec, rule] for spec in PROVED for rule in ("chip", "REMAKE"))
    rows: list[tuple[str, Sequence[Cell | None]]] = [
        (
            "schemes that packets of one run were sent by",
            [claimed(golden, "schemes_by_packet", chosen, stated=True, detail=WANTED)],
        ),
        ("a mixture of them", [claimed(golden, "chip_mixture", "allowed" if one.finished else "not allowed")]),
        ("packets that overtake, sources using one virtual channel", [_order(golden, one)]),
        ("packets that overtake, sources using both in turn", [_order(golden, both)]),
        ("rings of waiting packets", [claimed(golden, "chip_deadlock", "none" if free else "some")]),
    ]
    return Table("What the text says", "kudoh1995rhbd, section 6", ("value",), rows)


def _received(runs: Sequence[Mixed]) -> Table:
    title = "Packets that all and only those received that their scheme names"
    columns = [f"{where}: {what}" for where in ("one channel", "both channels") for what in ("right", "sent")]
    counts = [(way, [Cell(None, run.right[way][k]) for run in runs for k in (0, 1)]) for way in WAYS]
    return Table(title, "computed here", columns, counts)


def _rings(proofs: Mapping[tuple[str, str], bool]) -> Table:
    verdicts = [
        (rule, [Cell(None, "none" if proofs[spec, rule] else "a ring") for spec in PROVED])
        for rule in (*RULES, "REMAKE")
    ]
    return Table("Rings of waiting packets, two virtual channels", "computed here", PROVED, verdicts)


def section(golden: Golden, progress: Progress) -> Section:
    """Run the mixture twice, entering on one virtual channel and on both; prove the rules."""
    rules = chip_rules(build(NETWORK))
    runs = []
    for done, entry_vcs in enumerate((1, 2)):
        progress(done, 3)
        runs.append(mixed(rules, entry_vcs))
    progress(2, 3)
    proofs = _proofs()
    return Section(TITLE, _text(runs), (_said(golden, runs, proofs), _received(runs), _rings(proofs)))


def _text(runs: Sequence[Mixed]) -> str:
    sent = sum(of for _, of in runs[0].right.values())
    one, both = (f"{run.overtaken} of {run.arrivals}" for run in runs)
    return f"""{sent} multicasts of {FLITS} flits on {NETWORK}, {BURST} from a source one after another, to the same
{DESTINATIONS} destinations of it; SM, LPRA, LARP or REMAKE by draw for each packet. What each must reach is taken from
its own scheme's closed form, and every flit, acknowledge and combining buffer is accounted for.

The routes are fixed. Of the arrivals after an earlier multicast of the same source, scheme and destinations {one}
overtake it when a source sends on one virtual channel, and {both} when it uses both in turn: two such packets then
stand in different buffers, and either may go first, so that the fixed route alone does not ensure the order.

The proof numbers the channels so that every packet waits for higher ones only; without the change of channel southward,
or without a channel of its own for base hops between ranks, it shows a ring where there is one."""
