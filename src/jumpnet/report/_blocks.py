"""Block diagrams of JUMP-1, its cluster and its router chip, from the model's own parts; three papers show the chip.

Used by sections of nishi1997router, kudoh1995rhbd and yang2001rdt.
"""

from __future__ import annotations

from typing import Any

from jumpnet.chip.chip import Chip
from jumpnet.chip.links import COMBINE, LINKS, MBP0, NAMES
from jumpnet.chip.network import ChipNetwork
from jumpnet.plot.blocks import Block, block_drawer
from jumpnet.plot.draw import drawer
from jumpnet.report._section import Figure
from jumpnet.topology import build

__all__ = ["buffer_figure", "chip_figure", "cluster_figure", "machine_figure"]

JUMP_1, WINDOW = "rdt:16", "rdt:4"
PROCESSORS = 4
LOST = "The figure is lost in our copy."


def machine_figure(prefix: str, key: str, number: int, claim: str) -> Figure:
    """JUMP-1: clusters at the nodes of the RDT."""
    net = build(JUMP_1)
    note = f"The network of the {net.routers} clusters ({JUMP_1}); a cluster's own I/O links are not in it. {LOST}"
    data = {"cluster": list(range(net.routers)), "links": (net.neighbor >= 0).sum(axis=1).tolist()}
    title = "JUMP-1: clusters on the RDT"
    return Figure(
        f"{prefix}-figure-{number}", title, f"{key}, Figure {number}", drawer(net), data, note, claim, f"net={net.spec}"
    )


def cluster_figure(prefix: str, key: str, number: int, claim: str) -> Figure:
    """A cluster: what the text says is in it; the links to its MBPs are those of a chip of the model."""
    mbps = NAMES[MBP0:LINKS]
    blocks = [Block("router chip", 0, 0, shade=1)]
    blocks += [Block(name, 3 * k - 1.5, 1.3, shade=2, text=f"MBP {k}") for k, name in enumerate(mbps)]
    blocks += [Block(f"memory {k}", 5.4 * k - 2.7, 2.3, shade=3) for k in range(len(mbps))]
    blocks += [Block("cluster bus", 0, 3.2, width=7.4, height=0.4, shade=4)]
    blocks += [Block(f"CPU {k}", 2 * k - 3, 4.3) for k in range(PROCESSORS)]
    lines = [("router chip", name) for name in mbps]
    lines += [(name, f"memory {k}") for k, name in enumerate(mbps)] + [(name, "cluster bus") for name in mbps]
    lines += [(f"CPU {k}", "cluster bus") for k in range(PROCESSORS)]
    note = f"Drawn after the text; how the parts lie on the bus is ours. {LOST}"
    data = _listed(blocks, lines)
    title, source = "A cluster of JUMP-1", f"{key}, Figure {number}"
    return Figure(f"{prefix}-figure-{number}", title, source, block_drawer(blocks, lines), data, note, claim)


def _listed(blocks: list[Block], lines: list[tuple[str, str]]) -> dict[str, list[Any]]:
    """The boxes, each with those that it is joined to."""
    joined = {block.name: [b if a == block.name else a for a, b in lines if block.name in (a, b)] for block in blocks}
    return {"block": list(joined), "joined to": [" ".join(others) for others in joined.values()]}


def chip_figure(prefix: str, key: str, number: int, claim: str) -> Figure:
    """The router chip: links, buffers, crossbar and combining unit of a chip of the model."""
    chip: Chip = ChipNetwork(WINDOW).chips[0][0]
    inputs, outputs = len(chip.buffers), len(chip.crossbar.arbiters)
    middle = (outputs - 1) * 0.45
    crossbar = f"{inputs} x {outputs}\ncrossbar,\narbiters"
    blocks = [Block("crossbar", 4.4, middle, width=1.4, height=outputs * 0.9, shade=1, text=crossbar)]
    lines = []
    for link, pair in enumerate(chip.buffers):
        name, y = NAMES[link], link * 0.9
        text = " + ".join(str(len(buffer.ram)) for buffer in pair)
        blocks.append(Block(f"{name} buffers", 2, y, width=2.4, shade=2, text=f"buffers, {text} flits"))
        blocks += [Block(f"{name} in", 0, y, width=0.8, text=name), Block(f"{name} out", 6.4, y, width=0.8, text=name)]
        lines += [(f"{name} in", f"{name} buffers"), (f"{name} buffers", "crossbar"), ("crossbar", f"{name} out")]
    entries, last = len(chip.unit.entries), NAMES[COMBINE]
    blocks.append(Block(last, 7.2, inputs * 0.9, 2.4, shade=3, text=f"combining unit, {entries} entries"))
    lines.append(("crossbar", last))
    note = f"""Read off a chip of the model. In and out of a link are two ends of the same lines, shared by turns. Each
buffer has a bit-map generator and a multicast and handshake controller of its own. {LOST}"""
    title, source = "The structure of the router chip", f"{key}, Figure {number}"
    data = _listed(blocks, lines)
    return Figure(f"{prefix}-figure-{number}", title, source, block_drawer(blocks, lines), data, note, claim)


def buffer_figure(prefix: str, key: str, number: int, claim: str) -> Figure:
    """The packet buffer of a link: two virtual channels, bit-map generator, controller."""
    chip: Chip = ChipNetwork(WINDOW).chips[0][0]
    blocks = [
        Block("link", 0, 0.5, width=0.9, height=1.7),
        Block("bit-map generator", 3, 2.3, width=2.8, shade=2),
        Block("controller", 6.5, 2.3, width=2.4, shade=3, text="multicast and\nhandshake controller"),
        Block("crossbar", 6.5, 0.5, width=2.4, height=1.7, shade=1),
    ]
    lines = [("link", "bit-map generator"), ("bit-map generator", "controller"), ("controller", "crossbar")]
    for buffer in chip.buffers[0]:
        name = f"RAM {buffer.vc}"
        text = f"RAM of channel {buffer.vc}: {len(buffer.ram)} flits"
        blocks.append(Block(name, 3, buffer.vc, width=2.8, shade=4, text=text))
        lines += [("link", name), (name, "crossbar")]
    title, source = "The packet buffer of a link", f"{key}, Figure {number}"
    note = f"Read off a chip of the model; the header goes to the generator, whose map the controller serves. {LOST}"
    data = _listed(blocks, lines)
    return Figure(f"{prefix}-figure-{number}", title, source, block_drawer(blocks, lines), data, note, claim)
