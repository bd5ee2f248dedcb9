"""What a routing relation sees: the packet header, the candidate rows, and the network as arrays.

`View` is handed to every relation; `call` is how kernels of `analysis/` and `sim/` invoke one through a function
pointer (about 4 ns a call, no recompiling for a user's function). Under NUMBA_DISABLE_JIT=1 it is a plain call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from jumpnet.arrays.locked import read_only
from jumpnet.jit.decorator import DISABLED, address_of, jit, open_i16, open_i32, open_i64
from jumpnet.jit.linked import kernel, pointer
from jumpnet.terms import I16, I32, I64

__all__ = [
    "DESTINATION", "ENTERS", "ESCAPE", "HEADER_FIELDS", "INTERMEDIATE", "IN_PORT", "IN_VC", "KIND", "MAX_CANDIDATES",
    "NEXT_STATE", "NORMAL", "PORT", "ROUTING_FIELDS", "SOURCE", "STATE", "VC", "View", "call", "call_start",
    "compile_relation", "compile_start", "make_view", "new_head", "new_out",
]  # fmt: skip

# Header fields: head is an int64 array (HEADER_FIELDS,).
SOURCE = 0
"""Router at which the packet entered."""
DESTINATION = 1
"""Router at which the packet leaves."""
STATE = 2
"""The routing's own integer, packed as it likes; set by its start hook (else 0), then by the chosen candidate."""
IN_PORT = 3
"""Input port at which the packet arrived here, -1 at its source."""
IN_VC = 4
"""Virtual channel on which the packet arrived here, -1 at its source."""
INTERMEDIATE = 5
"""Router to visit first (Valiant, ROMM, UGAL), -1 when there is none."""
ROUTING_FIELDS = 6
"""So many are the routing's: who reads more would find other numbers in each run, and in a proof none."""
HEADER_FIELDS = 8
"""The last two belong to whoever carries the packet."""

# Candidate rows: out is an int64 array (MAX_CANDIDATES, 4), in order of preference.
PORT = 0
VC = 1
NEXT_STATE = 2
KIND = 3
MAX_CANDIDATES = 128

# Kinds of candidates: NORMAL, or a sum of the others.
NORMAL = 0
ESCAPE = 1
"""Taken only where no normal candidate is free (Duato)."""
ENTERS = 2
"""By it a packet enters a ring of channels: it then leaves room for one more packet (see `Routing.bubble`)."""


class View(NamedTuple):
    """A network as a relation sees it. R routers, P ports."""

    neighbor: I32
    """(R, P) as Network.neighbor."""
    far_port: I32
    """(R, P) as Network.far_port."""
    link_class: I32
    """(R, P) as Network.link_class."""
    coord: I32
    """(R, D) as Network.coord."""
    params: I64
    """Integers of the family (Network.params), documented in its file."""
    own: I64
    """Integers of the routing itself (options, small tables), from its `prepare`."""
    table: I16
    """(A, B) routing table of the routing itself, from its `prepare`; (0, 0) when it needs none."""
    vcs: int
    """Number of virtual channels of every port."""
    queues: int
    """Number of queues that the start hook is told, see `Routing.sees`."""
    address: int
    """Address of the record that describes these arrays to compiled relations."""


def make_view(
    neighbor: I32,
    far_port: I32,
    link_class: I32,
    coord: I32,
    params: I64,
    own: I64,
    table: I16,
    vcs: int,
    sees: int = 1,
) -> tuple[View, list[Any]]:
    """A view and the objects that must stay alive as long as it is used. `sees`: routers whose queues a start sees."""
    arrays = [
        np.ascontiguousarray(a, t)
        for a, t in (
            (neighbor, np.int32),
            (far_port, np.int32),
            (link_class, np.int32),
            (coord, np.int32),
            (params, np.int64),
            (own, np.int64),
            (table, np.int16),
        )
    ]
    shape = [*arrays[0].shape, arrays[3].shape[1], arrays[4].size, arrays[5].size, *arrays[6].shape, vcs]
    queues = sees * arrays[0].shape[1]
    shape.append(queues)
    record = np.array([a.ctypes.data for a in arrays] + shape, np.int64)
    neighbor, far_port, link_class, coord, params = arrays[:5]
    own, table = map(read_only, arrays[5:])  # those of the network are so already
    view = View(neighbor, far_port, link_class, coord, params, own, table, vcs, queues, int(record.ctypes.data))
    return view, [record, *arrays]


if DISABLED:

    def compile_relation(relation: Callable[..., int]) -> Any:
        """The relation itself."""
        return relation

    def compile_start(start: Callable[..., None]) -> Any:
        """The hook, which is told its queues and no more, as compiled ones are: what is given begins with them."""
        return lambda view, head, draw, queue: start(view, head, draw, queue[: view.queues])

    def call(relation: Any, view: View, here: int, head: I64, out: I64) -> int:
        """Candidates of a packet at router `here`; see `jumpnet.routings.Routing.relation`."""
        return relation(view, here, head, out)

    def call_start(start: Any, view: View, head: I64, draw: int, queue: I64) -> None:
        """Run a start hook; see `jumpnet.routings.Routing.start`."""
        start(view, head, draw, queue)

else:
    RELATION = "int64(int64, int64, int64, int64)"
    START = "int64(int64, int64, int64, int64)"

    @kernel(inline=True, allocates=True)
    def _open(address):
        """The view whose record of 16 numbers (addresses, then sizes) lies at an address."""
        rec = open_i64(address, 16)
        routers, ports = rec[7], rec[8]
        return View(
            open_i32(rec[0], (routers, ports)),
            open_i32(rec[1], (routers, ports)),
            open_i32(rec[2], (routers, ports)),
            open_i32(rec[3], (routers, rec[9])),
            open_i64(rec[4], rec[10]),
            open_i64(rec[5], rec[11]),
            open_i16(rec[6], (rec[12], rec[13])),
            rec[14],
            rec[15],
            address,
        )

    def compile_relation(relation: Callable[..., int]) -> Any:
        """The relation as a function pointer of fixed signature."""
        compiled = kernel(relation, inline=True, allocates=True)  # as a call it would copy the view, 50 words

        def enter(address, here, head, out):
            """The relation by addresses."""
            return compiled(_open(address), here, open_i64(head, HEADER_FIELDS), open_i64(out, (MAX_CANDIDATES, 4)))

        return pointer(RELATION, enter, relation)

    def compile_start(start: Callable[..., None]) -> Any:
        """The start hook as a function pointer of fixed signature."""
        compiled = kernel(start, inline=True, allocates=True)

        def enter(address, head, draw, queue):
            """The hook by addresses."""
            view = _open(address)
            compiled(view, open_i64(head, HEADER_FIELDS), draw, open_i64(queue, view.queues))
            return 0

        return pointer(START, enter, start)

    @jit(inline="always")
    def call(relation, view, here, head, out):
        """Candidates of a packet at router `here`; see `jumpnet.routings.Routing.relation`."""
        return relation(view.address, here, address_of(head), address_of(out))

    @jit(inline="always")
    def call_start(start, view, head, draw, queue):
        """Run a start hook; see `jumpnet.routings.Routing.start`."""
        start(view.address, address_of(head), draw, address_of(queue))


def new_head(source: int, destination: int) -> I64:
    """The header of a packet about to be injected.

    >>> new_head(3, 9).tolist()
    [3, 9, 0, -1, -1, -1, 0, 0]
    """
    head = np.zeros(HEADER_FIELDS, np.int64)
    head[[SOURCE, DESTINATION, IN_PORT, IN_VC, INTERMEDIATE]] = source, destination, -1, -1, -1
    return head


def new_out() -> I64:
    """(MAX_CANDIDATES, 4) zeros: room for the rows PORT, VC, NEXT_STATE, KIND that a relation writes."""
    return np.zeros((MAX_CANDIDATES, 4), np.int64)
