"""Adaptive routing on the RDT: what section IV.C.g says of its two routings, by proof and by following every choice."""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.routes.paths import adaptive_figures, path_figures
from jumpnet.networks import Network
from jumpnet.report._kept import kept
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.routings import bind
from jumpnet.topology import build

TITLE = "Adaptive routing: proofs and paths"
ORDER = 78

KEY = "yang2001rdt"
ROUTINGS = {"rdt.duato": "Duato's condition", "rdt.turn_model": "turn model"}
SIDES = (16, 32, 64, 128, 256)
MOST_SIDE = {"rdt.duato": 64, "rdt.turn_model": 256}
"""Duato's condition is about every state of every packet, and takes hours from 128 x 128 on."""
SLOW = ("rdt:64 rdt.duato",)
"""Proved under --full; the answer is kept."""
PATHS_SIDE = 32


def _shortest_ways(net: Network) -> tuple[int, int]:
    """Ordered pairs from one router of each orbit, and those between which there is more than one shortest way."""
    assert net.orbits is not None
    pairs = several = 0
    for source in net.orbits.representative.tolist():
        ways = np.zeros(net.routers, np.int64)
        ways[source], seen = 1, np.zeros(net.routers, bool)
        seen[source] = True
        front = np.array([source])
        while front.size:
            to = net.neighbor[front]
            fresh = (to >= 0) & ~seen[to]
            np.add.at(ways, to[fresh], np.repeat(ways[front], fresh.sum(axis=1)))
            front = np.unique(to[fresh])
            seen[front] = True
        pairs, several = pairs + net.routers - 1, several + int((ways > 1).sum())
    return pairs, several


def _proofs(golden: Golden, full: bool, progress: Progress) -> tuple[Table, dict[str, str]]:
    """Proofs of both at each size; slow ones only under `full`."""
    results, made = None if full else kept(KEY, "adaptive"), dict[str, str]()
    known = {} if results is None else results.data["proofs"]
    rows: Rows = []
    for name, words in ROUTINGS.items():
        cells: list[Cell | None] = []
        for side in SIDES:
            progress(len(made), 1 + len(ROUTINGS) * len(SIDES))
            place = f"rdt:{side} {name}"
            if side <= MOST_SIDE[name] and (place not in SLOW or full):
                made[place] = prove(bind(name, build(f"rdt:{side}"))).verdict
            answer = made.get(place, known.get(place))
            cells.append(None if answer is None else claimed(golden, "adaptive_proved", answer))
        rows.append((f"{name}, {words}", cells))
    columns = [f"rdt:{side}" for side in SIDES]
    note = "Four virtual channels." + ("" if results is None else f" {SLOW[0].replace(' ', ', ')}: {results.said}")
    return Table("Freedom from deadlock", f"{KEY}, section IV.C.g", columns, rows, note), made


def _paths(golden: Golden) -> Table:
    """Lengths over all choices against the routing without choices, on one network."""
    net = build(f"rdt:{PATHS_SIDE}")
    plain = path_figures(bind("rdt.deadlock_free", net))
    claims = {"rdt.duato": "duato_redundant", "rdt.turn_model": "turn_model_extra"}
    rows: Rows = []
    for name, claim in claims.items():
        found = adaptive_figures(bind(name, net))
        answer = "some" if found.longest_average > plain.average else "none"
        longest = f"{float(found.longest_average):.4f} hops on average of the pairs and {found.longest} at most"
        usual = f"{float(plain.average):.4f} and {plain.maximum} without choices"
        why = f"{net.spec}: the longest route that choices make has {longest}, against {usual}"
        cells = [
            claimed(golden, claim, answer, detail=why),
            Cell(None, round(float(found.longest_average), 4), claim=claim),
            Cell(None, round(float(found.expected_average), 4), claim=claim),
            Cell(None, round(float(plain.average), 4), claim=claim),
        ]
        rows.append((name, list(cells)))
    columns = ("longer routes", "longest by choice, average", "expected, average", "without choices, average")
    return Table(f"Lengths of routes, {net.spec}", f"{KEY}, section IV.C.g", columns, rows)


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Proofs, lengths of routes, and how many pairs have several shortest ways."""
    proofs, made = _proofs(golden, full, progress)
    net = build("rdt:64")
    pairs, several = _shortest_ways(net)
    answer = "multiple" if several > pairs / 2 else "one, for most pairs"
    why = f"{several} of {pairs} pairs have more than one shortest way ({net.spec}, from a router of each orbit)"
    rows: Rows = [(golden["claims"]["multiple_paths"]["text"], [claimed(golden, "multiple_paths", answer, detail=why)])]
    ways = Table("Alternative paths", f"{KEY}, section IV.C.g", ("found",), rows)
    return Section(TITLE, TEXT, (proofs, _paths(golden), ways), (), {"proofs": made} if full else {})


TEXT = """Freedom from deadlock is proved on 16 by 16, 32 by 32 and 64 by 64 nodes, of the turn model also on 128 by 128
and 256 by 256, and on no other size: 64 by 64 has the ranks 0 to 3, so that nothing is proved here of Duato's condition
with rank 4. The paper names two methods and leaves the rules to
other papers, so the rules are ours: `rdt.duato` offers every hop that shortens the vector and every neighbor with a
pending rank, and escapes by descending order; `rdt.turn_model` is negative-first within each rank. How much they
improve the performance is measured with Figures 9, 10 and 11."""
