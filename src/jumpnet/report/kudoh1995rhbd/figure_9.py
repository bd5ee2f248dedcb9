"""Figure 9 of the bit-map directory paper: how many nodes coherence messages go to, in programs of its sizes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jumpnet.coherence.functional import PAGE_ENTRIES
from jumpnet.machine.workload.gas import Gas
from jumpnet.machine.workload.water import Water
from jumpnet.report._page_entries import COUNTED, DRAWN, EVERY, OTHER, PLAIN, Found, page_table, protocol_table
from jumpnet.report._page_entries import programs as of_figure_9
from jumpnet.report._section import Cell, Figure, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report._sharing import share
from jumpnet.report.kudoh1995rhbd._peaks import LEAST, apart, low_peak, octave, peaks

TITLE = "Figure 9: destinations of coherence messages"
ORDER = 15

FEW = (1, 2)
"""'One or two in most cases.'"""
LEAST_NODES = 4
"""'The number of destinations is likely to be at least 4', which is taken as: of more than half of the messages."""
EXCEEDED = 3
"""'The number of copies exceeds three.'"""
LINE_BYTES, PAGE_BYTES = 32, 4096
SOURCE = "kudoh1995rhbd, section 5.1, Figure 9"


def _claims(golden: Golden, programs: Mapping[str, Found]) -> Table:
    rows: Rows = []
    for label, found in programs.items():
        for clusters_of, counted in COUNTED.items():
            means = {curve: found.mean(clusters_of, curve) for curve in DRAWN}
            few = share(found.histogram(clusters_of, DRAWN[0]), *FEW)
            exceed = sum(means[curve] > EXCEEDED for curve in DRAWN[1:])
            words = ", ".join(f"{p}, entry a {d}: {means[p, d, e]:.2f}" for p, d, e in DRAWN)
            update, invalidate = (means[protocol, "line", PLAIN] for protocol in ("update", "invalidate"))
            cells: list[Cell | None] = [
                claimed(golden, "line_invalidate_copies", "most" if few > 0.5 else "not most",
                        detail=f"{100 * few:.1f}% of the messages"),
                claimed(golden, "other_copies", exceed, detail=f"average destinations: {words}"),
                claimed(golden, "update_copies", "more" if update > invalidate else "not more",
                        detail=f"{update:.2f} against {invalidate:.2f} on average, an entry a line"),
            ]  # fmt: skip
            rows.append((f"{label}, counting {counted}", cells))
    columns = (
        "entry a line, invalidation: messages to one or two",
        "other curves with more than three on average",
        "copies under update",
    )
    return Table("Few copies with lines and invalidation, more otherwise", SOURCE, columns, rows)


def _peak_cells(golden: Golden, found: Found, clusters_of: int, protocol: str, page_entry: str) -> list[Cell | None]:
    histogram, everyone = found.histogram(clusters_of, (protocol, "page", page_entry)), found.nodes(clusters_of) - 1
    seen = peaks(histogram, everyone)
    low, (_, at_all) = low_peak(seen, everyone), apart(seen, everyone)
    reading, total = f"page_entry:{page_entry}", max(1, sum(histogram.values()))
    many = share(histogram, LEAST_NODES, everyone)
    where = ", ".join(f"{p.said} ({100 * p.messages / total:.1f}%)" for p in seen) or "none"
    detail = f"peaks at {where}; {found.mean(clusters_of, (protocol, 'page', page_entry)):.1f} of {everyone} on average"
    return [
        claimed(golden, "destinations_low", octave(low.first) if low else "none", reading=reading, detail=detail),
        claimed(golden, "destinations_high", "all" if at_all else "none", reading=reading),
        claimed(golden, "peaks", len(seen), reading=reading),
        claimed(golden, "destinations_least", "likely" if many > 0.5 else "not likely", reading=reading,
                detail=f"{100 * many:.1f}% of the messages go to at least {LEAST_NODES}"),
    ]  # fmt: skip


def _peaks(golden: Golden, programs: Mapping[str, Found]) -> Table:
    rows: Rows = []
    for label, found in programs.items():
        for clusters_of, counted in COUNTED.items():
            for page_entry in PAGE_ENTRIES:
                row = f"{label}, counting {counted}, {page_entry.replace('_', ' ')}"
                both = (_peak_cells(golden, found, clusters_of, p, page_entry) for p in ("invalidate", "update"))
                rows.append((row, [cell for cells in both for cell in cells]))
    columns = [
        f"{protocol}: {what}"
        for protocol in ("invalidation", "update")
        for what in ("highest peak below all", "peak at all", "peaks", "at least four")
    ]
    note = f"""A peak is a run of equal counts with less on both sides, out of which one must go down by at least
{100 * LEAST:.0f}% of the messages to get to a higher one. Of several peaks below all other nodes the most prominent
one is named, by the powers of two around it, as on the figure's logarithmic axis."""
    return Table("Peaks with an entry a page, as both readings of the entry have them", SOURCE, columns, rows, note)


def _sizes(golden: Golden) -> Table:
    gas, water = Gas(), Water()  # PAPERS_OWN names them without settings: these sizes
    sizes = (
        ("processors of MP3D", "mp3d_processors", gas.processors),
        ("molecules of MP3D", "mp3d_molecules", gas.molecules),
        ("processors of water", "water_processors", water.processors),
        ("molecules of water", "water_molecules", water.molecules),
        ("bytes of a line", "line_bytes", LINE_BYTES),
        ("bytes of a page", "page_bytes", PAGE_BYTES),
    )
    rows = [(label, [claimed(golden, name, value, stated=True)]) for label, name, value in sizes]
    return Table("Sizes, set as printed", SOURCE, ("ours",), rows, "The captured traces are of these sizes, too.")


def _shares(programs: Mapping[str, Found]) -> Table:
    rows: Rows = []
    for label, found in programs.items():
        for clusters_of, counted in COUNTED.items():
            for curve in EVERY[:-1]:
                everyone, histogram = found.nodes(clusters_of) - 1, found.histogram(clusters_of, curve)
                # Where all are few (eight clusters), they count as all.
                parts = [share(histogram, *ends) for ends in ((1, 1), (2, 3), (4, min(8, everyone - 1)))]
                parts += [share(histogram, 9, everyone - 1), share(histogram, everyone, everyone)]
                messages = Cell(None, sum(histogram.values()))
                cells: list[Cell | None] = [messages, *(Cell(None, f"{100 * x:.1f}") for x in parts)]
                cells.append(Cell(None, f"{found.mean(clusters_of, curve):.2f}"))
                protocol, directory, page_entry = curve
                who = f", {page_entry.replace('_', ' ')}" if directory == "page" else ""
                rows.append((f"{label}, counting {counted}: {protocol}, entry a {directory}{who}", cells))
    columns = ("messages", "1 (%)", "2-3 (%)", "4-8 (%)", "9 to all but one (%)", "all (%)", "average")
    return Table("Messages by number of destinations", "computed here", columns, rows)


def _figure(number: int, label: str, found: Found) -> Figure:
    names = ("program", "counted", "protocol", "entry", "destinations", "messages")
    data: dict[str, Any] = {name: [] for name in names}
    for clusters_of, counted in COUNTED.items():
        for curve in EVERY[:-1]:
            for k, count in found.histogram(clusters_of, curve).items():
                entry = " ".join(curve[1:]) if curve[1] == "page" else "line"
                for name, value in zip(data, (label, counted, curve[0], entry, k, count), strict=True):
                    data[name].append(value)

    def draw(figure: Any) -> None:
        grid = figure.subplots(len(COUNTED), 2, squeeze=False)
        styles = {("line", PLAIN): ("-", 2.0), ("page", PLAIN): (":", 1.4), ("page", OTHER): ("--", 0.8)}
        for axes_row, (clusters_of, counted) in zip(grid, COUNTED.items(), strict=True):
            k = range(1, found.nodes(clusters_of))
            for axes, protocol in zip(axes_row, ("invalidate", "update"), strict=True):
                for (directory, page_entry), (style, width) in styles.items():
                    histogram = found.histogram(clusters_of, (protocol, directory, page_entry))
                    name = f"entry a {directory}" + (", valid holders" if page_entry == OTHER else "")
                    axes.plot(k, [histogram.get(i, 0) for i in k], style, marker=".", markersize=4, linewidth=width,
                              label=name)  # fmt: skip
                axes.set_xscale("log", base=2)
                axes.set_title(f"{protocol}, counting {counted}", fontsize="small")
                axes.set_xlabel("destinations")
                axes.set_ylabel("messages")
        grid[0][0].legend(fontsize="x-small")

    title = f"Messages by destinations: {label}"
    return Figure(f"rhbd-figure-9-{number}", title, "kudoh1995rhbd, Figure 9", draw, data, claim="figure_9")


def _text(peaked: Table) -> str:
    """What the table of peaks says, in words."""
    hits = dict.fromkeys(PAGE_ENTRIES, 0)
    both: dict[str, list[str]] = {"invalidation": [], "update": []}
    for label, cells in peaked.rows:
        for cell in cells:
            if cell is not None:
                hits[cell.reading.partition(":")[2]] += cell.verdict == "equal"
        for name, (low, high) in zip(both, (cells[0:2], cells[4:6]), strict=True):
            if low is not None and high is not None and low.verdict == high.verdict == "equal":
                both[name].append(label)
    of = {name: "; ".join(labels) or "no program" for name, labels in both.items()}
    counts = " and ".join(f"{count} ({name.replace('_', ' ')})" for name, count in hits.items())
    return f"""The programs are ours, at the sizes of the paper's MP3D (1024 molecules, 256 processors) and WATER (64
molecules, 32 processors), stand-ins for these and no more than that; beside them what traces captured from a rarefied
gas and from WATER of Splash-3 gave, from committed results. Caches without limit, lines of 32 bytes, pages of 4096
bytes.

Whom does the entry of a page list? The paper does not say. All that have touched the page so far (never cleared), or
those that hold a line of it now (valid holders)? Of the figures below {counts} come out as printed. Under update with
caches without limit no copy is ever taken away, so that both are the same.

The paper's X axis is 'the number of destination processors', and JUMP-1's directory names clusters of four: both are
counted. A peak at 4 to 8 destinations and another at all other nodes come out with invalidation in
{of["invalidation"]}; with update in {of["update"]}."""


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Run the programs through the functional machine, and read the paper's statements off the histograms."""
    programs, kept = of_figure_9(progress, full)
    peaked = _peaks(golden, programs)
    pictures = [_figure(i, label, found) for i, (label, found) in enumerate(programs.items(), 1)]
    tables = (
        _claims(golden, programs),
        peaked,
        _sizes(golden),
        _shares(programs),
        protocol_table(golden, programs, "kudoh1995rhbd, section 3"),
        page_table(golden, programs, "kudoh1995rhbd, section 3"),
    )
    return Section(TITLE, _text(peaked), tables, pictures, kept)
