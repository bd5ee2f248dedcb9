"""The JUMP-1 machine: clusters, caches and directories on the simulated network."""
