"""What a page draws over its network, read from the SVG that it saves: links and routers by their colours."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np

NUMBER, COLOUR = r'"([-\d.]+)"', r'"([#\w]+)"'
PATH = re.compile(
    rf'<path d="M([^"Z]*)" fill="none" stroke={COLOUR} stroke-width={NUMBER}(?: stroke-opacity={NUMBER})?'
)
HEAD = re.compile(r'<path d="M([^"Z]*)Z" fill="(#\w+)"')
DISC = re.compile(rf"<circle cx={NUMBER} cy={NUMBER} r={NUMBER} fill={COLOUR} stroke={COLOUR} stroke-width={NUMBER}")
VALUE = "name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()"
FAINT = 0.5
REACH = 4  # pixels


class Picture(NamedTuple):
    """Colours are names of the style sheet's properties."""

    links: dict[str, set[tuple[int, int]]]
    """By colour: marked links as the two routers at their ends, in the direction of their arrow where there is one."""
    rings: dict[str, set[int]]
    """By colour: routers with a mark."""
    dots: list[tuple[float, float, str]]
    """Small discs that stand at no router: place, colour."""
    places: Any
    """(R, 2) pixels of the routers."""


def _points(text: str) -> Any:
    return np.array([[float(v) for v in point.split()] for point in text.split("L")])


def _way(head: Any) -> Any:
    """Where an arrow leads."""
    return head[0] - head[1:].mean(axis=0)


def _on(point: Any, a: Any, b: Any) -> bool:
    """Whether a point lies between two others."""
    return bool(np.hypot(*(a - point)) + np.hypot(*(b - point)) - np.hypot(*(a - b)) < 1)


def drawn(one: Any, routers: int, colours: list[str]) -> Picture:
    """The picture that the page saves now; `routers` discs are expected, painted in the order of their numbers."""
    with one.page.expect_download() as saved:
        one.page.locator("#stage > .tools [title='Save this picture as SVG']").dispatch_event("click")
    text = saved.value.path().read_text(encoding="utf-8")
    named = {one.page.evaluate(VALUE, name): name for name in colours}
    discs = [(float(x), float(y), float(r), fill, ring, float(w)) for x, y, r, fill, ring, w in DISC.findall(text)]
    places = np.array([disc[:2] for disc in discs[:routers]])
    assert len(places) == routers
    near = lambda point: int(np.hypot(*(places - point).T).argmin())  # noqa: E731
    rings: dict[str, set[int]] = defaultdict(set)
    for router, (*_, ring, wide) in enumerate(discs[:routers]):
        if ring in named and wide >= 2:
            rings[named[ring]].add(router)
    heads = [(fill, _points(d)) for d, fill in HEAD.findall(text)]
    links: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for d, stroke, wide, faint in PATH.findall(text):
        points = _points(d)
        if stroke not in named or float(wide) < 2 or (faint and float(faint) < FAINT) or len(points) < 2:
            continue
        a, b = points[0], points[-1]
        turned = [_way(head) @ (b - a) < 0 for fill, head in heads if fill == stroke and _on(head.mean(axis=0), a, b)]
        ends = near(a), near(b)
        if max(np.hypot(*(places[end] - point)) for end, point in zip(ends, (a, b), strict=True)) > REACH:
            continue  # a stub over the frame's edge, or the legend
        links[named[stroke]].add(ends[::-1] if turned and turned[0] else ends)
    dots = [(x, y, named[fill]) for x, y, _, fill, _, _ in discs[routers:] if fill in named]
    return Picture(dict(links), dict(rings), dots, places)
