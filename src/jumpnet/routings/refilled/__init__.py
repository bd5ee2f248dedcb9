"""Tables of routings that go round faults, filled anew in a view whose links have been taken out, in compiled code.

Each with its options at their defaults. What is written is what the `prepare` of the routing makes of the network that
`fault.degraded` gives, by the same kernels. Called by the page (`explore.kernels`), in WebAssembly.
"""

from __future__ import annotations

from jumpnet.routings._layers import MOST_FIRST_FIT_LAYERS, MOST_LAYERS
from jumpnet.routings.refilled._fault_tolerant import fill_fault_tolerant
from jumpnet.routings.refilled._layered import fill_dfsssp, fill_lash
from jumpnet.routings.refilled._minimal import fill_minimal
from jumpnet.routings.refilled._nue import fill_nue
from jumpnet.routings.refilled._up_down import fill_up_down

__all__ = [
    "LAYERS", "ROUTED", "fill_dfsssp", "fill_fault_tolerant", "fill_lash", "fill_minimal", "fill_nue", "fill_up_down",
]  # fmt: skip

ROUTED = {
    "up_down": "fill_up_down",
    "lash": "fill_lash",
    "rdt.fault_tolerant": "fill_fault_tolerant",
    "minimal": "fill_minimal",
    "dfsssp": "fill_dfsssp",
    "nue": "fill_nue",
}
"""Routings whose tables are filled anew, and the entries that do it."""
LAYERS = {"lash": MOST_FIRST_FIT_LAYERS, "dfsssp": MOST_LAYERS}
"""Layers that these try at most."""
