"""Which directory, protocol and bit-map scheme, when and why: one page from the figures of all programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jumpnet.coherence.encoding import encodings
from jumpnet.machine.timed.machine import Timing, run_machine
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.timed.trees import BitMapTrees
from jumpnet.machine.traffic import coherence_traffic
from jumpnet.machine.workload import workload
from jumpnet.papers import claim
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report._sharing import CLUSTER, CURVES
from jumpnet.report.kudoh1995rhbd._study import SCHEMES

TITLE = "Which scheme, when, why"
ORDER = 60

PROGRAMS = (
    "gas:steps=1",
    "water",
    "grid:processors=256,n=64,sweeps=2",
    "radix:processors=64,n=4096",
    "fft:processors=64",
    "lu:processors=64,n=64",
)
NETWORK = "rdt:16"
LATENCY_CYCLES = 25
"""About what messages take on the simulated networks at these loads (see the section on execution time)."""
LINES_OF_PAGE = 128
SLOWER = "update is slower than invalidation, an entry a line"
READS = "update waits less for reads than invalidation, an entry a line"
SINGLE = "single maps (SM) reach no more nodes than LPRA and LARP"
LARP = "LARP reaches no more nodes than LPRA"


@dataclass(frozen=True)
class _Program:
    """Figures of one program."""

    name: str
    timed: dict[tuple[str, str], Timing]
    """By protocol and directory."""
    by_tree: Timing
    """Invalidation, an entry a page, by multicasts of single maps with combined acknowledges."""
    destinations: float
    """Of an update, entry a page."""
    receivers: dict[str, float]
    """By scheme."""
    usage: float
    """Part of the lines of touched pages that are touched."""

    @property
    def fastest(self) -> tuple[str, str]:
        return min(self.timed, key=lambda curve: self.timed[curve].cycles)

    @property
    def best(self) -> str:
        return min(self.receivers, key=lambda name: self.receivers[name])

    def told(self, curve: tuple[str, str]) -> float:
        """Destinations of a message, on average."""
        histogram = self.timed[curve].destinations_histogram
        return sum(k * count for k, count in histogram.items()) / max(1, sum(histogram.values()))

    def ratio(self, one: tuple[str, str], other: tuple[str, str]) -> float:
        return self.timed[one].cycles / self.timed[other].cycles

    def tree_ratio(self, other: tuple[str, str]) -> float:
        return self.by_tree.cycles / self.timed[other].cycles


def _program(spec: str) -> _Program:
    trace = workload(spec).trace()
    streams = streams_of(trace, clusters_of=CLUSTER)
    timed = {
        (protocol, directory): run_machine(
            streams, protocol=protocol, directory=directory, clusters_of=CLUSTER, latency_cycles=LATENCY_CYCLES
        )
        for protocol, directory in CURVES
    }
    how: dict[str, Any] = {"trees": BitMapTrees(NETWORK, "SM"), "acknowledges": "combined", "directory": "page"}
    by_tree = run_machine(streams, clusters_of=CLUSTER, latency_cycles=LATENCY_CYCLES, **how)
    sent = {
        name: coherence_traffic(
            trace, protocol="update", directory="page", clusters_of=CLUSTER, encoding_name=name, network=NETWORK
        )
        for name in SCHEMES
    }
    any_of = next(iter(sent.values()))
    return _Program(
        spec,
        timed,
        by_tree,
        any_of.destinations_mean,
        {name: found.receivers_mean or 0.0 for name, found in sent.items()},
        any_of.lines / (LINES_OF_PAGE * any_of.pages),
    )


def _programs_table(found: list[_Program]) -> Table:
    rows: Rows = []
    base = CURVES[0]
    for p in found:
        cells: list[Cell | None] = [Cell(None, p.timed[base].cycles)]
        cells += [Cell(None, f"{p.ratio(curve, base):.2f}") for curve in CURVES[1:]]
        cells += [Cell(None, " ".join(p.fastest)), Cell(None, f"{p.destinations:.1f}")]
        cells += [Cell(None, f"{p.receivers[name]:.1f}") for name in SCHEMES]
        cells += [Cell(None, p.best), Cell(None, f"{100 * p.usage:.0f}%")]
        cells.append(Cell(None, f"{p.tree_ratio(base):.2f}"))
        rows.append((p.name, cells))
    columns = (
        "invalidate line: cycles",
        *(f"{protocol} {directory}: times as long" for protocol, directory in CURVES[1:]),
        "fastest",
        "update, entry a page: destinations",
        *(f"{name}: receivers" for name in SCHEMES),
        "fewest receivers",
        "usage of pages",
        "invalidate page, SM multicasts: times as long",
    )
    note = f"Messages take {LATENCY_CYCLES} cycles and their flits, and are sent one by one; receivers on {NETWORK}."
    return Table("Six programs", "computed here", columns, rows, note)


def _counted(found: list[_Program]) -> dict[str, int]:
    line, page = ("invalidate", "line"), ("invalidate", "page")
    return {
        "an entry a page is slower than an entry a line, invalidation": sum(p.ratio(page, line) > 1 for p in found),
        "the same, by more than half": sum(p.ratio(page, line) > 1.5 for p in found),
        SLOWER: sum(p.ratio(("update", "line"), line) > 1 for p in found),
        READS: _waiting_less(found),
        SINGLE: sum(p.receivers["SM"] <= min(p.receivers.values()) for p in found),
        LARP: sum(p.receivers["LARP"] <= p.receivers["LPRA"] for p in found),
        "more than half of the lines of touched pages are in use": sum(p.usage > 0.5 for p in found),
    }


def _text(found: list[_Program], counted: dict[str, int], crossing: str) -> str:
    n = len(found)
    line, page, update = ("invalidate", "line"), ("invalidate", "page"), ("update", "line")
    worst = max(found, key=lambda p: p.ratio(page, line))
    mildest = min(found, key=lambda p: p.ratio(page, line))
    gain = min(found, key=lambda p: p.ratio(update, line))
    apart = max(found, key=lambda p: p.receivers["LPRA"] / p.receivers["SM"])
    slower, reads, single, larp = (counted[key] for key in (SLOWER, READS, SINGLE, LARP))
    most, least = (pick(found, key=lambda p: p.tree_ratio(line)) for pick in (max, min))
    longer = ", ".join(p.name for p in found if p.tree_ratio(page) >= 1) or "none"
    saved = min(found, key=lambda p: p.tree_ratio(page))
    faster = sum(p.tree_ratio(page) < 1 for p in found)
    ahead = sum(p.receivers["LARP"] < p.receivers["SM"] for p in found)
    bits = {name: encodings()[name].bits(256).entry for name in ("SM", "full_map")}
    return f"""Lines or pages? An entry for each page takes 1/{LINES_OF_PAGE} of the entries where every line of a page
is in use, and costs time: with invalidations the six programs take {mildest.ratio(page, line):.2f} ({mildest.name}) to
{worst.ratio(page, line):.2f} ({worst.name}) times as long, because a write that asks for a line of a shared page is
told to all nodes that ever touched the page: {mildest.told(page):.1f} of them on average in the first,
{worst.told(page):.1f} in the second, against {mildest.told(line):.1f} and {worst.told(line):.1f} with lines. So:
pages where data can be laid out by owner, lines where many share a page.

Multicast? Where SM multicasts with combined acknowledges carry the invalidations, an entry a page takes
{least.tree_ratio(line):.2f} ({least.name}) to {most.tree_ratio(line):.2f} ({most.name}) times as long as an entry a
line without them: faster than one message after another in {faster} of {n} programs, most for {saved.name},
{1 / saved.tree_ratio(page):.1f} times as fast. The home sends once and hears once. Slower or the same: {longer}.

Invalidate or update? In {slower} of {n} programs update takes longer; processors wait less for reads in {reads}. Every
write to a shared line goes to the home and to all sharers, and a processor that waits for each write, as here
(sequential consistency), pays for all of them. Update does best for {gain.name}, with {gain.ratio(update, line):.2f}
times the time of invalidation, messages being sent one by one; how many packets multicast and combined acknowledges
save under either is in the section on the choice for each page.

Which map? With {bits["SM"]} bits instead of the {bits["full_map"]} of a full map, single maps (SM) reach the fewest
nodes in {single} of {n} programs. The difference is largest for {apart.name}: {apart.receivers["SM"]:.1f} nodes under
SM, {apart.receivers["LPRA"]:.1f} under LPRA and {apart.receivers["LARP"]:.1f} under LARP, for {apart.destinations:.1f}
destinations. LARP, which random destinations around the home prefer from {crossing} on in the paper, reaches no more
nodes than LPRA in {larp} of {n} programs, and fewer than SM in {ahead}.

All this is for these six programs at these sizes, homes by first touch, caches without limit, processors in their
places; the tables are what it rests on."""


def _advantageous(golden: Golden, found: list[_Program]) -> Table:
    """The paper's sentence on update, by the time of a program; beside it the time that reads wait."""
    n, name = len(found), "update_advantageous"
    rows: Rows = []
    for directory in ("line", "page"):
        quicker = sum(p.ratio(("update", directory), ("invalidate", directory)) < 1 for p in found)
        cell = claimed(golden, name, "most" if 2 * quicker > n else f"{quicker} of {n}")
        rows.append((f"programs that take fewer cycles under update, an entry a {directory}", [cell]))
    rows.append((READS, [Cell(None, f"{_waiting_less(found)} of {n}", claim=name)]))
    return Table("What the text says of update protocols", "kudoh1995rhbd, section 5.1", ("value",), rows)


def _waiting_less(found: list[_Program]) -> int:
    """Programs whose processors wait less for reads under update, an entry a line."""
    return sum(p.timed["update", "line"].read_stall < p.timed["invalidate", "line"].read_stall for p in found)


def section(golden: Golden, progress: Progress) -> Section:
    """Run everything once, count what holds, and say it in words."""
    found = []
    for done, spec in enumerate(PROGRAMS):
        progress(done, len(PROGRAMS))
        found.append(_program(spec))
    counted = _counted(found)
    rows: Rows = [(text, [Cell(None, f"{k} of {len(found)}")]) for text, k in counted.items()]
    rules = Table("What holds in how many programs", "computed here", ("programs",), rows)
    tables = (rules, _programs_table(found), _advantageous(golden, found))
    return Section(TITLE, _text(found, counted, claim(golden, "crossing")), tables)
