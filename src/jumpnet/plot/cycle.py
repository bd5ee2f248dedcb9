"""Draw a cycle of channel dependencies on its network: what stands against a proof of deadlock freedom.

Called by `cli/prove`. Every link in grey, the channels of the cycle as arrows numbered in order, one colour a vc.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from jumpnet.analysis.prove import Proof
from jumpnet.errors import JumpnetError, file_error
from jumpnet.network import Network
from jumpnet.plot.figure import PALETTE, render
from jumpnet.plot.formats import picture_format
from jumpnet.terms import F64

__all__ = ["cycle_drawer", "draw_cycle"]

MOST_LINKS = 6000
"""Networks with more links are drawn without those that the cycle does not use."""


def _places(net: Network) -> F64:
    if net.position is not None:
        return np.asarray(net.position, float)
    turn = 2 * np.pi * np.arange(net.routers) / net.routers
    return np.stack([np.cos(turn), np.sin(turn)], axis=1) * max(1.0, net.routers / (2 * np.pi))


def _fill(figure: Any, net: Network, proof: Proof) -> None:
    cycle = proof.cycle or ()
    place = _places(net)
    axes = figure.subplots()
    axes.set_aspect("equal")
    axes.axis("off")
    routers = sorted({h.router for h in cycle} | {h.to for h in cycle})
    if net.links <= MOST_LINKS:
        near, port = np.nonzero(net.neighbor >= 0)
        ends = np.stack([place[near], place[net.neighbor[near, port]]], axis=1)
        longest = 1.5 * np.median(np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)) if len(ends) else 0
        for a, b in ends[np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1) <= longest]:
            axes.plot([a[0], b[0]], [a[1], b[1]], color="#d5d9e0", linewidth=0.7, zorder=1)
        axes.scatter(place[:, 0], place[:, 1], s=6, color="#9aa1ac", zorder=2)
    axes.scatter(place[routers, 0], place[routers, 1], s=22, color="#222222", zorder=4)
    for i, hop in enumerate(cycle):
        colour = PALETTE[hop.vc % len(PALETTE)]
        bend = "arc3,rad=0.18"
        a, b = place[hop.router], place[hop.to]
        arrow = {"arrowstyle": "-|>", "color": colour, "connectionstyle": bend, "shrinkA": 4, "shrinkB": 4}
        axes.annotate("", xy=tuple(b), xytext=tuple(a), arrowprops=arrow, zorder=3)
        if len(cycle) <= 40:
            middle = 0.6 * a + 0.4 * b
            axes.text(*middle, f"{i} (vc {hop.vc})", fontsize=6.5, color=colour, zorder=5)
    axes.set_title(f"{proof.routing} on {proof.spec}: {len(cycle)} channels in a cycle", fontsize=9)


def cycle_drawer(net: Network, proof: Proof) -> Callable[[Any], None]:
    """A function that fills a figure with the cycle of a proof; raises JumpnetError for one without."""
    if proof.cycle is None:
        raise JumpnetError(f"{proof.routing} on {proof.spec} has no cycle to draw")
    return lambda figure: _fill(figure, net, proof)


def draw_cycle(net: Network, proof: Proof, file: Path) -> None:
    """Write the picture of a proof's cycle; the ending of `file` decides the format (svg, png or pdf).

    Raises JumpnetError for another ending, a folder that does not exist, or a proof without a cycle.
    """
    kind = picture_format(file)
    made = render(cycle_drawer(net, proof), name=proof.spec, size_inches=(6.4, 6.4), formats=(kind,))
    try:
        file.write_bytes(made[kind])
    except OSError as error:
        raise file_error(file, error, "a file that can be written expected") from None
