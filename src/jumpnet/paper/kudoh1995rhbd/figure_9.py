"""Figure 9 of the bit-map directory paper: how many nodes coherence messages go to, in programs of its sizes."""

from __future__ import annotations

from typing import Any

from jumpnet.machine.trace import Trace
from jumpnet.paper._section import Cell, Figure, Golden, Progress, Section, Table
from jumpnet.paper.kudoh1995rhbd._sharing import CLUSTER, CURVES, captured, peaks, share, shipped, traffic
from jumpnet.papers import claim

TITLE = "Figure 9: destinations of coherence messages"
ORDER = 15

COUNTED = {1: "processors", CLUSTER: "clusters of four"}


def _claims(golden: Golden, traces: dict[str, Trace]) -> Table:
    few, many = claim(golden, "line_invalidate_copies"), claim(golden, "other_copies")
    low, high = claim(golden, "destinations_low"), claim(golden, "destinations_high")
    least, most = (int(word) for word in low.split("-"))
    both = f"{low} and {high}"
    rows: list[tuple[str, list[Cell | None]]] = []
    for label, trace in traces.items():
        for clusters_of, counted in COUNTED.items():
            found = {curve: traffic(trace, *curve, clusters_of) for curve in CURVES}
            histogram = {curve: f.destinations_histogram for curve, f in found.items()}
            one, two = (int(word) for word in few.split("-"))
            small = share(histogram["invalidate", "line"], one, two)
            others = min(found[curve].destinations_mean for curve in CURVES if curve != ("invalidate", "line"))
            exceeds = others > float(many.split()[-1])
            cells: list[Cell | None] = [
                Cell(few, few if small > 0.5 else f"{100 * small:.0f}% of messages", "Most messages have more."),
                Cell(many, many if exceeds else f"{others:.2f}", FEW),
            ]
            for protocol in ("invalidate", "update"):
                at = peaks(histogram[protocol, "page"])
                everyone = found[protocol, "page"].nodes - 1
                holds = any(least <= k <= most for k in at) and everyone in at
                text = both if holds else ", ".join(str(k) for k in at)
                spread = found[protocol, "page"].destinations_mean > 0.7 * everyone
                cells.append(Cell(both, text, EVERYWHERE if spread else PROCESSORS))
            rows.append((f"{label}, counting {counted}", cells))
    columns = (
        "entry a line, invalidation: destinations of most messages",
        "other curves: average destinations, the least",
        "entry a page, invalidation: peaks",
        "entry a page, update: peaks",
    )
    return Table("What the text says of this figure", "kudoh1995rhbd, section 5.1, Figure 9", columns, rows)


def _shares(traces: dict[str, Trace]) -> Table:
    rows: list[tuple[str, list[Cell | None]]] = []
    for label, trace in traces.items():
        for clusters_of, counted in COUNTED.items():
            for protocol, directory in CURVES:
                f = traffic(trace, protocol, directory, clusters_of)
                everyone, histogram = f.nodes - 1, f.destinations_histogram
                # Where all are few (eight clusters), they count as all.
                parts = [share(histogram, *ends) for ends in ((1, 1), (2, 3), (4, min(8, everyone - 1)))]
                parts += [share(histogram, 9, everyone - 1), share(histogram, everyone, everyone)]
                cells: list[Cell | None] = [Cell(None, f.messages), *(Cell(None, f"{100 * x:.1f}") for x in parts)]
                cells.append(Cell(None, f"{f.destinations_mean:.2f}"))
                rows.append((f"{label}, counting {counted}: {protocol}, entry a {directory}", cells))
    columns = ("messages", "1 (%)", "2-3 (%)", "4-8 (%)", "9 to all but one (%)", "all (%)", "average")
    return Table("Messages by number of destinations", "computed here", columns, rows)


def _figure(number: int, label: str, trace: Trace) -> Figure:
    data: dict[str, Any] = {
        "program": [],
        "counted": [],
        "protocol": [],
        "entry": [],
        "destinations": [],
        "messages": [],
    }
    for clusters_of, counted in COUNTED.items():
        for protocol, directory in CURVES:
            for k, count in traffic(trace, protocol, directory, clusters_of).destinations_histogram.items():
                for name, value in zip(data, (label, counted, protocol, directory, k, count), strict=True):
                    data[name].append(value)

    def draw(figure: Any) -> None:
        grid = figure.subplots(len(COUNTED), 2, squeeze=False)
        for axes_row, (clusters_of, counted) in zip(grid, COUNTED.items(), strict=True):
            for axes, protocol in zip(axes_row, ("invalidate", "update"), strict=True):
                for directory, style in (("line", "-"), ("page", ":")):
                    f = traffic(trace, protocol, directory, clusters_of)
                    k = range(1, f.nodes)
                    messages = [f.destinations_histogram.get(i, 0) for i in k]
                    width = 2.0 if directory == "line" else 1.4
                    axes.plot(
                        k, messages, style, marker=".", markersize=4, linewidth=width, label=f"entry a {directory}"
                    )
                axes.set_xscale("log", base=2)
                axes.set_title(f"{protocol}, counting {counted}", fontsize="small")
                axes.set_xlabel("destinations")
                axes.set_ylabel("messages")
        grid[0][0].legend()

    name = f"rhbd-figure-9-{number}"
    return Figure(name, f"Messages by destinations: {label}", "kudoh1995rhbd, Figure 9", draw, data)


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Run the programs through the functional machine, and read the paper's statements off the histograms."""
    traces = {**shipped(full), **captured(full)}
    for done, trace in enumerate(traces.values()):
        progress(done, len(traces))
        for clusters_of in COUNTED:
            for curve in CURVES:
                traffic(trace, *curve, clusters_of)
    pictures = [_figure(i, label, trace) for i, (label, trace) in enumerate(traces.items(), 1)]
    return Section(TITLE, TEXT, (_claims(golden, traces), _shares(traces)), pictures)


FEW = "Just below: few clusters, and single lines that few of them read."
PROCESSORS = """Counting processors the low peak lies higher: a page of this program holds the data of several
processors, of which a cluster shares one copy. See the row that counts clusters."""
EVERYWHERE = """Molecules fly anywhere, so that nearly every node touches nearly every page before long: the low peak is
not there. The gas is not MP3D; it has its size only."""
TEXT = """The programs are ours, at the sizes of the paper's MP3D (1024 molecules, 256 processors) and WATER (64
molecules, 32 processors); with captured traces at hand, these are shown beside them. Caches without limit, lines of 32
bytes, pages of 4096 bytes. A local maximum of the histogram that holds at least 1% of the messages counts as a peak.

The paper's X axis is 'the number of destination processors', but its two peaks, at 4 to 8 and at all nodes, come out of
the molecular dynamics when clusters of four processors count as nodes, as in JUMP-1; counting processors, the same
messages peak at 18 or 19 of 31, which is four times as many."""
