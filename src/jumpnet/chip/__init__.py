"""The JUMP-1 router chip, bit by bit and clock by clock: nishi1997router as a model that runs.

One file is one unit of the chip: `packet` and `parity` (formats), `bitmap` (where a packet goes), `buffer` (RAM,
multicast and handshake controller), `crossbar` (and arbiters), `half_duplex` (a link), `combining` (acknowledges),
`watchdog`, `modes` (shooting down, setting up), `configuration` (registers, wiring). `chip` puts them together,
`network` many chips and their MBPs; `compiled` is the same network as a kernel. What the papers leave open is decided
in docs/decisions/0050.
"""
