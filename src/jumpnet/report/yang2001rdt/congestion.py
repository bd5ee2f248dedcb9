"""Congestion of the upper rank tori of RDT(2,4,1)/alpha under uniform traffic: the exact load of every channel.

Source: yang2001rdt section IV.B, after Figure 9. Figure 9's section measures the same in the simulator.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from jumpnet.analysis.loads import ChannelLoads, channel_loads
from jumpnet.report._measures import MUCH_TIMES, NOISE, against, much_more
from jumpnet.report._prose import series
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.routings import bind
from jumpnet.topology import build
from jumpnet.traffic import bind as pattern

TITLE = "Congestion of the upper ranks: exact loads"
ORDER = 72

SPEC = "rdt:64"
LOADED = {
    "rdt.deadlock_free": "base_moves:step",
    "rdt.deadlock_free:moves=x": "base_moves:x",
    "rdt.floating": "",
}


class Upper(NamedTuple):
    """Loads of the channels of the upper ranks together, and of rank 0."""

    mean: float
    largest: float
    base_mean: float
    base_largest: float


def upper(found: ChannelLoads) -> Upper:
    """Mean and largest load of a channel, upper ranks against rank 0."""
    ranks = [figures for rank, figures in found.by_rank.items() if rank]
    mean = sum(channels * load for channels, load, _ in ranks) / sum(channels for channels, _, _ in ranks)
    return Upper(mean, max(most for _, _, most in ranks), *found.by_rank[0][1:])


def _severe(mine: float, base: float) -> str:
    return "severe" if much_more(mine, base) else "not severe"


def _cells(golden: Golden, found: ChannelLoads, reading: str) -> list[Cell | None]:
    """The verdicts of one routing: above on average, severe on average, severe at the busiest channel."""
    of = upper(found)
    means = f"a channel of the upper ranks carries {of.mean:.3f} on average, one of rank 0 {of.base_mean:.3f}"
    most = f"the busiest channel of the upper ranks carries {of.largest:.3f}, that of rank 0 {of.base_largest:.3f}"
    full = (
        f"rank 0 is full at {1 / of.base_largest:.3f} flits a node and clock, the upper ranks at {1 / of.largest:.3f}"
    )
    return [
        claimed(golden, "upper_ranks_congested", against(of.mean, of.base_mean, NOISE), reading=reading, detail=means),
        claimed(golden, "upper_ranks_severe", _severe(of.mean, of.base_mean), reading=reading, detail=means),
        claimed(golden, "upper_ranks_severe", _severe(of.largest, of.base_largest), reading=reading,
                detail=f"{most}; {full}"),
    ]  # fmt: skip


def _table(golden: Golden, loads: Mapping[str, ChannelLoads]) -> Table:
    """The verdicts of each routing, then the loads of its ranks."""
    rows: Rows = []
    for name, found in loads.items():
        ideal = Cell(None, found.ideal_throughput, claim="upper_ranks_congested")
        rows.append((name, [*_cells(golden, found, LOADED[name]), None, None, None, ideal]))
        for rank, figures in found.by_rank.items():
            cells = [Cell(None, value, claim="upper_ranks_congested") for value in figures]
            rows.append((f"{name}, rank {rank}", [None, None, None, *cells, None]))
    columns = (
        "upper ranks against rank 0", "severe, on average", "severe, busiest channel", "channels", "mean load",
        "largest load", "ideal throughput",
    )  # fmt: skip
    note = (
        "Flits a cycle on a channel when every node offers one flit a cycle; ideal throughput in flits a cycle a node: "
        "at that load the busiest channel is full. "
        f"`above`: by more than {NOISE:.0%}; `severe`: {float(MUCH_TIMES):g} times the load of rank 0 "
        "and more, a measure of ours."
    )
    return Table(f"Channel load under uniform traffic, {SPEC}", "yang2001rdt, section IV.B", columns, rows, note)


def _words(name: str, found: ChannelLoads) -> str:
    """Which ranks carry more than rank 0, and where the busiest channel is."""
    heavy = [str(r) for r, (_, mean, _) in found.by_rank.items() if r and mean > found.by_rank[0][1]]
    busiest = max(found.by_rank, key=lambda rank: found.by_rank[rank][2])
    return (
        f"Under {name} a channel of rank {' or '.join(heavy) or 'none of the upper ranks'} carries more than one "
        f"of rank 0 on average; the busiest channel of all is one of rank {busiest}."
    )


def section(golden: Golden, progress: Progress) -> Section:
    """Loads of every channel by rank, for three routings."""
    net, loads = build(SPEC), dict[str, ChannelLoads]()
    for done, name in enumerate(LOADED):
        progress(done, len(LOADED))
        loads[name] = channel_loads(bind(name, net), pattern("uniform", net))
    means = {name: upper(found) for name, found in loads.items()}
    more = series(f"{of.mean / of.base_mean:.2f} ({name})" for name, of in means.items())
    text = TEXT.format(more=more, times=f"{float(MUCH_TIMES):g}")
    words = [_words(name, found) for name, found in loads.items()]
    return Section(TITLE, "\n\n".join((text, *words)), (_table(golden, loads),))


TEXT = """The paper explains the RDT's saturation under uniform traffic by severe congestion on the upper rank tori.
The loads of all channels follow exactly from the routes of all pairs. On average a channel of the upper ranks carries
{more} times as much as one of rank 0; {times} times and more we call severe. Where the busiest channel is one of rank
0, it is the base hops that lead to the next rank that fill first and end the throughput."""
