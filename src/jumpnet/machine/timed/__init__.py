"""The machine with time. Its parts, each of which uses those before it:

`streams` makes of a trace what each processor does. `design` says what a machine is made of and what things take;
`networks` which of its messages share a virtual network, `trees` and `entries` to whom messages to many go, and
`together` what does not go together. `kernels` are what it does, `start` its memory at time 0. `machine` runs it, with
messages that never meet or with a simulated network (`cosimulation`; `deadlock` says where nodes with room for few
stand still), `carried` with messages that arrive when somebody says so. `counterexample` drives it to a fault of tables
(`by_tables`, `own_steps`). What is lost, changed, fetched and owned is in the protocol's rows (`coherence.rules`).
"""
