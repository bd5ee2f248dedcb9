"""Multicast in the simulator: packets that branch at routers, and acknowledges that combine. `engine` runs it."""
