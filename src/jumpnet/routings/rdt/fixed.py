"""Fixed vector routing on an RDT: the vector is fixed at the source, and so is the order of the ranks.

Source: yang2001rdt section III.B, which gives no rule for the base moves between ranks nor an order of the ranks. The
reading here is the one that reproduces most of the row of Table I: remainders of exactly n round toward zero, the
ranks come in descending order, and the base walk between them makes the whole route shortest. With
`order=best,moves=near` a packet steps to whatever neighbor has a pending rank and leaves the least rank-0 vector, with
no look ahead; `moves=compass` is the same with another order of equal neighbors. Not free of deadlock. The options are
those of `rdt.floating`.
"""

from __future__ import annotations

from jumpnet.routings._meanings import MEANINGS
from jumpnet.routings._rdt.outlook import outlook
from jumpnet.routings._rdt.vectors import vector_fit
from jumpnet.routings._routing import Routing
from jumpnet.routings.rdt.floating import DRIFT, prepare_plan, relation, start_vector

__all__ = ["RDT_FIXED"]

RDT_FIXED = Routing(
    name="rdt.fixed",
    relation=relation,
    outlook=outlook,
    fits=lambda net: vector_fit(net, ("rdt", "prdt"), DRIFT),
    options={
        "order": ("descending", "ascending", "best"),
        "ties": ("zero", "away", "up", "best"),
        "moves": ("best", "near", "compass", "x", "plain"),
    },
    meanings=MEANINGS,
    prepare=prepare_plan,
    start=start_vector,
    symmetric=lambda net: True,
    source="yang2001rdt, section III.B",
    summary="vector routing with a vector and an order of ranks fixed at the source; not free of deadlock",
)
