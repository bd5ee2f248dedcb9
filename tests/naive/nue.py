"""Nue as Domke, Hoefler and Matsuoka (2016) describe it, one dependency at a time, each tried by a whole search."""

from __future__ import annotations

from itertools import permutations

import networkx as nx
import numpy as np

HOP = 1 << 45


class Layer:
    """The routes to the destinations of one layer. A channel is (router, port)."""

    def __init__(self, net, ends, up, load):
        self.net, self.ends, self.up, self.load = net, ends, up, load
        self.graph, self.turns, self.trees = nx.DiGraph(), 0, 0
        for r in range(net.routers):
            around = [p for p in self.ports(r) if up[r] == p or up[self.to(r, p)] == self.back(r, p)[1]]
            self.graph.add_edges_from((self.back(r, p), (r, q)) for p, q in permutations(around, 2))

    def ports(self, r):
        return [p for p in range(self.net.ports) if self.net.neighbor[r, p] >= 0]

    def to(self, r, p):
        return int(self.net.neighbor[r, p])

    def back(self, r, p):
        """The channel that comes in by port p of router r."""
        return self.to(r, p), int(self.net.far_port[r, p])

    def added(self, dependencies):
        """Whether all may be there without a cycle; they are from now on, or none is."""
        new = [(a, b) for a, b in dependencies if not self.graph.has_edge(a, b)]
        self.graph.add_nodes_from(c for pair in new for c in pair)
        for i, (a, b) in enumerate(new):
            if nx.has_path(self.graph, b, a):
                self.graph.remove_edges_from(new[:i])
                return False
            self.graph.add_edge(a, b)
        return True

    def over_tree(self, d):
        way = {r: int(p) for r, p in enumerate(self.up) if p >= 0}
        while d in way and self.up[d] >= 0:
            parent, port = self.back(d, self.up[d])
            way[parent], d = port, parent
        return way

    def spread(self, d, way, cost):
        """Dijkstra from every router that has a way; offers that were passed over once are passed over again."""
        refused = set()
        while True:
            offers = [
                (cost[r] + HOP + self.load[self.back(r, p)], *self.back(r, p))
                for r in [d, *way]
                for p in self.ports(r)
                if self.to(r, p) not in {d, *way} and self.back(r, p) not in refused
            ]
            if not offers:
                return
            total, x, p = min(offers)
            r = self.to(x, p)
            if r == d or self.added([((x, p), (r, way[r]))]):
                way[x], cost[x] = p, total
            else:
                refused.add((x, p))

    def turned(self, d, way, x):
        """The port by which x gets a way after a neighbor was turned, or None."""
        for j in self.ports(x):
            r = self.to(x, j)
            for p in self.ports(r) if r in way else ():
                s = self.to(r, p)
                if p == way[r] or (s != d and s not in way):
                    continue
                through = [c for c in [*way.items(), (x, j)] if self.to(*c) == r]
                if self.added([(c, (r, p)) for c in through] + ([((r, p), (s, way[s]))] if s != d else [])):
                    way[r] = p
                    return j
        return None

    def routes(self, d):
        """{router: port} to d."""
        before, way, cost = self.graph.copy(), {}, {d: 0}
        self.spread(d, way, cost)
        ends = [r for r in range(self.net.routers) if self.ends[r]]
        for x in [*ends, *np.flatnonzero(self.up >= 0).tolist()]:
            if x != d and x not in way:
                port = self.turned(d, way, x)
                if port is None:
                    self.graph, self.trees = before, self.trees + 1
                    return {r: p for r, p in self.over_tree(d).items() if r != d}
                self.turns += 1
                way[x], cost[x] = port, cost[self.to(x, port)] + HOP + self.load[x, port]
                self.spread(d, way, cost)
        return way


def naive_layer(net, ends, members, up, load):
    """{(destination, router): port}, how many neighbors were turned, how many destinations are reached over the tree.

    Adds the routes to `load`.
    """
    layer, table = Layer(net, ends, up, load), {}
    for d in members:
        way = layer.routes(d)
        table.update({(d, r): p for r, p in way.items()})
        for s in np.flatnonzero(ends):
            r = int(s)
            while r != d:
                load[r, way[r]] += 1
                r = layer.to(r, way[r])
    return table, layer.turns, layer.trees
