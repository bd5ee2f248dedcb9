"""Congestion of the upper rank tori of RDT(2,4,1)/alpha under uniform traffic: the exact load of every channel.

Source: yang2001rdt section IV.B, after Figure 9. Figure 9's section measures the same in the simulator.
"""

from __future__ import annotations

from jumpnet.analysis.loads import ChannelLoads, channel_loads
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table, claimed
from jumpnet.routing import bind
from jumpnet.topology import build
from jumpnet.traffic import bind as pattern

TITLE = "Congestion of the upper ranks: exact loads"
ORDER = 72

SPEC = "rdt:64"
MORE = 0.03
"""Relative difference that counts, as in Figure 9."""
LOADED = {
    "rdt.deadlock_free": "base_moves:step",
    "rdt.deadlock_free:moves=x": "base_moves:x",
    "rdt.floating": "",
}


def _answer(found: ChannelLoads) -> tuple[str, str]:
    """The mean load of a channel of the upper ranks against that of rank 0, and the figures."""
    upper = [figures for rank, figures in found.by_rank.items() if rank]
    mean = sum(channels * load for channels, load, _ in upper) / sum(channels for channels, _, _ in upper)
    base = found.by_rank[0][1]
    answer = "above" if mean > base * (1 + MORE) else "below" if mean < base * (1 - MORE) else "alike"
    return answer, f"a channel of the upper ranks carries {mean:.3f} on average, one of rank 0 {base:.3f}"


def section(golden: Golden, progress: Progress) -> Section:
    """Loads of every channel by rank, for three routings."""
    net = build(SPEC)
    rows: list[tuple[str, list[Cell | None]]] = []
    words = []
    for done, (name, reading) in enumerate(LOADED.items()):
        progress(done, len(LOADED))
        found = channel_loads(bind(name, net), pattern("uniform", net))
        answer, why = _answer(found)
        cells: list[Cell | None] = [
            claimed(golden, "upper_ranks_congested", answer, reading=reading, detail=why), None, None, None,
            Cell(None, found.ideal_throughput, claim="upper_ranks_congested"),
        ]  # fmt: skip
        rows.append((name, cells))
        for rank, figures in found.by_rank.items():
            cells = [None, *(Cell(None, value, claim="upper_ranks_congested") for value in figures), None]
            rows.append((f"{name}, rank {rank}", cells))
        heavy = [str(r) for r, (_, mean, _) in found.by_rank.items() if r and mean > found.by_rank[0][1]]
        busiest = max(found.by_rank, key=lambda rank: found.by_rank[rank][2])
        words.append(
            f"Under {name} a channel of rank {' or '.join(heavy) or 'none of the upper ranks'} carries more than one "
            f"of rank 0 on average; the busiest channel of all is one of rank {busiest}."
        )
    columns = ("upper ranks against rank 0", "channels", "mean load", "largest load", "ideal throughput")
    note = (
        "Flits a cycle on a channel when every node offers one flit a cycle; ideal throughput in flits a cycle a node: "
        "at that load the busiest channel is full."
    )
    table = Table(f"Channel load under uniform traffic, {SPEC}", "yang2001rdt, section IV.B", columns, rows, note)
    return Section(TITLE, "\n\n".join((TEXT, *words)), (table,))


TEXT = """The paper explains the RDT's saturation under uniform traffic by congested upper rank tori. The loads of
all channels follow exactly from the routes of all pairs."""
