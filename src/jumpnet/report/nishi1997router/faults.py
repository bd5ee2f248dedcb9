"""Sections 4.4 and 4.5: the fault campaign, the barrier line, the watchdog's times, injected and measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jumpnet.chip.compiled.network import FastNetwork, Sending
from jumpnet.chip.configuration import wire
from jumpnet.chip.faults import Outcome, campaign
from jumpnet.chip.links import EAST, MBP0, WEST
from jumpnet.chip.messages import message
from jumpnet.chip.modes import MODE_NAMES, NORMAL, SETTING_UP
from jumpnet.chip.network import ChipNetwork
from jumpnet.chip.packet import FLIT_BITS
from jumpnet.chip.settings import Settings
from jumpnet.chip.watchdog import CLOCK_HZ, DECADES_US, limit_clocks
from jumpnet.report._kept import kept
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.nishi1997router._cells import Said, sentences

TITLE = "Sections 4.4 and 4.5: shooting down, setting up, errors"
ORDER = 80

SPECS = ("rdt:4", "rdt:8", "rdt:16")
SMALL = SPECS[0]
JUST_BEFORE = 8
"""Clocks before a tick of the timer at which a packet is created that comes in just in time to count it."""


FIRST = 7
"""Clock in which the first flit of a packet that its MBP sends at once leaves the first chip."""


def _ask(net: FastNetwork, way: str) -> None:
    """Ask for a shoot-down: by the MBP of router 2, a flipped bit between routers 0 and 1, the line at router 0."""
    if way == "MBP":
        net.command(2, "SHOOT")
    elif way == "error":
        net.flip(0, EAST, FIRST, 1)
    else:
        net.raise_line(0)


def _damaged() -> list[Sending]:
    return [Sending(0, 0, message(wire(SMALL).where, 0, 1).flits())]


def _shot(spec: str, way: str, cascade: bool) -> tuple[int, int]:
    """Chips that leave the normal mode; clocks from the first to the last of them."""
    where = wire(spec).where
    net = FastNetwork(spec, [Sending(0, 0, message(where, 0, 1).flits())], Settings(cascade=cascade))
    _ask(net, way)
    when: dict[int, int] = {}
    for _ in range(where.routers + 40):
        net.run(1)
        for r, mode in enumerate(net.modes):
            if mode != NORMAL:
                when.setdefault(r, net.clock)
    return len(when), max(when.values()) - min(when.values()) if when else 0


def _barrier(golden: Golden, progress: Progress) -> Table:
    """Every way to ask, with the barrier line and without."""
    rows: Rows = []
    for spec in SPECS:
        progress(len(rows), 2 * len(SPECS) + 2)
        routers = int(spec.partition(":")[2]) ** 2
        for cascade in (False, True):
            found = {ask: _shot(spec, ask, cascade) for ask in ("MBP", "error", "barrier line")}
            works = sum(chips > 0 for chips, _ in found.values())
            cells: list[Cell | None] = [claimed(golden, "shot_by", works)]
            cells += [Cell(None, found["MBP"][0]), Cell(None, found["error"][0]), Cell(None, found["barrier line"][0])]
            cells.append(Cell(None, max(clocks for _, clocks in found.values())))
            name = "chips raise the line" if cascade else "chips leave the line alone"
            rows.append((f"{spec}, {routers} chips; {name}", cells))
    columns = (
        "ways to ask that work",
        "chips, MBP asks",
        "chips, error",
        "chips, line",
        "clocks from first to last chip",
    )
    return Table("Who shoots down", "nishi1997router, section 4.4", columns, rows, LINE)


def _modes_after() -> dict[str, int]:
    """Mode of the chip that notices an error: a wrong parity on a line, a state in which two slices differ."""
    wrong = FastNetwork(SMALL, _damaged())
    _ask(wrong, "error")
    while not wrong.errors():
        wrong.run(1)
    apart = ChipNetwork(SMALL, slices=2)
    apart.mbps[0].send([flit << FLIT_BITS | flit for flit in _damaged()[0].flits])
    apart.run(FIRST + 1)
    apart.chips[1][0].buffers[MBP0][0].remaining ^= 1
    apart.run_until(lambda: bool(apart.errors()))
    parity, differ = wrong.errors()[0][0], apart.errors()[0][0]
    return {"wrong parity": wrong.modes[parity], "slices disagree": apart.chips[0][differ].modes.now}


def _watchdog(decade: int) -> tuple[float, float]:
    """Least and most microseconds that a packet stays whose neighbor is never ready, at a setting of the timer."""
    clocks, times, where = limit_clocks(decade), list[float](), wire(SMALL).where
    for start in (0, clocks // 4 - JUST_BEFORE):
        net = FastNetwork(SMALL, [Sending(0, start, message(where, 0, 1).flits())], Settings(watchdog_clocks=clocks))
        net.stick(1, WEST)
        net.run(start + clocks // 4 * 5 + 20)
        (clock,) = net.error_clocks()
        assert net.kept()
        times.append((clock - start) * 1e6 / CLOCK_HZ)
    return min(times), max(times)


def _flits_shot() -> tuple[int, int]:
    """Flits in the buffers when all routers send a message and are shot down on the way: before, and after."""
    net = ChipNetwork(SMALL)
    last = net.wiring.chips - 1
    for router in range(net.wiring.chips):
        net.mbps[router].send(message(net.wiring.where, router, last - router, body=(router,) * 8).flits())
    net.run(2 * FIRST)
    buffers = [buffer for chip in net.chips[0] for pair in chip.buffers for buffer in pair]
    before = sum(buffer.count for buffer in buffers)
    net.shoot_down()
    return before, sum(buffer.count + buffer.arriving for buffer in buffers)


def _sentences(golden: Golden, found: dict[str, Outcome]) -> Table:
    """The claims of both sections from the campaign and the runs above."""
    header, body, stuck, slices, shots = (found[name] for name in PARTS)
    before, left = _flits_shot()
    modes = {error: MODE_NAMES[mode] for error, mode in _modes_after().items()}

    def share(outcome: Outcome) -> Said:
        missed = outcome.injected - outcome.caught - outcome.harmless
        return Said(
            "all" if missed == 0 else f"{missed} missed",
            f"{outcome.caught} of {outcome.injected} caught"
            + (f", {outcome.harmless} left no trace" if outcome.harmless else ""),
        )

    least, most = _watchdog(0), _watchdog(len(DECADES_US) - 1)
    held = f"{shots.injected} shoot-downs under load, {shots.lost} packets lost, {shots.doubled} doubled"
    return sentences(
        golden,
        "Sentences",
        f"nishi1997router, sections 4.4 and 4.5; {SMALL}",
        {
            "shot_down": Said(left, f"{before} flits were in the buffers; every chip is {MODE_NAMES[SETTING_UP]}"),
            "restored": Said("all" if shots.lost == shots.doubled == 0 else "not all", held),
            "fifo_after_restart": Said(shots.overtaken, held),
            "header_parity": share(header),
            "body_parity": Said(
                "destination" if body.caught == body.injected else "not everywhere",
                f"{body.caught} of {body.injected} noticed by the destination, and by no router",
            ),
            "slices_compared": share(slices),
            "errors_shoot": Said(
                " or ".join(sorted(set(modes.values()))),
                "in the clock in which it is noticed: "
                + "; ".join(f"{error}: {mode}" for error, mode in modes.items())
                + "; the timer of a buffer flushes one packet, and the chip goes on",
            ),
            "watchdog_flushes": share(stuck),
            "watchdog_least_us": Said(
                least[0],
                f"{least[0]:.1f} to {least[1]:.1f} us at {CLOCK_HZ // 10**6} MHz; a setting of ours",
                stated=True,
            ),
            "watchdog_most_ms": Said(
                most[0] / 1000, f"{most[0] / 1000:.3f} to {most[1] / 1000:.3f} ms at the longest setting", stated=True
            ),
        },
    )


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Run the campaign on the plain model; the longer one too under `full`, else its committed results."""
    outcomes = campaign(progress=progress)
    said = _sentences(golden, dict(zip(PARTS, outcomes, strict=True)))
    tables = [said, _barrier(golden, progress), _table("Fault campaign", [o.row() for o in outcomes], NOTE)]
    long = {"rows": [outcome.row() for outcome in campaign(full=True, progress=progress)]} if full else {}
    committed = kept("nishi1997router", "faults")
    if long or committed:
        said_by = committed.said if committed and not long else "Run now."
        rows = (long or (committed.data if committed else {}))["rows"]
        tables.append(_table("The longer campaign", rows, f"64 chips, packets of the longest body. {said_by}"))
    return Section(TITLE, TEXT, tables, kept=long)


def _table(title: str, outcomes: Sequence[Mapping[str, Any]], note: str) -> Table:
    """The rows of a campaign."""
    columns = ("injected", "caught", "harmless", "clocks_least", "clocks_most", "lost", "doubled", "overtaken")
    rows: Rows = [
        (f"{row['fault']}: {row['caught_by']}", [Cell(None, row[name]) for name in columns]) for row in outcomes
    ]
    titles = [name.replace("clocks_", "clocks, ") for name in columns]
    return Table(title, "computed here; nishi1997router claims it without numbers", titles, rows, note)


PARTS = ("header", "body", "stuck", "slices", "shots")
"""The parts of the campaign in its order."""
LINE = """The MBP of router 2 commands, a header flit between routers 0 and 1 is damaged, the line is raised at router
0. Without the setting `cascade` a request of an MBP or an error stays in its chip. The line passes a chip a clock."""
NOTE = """Clocks: from the fault to its being noticed; for the watchdog from the creation of the packet, with a time
of 200 clocks; for shoot-downs those of shooting down and setting up. Caught shoot-downs: those that found packets in
the buffers. Lost, doubled: packets of which none, or several, are delivered or kept by an MBP."""
TEXT = """Every bit of every flit of a packet with a compressed address is flipped on the line between two routers:
the next router must find it in the header, only the destination in the body. A neighbor that is never ready must trip
the timer; after a shoot-down and set-up the packet must arrive once. The two slices must notice one wrong bit of
state, unless it is overwritten in the same clock and does no harm. Networks under load are shot
down at random clocks, what the MBPs hold is written to text, forgotten, read back and set up; every destination must
have received what it does undisturbed, and no packet may overtake another of its route.

The line that connects all chips in cascade carries a request from chip to chip: raised at the first, it takes as many
clocks as there are others."""
