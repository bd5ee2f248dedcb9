"""Draw the way to a protocol's fault as a message sequence chart. Called by `cli/protocol`.

A line downward for the home and for each cache, an arrow for each message where it arrives, a dot for what somebody
does by itself, and beside a line the state that it changes to. What the tables have no answer to comes last, in red.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from jumpnet.api.public import public
from jumpnet.coherence.chart import Path as Way
from jumpnet.coherence.chart import path_of
from jumpnet.coherence.check import Checked
from jumpnet.coherence.protocol import Protocol
from jumpnet.errors import JumpnetError
from jumpnet.files import write_bytes
from jumpnet.plot.figure import PALETTE, render
from jumpnet.plot.formats import picture_format

__all__ = ["draw_messages", "messages_drawer"]

MESSAGE, OWN, FAULT = PALETTE[0], PALETTE[7], PALETTE[1]
INCHES_A_LINE, INCHES_A_STEP = 1.5, 0.42
MOST_STEPS = 200
"""Longer ways are no picture, and would have more points than one may."""
STATE = {"boxstyle": "round,pad=0.2", "facecolor": "white", "edgecolor": "#9aa3ad", "linewidth": 0.8}
BEHIND = {"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none"}


def _ends(what: str, lines: Sequence[str]) -> tuple[str, float, float]:
    """The words of a step, and from which line to which they go: both the same for what somebody does by itself.

    >>> _ends("Data: home -> cache 2", ["home", "cache 1", "cache 2"])
    ('Data', 0.0, 2.0)
    >>> _ends("cache 1: evict", ["home", "cache 1"])
    ('evict', 1.0, 1.0)
    """
    first, _, then = what.partition(": ")
    source, arrow, target = then.partition("-> ")
    if not arrow:
        return then, float(lines.index(first)), float(lines.index(first))
    return first, float(lines.index(source.strip())), float(lines.index(target))


def _fill(figure: Any, way: Way, title: str, fault: str) -> None:
    names = [(home, *caches) for home, caches in map(way.model.names, way.states)]
    lines = ["home", *(f"cache {k}" for k in range(1, len(names[0])))]
    axes = figure.subplots()
    axes.axis("off")
    axes.set_xlim(-0.6, len(lines) - 0.4)
    axes.set_ylim(len(way.ways) + 2.2, -1.7)
    axes.text(-0.5, -1.3, title, weight="bold", parse_math=False)
    for x, name in enumerate(lines):
        axes.plot([x, x], [0, len(way.ways) + 0.9], color="#b8bfc8", linewidth=1, zorder=1)
        axes.text(x, -0.3, name, ha="center", parse_math=False)
    for y, (step, what) in enumerate(zip(way.ways, way.said(), strict=True), 1):
        _draw_step(axes, y, *_ends(what, lines), FAULT if step is way.refused else "")
    for y, states in enumerate(names):
        for x, state in enumerate(states):
            if y == 0 or names[y - 1][x] != state:
                axes.text(x + 0.06, y + 0.42, state, va="center", size="small", bbox=STATE, zorder=4, parse_math=False)
    axes.text(-0.5, len(way.ways) + 1.7, fault, color=FAULT, weight="bold", parse_math=False)


def _draw_step(axes: Any, y: float, words: str, source: float, to: float, color: str) -> None:
    """A dot where somebody acts by itself, else an arrow; its words stand between two lines, near the receiver.

    color: empty for that of such steps.
    """
    if source == to:
        axes.plot([to], [y], "o", color=color or OWN, markersize=5, zorder=3)
        axes.text(to - 0.08, y, words, ha="right", va="center", bbox=BEHIND, zorder=2, parse_math=False)
        return
    arrow = {"arrowstyle": "-|>", "color": color or MESSAGE, "linewidth": 1.4, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", (to, y), (source, y), arrowprops=arrow)
    where = to + (0.5 if source > to else -0.5) * min(1, abs(source - to))
    axes.text(where, y - 0.08, words, ha="center", va="bottom", color=color or MESSAGE, parse_math=False)


def messages_drawer(protocol: Protocol, found: Checked) -> tuple[Callable[[Any], None], tuple[float, float]]:
    """What fills a figure, and its size in inches; raises JumpnetError for an answer without a fault."""
    if not found.fault:
        raise JumpnetError(f"{found.protocol} without a fault found, a way to one expected")
    way = path_of(protocol, found)
    if len(way.ways) > MOST_STEPS:
        raise JumpnetError(f"{found.protocol}: a way of {len(way.ways)} steps found, at most {MOST_STEPS} expected")
    title = f"{found.protocol}, {found.caches} caches: the shortest way to a fault"
    size = (INCHES_A_LINE * (found.caches + 1.2), INCHES_A_STEP * (len(way.ways) + 4))
    return lambda figure: _fill(figure, way, title, found.fault), size


@public
def draw_messages(protocol: Protocol, found: Checked, file: Path) -> None:
    """Write the shortest way to a fault as a message sequence chart, as SVG, PNG or PDF by the ending of `file`.

    found: the checker's answer about `protocol`. Raises JumpnetError for another ending, a folder that does not exist,
    and an answer without a fault.

    >>> import tempfile
    >>> from dataclasses import replace
    >>> from jumpnet.coherence.check import check_protocol
    >>> from jumpnet.coherence.protocol import protocol
    >>> wrong = replace(protocol("msi"), cache=protocol("msi").cache.replace("S   Inv       I ", "S   Inv       S "))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     draw_messages(wrong, check_protocol(wrong), Path(folder, "way.svg"))
    ...     Path(folder, "way.svg").read_text()[:5]
    '<?xml'
    """
    kind = picture_format(file)
    fill, size = messages_drawer(protocol, found)
    write_bytes(file, render(fill, name="messages", size_inches=size, formats=(kind,))[kind])
