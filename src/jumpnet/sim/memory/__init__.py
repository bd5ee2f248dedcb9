"""The memory of a run, and what all kernels do with it.

- What lies where: `fields` and `message_layout` name the numbers of rows, `layout` says how long rows are and what
  special numbers mean, `state` lists the arrays.
- How it is made: `shape` (sizes), `packing` (places of sets), `allocate`, `space`.
- How kernels get at it: `record` (one address for all), `run_kinds` (which sizes are constants), `rows` (rows by name),
  `arrivals` (sets of what will come), `calls` (what is no kernel: routing, traffic); sets are `jit.bits`.
- What routers and terminals share: `packets`, `posted`, `branches`, `standing`, `starts`, `events`, `clock`.
- What makes it fast: `prefetch`, `threads`, `outbox`.
"""
