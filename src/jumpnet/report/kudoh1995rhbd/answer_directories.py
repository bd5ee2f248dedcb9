"""The bit-map directory paper's question, answered for what was run: a paragraph for each directory, one picture.

Purpose: kudoh1995rhbd sections 1 and 5. It runs nothing: the figures are the committed ones of `directories`,
`directory_choices`, `directory_traces`, `directory_traces_choices` and `directory_traces_rest`, which say on what
machines they were taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jumpnet.report._kept import kept_or_empty
from jumpnet.report._section import Figure, Golden, Progress, Section
from jumpnet.report._sharing import KEY
from jumpnet.report.kudoh1995rhbd._ways import MEASURES, Bands, Runs, by_program, called, listed, ranges, tables, wins
from jumpnet.report.kudoh1995rhbd.directories import WAYS
from jumpnet.report.kudoh1995rhbd.directory_traces_rest import by_table

TITLE = "Bit-maps, full maps, pointers and lists: which directory wins where"
ORDER = 56

TEXT = """The paper argues for bit-maps by bits and messages, and leaves time to a prototype. What follows counts
cycles and flits over links of machines that differ in the directory alone (invalidation, an entry a page, caches
without limit, RDT), and holds for these programs at these sizes: shipped ones, scaled down, of 32 to 1024 processors
('gas of 1024' runs on 1024), and captured traces, of which BARNES and OCEAN lack reads that can only hit. SM multicasts
branch inside the routers; on captured traces they go as trees of packets, but for the further choices, which end this
section: there only those beside maps made anew do. How each way works, and what else was chosen, stands in the five
sections after this one; the figures, means of placements, are theirs."""

NAMES = {
    "SM": "Bit-maps (SM multicasts with combined acknowledges)",
    "list": "Lists from copy to copy",
    "full map": "Full maps (the home tells one node after another)",
    "6 pointers": "Six pointers, and everybody beyond",
}


def every_run() -> Runs:
    """Committed figures of all programs under invalidation with an entry a page; of 1024 processors those with more
    placements."""
    found: Runs = {}
    for name, chosen in (
        ("directories", None),
        ("directory_choices", ("large",)),
        ("directory_traces", ("barnes", "time", "thinned")),
        ("directory_traces_rest", ("pages",)),
    ):
        data = kept_or_empty(KEY, name).data
        for key in data if chosen is None else chosen:
            found.update(data.get(key, {}))
    return found


def said(runs: Mapping[str, Bands]) -> list[str]:
    """A paragraph for each directory."""
    words, base = [], next(iter(WAYS))
    for way in NAMES:
        parts = [f"least {what} {wins(runs, way, measure)}" for measure, what in MEASURES.items()]
        rest = ""
        if way != base:
            each = " and ".join(
                f"{ranges(runs, way, base, measure)} of its {MEASURES[measure]}" for measure in MEASURES
            )
            rest = f" Beside a full map: {each}."
        words.append(f"{NAMES[way]}: {'; '.join(parts)}.{rest}")
    return words


def by_destinations(runs: Mapping[str, Bands], told: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What bit-maps take of a full map's time on captured traces, by how many nodes a message must tell there."""
    base = next(iter(WAYS))
    found = {p: of["SM"]["cycles"][0] / of[base]["cycles"][0] for p, of in by_program(runs).items() if p in told}
    each = [
        f"{told[p]['destinations']:.1f} nodes, {found[p]:.2f} ({called(p)})"
        for p in sorted(found, key=lambda p: told[p]["destinations"])
    ]
    start = (
        "Nodes that a message has to tell on captured traces, the mean, and what SM takes there of a full map's time"
    )
    return [f"{start}: {'; '.join(each)}."] if each else []


def choices() -> dict[str, Runs]:
    """Committed figures of the further choices, of all programs."""
    found: dict[str, Runs] = {}
    for name in ("directory_choices", "directory_traces_choices"):
        for key, runs in kept_or_empty(KEY, name).data.items():
            if key != "files":
                found.setdefault(key, {}).update(runs)
    for key, runs in by_table(kept_or_empty(KEY, "directory_traces_rest").data).items():
        found.setdefault(key, {}).update(runs)
    return found


def further(old: Mapping[str, Runs]) -> list[str]:
    """What other choices change, in a paragraph each."""
    words = []
    for key, start, way, base in (
        ("lines", "With an entry a line", "SM", "full map"),
        ("updates", "Under update", "SM", "full map"),
        ("updates", "Under update", "list", "full map"),
        (
            "schemes",
            "Of SM, LPRA and LARP the one with the fewest receivers, packet by packet",
            "the least of them",
            "SM",
        ),
        ("anew", "Maps made anew by processors, trees of packets", "REMAKE", "SM"),
    ):
        if runs := old.get(key):
            each = " and ".join(f"{ranges(runs, way, base, m)} times the {what}" for m, what in MEASURES.items())
            words.append(f"{start}: {way} takes {each} of {base}{_one_placement(runs, way)}.")
    return words


def _one_placement(runs: Mapping[str, Bands], way: str) -> str:
    """The programs that ran with one placement only, of which no band is known."""
    few = [program for program, of in by_program(runs).items() if of.get(way, {}).get("placements") == [1]]
    return f"; one placement, and so no band, on {listed(few)}" if few else ""


def _picture(runs: Mapping[str, Bands]) -> Figure:
    programs, base = by_program(runs), next(iter(WAYS))
    shown = {
        (way, measure): [of[way][measure][0] / of[base][measure][0] for of in programs.values()]
        for measure in MEASURES
        for way in WAYS
        if way != base
    }

    def draw(figure: Any) -> None:
        figure.set_size_inches(7.2, 1.2 + 0.22 * len(programs))
        for axes, measure in zip(figure.subplots(1, 2, sharey=True), MEASURES, strict=True):
            axes.axvline(1, color="#7f7f7f", linewidth=0.8, linestyle=":")
            for marker, way in zip("osv", [way for way in WAYS if way != base], strict=True):
                axes.plot(shown[way, measure], range(len(programs)), marker, label=way)
            axes.set_xscale("log", base=2)
            axes.xaxis.set_major_formatter(lambda ratio, place: f"{ratio:g}")
            axes.set_xlabel(f"{MEASURES[measure]}, full map = 1")
            axes.set_yticks(range(len(programs)), [called(program) for program in programs], fontsize=7)
        figure.axes[0].invert_yaxis()
        marks = figure.axes[0].get_legend_handles_labels()
        figure.legend(*marks, loc="outside upper center", ncols=3)

    data: dict[str, Sequence[Any]] = {"program": list(programs)}
    for (way, measure), values in shown.items():
        data[f"{way}: {MEASURES[measure]}"] = values
    note = "Means of the placements in units of the full map's; left of the dotted line is better than a full map."
    title = "Each directory beside a full map"
    return Figure("rhbd-answer-directories", title, "computed here", draw, data, note)


def section(golden: Golden, progress: Progress) -> Section:
    """What the committed figures say."""
    runs = every_run()
    if not runs:
        return Section(TITLE, f"{TEXT}\n\nNo committed results are at hand.")
    told = by_destinations(runs, kept_or_empty(KEY, "directory_traces").data.get("traces", {}))
    words = [TEXT, *said(runs), *told, *further(choices())]
    return Section(TITLE, "\n\n".join(words), tables("", runs, list(WAYS)), (_picture(runs),))
