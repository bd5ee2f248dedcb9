"""Figure 9 of the bit-map directory paper: how many nodes coherence messages go to, in programs of its sizes."""

from __future__ import annotations

from typing import Any

from jumpnet.machine.trace import Trace
from jumpnet.machine.traffic import Traffic
from jumpnet.paper._section import Cell, Figure, Golden, Progress, Section, Table
from jumpnet.paper.kudoh1995rhbd._sharing import CLUSTER, CURVES, captured, peaks, share, shipped, traffic
from jumpnet.papers import claim

TITLE = "Figure 9: destinations of coherence messages"
ORDER = 15

COUNTED = {1: "processors", CLUSTER: "clusters of four"}


def _claims(golden: Golden, traces: dict[str, Trace]) -> Table:
    rows: list[tuple[str, list[Cell | None]]] = []
    for label, trace in traces.items():
        for clusters_of, counted in COUNTED.items():
            found = {curve: traffic(trace, *curve, clusters_of) for curve in CURVES}
            cells: list[Cell | None] = [_few(golden, found["invalidate", "line"]), _many(golden, found)]
            for curve in (("invalidate", "page"), ("update", "page")):
                coarser = traffic(trace, *curve, CLUSTER) if clusters_of < CLUSTER else None
                cells.append(_peaks(golden, found[curve], coarser))
            rows.append((f"{label}, counting {counted}", cells))
    columns = (
        "entry a line, invalidation: destinations of most messages",
        "other curves: average destinations, the least",
        "entry a page, invalidation: peaks",
        "entry a page, update: peaks",
    )
    return Table("What the text says of this figure", "kudoh1995rhbd, section 5.1, Figure 9", columns, rows)


def _few(golden: Golden, found: Traffic) -> Cell:
    few = claim(golden, "line_invalidate_copies")
    small = share(found.destinations_histogram, *(int(word) for word in few.split("-")))
    if small > 0.5:
        return Cell(few, few)
    note = "Most messages have more." if found.messages else "No line is ever written while another holds it."
    return Cell(few, f"{100 * small:.0f}% of messages", note)


def _many(golden: Golden, found: dict[tuple[str, str], Traffic]) -> Cell:
    many = claim(golden, "other_copies")
    curve = min(CURVES[1:], key=lambda c: found[c].destinations_mean)
    least = found[curve].destinations_mean
    note = f"The least: {curve[0]}, entry a {curve[1]}."
    return Cell(many, many if least > float(many.split()[-1]) else f"{least:.2f}", note)


def _has_both(golden: Golden, found: Traffic) -> bool:
    """Whether a histogram has the two peaks of the paper."""
    least, most = (int(word) for word in claim(golden, "destinations_low").split("-"))
    at = peaks(found.destinations_histogram)
    return any(least <= k <= most for k in at) and found.nodes - 1 in at


def _peaks(golden: Golden, found: Traffic, coarser: Traffic | None) -> Cell:
    """coarser: the same program by clusters, where `found` counts processors."""
    low, high = claim(golden, "destinations_low"), claim(golden, "destinations_high")
    both, at, everyone = f"{low} and {high}", peaks(found.destinations_histogram), found.nodes - 1
    if _has_both(golden, found):
        return Cell(both, both)
    least, most = (int(word) for word in low.split("-"))
    part = 100 * share(found.destinations_histogram, least, most)
    mean = f"{found.destinations_mean:.1f} of {everyone} nodes on average"
    note = f"A message goes to {mean}, {part:.1f}% of the messages to {low}: "
    if coarser is not None and _has_both(golden, coarser):
        note += PROCESSORS
    elif found.destinations_mean > everyone / 2:
        note += "most of the nodes have touched a page when it is written, so that there is no low peak."
    else:
        note += f"no peak from {least} to {most}." if everyone in at else "no peak at all."
    return Cell(both, ", ".join(map(str, at)) or "none", note)


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
    claims = _claims(golden, traces)
    both = [label for label, cells in claims.rows if cells[2] is not None and cells[2].verdict == "equal"]
    text = TEXT + ("of " + "; ".join(both) if both else "of no program") + "."
    return Section(TITLE, text, (claims, _shares(traces)), pictures)


PROCESSORS = "of the processors of a cluster, most share the page. Counted in clusters it has both peaks (next row)."
TEXT = """The programs are ours, at the sizes of the paper's MP3D (1024 molecules, 256 processors) and WATER (64
molecules, 32 processors), stand-ins for these and no more than that; with captured traces at hand, these are shown
beside them. Caches without limit, lines of 32 bytes, pages of 4096 bytes. A local maximum of the histogram that holds
at least 1% of the messages counts as a peak.

The paper's X axis is 'the number of destination processors', and JUMP-1's directory names clusters of four. Both peaks
of the curve of invalidations with an entry a page come out """
