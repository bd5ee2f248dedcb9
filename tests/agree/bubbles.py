"""Routings for bubble flow control, drawn by number, some with marks that are wrong. Used by `instances`."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
from tests.agree.tables import Row, by_state, first_state, tabled

from jumpnet.networks import from_links
from jumpnet.routings import BoundRouting, bind
from jumpnet.routings.view import ENTERS, ESCAPE, NORMAL
from jumpnet.topology import build


def bubble_escapes(draw: random.Random) -> BoundRouting:
    """Adaptive channels beside a one-way ring with bubbles; some marks left out, or ways into it that are no escape."""
    links = draw.choice([[(0, 1), (1, 2), (2, 0)], [(0, 1), (1, 2), (2, 0)], [(0, 1), (1, 2), (2, 3), (3, 0)]])
    n = len(links)
    net = from_links(f"one-way-{n}", "drawn", n, np.array(links), directed=True)
    unmarked, lost, inside = (draw.choice([0.0, 0.0, 0.0, 0.2]) for _ in range(3))
    rows: list[Row] = []
    for state, d, r in product(range(2), range(n), range(n)):
        places = [(after * n + d) * n + (r + 1) % n for after in range(2)]
        kind = ESCAPE if state == 1 else ESCAPE | ENTERS
        kind ^= ENTERS if draw.random() < unmarked else 0
        kind ^= ESCAPE if draw.random() < lost else 0
        row: Row = [(0, 1, places[0], NORMAL), (0, 0, places[1], kind)]
        if draw.random() < inside:
            row[0] = (0, 0, places[1], NORMAL)
        rows.append(row if r != d else [])
    starts = [d * n + s for s, d in product(range(n), repeat=2)]
    return tabled(net, by_state, rows, 2, starts=starts, start=first_state, bubble=True)


def bubbles(draw: random.Random) -> BoundRouting:
    """Packets round a ring, or dimension by dimension on a torus, some of the marks of entries left out or too many; or
    `bubble_escapes`."""
    if draw.random() < 0.4:
        return bubble_escapes(draw)
    if draw.random() < 0.4:
        specs = ["torus:4", "torus:4", "torus:5", "torus:5", "torus:6", "torus:3x2", "torus:4x2"]
        return bind("torus.bubble", build(draw.choice(specs)))
    net = build(draw.choice(["torus:4", "torus:5", "torus:4x2"]))
    plain, n = bind("torus.bubble", net), net.routers
    wrong = draw.choice([0.0, 0.05, 0.3])
    states = 1 + net.ports
    head, out = np.zeros(8, np.int64), np.zeros((128, 4), np.int64)
    rows: list[Row] = []
    for state, d, r in product(range(states), range(n), range(n)):
        head[:] = [r, d, state, -1, -1, -1, 0, 0]
        count = plain.routing.relation(plain.view, r, head, out)
        row: Row = []
        for port, vc, after, kind in out[:count].tolist():
            place = (after * n + d) * n + int(net.neighbor[r, port])
            row.append((port, vc, place, kind ^ ENTERS if draw.random() < wrong else kind))
        rows.append(row)
    starts = [d * n + s for s, d in product(range(n), repeat=2)]
    return tabled(net, by_state, rows, 1, starts=starts, start=first_state, bubble=True)
