"""The vocabulary: constants and type aliases that every layer shares, in the terms of Dally and Towles.

Index letters are the same everywhere: r router, p port, v virtual channel (vc), c channel, t terminal.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

__all__ = ["F64", "I8", "I16", "I32", "I64", "MAX_LATENCY_CYCLES", "NO_PORT", "NO_ROUTER", "Array"]

NO_ROUTER = -1
"""Entry of `Network.neighbor` where a port has no link."""
NO_PORT = -1
"""Entry of `Network.far_port` where a port has no link."""
MAX_LATENCY_CYCLES = 1_000_000
"""Of a link, whoever gives it: with some 2**31 the simulator's times of 32 bits would run over."""

# The checker sees arrays; the aliases tell a reader the element type that the docstring beside them gives a shape to.
Array = NDArray[Any]
I8 = Array
I16 = Array
I32 = Array
I64 = Array
F64 = Array
