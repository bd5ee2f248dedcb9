"""Section 5.1 of the bit-map directory paper on programs: limited pointers and chained lists against bit-maps."""

from __future__ import annotations

from collections.abc import Mapping

from jumpnet.coherence.encoding import encodings
from jumpnet.machine.timed.entries import entries_of
from jumpnet.machine.timed.machine import run_machine
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.timed.trees import BitMapTrees
from jumpnet.machine.trace import Trace, block_of
from jumpnet.machine.traffic import coherence_traffic
from jumpnet.papers import claim, evaluate
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report._sharing import CLUSTER, Figures, measured, shipped

TITLE = "Section 5.1: pointers and chains against maps, on programs"
ORDER = 37

NETWORK, ROUTERS = "rdt:16", 256
NAMES = {
    "full_map": "full map",
    "limited_broadcast": "6 pointers, broadcast",
    "limited_evicting": "6 pointers, evicting",
    "chained": "chained list",
    "SM": "SM maps",
}
LINE, PAGE, UPDATE = ("invalidate", "line"), ("invalidate", "page"), ("update", "page")
CURVES = (LINE, PAGE, UPDATE)
LATENCY_CYCLES = 25
"""As in the section on which scheme to take."""
MULTICAST = "SM multicast"
TIMED = ("full_map", "limited_broadcast", "chained", "SM")
MOST_MESSAGES = 15_000
"""A program is run with time when it sends no more messages than this, an entry a page."""
COPIES = (1, 2, 4, 8, 16, 32, 63)
FEW, MANY = 2, 32
"""Copies of the text's 'one or two', and of Figures 10 and 11."""
RARE = 0.01
"""Broadcasts of one message in a hundred are rare; a list of two steps on average is short."""
SOURCE = "kudoh1995rhbd, section 5.1"


def _cycles(trace: Trace, clusters_of: int, **design: str) -> dict[str, int]:
    """Cycles by encoding: messages one after another to whom its entries name, and by SM's trees."""
    streams = streams_of(trace, clusters_of=clusters_of)
    same = {"clusters_of": clusters_of, "latency_cycles": LATENCY_CYCLES, **design}
    found = {name: run_machine(streams, entries=entries_of(NETWORK, name), **same).cycles for name in TIMED}  # type: ignore[arg-type]
    tree = run_machine(streams, trees=BitMapTrees(NETWORK, "SM"), acknowledges="combined", **same)  # type: ignore[arg-type]
    return {**found, MULTICAST: tree.cycles}


def _figures(trace: Trace) -> Figures:
    found: Figures = {}
    for protocol, directory in CURVES:
        for name in NAMES:
            f = coherence_traffic(
                trace, protocol=protocol, directory=directory, clusters_of=CLUSTER, encoding_name=name, network=NETWORK
            )
            figures = [f.multicasts, f.receivers_mean, f.unnecessary, f.broadcasts, f.evicted, f.misses]
            found[f"{protocol} {directory} {name}"] = figures
            messages, found["page"], found["line"] = f.messages, f.pages, f.lines
        if (protocol, directory) == PAGE and messages <= MOST_MESSAGES:
            found["cycles"] = _cycles(trace, CLUSTER, protocol=protocol, directory=directory)
    return found


class _Found:
    """Figures of one program."""

    def __init__(self, figures: Figures) -> None:
        self.figures = figures

    def of(self, curve: tuple[str, str], name: str, what: str) -> float:
        names = ("multicasts", "receivers", "unnecessary", "broadcasts", "evicted", "misses")
        return float(self.figures[f"{' '.join(curve)} {name}"][names.index(what)])

    def bits(self, directory: str, name: str) -> int:
        """Of the entries of the pages, or lines, that are touched."""
        return encodings()[name].bits(ROUTERS).entry * int(self.figures[directory])

    def broadcast(self, curve: tuple[str, str]) -> float:
        """Part of the messages that pointers make broadcasts."""
        return self.of(curve, "limited_broadcast", "broadcasts") / max(1.0, self.of(curve, "full_map", "multicasts"))

    def chain(self, curve: tuple[str, str]) -> float:
        """Steps of a message along a list, on average: one for each node that it goes to."""
        return self.of(curve, "chained", "receivers")

    def more_misses(self, curve: tuple[str, str]) -> float:
        """Misses with entries that evict, against a full map's."""
        return self.of(curve, "limited_evicting", "misses") / max(1.0, self.of(curve, "full_map", "misses"))


def _alone() -> dict[int, dict[str, int]]:
    """Cycles of one write to a line with so many copies at other nodes, and nothing else under way, by encoding."""
    found = {}
    for copies in COPIES:
        times = []
        for writes in (False, True):
            # Node 0 is the home; everybody reads, all meet, then node 0 writes.
            rows = [(p, 0, 4, False, 0) for p in range(copies + 1)]
            rows += [(p, 1 << 20, 4, True, 4) for p in range(copies + 1)] + ([(0, 0, 4, True, 0)] if writes else [])
            columns = list(zip(*rows, strict=True))
            trace = Trace("one write", copies + 1, lambda c=columns: iter([block_of(*c)]))  # type: ignore[misc]
            times.append(_cycles(trace, 1, directory="line"))
        found[copies] = {name: times[1][name] - times[0][name] for name in times[1]}
    return found


def _claims(golden: Golden, programs: Mapping[str, _Found]) -> Table:
    rows: Rows = []
    for label, f in programs.items():
        few, chain, unnecessary = f.broadcast(LINE), f.chain(LINE), f.of(PAGE, "limited_broadcast", "unnecessary")
        more, evicted = f.more_misses(PAGE), f.of(PAGE, "limited_evicting", "evicted")
        sent = f.of(LINE, "full_map", "multicasts") > 0
        pointers, steps = f"{100 * few:.2f}% broadcast", f"{chain:.2f} steps on average"
        cells: list[Cell | None] = [
            claimed(golden, "pointers_few", "efficient" if few <= RARE else "not", detail=pointers) if sent else None,
            claimed(golden, "chain_few", "efficient" if chain <= FEW else "not", detail=steps) if sent else None,
            claimed(golden, "broadcasts_many", "unnecessary" if unnecessary > 0 else "none",
                    detail=f"{100 * f.broadcast(PAGE):.1f}% broadcast, {unnecessary:,.0f} receptions in vain"),
            claimed(golden, "evictions_many", "unnecessary" if more > 1 else "none",
                    detail=f"{evicted:,.0f} evictions, {more:.4f} times the misses"),
        ]  # fmt: skip
        rows.append((label, cells))
    columns = (
        "pointers, an entry a line",
        "list, an entry a line",
        "broadcasts, an entry a page",
        "evictions, an entry a page",
    )
    note = f"""Efficient: at most {100 * RARE:.0f}% of the messages broadcast, at most {FEW} steps along the list."""
    return Table("Few and many copies: what the text says", SOURCE, columns, rows, note)


def _chain_claims(golden: Golden, alone: Mapping[int, Mapping[str, int]]) -> Table:
    long = alone[MANY]["chained"] / alone[MANY]["full_map"]
    short = alone[1]["chained"] / alone[1]["full_map"]
    detail = f"{long:.2f} times a full map's messages, {short:.2f} times with one copy"
    row = [claimed(golden, "chain_many", "long" if long > max(1.0, short) else "not longer", detail=detail)]
    return Table("A long list", SOURCE, ("time of a write",), [(f"{MANY} copies", row)])


def _overflow(golden: Golden) -> Table:
    """One copy more than an entry has pointers, and a write by the home."""
    pointers = encodings()["limited_evicting"].pointers
    rows = [(p, 0, 4, False, 0) for p in range(pointers + 2)] + [(0, 0, 4, True, 0)]  # node 0 is the home
    columns = list(zip(*rows, strict=True))
    trace = Trace("one copy too many", pointers + 2, lambda: iter([block_of(*columns)]))
    told, evicting = (
        coherence_traffic(trace, directory="line", encoding_name=f"limited_{what}", network=NETWORK)
        for what in ("broadcast", "evicting")
    )
    names = {"N": ROUTERS, "copies": pointers + 1, "pointers": pointers}
    printed = {e: str(evaluate(claim(golden, e), **names)) for e in ("overflow_broadcast", "overflow_evicted")}
    cells: list[Cell | None] = [
        claimed(golden, entry, found, printed=printed[entry])
        for entry, found in zip(printed, (told.receivers_mean or 0.0, evicting.evicted or 0), strict=True)
    ]
    title = "One copy more than pointers"
    return Table(title, SOURCE, ("told by broadcast", "copies invalidated"), [(f"{pointers + 1} copies", cells)])


def _alone_table(alone: Mapping[int, Mapping[str, int]]) -> Table:
    rows: Rows = [
        (f"{copies} copies", [Cell(None, cycles[name]) for name in (*TIMED, MULTICAST)])
        for copies, cycles in alone.items()
    ]
    columns = [*(NAMES[name] for name in TIMED), MULTICAST]
    note = f"""Cycles that the home's write takes with nothing else under way; a message takes {LATENCY_CYCLES} cycles
and its flits, a node 10 for each. All but the list and the multicast go to one node after another."""
    return Table("One write to a line", "computed here", columns, rows, note)


def _receivers(programs: Mapping[str, _Found]) -> Table:
    rows: Rows = []
    for label, f in programs.items():
        for curve in CURVES:
            cells: list[Cell | None] = [Cell(None, int(f.of(curve, "full_map", "multicasts")))]
            cells += [Cell(None, f"{f.of(curve, name, 'receivers'):.2f}") for name in NAMES]
            figures = (f"{100 * f.broadcast(curve):.1f}%", f"{f.more_misses(curve):.2f}")
            bits = [Cell(None, f"{f.bits(curve[1], name) / 8192:.2f}") for name in NAMES]
            rows.append(
                (f"{label}: {curve[0]}, entry a {curve[1]}", [*cells, *(Cell(None, x) for x in figures), *bits])
            )
    columns = [
        "messages",
        *(f"{name}: receivers" for name in NAMES.values()),
        "pointers: messages broadcast",
        "evicting: times the misses",
        *(f"{name}: KiB" for name in NAMES.values()),
    ]
    copy = encodings()["chained"].bits(ROUTERS).per_copy
    note = f"""Clusters of {CLUSTER} processors on {NETWORK}, caches without limit. A list has as many steps in a row as
receivers, and {copy} bits more in each copy."""
    return Table("Receivers of a message, and entries of what is touched", "computed here", columns, rows, note)


def _times(programs: Mapping[str, _Found]) -> Table:
    rows: Rows = []
    for label, f in programs.items():
        if "cycles" in f.figures:
            cycles = f.figures["cycles"]
            rest = [Cell(None, f"{cycles[name] / cycles['full_map']:.2f}") for name in (*TIMED[1:], MULTICAST)]
            rows.append((label, [Cell(None, cycles["full_map"]), *rest]))
    columns = ["full map: cycles", *(f"{NAMES[n]}: times as long" for n in TIMED[1:]), f"{MULTICAST}: times as long"]
    note = f"Invalidation, an entry a page; programs of at most {MOST_MESSAGES:,} messages. Evictions are not timed."
    return Table("Programs with time", "computed here", columns, rows, note)


def _text(programs: Mapping[str, _Found], alone: Mapping[int, Mapping[str, int]]) -> str:
    timed = {label: f.figures["cycles"] for label, f in programs.items() if "cycles" in f.figures}
    quicker = [label for label, c in timed.items() if c["chained"] < c["full_map"]]
    slower = sum(c["chained"] > c[MULTICAST] for c in timed.values())
    one, many = alone[1], alone[MANY]
    sparing = ""
    if quicker:
        least = min(quicker, key=lambda label: timed[label]["chained"] / timed[label]["full_map"])
        ratio = timed[least]["full_map"] / timed[least]["chained"]
        sparing = f""" Whole programs tell another story: in {len(quicker)} of {len(timed)} the list is quicker than a
full map's messages ({ratio:.1f} times in {least}), because the home sends one message and hears one answer, and many
lists are followed at a time. An SM multicast with combined acknowledges is quicker than the list in {slower} of the
{len(timed)}."""
    return f"""The paper expects pointers and lists to do well where few nodes hold a copy, and badly otherwise; here
programs say what is few. Entries that evict really take copies away: those are missed again. Broadcasts go to all
{ROUTERS} routers of {NETWORK}.

A list is long when many hold a copy, as the paper says: the home's write to a line with one copy takes
{one["chained"]} cycles by a list and {one["full_map"]} by a full map, to one with {MANY} copies {many["chained"]} and
{many["full_map"]}; an SM multicast takes {many[MULTICAST]}.{sparing}"""


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Run programs under every encoding, and one write with time."""
    own, kept = measured("pointers_chains", shipped(True), _figures, progress, full)
    programs = {label: _Found(figures) for label, figures in {**own, **dict(sorted(kept.items()))}.items()}
    alone = _alone()
    tables = (
        _overflow(golden),
        _claims(golden, programs),
        _chain_claims(golden, alone),
        _alone_table(alone),
        _receivers(programs),
        _times(programs),
    )
    return Section(TITLE, _text(programs, alone), tables, kept=kept)
