"""What the router chip paper says of the chip in numbers, beside the model of it."""

from __future__ import annotations

from jumpnet.chip.chip import Chip
from jumpnet.chip.configuration import wire
from jumpnet.chip.links import EAST, LINKS, MBP1, OUTPUTS
from jumpnet.chip.messages import message
from jumpnet.chip.network import ChipNetwork
from jumpnet.chip.packet import BODY_BITS, FLIT_BITS, HEADER_FLITS, LONGEST, PLAIN, Ack, Packet, total_flits
from jumpnet.chip.settings import Settings
from jumpnet.chip.watchdog import DECADES_US
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table
from jumpnet.papers import claim

TITLE = "The router chip: structure, formats, clocks a hop"
ORDER = 10

SPEC = "rdt:8"
CAME_IN = 3
"""Clocks from the creation of a packet to its first flit in the first chip: request, grant, line."""


def _clocks_a_hop() -> dict[str, int]:
    """Measured on the model, unloaded: one flit decides, two do, an acknowledge."""
    net = ChipNetwork(SPEC)
    where = net.wiring.where
    centre = next(r for r in range(net.wiring.chips) if net.wiring.registers[r, 0] == 1)
    next_on_base, far = where.moved(centre, 1, 0), where.moved(centre, 2, 2)
    net.mbps[centre].send(message(where, centre, next_on_base).flits())
    net.mbps[far].send(Packet(1, (0b10, 0b10000, 0, 0)).flits())
    net.run(40)
    first = net.mbps[next_on_base].deliveries[0].head - CAME_IN
    both = net.mbps[where.moved(far, 2, 2)].deliveries[0].head - CAME_IN
    start = net.clock
    net.mbps[centre].send(Ack(1, EAST, vc=0).flits(), start, MBP1)
    buffer = net.chips[0][next_on_base].buffers[2][1]  # Link W0, channel 1.
    net.run_until(lambda: buffer.count > 0)
    # The count is seen after the clock in which the flit came.
    return {"one": first // 2, "two": both - first // 2, "ack": net.clock - 1 - start - CAME_IN}


def _structure(golden: Golden) -> Table:
    chip = Chip(wire(SPEC).registers[0], Settings())
    crossbar = f"{len(chip.buffers)} x {len(chip.crossbar.arbiters)}"
    computed: dict[str, int | str] = {
        "link_bits": FLIT_BITS,
        "sliced_bits": 2 * FLIT_BITS,
        "links": LINKS,
        "crossbar": crossbar,
        "packet_flits": LONGEST,
        "header_flits": HEADER_FLITS,
        "body_flits": LONGEST - total_flits(0, PLAIN),
        "acknowledge_flits": len(Ack(0).flits()),
        "acknowledge_body_bits": BODY_BITS,
        "watchdog_least_us": DECADES_US[0],
        "watchdog_most_ms": DECADES_US[-1] // 1000,
    }
    rows: list[tuple[str, list[Cell | None]]] = [
        (golden["claims"][name]["text"], [Cell(claim(golden, name), value)]) for name, value in computed.items()
    ]
    assert crossbar == f"{LINKS} x {OUTPUTS}"
    return Table("Structure and formats", "nishi1997router, section 4", ("value",), rows)


def _blocks(golden: Golden) -> Table:
    chip = Chip(wire(SPEC).registers[0], Settings())
    have = {
        "Crossbar": 1,
        "Multicast controller": len(chip.buffers),
        "I/O controller": len(chip.lines),
        "Bit-map generator": len(chip.buffers),
        "Acknowledge combining": 1,
        "RAM for buffer": sum(len(pair) for pair in chip.buffers),
    }
    data = golden["table_2"]["rows"]
    rows: list[tuple[str, list[Cell | None]]] = [(name, [Cell(data[name][1], n)]) for name, n in have.items()]
    gates = sum(int(cells[0]) * int(cells[1]) for name, cells in data.items() if name != "Total")
    rows.append(("Total gates: sum of the printed rows", [Cell(data["Total"][2], gates)]))
    return Table("Blocks of Table 2 in the model", "nishi1997router, Table 2", ("blocks",), rows, RAM)


def _latency(golden: Golden) -> Table:
    clocks = _clocks_a_hop()
    least, most = claim(golden, "least_latency_clocks"), claim(golden, "most_latency_clocks")
    rows: list[tuple[str, list[Cell | None]]] = [
        ("flit 1 decides", [Cell(least, clocks["one"])]),
        ("flits 1 and 2 decide", [Cell(None, clocks["two"])]),
        ("flits 1 to 3 decide (acknowledge)", [Cell(most, clocks["ack"])]),
    ]
    return Table("Clocks a hop, unloaded, measured on the model", "nishi1997router, section 4.2.3", ("clocks",), rows)


def section(golden: Golden, progress: Progress) -> Section:
    """The model answers; nothing here is typed in."""
    return Section(TITLE, TEXT, (_structure(golden), _latency(golden), _blocks(golden)))


RAM = """The text gives the dual-port RAM about 4,000 gates; only the table's 40,420 adds up to its total."""
TEXT = """The model packs and parses packets to the bit and moves them clock by clock. Positions of fields and all
that the papers leave open are listed with their reasons in decision 0050, and each requirement has a test that names
it. A chip with one upper torus never needs the third header flit for a multicast; acknowledges, whose route is in
flits 1 and 3, take the seven clocks."""
