"""Certificates of Duato's condition on large grids: cases of pairs of routers, and numbers of classes of escapes.

A list of extended dependencies grows with the square of the routers; cases and classes do not. The page
`docs/certificates.md` has the format; `tools/check_grid_certificate.py` and its twin in C check it. Called by
`text`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jumpnet.analysis.deadlock.ways_to_graph.dimensions.cases import Mask
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.escapes import numbers_along, without_escape
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.moves import OnGrid, circle_free, one_key, states_for
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import ESCAPE, KIND, PORT, VC

__all__ = ["grid_lines"]

REMARKS = """\
# Checked by check_grid_certificate.py and check_grid_certificate.c of jumpnet; its page of certificates has the format.
# port PORT DIMENSION NEW-COORDINATE..., by the old one; class PORT VC NUMBER..., by the coordinate along the port
# case CASE; pairs DIMENSION TARGETS..., in hexadecimal, by the coordinate; take PORT VC KIND, 1 of an escape
"""


def grid_lines(bound: BoundRouting) -> Iterator[str] | None:
    """The lines of a certificate of Duato's condition by cases; None where the network or the routing has none.

    It has where all packet states have one STATE and no channel of arrival, and classes of escapes have an order.
    Cost: seconds, and some 10 kB a case and dimension with sides of 256.
    """
    states = states_for(bound, plain=True)
    on = None if states is None or max(states.grid.sides) == 1 else one_key(states)
    if on is None or not circle_free(on) or without_escape(on):
        return None
    numbers = numbers_along(on)
    return None if numbers is None else _lines(bound, on, {key: along.tolist() for key, along in numbers.items()})


def _lines(bound: BoundRouting, on: OnGrid, numbers: dict[tuple[int, int], list[int]]) -> Iterator[str]:
    """The lines, in the order of the format."""
    yield "jumpnet-grid-certificate 1\n" + REMARKS
    for name, text in (("network", bound.network.spec), ("routing", bound.name), ("condition", "escape")):
        yield f"{name} {text.encode('unicode_escape').decode('ascii')}\n"
    sides = " ".join(map(str, on.grid.sides))
    yield f"vcs {bound.vcs}\nsides {sides}\nports {bound.network.ports}\ncases {len(on.cases)}\n"
    for port, (d, move) in enumerate(zip(on.grid.dimension, on.grid.move, strict=True)):
        yield f"port {port} {d} {' '.join('-' if x < 0 else str(x) for x in move.tolist())}\n"
    for (port, vc), along in sorted(numbers.items()):
        yield f"class {port} {vc} {' '.join(map(str, along))}\n"
    for index, case in enumerate(on.cases):
        yield f"case {index}\n"
        for d, mask in enumerate(case.masks):
            yield f"pairs {d} {' '.join(_hexadecimal(mask))}\n"
        for row in case.rows:
            yield f"take {row[PORT]} {row[VC]} {int(row[KIND] & ESCAPE != 0)}\n"
    yield "end\n"


def _hexadecimal(mask: Mask) -> Iterator[str]:
    """Each row as a number whose bit e says whether the target's coordinate may be e."""
    for row in np.packbits(mask, axis=1, bitorder="little"):
        yield f"{int.from_bytes(row.tobytes(), 'little'):x}"
