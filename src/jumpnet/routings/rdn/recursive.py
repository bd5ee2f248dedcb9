"""Algorithm 1 on a Recursive Dual-Net: inside the cluster to the node that leads to the other cluster, and across.

Source: li2009rdn section 4, with the cross edge read as a swap of cluster and node ids. The algorithm needs no more
than the two ids; at level 0 it asks the base network's routing, tabulated: shortest paths here, any routing that looks
only at its destination with `recursive_over`.

Virtual channels are ours; the paper has none. A route is a row of at most 2^k walks in base networks with cross edges
between: at each level one part before the last cross edge and one after it. Class = number of the walk, where a cross
edge that ends a part counts to the next one; in each class cross edges of falling level come first, then the walk.
Walks have the layers that keep the base table free of deadlock (as `lash`): 2^k times their number of classes in all.

The default of recursive dual-nets and dual-cubes: routes as long as those of `lash` (shortest paths), mostly with fewer
virtual channels, and a table of the base network instead of two of all pairs of routers.

net.own = [k, m, ports of the base, layers of the base]; net.table[here, destination] = port of the base's routing,
net.table[m + start, destination] = layer of a walk. STATE = 64 * number of the walk + its layer + 1, + 0 at its start.
"""

from __future__ import annotations

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.routings._layers import MOST_LAYERS, assign_layers
from jumpnet.routings._routing import BoundRouting, Prepared, Routing
from jumpnet.routings.classes import put_class
from jumpnet.routings.view import DESTINATION, NEXT_STATE, PORT, STATE, new_head, new_out
from jumpnet.terms import I16, I64, NO_ROUTER

__all__ = ["RDN_RECURSIVE", "recursive_over"]

MOST_BASE_ROUTERS = 4096


def relation(net, here, head, out):
    """The cross edge, or the base's port, that Algorithm 1 takes next, on the channels of its class."""
    a, b = np.int64(here), np.int64(head[DESTINATION])
    if a == b:
        return 0
    walk, layer = head[STATE] >> 6, head[STATE] & 63
    walks, layers = 1 << net.own[0], net.own[3]
    for level in range(net.own[0], 0, -1):
        n = net.own[1]
        for _ in range(level - 1):
            n = 2 * n * n
        type_a, cluster_a, node_a = a // (n * n), a // n % n, a % n
        type_b, cluster_b, node_b = b // (n * n), b // n % n, b % n
        if type_a == type_b and cluster_a == cluster_b:
            a, b = node_a, node_b
        elif type_a == type_b or node_a == cluster_b:
            if type_a != type_b:
                walk = ((walk >> (level - 1)) + 1) << (level - 1)
            port = net.own[2] + level - 1
            return put_class(out, 0, port, walk * layers, walks * layers, net.vcs, walk << 6, 0)
        else:
            a, b = node_a, cluster_b
    port = net.table[a, b]
    if port < 0:
        return -1
    if layer == 0:
        layer = np.int64(net.table[net.own[1] + a, b]) + 1
    return put_class(out, 0, port, walk * layers + layer - 1, walks * layers, net.vcs, (walk << 6) + layer, 0)


def _base_table(neighbor: I64) -> I16:
    """(m, m) first port on a shortest path of the base network from row to column; -1 on the diagonal."""
    m = len(neighbor)
    table = np.full((m, m), -1, np.int16)
    for destination in range(m):
        distance = np.full(m, m + 1)
        distance[destination] = 0
        for d in range(m):  # one sweep a distance: the base network is small
            closer = (neighbor != NO_ROUTER) & (distance[neighbor] == d)
            distance[closer.any(axis=1) & (distance > m)] = d + 1
        way = (neighbor != NO_ROUTER) & (distance[neighbor] == distance[:, None] - 1)
        found = way.any(axis=1) & (distance <= m)
        table[found, destination] = way[found].argmax(axis=1)
    table[np.arange(m), np.arange(m)] = -1
    return table


def _layered(net: Network, table: I16) -> tuple[I16, int]:
    """The base's table (m, m) with the layers of its walks below it, and their number."""
    m, ports = int(net.params[1]), int(net.params[2])
    neighbor = np.ascontiguousarray(net.params[3:].reshape(m, ports), np.int32)
    layer = np.zeros((m, m), np.int16)
    layers = assign_layers(neighbor, np.ascontiguousarray(table.T), np.ones(m, np.bool_), layer, MOST_LAYERS)
    if layers == 0:
        raise JumpnetError(f"{net.spec}: its base routing needs more than {MOST_LAYERS} layers")
    return np.concatenate([table, layer.T]), int(layers)


def _prepared(net: Network, table: I16) -> Prepared:
    both, layers = _layered(net, table)
    return Prepared(np.array([*net.params[:3], layers], np.int64), both)


def _classes(net: Network, table: I16) -> int:
    return int(_layered(net, table)[1]) << int(net.params[0])


def _shortest(net: Network) -> I16:
    _, m, ports = (int(v) for v in net.params[:3])
    return _base_table(net.params[3:].reshape(m, ports))


def _fits(net: Network) -> str | None:
    if net.family not in ("rdn", "dualcube"):
        return "it needs a network of family rdn or dualcube"
    if net.attributes.get("cross", "swap") != "swap":
        return "it needs cross edges that swap the ids (cross=swap)"
    if net.params[1] > MOST_BASE_ROUTERS:
        return f"it needs a base network of at most {MOST_BASE_ROUTERS} routers, for its table"
    return None


RDN_RECURSIVE = Routing(
    name="rdn.recursive",
    relation=relation,
    vcs=lambda net, options: _classes(net, _shortest(net)),
    fits=_fits,
    prepare=lambda net, options: _prepared(net, _shortest(net)),
    default_for=("rdn", "dualcube"),
    source="li2009rdn, Algorithm 1; classes are ours",
    summary="recursive dual-net routing over shortest paths of the base, a class a walk; free of deadlock",
)


def recursive_over(base: BoundRouting) -> Routing:
    """Algorithm 1 over a routing of the base network that looks only at where it is and at the destination.

    Raises JumpnetError when the base routing keeps a state. Cost: m^2 calls of its relation.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> recursive_over(bind("torus.dimension_order", build("torus:5x5"))).name
    'rdn.recursive'
    """
    m, net = base.network.routers, base.network
    if base.routing.start is not None:
        raise JumpnetError(f"routing {base.name} has a start hook, a routing by destination alone expected")
    table, out = np.full((m, m), -1, np.int16), new_out()
    for here in range(m):
        for destination in range(m):
            count = base.routing.relation(base.view, here, new_head(here, destination), out)
            if count > 0 and out[0, NEXT_STATE] != 0:
                raise JumpnetError(f"routing {base.name} keeps a state, a routing by destination alone expected")
            if count > 0:
                table[here, destination] = out[0, PORT]

    def fits(whole: Network) -> str | None:
        """Why a network is not the recursive dual-net over this base, or None."""
        same = _fits(whole) is None and np.array_equal(whole.params[3:], net.neighbor.reshape(-1))
        return None if same else f"it needs a recursive dual-net over {net.spec}"

    return Routing(
        "rdn.recursive",
        relation,
        vcs=lambda whole, options: _classes(whole, table),
        fits=fits,
        prepare=lambda whole, options: _prepared(whole, table),
        source="li2009rdn, Algorithm 1",
    )
