"""Sections V.C and V.D of the RDT paper: the router chip, Tables VII and VIII."""

from __future__ import annotations

from jumpnet.paper._section import Cell, Golden, Progress, Section, Table, claimed
from jumpnet.paper.nishi1997router import SPEC, stages, structure
from jumpnet.paper.nishi1997router.implementation import crossbar, gate_table, sums
from jumpnet.papers import claim
from jumpnet.papers import golden as printed_of

TITLE = "Tables VII and VIII: the router chip"
ORDER = 95

NAMES = {"one": "flit 1 decides", "two": "flits 1 and 2 decide", "three": "flits 1 to 3 decide (acknowledge)"}


def section(golden: Golden, progress: Progress) -> Section:
    """Measure the clocks through a chip; set the tables beside the earlier paper and the text."""
    earlier, rows = printed_of("nishi1997router")["table_1"]["rows"], golden["table_7"]["rows"]
    table_7: list[tuple[str, list[Cell | None]]] = [
        (name, [Cell(cells[0], str(earlier[name][0]), claim="table_7", stated=True)]) for name, cells in rows.items()
    ]
    first = Table("Table VII beside Table 1 of the earlier paper", "yang2001rdt, Table VII", ("value",), table_7)
    logic, ram = sums(golden, "table_8")
    rate = rows["rate of gate utilization"][0]
    used = 100 * (logic + ram) / int(claim(golden, "chip_gates_maximum"))
    text: list[tuple[str, list[Cell | None]]] = [
        ("gates of random logic: text, and Table VIII", [claimed(golden, "chip_logic_gates", logic, stated=True)]),
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
        ("longest packet that passes, in flits", [claimed(golden, "chip_packet_flits", structure.longest(None)[1])]),
        (
            "header flits of messages, multicasts, acknowledges",
            [claimed(golden, "chip_header_flits", structure.least_header())],
        ),
        ("links at a chip of a network", [claimed(golden, "chip_links", structure.wired())]),
        ("width of a link in bits", [claimed(golden, "chip_link_bits", structure.FLIT_BITS, stated=True)]),
        (
            "width of a link in bits, bit-sliced",
            [claimed(golden, "chip_sliced_bits", 2 * structure.FLIT_BITS, stated=True)],
        ),
        ("crossbar", [claimed(golden, "chip_crossbar", crossbar(), stated=True)]),
    ]
    against = Table("The text against the tables and the model", "yang2001rdt, sections V.C and V.D", ("value",), text)
    found = stages()
    clocks: list[tuple[str, list[Cell | None]]] = [
        (NAMES[kind], [claimed(golden, "chip_clocks", s.total)]) for kind, s in found.items()
    ]
    through = Table(
        "Clocks to pass through the chip without conflict", f"yang2001rdt, section V.D; {SPEC}", ("clocks",), clocks
    )
    return Section(TITLE, TEXT, (first, gate_table(golden, "table_8", "yang2001rdt"), against, through))


TEXT = """The chip is that of nishi1997router, and so are the tables, but for the clock rate: 60 MHz here, 50 MHz
there. The text's 4,000 gates of RAM are a tenth of the table's 40,420, which alone give the printed total. Six clocks
through the chip are, measured on the model, those of a packet whose map needs the second header flit; the earlier
paper prints five at least and seven at most."""
