"""Tornado: every terminal sends almost half way round each dimension, (ceil(k/2) - 1) places up.

Source: Dally and Towles, section 3.2 (the digit form that BookSim uses as well: all dimensions at once).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jumpnet.networks import Network
from jumpnet.terms import I64
from jumpnet.traffic._pattern import Pattern
from jumpnet.traffic._permutation import destination
from jumpnet.traffic._shift import shifted

__all__ = ["TORNADO"]


def _prepare(net: Network, options: Mapping[str, Any]) -> I64:
    return shifted(net, "tornado", lambda side: (side + 1) // 2 - 1)


TORNADO = Pattern(
    name="tornado",
    destination=destination,
    prepare=_prepare,
    source="Dally and Towles, section 3.2",
    summary="almost half way round every dimension",
)
