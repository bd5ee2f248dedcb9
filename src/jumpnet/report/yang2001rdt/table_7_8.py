"""Sections V.C and V.D of the RDT paper: the router chip, Tables VII and VIII."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jumpnet.chip.configuration import wire
from jumpnet.chip.faults import Outcome, flips, shoot_downs, stuck_packets
from jumpnet.papers import claim
from jumpnet.papers import golden as printed_of
from jumpnet.report._blocks import chip_figure
from jumpnet.report._section import Golden, Progress, Rows, Section, Table, claimed, table_cell
from jumpnet.report.nishi1997router import SPEC, deadlock, stages, structure
from jumpnet.report.nishi1997router.implementation import crossbar, gate_table, in_thousands, sums
from jumpnet.report.nishi1997router.latency import KINDS

TITLE = "Tables VII and VIII: the router chip"
UTILIZATION = "rate of gate utilization: Table VII, and by Table VIII"
WRITTEN = "the chips of the model were written with the stages of the earlier paper"
ORDER = 95


def _facilities(golden: Golden) -> Table:
    """What the text says of the chip's way of working, tried on the model."""
    both = structure.pushed_and_pulled()
    carried, room = structure.carries_line()
    cable = claim(printed_of("nishi1997router"), "summary_cable_m")
    claims = golden["claims"]
    together = all(passage.together for passage in stages().values())
    body = structure.longest(None)[0]
    found = {
        "chip_both_ways": claimed(golden, "chip_both_ways", "both ways" if structure.shared() else "one way",
                                  detail="six packets over one line, never two drivers"),
        "chip_push_and_pull": claimed(golden, "chip_push_and_pull", "same clock" if both else "never",
                                      detail=f"{both} clocks of a longest packet at a relay"),
        "chip_arbitrated_together": claimed(golden, "chip_arbitrated_together",
                                            "same clock" if together else "another clock",
                                            detail="three packets that pass a chip"),
        "chip_body_varies": claimed(golden, "chip_body_varies", "variable" if body > 0 else "fixed",
                                    detail=f"0 to {body} flits pass"),
        "chip_carries_line": claimed(golden, "chip_carries_line", carried, stated=True, detail=room),
        "chip_flow_control": claimed(golden, "chip_flow_control", claim(printed_of("kudoh1995rhbd"), "flow_control"),
                                     stated=True, detail=FLOW),
        "chip_schematic": claimed(golden, "chip_schematic", "Crossbar Arbiter", stated=True,
                                  detail="the last column of Table VIII"),
        "chip_technology_um": claimed(golden, "chip_technology_um", "0.5", stated=True,
                                      detail="the earlier paper has the same; no model depends on it"),
        "chip_cable_m": claimed(golden, "chip_cable_m", cable, stated=True,
                                detail="the earlier paper's summary; its text has 2 m"),
    }  # fmt: skip
    rows: Rows = [(claims[name]["text"], [cell]) for name, cell in found.items()]
    return Table("The chip at work", "yang2001rdt, sections V.C and V.D", ("found",), rows)


def _protection(golden: Golden) -> Table:
    """Freedom from deadlock, shooting down, errors and the timer: the computations for the chip's own paper."""
    shots, stuck, bits = shoot_downs(), stuck_packets(), flips()
    whole = shots.lost == shots.doubled == 0
    found = {
        "chip_deadlock": claimed(golden, "chip_deadlock", "some" if deadlock.cyclic(wire(RINGS_ON)) else "none",
                                 detail=f"all multicasts to whole territories of {RINGS_ON}"),
        "chip_shot_down": claimed(golden, "chip_shot_down", "all" if whole else "not all",
                                  detail=f"{shots.injected} shoot-downs under load, {shots.lost} packets lost, "
                                         f"{shots.doubled} doubled"),
        "chip_errors": claimed(golden, "chip_errors", _caught(*bits),
                               detail="; ".join(f"{part.fault}: {part.caught} of {part.injected}" for part in bits)),
        "chip_time_out": claimed(golden, "chip_time_out", _caught(stuck),
                                 detail=f"{stuck.caught} of {stuck.injected} handed to the MBP"),
    }  # fmt: skip
    rows: Rows = [(golden["claims"][name]["text"], [cell]) for name, cell in found.items()]
    return Table("Deadlock, shooting down and errors", "yang2001rdt, section V.C", ("found",), rows)


def _caught(*parts: Outcome) -> str:
    """Whether every fault was noticed."""
    missed = sum(part.injected - part.caught for part in parts)
    return f"{missed} missed" if missed else "all"


RINGS_ON = "rdt:16"
FLOW = "kudoh1995rhbd, section 6; the chip's own paper has the words of this one"


def _of_the_model(golden: Golden) -> Rows:
    """Sizes with which the model is built."""
    return [
        (
            "longest packet that passes, in flits",
            [claimed(golden, "chip_packet_flits", structure.longest(None)[1], stated=True, detail=structure.DEPTH)],
        ),
        (
            "longest packet by its parts in the earlier paper, in flits",
            [claimed(golden, "chip_packet_flits", structure.parts(), stated=True, detail=structure.PARTS)],
        ),
        (
            "header flits of messages, multicasts, acknowledges",
            [claimed(golden, "chip_header_flits", structure.least_header(), stated=True, detail=structure.LAID_OUT)],
        ),
        (
            "links at a chip of a network",
            [claimed(golden, "chip_links", structure.wired(), stated=True, detail=structure.BUILT)],
        ),
        ("width of a link in bits", [claimed(golden, "chip_link_bits", structure.FLIT_BITS, stated=True)]),
        (
            "width of a link in bits, bit-sliced",
            [claimed(golden, "chip_sliced_bits", 2 * structure.FLIT_BITS, stated=True)],
        ),
        ("crossbar", [claimed(golden, "chip_crossbar", crossbar(), stated=True)]),
    ]


def _against(golden: Golden, rows: Mapping[str, Any], earlier: Mapping[str, Any]) -> Table:
    """The text against Tables VII (`rows`) and VIII, the earlier paper's Table 1 (`earlier`), and the model."""
    logic, ram = sums(golden, "table_8")
    rate = rows["rate of gate utilization"][0]
    used = 100 * (logic + ram) / int(claim(golden, "chip_gates_maximum"))
    rounded, why = in_thousands(logic)
    random_logic = claimed(golden, "chip_logic_gates", rounded, stated=True, detail=why)
    text: Rows = [
        ("gates of random logic: text, and Table VIII", [random_logic]),
        ("gates of the dual-port RAM: text, and Table VIII", [claimed(golden, "chip_ram_gates", ram, stated=True)]),
        (
            "gates of the sea of gates: text, and by Table VIII the share in use",
            [
                claimed(
                    golden,
                    "chip_gates_maximum",
                    int(claim(golden, "chip_gates_maximum")),
                    stated=True,
                    detail=f"{logic + ram} in use are {used:.0f} %; Table VII prints a rate of {rate}",
                )
            ],
        ),
        (
            "power in watts: text, and Table VII",
            [claimed(golden, "chip_power_w", rows["power consumption W"][0], stated=True)],
        ),
        ("pins: text, and Table VII", [claimed(golden, "chip_pins", rows["total pins"][0], stated=True)]),
        (
            "signal pins: text, and Table VII",
            [claimed(golden, "chip_signal_pins", rows["signal pins"][0], stated=True)],
        ),
        (
            "clock rate in MHz: text, and Table VII",
            [claimed(golden, "chip_clock_mhz", rows["clock rate MHz"][0], stated=True)],
        ),
        (
            "clock rate in MHz: text, and Table 1 of the earlier paper",
            [claimed(golden, "chip_clock_mhz", earlier["clock rate MHz"][0], stated=True)],
        ),
        (
            UTILIZATION,
            [
                table_cell(
                    golden,
                    "table_7",
                    "rate of gate utilization",
                    "value",
                    f"{used:.0f}",
                    stated=True,
                    detail=f"{logic + ram} gates of {golden['claims']['chip_gates_maximum']['value']}",
                )
            ],
        ),
        *_of_the_model(golden),
    ]
    return Table("The text against the tables and the model", "yang2001rdt, sections V.C and V.D", ("value",), text)


def section(golden: Golden, progress: Progress) -> Section:
    """Measure the clocks through a chip; set the tables beside the earlier paper and the text."""
    earlier, rows = printed_of("nishi1997router")["table_1"]["rows"], golden["table_7"]["rows"]
    table_7: Rows = [
        (name, [table_cell(golden, "table_7", name, "value", str(earlier[name][0]), stated=True)]) for name in rows
    ]
    first = Table("Table VII beside Table 1 of the earlier paper", "yang2001rdt, Table VII", ("value",), table_7)
    earlier_gates = printed_of("nishi1997router")["table_2"]["rows"]
    found = stages()
    clocks: Rows = [
        (KINDS[kind], [claimed(golden, "chip_clocks", s.total, stated=True, detail=WRITTEN)])
        for kind, s in found.items()
    ]
    through = Table(
        "Clocks to pass through the chip without conflict", f"yang2001rdt, section V.D; {SPEC}", ("clocks",), clocks
    )
    tables = (
        first,
        gate_table(golden, "table_8", "yang2001rdt", earlier_gates),
        _against(golden, rows, earlier),
        through,
    )
    figure = chip_figure("rdt", "yang2001rdt", 15, "figure_15")
    return Section(TITLE, TEXT, (*tables, _facilities(golden), _protection(golden)), (figure,))


TEXT = """The chip is that of nishi1997router, and so are the tables, but for the clock rate: 60 MHz here, 50 MHz
there. The text's 4,000 gates of RAM are a tenth of the table's 40,420, which alone give the printed total. Six clocks
through the chip are, measured on the model, those of a packet whose map needs the second header flit; the earlier
paper prints five at least and seven at most."""
