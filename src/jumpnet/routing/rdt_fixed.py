"""Fixed vector routing on an RDT: the vector is fixed at the source; each time the nearest pending rank comes next.

Source: yang2001rdt section III.B, which gives no rule for the base moves between ranks. The reading here: remainders
of exactly n round toward zero, and a packet steps to whatever neighbor has a pending rank and leaves the least rank-0
vector, with no look ahead. Not free of deadlock. The options are those of `rdt.floating`.
"""

from __future__ import annotations

from jumpnet.routing._rdt_outlook import outlook
from jumpnet.routing._rdt_vectors import vector_fit
from jumpnet.routing._routing import Routing
from jumpnet.routing.rdt_floating import DRIFT, prepare_plan, relation, start_vector

__all__ = ["RDT_FIXED"]

RDT_FIXED = Routing(
    name="rdt.fixed",
    relation=relation,
    outlook=outlook,
    fits=lambda net: vector_fit(net, ("rdt", "prdt"), DRIFT),
    options={
        "order": ("greedy", "ascending", "descending", "best"),
        "ties": ("zero", "away", "up", "best"),
        "moves": ("near", "plain", "x", "best"),
    },
    prepare=prepare_plan,
    start=start_vector,
    symmetric=lambda net: True,
    source="yang2001rdt, section III.B",
    summary="vector routing with a vector fixed at the source, nearest rank first; not free of deadlock",
)
