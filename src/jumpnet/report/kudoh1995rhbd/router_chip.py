"""Section 6: the router chip, and multicasts whose maps the processors of the nodes make again (REMAKE)."""

from __future__ import annotations

from dataclasses import replace

from jumpnet.chip.configuration import wire
from jumpnet.chip.links import MBP0
from jumpnet.chip.load import Load, Loaded, run_load
from jumpnet.chip.network import ChipNetwork
from jumpnet.chip.packet import LONGEST
from jumpnet.chip.settings import Settings
from jumpnet.chip.watchdog import CLOCK_HZ
from jumpnet.papers import claim
from jumpnet.papers import golden as printed_of
from jumpnet.report._blocks import chip_figure
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.kudoh1995rhbd._study import SCHEMES
from jumpnet.report.nishi1997router import deadlock, implementation, sending, structure

TITLE = "Section 6: the router chip, and maps made again on the way"
ORDER = 120

SPEC = "rdt:16"
REMAKE_CLOCKS = (1, 20, 100)
CASES = ((4, 1), (16, 1), (4, 2), (16, 2))
"""(destinations, rank of the territory they are drawn from)."""
LOAD = Load(rate=0.00005, clocks=6000, body=8)
"""A packet of 13 flits now and then: what a multicast takes when it is nearly alone."""


def _runs(destinations: int, rank: int) -> dict[str, Loaded]:
    """The same multicasts under each scheme."""
    load = replace(LOAD, destinations=destinations, rank=rank)
    found = {name: run_load(SPEC, replace(load, scheme=name)) for name in SCHEMES}
    for clocks in REMAKE_CLOCKS:
        name = f"REMAKE, {clocks} clocks a map"
        found[name] = run_load(SPEC, replace(load, scheme="REMAKE"), Settings(remake_clocks=clocks))
    return found


def _remake(golden: Golden, progress: Progress) -> Table:
    """Receivers saved against the latency."""
    rows: Rows = []
    for done, (destinations, rank) in enumerate(CASES):
        progress(done, len(CASES) + 1)
        found = _runs(destinations, rank)
        sm = found["SM"]
        for name, run in found.items():
            cells: list[Cell | None] = [Cell(None, run.packets), Cell(None, run.received / run.packets)]
            cells += [Cell(None, run.restarts / run.packets), Cell(None, run.latency), Cell(None, run.answer)]
            cells.append(Cell(None, run.flit_moves / run.packets))
            verdicts: list[Cell | None] = [None, None, None]
            if name.startswith("REMAKE"):
                whole = run.received == run.reached == run.wanted and run.answered == run.packets
                fewer = "reduced" if run.received < sm.received else "not reduced"
                later = "latency" if run.latency > sm.latency else "none"
                verdicts = [
                    claimed(
                        golden,
                        "remake_reaches",
                        "all, once" if whole else f"{run.reached} of {run.wanted}",
                        detail=f"{run.wanted} destinations, {run.received} copies, {run.answered} answered",
                    ),
                    claimed(golden, "remake_fewer", fewer, detail=f"{run.received} copies against {sm.received}"),
                    claimed(
                        golden, "remake_latency", later, detail=f"{run.latency:.0f} against {sm.latency:.0f} clocks"
                    ),
                ]
            label = f"{destinations} destinations, territory of rank {rank}: {name}"
            rows.append((label, [*cells, *verdicts]))
    return Table("Receivers against latency", f"kudoh1995rhbd, section 6; {SPEC}, compiled chips", COLUMNS, rows, NOTE)


def _chip(golden: Golden) -> Table:
    """The sentences that the chip's own paper repeats, measured as there."""
    plain = structure.longest(None)
    packets, wrong = sending.mixed()
    wiring = wire(SPEC)
    own = printed_of("nishi1997router")["table_1"]["rows"]
    row = implementation.crossbar()
    overtaken: Rows = [
        (f"packets that overtake, {label}", [claimed(golden, "chip_fifo", late, detail=detail)])
        for label, late, detail in sending.overtaken_said()
    ]
    rows: Rows = [
        (
            "clock rate in MHz, and that of Table 1 of the chip's own paper",
            [claimed(golden, "clock_mhz", own["clock rate MHz"][0], stated=True, detail=MODEL_CLOCK)],
        ),
        ("crossbar", [claimed(golden, "chip_crossbar", row, stated=True)]),
        ("width of a link in bits", [claimed(golden, "chip_link_bits", structure.FLIT_BITS, stated=True)]),
        (
            "longest packet that passes, flits",
            [claimed(golden, "chip_packet_flits", plain[1], stated=True, detail=structure.DEPTH)],
        ),
        (
            "longest packet by its parts in the chip's own paper, flits",
            [claimed(golden, "chip_packet_flits", structure.parts(), stated=True, detail=structure.PARTS)],
        ),
        (
            "header flits",
            [claimed(golden, "chip_header_flits", structure.least_header(), stated=True, detail=structure.LAID_OUT)],
        ),
        (
            "virtual channels that are enough against deadlock",
            [claimed(golden, "chip_channels", deadlock.enough(wiring), detail="multicasts to whole territories")],
        ),
        (
            "rings of buffers",
            [
                claimed(
                    golden,
                    "chip_deadlock",
                    "some" if deadlock.cyclic(wiring) else "none",
                    detail="a message to one router is a multicast with one bit in each map",
                )
            ],
        ),
        *overtaken,
        (
            "schemes mixed",
            [
                claimed(
                    golden,
                    "chip_mixture",
                    "allowed" if wrong == 0 else "not allowed",
                    detail=f"{packets} packets of three schemes, {wrong} went wrong",
                )
            ],
        ),
    ]
    rows += [*_gates(golden), *_more(golden)]
    return Table("What the section says of the chip", f"kudoh1995rhbd, section 6; {SPEC}", ("value",), rows)


def _gates(golden: Golden) -> Rows:
    """Gates of the text against Table 2 of the chip's own paper."""
    logic, ram = implementation.sums(printed_of("nishi1997router"), "table_2")
    rounded, why = implementation.in_thousands(logic)
    return [
        ("gates: text, and Table 2 of the chip's paper", [claimed(golden, "gates", logic + ram, stated=True)]),
        (
            "gates of random logic: text, and Table 2 of the chip's paper",
            [claimed(golden, "chip_logic_gates", rounded, stated=True, detail=why)],
        ),
        (
            "gates of the dual-port RAM: text, and Table 2 of the chip's paper",
            [claimed(golden, "chip_ram_gates", ram, stated=True)],
        ),
        (
            "gates of the sea of gates: text, and the chip's paper",
            [claimed(golden, "chip_gates_maximum", claim(printed_of("nishi1997router"), "gates_maximum"), stated=True)],
        ),
    ]


def _more(golden: Golden) -> Rows:
    """Slices, links to MBPs, flow control: counted and measured on chips of the model as for the chip's own paper."""
    slices = ChipNetwork(SPEC, slices=2)
    tori = int((slices.wiring.peer[:, :MBP0] >= 0).sum(axis=1).max())
    mbps = structure.wired() - tori
    kept, cut = structure.kept_whole(), sending.forwarded_early()
    flow = "virtual cut-through" if cut and kept == LONGEST else "store and forward" if kept == LONGEST else "wormhole"
    other = claim(printed_of("nishi1997router"), "flow_control")
    words = f"leaves before its end has come: {'yes' if cut else 'no'}; {kept} of {LONGEST} flits kept when blocked"
    plain, (carried, room) = structure.longest(None), structure.carries_line()
    bits = len(slices.chips) * structure.FLIT_BITS
    found = (
        ("links to MBPs", "mbp_links", mbps, True, f"{tori} to neighbors in {SPEC}"),
        ("chips of a node, bit-sliced", "sliced_chips", len(slices.chips), True, ""),
        ("width of a link of both slices", "sliced_bits", bits, True, "two slices of 18 bits"),
        ("flow control: text, and the chip's own paper", "flow_control", other, True, "nishi1997router, section 4.2.1"),
        ("directions of a link", "bidirectional", "both ways" if structure.shared() else "one way", False, ""),
        ("length of the body", "body_varies", "variable" if plain[0] > 0 else "fixed", False, f"0 to {plain[0]} flits"),
        ("a buffer takes and gives a flit", "push_and_pull", structure.push_and_pull(), False, ""),
        ("feature size in micrometres", "technology_um", "0.5", True, "the chip's own paper; no model depends on it"),
        ("blocks at logic level", "logic_level", "Crossbar Arbiter", True, "in schematic, says the chip's own paper"),
        ("a cache line, by the longest packet", "chip_carries_line", carried, True, room),
        ("bits that select the scheme", "scheme_bits", structure.mode_bits(), True, ""),
    )
    rows: Rows = [
        (label, [claimed(golden, name, value, stated=stated, detail=detail)])
        for label, name, value, stated, detail in found
    ]
    return [*rows, ("flow control of the model", [Cell(None, flow, claim="flow_control", detail=words)])]


def section(golden: Golden, progress: Progress) -> Section:
    """Send the same multicasts under every scheme; measure the chip as in its own paper."""
    table = _remake(golden, progress)
    figure = chip_figure("rhbd", "kudoh1995rhbd", 13, "figure_13")
    return Section(TITLE, f"{TEXT}\n\n{_found(table)}", (table, _chip(golden)), (figure,))


def _found(table: Table) -> str:
    """The trade in one sentence."""
    by = {
        label: [float(cell.computed) if cell and cell.claim == "" else 0.0 for cell in cells]
        for label, cells in table.rows
    }
    trade = []
    for destinations, rank in CASES:
        case = f"{destinations} destinations, territory of rank {rank}: "
        sm, made = by[f"{case}SM"], by[f"{case}REMAKE, {REMAKE_CLOCKS[1]} clocks a map"]
        trade.append((sm[1] / made[1], made[3] / sm[3]))
    saved, later = (sorted(values) for values in zip(*trade, strict=True))
    return (
        f"With {REMAKE_CLOCKS[1]} clocks for a map, SM has {saved[0]:.1f} to {saved[-1]:.1f} times the receivers, and "
        f"the last destination has the packet {later[0]:.1f} to {later[-1]:.1f} times as late as under SM."
    )


MODEL_CLOCK = f"the model's watch-dog counts at {CLOCK_HZ // 10**6} MHz"
COLUMNS = (
    "multicasts",
    "receivers each",
    "started again by MBPs, each",
    "clocks to the last destination",
    "clocks to the acknowledge",
    "flits on lines, each",
    "reaches",
    "unnecessary packets, against SM",
    "requires, against SM",
)
NOTE = f"""Acknowledged packets of {LOAD.body} body flits, {LOAD.rate} created by a router in a clock, seed
{LOAD.seed}. The MBP takes an acknowledge's or a map's clocks after the last flit of a packet."""
TEXT = """A packet may be forced to the processor (MBP) of each node where a level's multicast starts; it makes a new
map and starts the multicast again. In the model every MBP holds the maps of a hierarchical directory, found by the
compressed address of a packet, so that the destinations get the packet, each once, and nobody else. What an MBP takes
it acknowledges when all below have answered, so that the source hears last.

What is saved are receivers that are no destinations. The price is a whole packet into the MBP and out of it at every
level, on top of the time that a map takes."""
