"""Message sequence charts: arrows go from whom to whom the way says, and states stand where they change."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from jumpnet.coherence.chart import Path, chart_of
from jumpnet.coherence.check import check_protocol
from jumpnet.coherence.protocol import protocol
from jumpnet.coherence.search.model import Model, Step
from jumpnet.errors import JumpnetError
from jumpnet.plot.messages import FAULT, messages_drawer

LINES = ("home", "cache 1", "cache 2", "cache 3")
CHANGED = [
    ("msi", "M   Fetch     S   send", "M   Fetch     M   send"),
    ("moesi", "S   Inv       I ", "S   Inv       S "),
    ("msi", "M   PutM-      M   ack\n", ""),
    ("chained", "SM  Inv       IM  pass InvAck, drop", "SM  Inv       SM  pass InvAck"),
    ("chained", "SM  Inv       IM  pass InvAck, drop\n", ""),
]


@pytest.mark.parametrize(("name", "old", "new"), CHANGED)
@pytest.mark.parametrize("caches", [2, 3])
def test_arrows_and_states_are_those_of_the_way(name: str, old: str, new: str, caches: int) -> None:
    made = protocol(name)
    wrong = replace(made, cache=made.cache.replace(old, new), home=made.home.replace(old, new))
    found = check_protocol(wrong, caches)
    chart = chart_of(wrong, found)
    figure = Figure()
    fill, (width, height) = messages_drawer(wrong, found)
    fill(figure)
    (axes,) = figure.axes
    arrows = {text.xy[1]: (LINES[int(text.xyann[0])], LINES[int(text.xy[0])]) for text in axes.texts if _arrow(text)}
    said = dict(enumerate((row.what.partition(": ")[2].split(" -> ") for row in chart), 1))
    assert arrows == {at: tuple(ends) for at, ends in said.items() if len(ends) == 2} and len(arrows) > 4
    red = [
        text.xy[1] for text in axes.texts if _arrow(text) and to_rgb(text.arrow_patch.get_edgecolor()) == to_rgb(FAULT)
    ]
    assert red == [len(chart)] * found.fault.startswith("no row") and len(chart) == len(found.path) + len(red)
    states = [("U", *caches * ["I"]), *((row.home, *row.caches) for row in chart)]
    changed = [(x, y) for y, now in enumerate(states) for x, s in enumerate(now) if y == 0 or states[y - 1][x] != s]
    drawn = [text for text in axes.texts if text.get_bbox_patch() is not None and text.get_size() < 9]
    assert [(int(text.get_position()[0]), int(text.get_position()[1])) for text in drawn] == changed
    assert [text.get_text() for text in drawn] == [states[y][x] for x, y in changed]
    assert axes.texts[-1].get_text() == found.fault
    assert width > caches and height > 0.4 * len(chart)


@pytest.mark.parametrize("seed", range(8))
def test_what_a_cache_passes_on_comes_from_one_that_was_told(seed: int) -> None:
    """No shortest way of `chained` to a fault has such a message, so ways are drawn: each cache passes on what came to
    it, once, and to another one."""
    model = Model(protocol("chained"), 4, in_order=bool(seed % 2), combined=False, in_place=True)
    draw, states, steps = random.Random(seed), [model.start], list[Step]()
    for _ in range(800):
        steps.append(draw.choice([step for step in model.steps(states[-1]) if step.event != "evict"]))
        states.append(steps[-1].after)
    told, passed = Counter[str](), 0
    for what in Path(model, tuple(states), tuple(steps), None).said():
        message, _, ends = what.partition(": ")
        source, _, target = ends.partition(" -> ")
        if message != "Inv":
            continue
        if source != "home":
            told[source] -= 1
            passed += 1
            assert source != target and told[source] >= 0
        told[target] += 1
    assert passed > 0


def _arrow(text: object) -> bool:
    return isinstance(text, Annotation) and text.arrow_patch is not None


def test_without_a_fault_there_is_no_way() -> None:
    made = protocol("msi")
    with pytest.raises(JumpnetError, match="msi without a fault found, a way to one expected"):
        messages_drawer(made, check_protocol(made, 1))
