"""The flit-level simulator: routers, virtual channels, credits, cycle by cycle.

`simulate` runs one point, `saturation` searches, `batches` and `outside` send packets of their own. How a router works
is read best in `reference.router`. `config` says what may be set, `resolve` what that means for a network and its
routing, `measure` goes through the phases of a run, and `engine` through its cycles: kernels in `router`, `sets` and
`terminals`, all on the one record of `memory`. Words: a *lane* is an input virtual channel, an *output VC* a virtual
channel of an output port (`memory.layout`).
"""
