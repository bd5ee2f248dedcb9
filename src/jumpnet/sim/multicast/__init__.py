"""Multicast in the simulator: packets that branch at routers, and acknowledges that combine.

In the order to read: `config` says what may be set, `trees` makes the plan of each set of destinations, `messages` puts
plans side by side and says what takes them, `creation` draws messages as sources create them. `engine` runs messages,
`run` measures them and `simulate` is what people call; `outside` runs those that are posted cycle by cycle. What
terminals and routers do is in `terminals.message_ends`, `router.branch_routes` and `memory.branches`.
"""
