"""Section 6: the router chip, and multicasts whose maps the processors of the nodes make again (REMAKE)."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

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
from jumpnet.report._formulas import yes
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, Value, claimed
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


class Found(NamedTuple):
    """A sentence of the paper and what was found."""

    label: str
    claim: str
    value: Value
    detail: str = ""
    stated: bool = True
    """Whether the model was written with it, or it is another paper's."""


def _chip(golden: Golden) -> Table:
    """What the section says of the chip, and the chip's own paper too, measured as there."""
    found = [*_packets(), *_channels(), *_gates(), *_more()]
    rows: Rows = [
        (each.label, [claimed(golden, each.claim, each.value, stated=each.stated, detail=each.detail)])
        for each in found
    ]
    rows.append(_flow())
    return Table("What the section says of the chip", f"kudoh1995rhbd, section 6; {SPEC}", ("value",), rows)


def _packets() -> list[Found]:
    """Clock, crossbar, links, packets."""
    rate = printed_of("nishi1997router")["table_1"]["rows"]["clock rate MHz"][0]
    longest, parts, header = structure.longest(None)[1], structure.parts(), structure.least_header()
    by_parts = "longest packet by its parts in the chip's own paper, flits"
    return [
        Found("clock rate in MHz, and that of Table 1 of the chip's own paper", "clock_mhz", rate, MODEL_CLOCK),
        Found("crossbar", "chip_crossbar", implementation.crossbar()),
        Found("width of a link in bits", "chip_link_bits", structure.FLIT_BITS),
        Found("longest packet that passes, flits", "chip_packet_flits", longest, structure.DEPTH),
        Found(by_parts, "chip_packet_flits", parts, structure.PARTS),
        Found("header flits", "chip_header_flits", header, structure.LAID_OUT),
    ]


def _channels() -> list[Found]:
    """Channels, rings of buffers, order, schemes at once: none of it is written into the model."""
    wiring = wire(SPEC)
    enough, rings = deadlock.enough(wiring), "some" if deadlock.cyclic(wiring) else "none"
    packets, wrong = sending.mixed()
    whole = "multicasts to whole territories"
    one = "a message to one router is a multicast with one bit in each map"
    mixed = "allowed" if wrong == 0 else "not allowed"
    return [
        Found("virtual channels that are enough against deadlock", "chip_channels", enough, whole, stated=False),
        Found("rings of buffers", "chip_deadlock", rings, one, stated=False),
        *(
            Found(f"packets that overtake, {label}", "chip_fifo", late, detail, stated=False)
            for label, late, detail in sending.overtaken_said()
        ),
        Found(
            "schemes mixed",
            "chip_mixture",
            mixed,
            f"{packets} packets of three schemes, {wrong} went wrong",
            stated=False,
        ),
    ]


def _gates() -> list[Found]:
    """Gates of the text against Table 2 of the chip's own paper."""
    logic, ram = implementation.sums(printed_of("nishi1997router"), "table_2")
    rounded, why = implementation.in_thousands(logic)
    most = claim(printed_of("nishi1997router"), "gates_maximum")
    return [
        Found("gates: text, and Table 2 of the chip's paper", "gates", logic + ram),
        Found("gates of random logic: text, and Table 2 of the chip's paper", "chip_logic_gates", rounded, why),
        Found("gates of the dual-port RAM: text, and Table 2 of the chip's paper", "chip_ram_gates", ram),
        Found("gates of the sea of gates: text, and the chip's paper", "chip_gates_maximum", most),
    ]


def _more() -> list[Found]:
    """Slices, links to MBPs, flow control: counted and measured on chips of the model as for the chip's own paper."""
    slices = ChipNetwork(SPEC, slices=2)
    tori = int((slices.wiring.peer[:, :MBP0] >= 0).sum(axis=1).max())
    mbps = structure.wired() - tori
    other = claim(printed_of("nishi1997router"), "flow_control")
    most, (carried, room) = structure.longest(None)[0], structure.carries_line()
    bits = len(slices.chips) * structure.FLIT_BITS
    ways, body = "both ways" if structure.shared() else "one way", "variable" if most > 0 else "fixed"
    return [
        Found("links to MBPs", "mbp_links", mbps, f"{tori} to neighbors in {SPEC}"),
        Found("chips of a node, bit-sliced", "sliced_chips", len(slices.chips)),
        Found("width of a link of both slices", "sliced_bits", bits, "two slices of 18 bits"),
        Found("flow control: text, and the chip's own paper", "flow_control", other, "nishi1997router, section 4.2.1"),
        Found("directions of a link", "bidirectional", ways, stated=False),
        Found("length of the body", "body_varies", body, f"0 to {most} flits", stated=False),
        Found("a buffer takes and gives a flit", "push_and_pull", structure.push_and_pull(), stated=False),
        Found("feature size in micrometres", "technology_um", "0.5", "the chip's own paper; no model depends on it"),
        Found("blocks at logic level", "logic_level", "Crossbar Arbiter", "in schematic, says the chip's own paper"),
        Found("a cache line, by the longest packet", "chip_carries_line", carried, room),
        Found("bits that select the scheme", "scheme_bits", structure.mode_bits()),
    ]


def _flow() -> tuple[str, list[Cell | None]]:
    """The flow control of the model by what its buffers do."""
    kept, cut = structure.kept_whole(), sending.forwarded_early()
    flow = "virtual cut-through" if cut and kept == LONGEST else "store and forward" if kept == LONGEST else "wormhole"
    words = f"leaves before its end has come: {yes(cut)}; {kept} of {LONGEST} flits kept when blocked"
    return "flow control of the model", [Cell(None, flow, claim="flow_control", detail=words)]


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
