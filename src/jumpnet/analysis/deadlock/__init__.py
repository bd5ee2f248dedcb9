"""Proofs of deadlock freedom: dependencies, the conditions checked on them, certificates, and what a cycle means.

`prove` is the entry, `proof` what it answers, `explain` the same in words. `dependency` makes the channel dependency
graph (`graph`): by following packets (`walks`), or on large networks without (`ways_to_graph`). `cycles` numbers it, or
finds a shortest cycle. `conditions` has Duato's condition and that of bubble flow control; `waiting` tells whether
packets can wait in a knot, and which. `certificates` writes what others check. `changes` asks all this of one routing
in place of another, `multicast` of packets that branch, `all_sizes` of every side at once.
"""
