"""The flit-level simulator: routers, virtual channels, credits, cycle by cycle.

`simulate` runs one point, `saturation` searches, `batches` and `outside` send packets of their own. How a router works
is read best in `reference.router`. `config` says what may be set, `resolve` what that means for a network and its
routing, `measure` goes through the phases of a run, and `engine` through its cycles: kernels in `router`, `sets` and
`terminals`, all on the one record of `memory`.

Words: a *lane* is an input virtual channel, an *output VC* a virtual channel of an output port; a *row* is what an
array holds of one thing, its numbers by name (`memory.fields`); a *set* is a word whose bits are its members. A run is
*plain* with the settings that most runs have (`memory.run_kinds`), *packed* while its routers are kept as sets, *wide*
where these have 64 bits, *single* where every packet is one flit, *together* where the heads of sixteen routers get
their output VCs in one step.

Letters in kernels: m the record; r router, b lane of a router, o output VC of a router, q output port; i terminal, c
class of packets; p packet (where its row begins), or an input port; t step or cycle, w word of a set; k and n count.
`at` is `memory.layout` (what numbers mean, how long rows are), `msg` likewise `memory.message_layout`.
"""
