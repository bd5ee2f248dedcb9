"""Sections 4.6 and 5: Tables 1 and 2, and where the papers on the chip disagree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jumpnet.chip.network import ChipNetwork
from jumpnet.chip.watchdog import CLOCK_HZ
from jumpnet.papers import claim
from jumpnet.papers import golden as printed_of
from jumpnet.report._section import Golden, Progress, Rows, Section, Table, Value, golden_table, table_cell
from jumpnet.report.nishi1997router._cells import Said, sentences
from jumpnet.report.nishi1997router._measure import SPEC

TITLE = "Sections 4.6 and 5: Tables 1 and 2, and where the papers disagree"
ORDER = 90

BLOCKS = (
    "Crossbar",
    "Multicast controller",
    "I/O controller",
    "Bit-map generator",
    "Acknowledge combining",
    "RAM for buffer",
)


MADE = {"Crossbar": "Schematic", "Arbiter": "Schematic", "RAM for buffer": "RAM"}
"""How the texts of both papers say that each block was made; the controllers, all other blocks, in VHDL."""


def gate_table(data: Mapping[str, Any], table: str, key: str, beside: Mapping[str, Any]) -> Table:
    """A gate table: gates beside the same table of the other paper (its rows), blocks counted in a chip of the model,
    totals by arithmetic from the printed gates, and how each block was made by the text.
    """
    chips = ChipNetwork(SPEC).chips[0]
    chip = max(chips, key=lambda each: sum(line is not None for line in each.lines))
    have = {
        "Crossbar": 1,
        "Arbiter": 1,
        "Multicast controller": len(chip.buffers),
        "I/O controller": len([line for line in chip.lines if line is not None]),
        "Bit-map generator": len(chip.buffers),
        "Acknowledge combining": 1,
        "RAM for buffer": sum(len(pair) for pair in chip.buffers),
    }
    printed = data[table]["rows"]
    computed: dict[str, dict[str, Any]] = {name: {"blocks": count} for name, count in have.items()}
    total = 0
    for name, (gates, blocks, *_) in printed.items():
        if name != "Total":
            computed[name] |= {"gates": beside[name][0], "description": MADE.get(name, "VHDL")}
            computed[name]["total"] = int(gates) * int(blocks)
            total += computed[name]["total"]
    computed["Total"] = {"total": total}
    computed = {name: computed[name] for name in printed}
    stated = {(row, column) for row, cells in computed.items() for column in cells}
    details = {("Total", "total"): "sum of the printed gates times blocks"}
    details |= {(name, "blocks"): "counted in a chip of the model" for name in BLOCKS}
    details["Arbiter", "blocks"] = "those of all outputs taken as one block"
    return golden_table(data, table, computed, key=key, stated=stated, details=details, note=GATES)


def crossbar() -> str:
    """Inputs and outputs of the crossbar of a chip."""
    chip = ChipNetwork(SPEC).chips[0][0]
    return f"{len(chip.buffers)} x {len(chip.crossbar.arbiters)}"


def sums(data: Mapping[str, Any], table: str) -> tuple[int, int]:
    """Printed gates of the random logic, of the RAM."""
    rows = data[table]["rows"]
    ram = int(rows["RAM for buffer"][2])
    return sum(int(cells[2]) for name, cells in rows.items() if name not in ("RAM for buffer", "Total")), ram


def in_thousands(gates: int) -> tuple[int, str]:
    """The sum of a table's rows as the text gives it, rounded to thousands, and how it came about.

    >>> in_thousands(50102)
    (50000, '50,102 by all rows of the table but the RAM; the text rounds')
    """
    return round(gates, -3), f"{gates:,} by all rows of the table but the RAM; the text rounds"


def _typed(value: Value, detail: str, label: str = "") -> Said:
    """Two printed figures: nothing is computed."""
    return Said(value, detail, stated=True, label=label)


def _typed_cell(data: Golden, row: str, value: Value, detail: str, label: str) -> tuple[str, Said]:
    """A cell of Table 1 beside another printed figure."""
    said = Said(value, detail, stated=True, label=label, printed=_cell(data, row), place=(row, "value"))
    return "table_1", said


def _print(data: Golden) -> list[tuple[str, Said]]:
    """Clock, cables, power and pins, each printed in two places."""
    later, rhbd = printed_of("yang2001rdt")["table_7"]["rows"], printed_of("kudoh1995rhbd")["claims"]
    clock, cable, mhz = "clock rate in MHz", "longest cable in metres", CLOCK_HZ // 10**6
    ours, long = "the clock of our watch-dog", claim(data, "body_cable_m")
    also = later["clock rate MHz"][0]
    return [
        ("summary_clock_mhz", _typed(claim(data, "body_clock_mhz"), "the text", f"{clock}: summary, and the text")),
        ("body_clock_mhz", _typed(mhz, ours, f"{clock}: text, and the model")),
        _typed_cell(data, "clock rate MHz", also, "Table VII of yang2001rdt", f"{clock}: Table 1, and the later paper"),
        (
            "body_clock_mhz",
            _typed(rhbd["clock_mhz"]["value"], "kudoh1995rhbd, section 6", f"{clock}: text, and the earlier paper"),
        ),
        ("summary_cable_m", _typed(long, "the text", f"{cable}: summary, and the text")),
        ("body_cable_m", _typed(claim(data, "summary_cable_m"), "the summary", f"{cable}: text, and the summary")),
        ("power_w", _typed(_cell(data, "power consumption W"), "Table 1", "power in watts: text, and Table 1")),
        ("flow_control", _typed(rhbd["flow_control"]["value"], "kudoh1995rhbd, section 6", FLOW)),
        ("technology_um", _typed("0.5", "the later paper, abstract; no model depends on it")),
        ("schematic", _typed("Crossbar Arbiter", "the last column of Table 2")),
        ("pins", _typed(_cell(data, "total pins"), "Table 1")),
        ("signal_pins", _typed(_cell(data, "signal pins"), "Table 1")),
    ]


def _gates(data: Golden) -> list[tuple[str, Said]]:
    """Gates of the text against those of Table 2."""
    logic, ram = sums(data, "table_2")
    most, total = claim(data, "gates_maximum"), logic + ram
    used, rate = f"{100 * total / int(most):.0f}", "rate of gate utilization"
    label = f"{rate}: Table 1, and by Table 2"
    return [
        ("ram_gates_text", _typed(ram, "Table 2", "gates of the dual-port RAM: text, and Table 2")),
        ("random_logic_gates", _typed(*in_thousands(logic), "gates of random logic: text, and Table 2")),
        ("nearly_gates", _typed("below" if total < 100_000 else "not below", f"{total}, by Table 2")),
        ("gates_maximum", _typed(most, "")),
        _typed_cell(data, rate, used, f"{total} of {most} gates", label),
    ]


def _cell(data: Golden, row: str) -> str:
    return str(data["table_1"]["rows"][row][0])


def section(golden: Golden, progress: Progress) -> Section:
    """Nothing here can be measured on a model of the logic but the number of blocks."""
    later = ("power consumption W", "total pins", "signal pins", "rate of gate utilization", "clock rate MHz")
    table_1: Rows = [
        (name, [table_cell(golden, "table_1", name, "value", _later(name), stated=True)]) for name in later
    ]
    first = Table("Table 1 beside Table VII of the later paper", "nishi1997router, Table 1", ("value",), table_1)
    papers = "nishi1997router, yang2001rdt, kudoh1995rhbd"
    conflicts = sentences(golden, "Where the papers disagree", papers, [*_print(golden), *_gates(golden)])
    later_gates = printed_of("yang2001rdt")["table_8"]["rows"]
    clusters, slices = 4, len(ChipNetwork(SPEC, slices=2).chips)
    boards = sentences(
        golden,
        "Boards",
        "nishi1997router, section 5",
        {
            "board_chips": Said(clusters * slices, f"{clusters} clusters with {slices} bit-sliced chips", stated=True),
            "jump13_chips": Said(slices, "one node, bit-sliced", stated=True),
            "jump13_workstations": Said(8, NOT_IN_MODEL, stated=True),
            "jump13_clock_mhz": Said(25, NOT_IN_MODEL, stated=True),
        },
    )
    gates = gate_table(golden, "table_2", "nishi1997router", later_gates)
    return Section(TITLE, TEXT, (first, gates, conflicts, boards))


def _later(name: str) -> str:
    return str(printed_of("yang2001rdt")["table_7"]["rows"][name][0])


NOT_IN_MODEL = "nothing in the model depends on it"
FLOW = "flow control: text, and the earlier paper"
GATES = """Gates stand beside those of the other paper on the chip, descriptions beside the text. Neither is checked:
the model has no gates, schematics or VHDL."""
TEXT = """What a chip weighs in watts, pins and gates is stated, not computed. What can be checked is whether the
printed figures agree with each other. Products and the total of Table 2 do. The text's 4,000 gates of RAM do not (the
table has 40,420), nor the clock rate (50 or 60 MHz), nor the cables (4 or 2 m); the printed rate of gate utilization
is not the share of the gates used."""
