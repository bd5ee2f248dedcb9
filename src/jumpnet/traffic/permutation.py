"""A permutation of one's own: the destination of each terminal, in order.

`permutation:to=1-2-3-0` on four terminals; `x` where one sends nothing. Several may send to the same terminal.
Source: Dally and Towles, section 3.2 (permutation traffic).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.spec import is_count
from jumpnet.terms import I64
from jumpnet.traffic._pattern import NO_PACKET, Pattern
from jumpnet.traffic._permutation import destination

__all__ = ["PERMUTATION"]

NOTHING = "x"


def _prepare(net: Network, options: Mapping[str, Any]) -> I64:
    words = options["to"].split("-") if options["to"] else []
    bad = [word for word in words if not is_count(word) and word != NOTHING]
    if bad:
        raise JumpnetError(f"permutation: {bad[0]!r} found, terminals or {NOTHING} joined by - expected")
    if len(words) != net.endpoints:
        raise JumpnetError(
            f"permutation: {len(words)} destinations found, {net.endpoints} expected, one for each terminal"
        )
    to = [NO_PACKET if word == NOTHING else int(word) for word in words]
    sinks = int(net.sinks.sum())
    if max(to) >= sinks:
        raise JumpnetError(f"permutation: terminal {max(to)} found, 0 to {sinks - 1} expected in {net.spec}")
    if max(to) == NO_PACKET:
        raise JumpnetError("permutation: no terminal sends, at least one expected")
    return np.array(to, np.int64)


PERMUTATION = Pattern(
    name="permutation",
    destination=destination,
    prepare=_prepare,
    options={"to": ""},
    meanings={"to": "The destination of each terminal in order, joined by -; x where one sends nothing."},
    source="Dally and Towles, section 3.2",
    summary="one destination for each source, given in order",
)
