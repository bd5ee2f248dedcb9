"""Packets followed from one representative router of each orbit of the automorphisms, and carried to the others.

Two declarations of a routing (`Routing`) lead here. An `outlook` says in which coordinates packets that have the same
one go alike at the routers of an orbit, virtual channels included: `outlooks`. An `escape_class` is said by routings
that choose, and leaves the virtual channel of one escape open: `states`, `graph`, and `escapes` for Duato's condition.
Both go by `labels`. `representatives` are where shortest cycles are looked for.
"""
