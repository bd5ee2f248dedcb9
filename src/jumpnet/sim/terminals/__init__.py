"""Sources and sinks: packets are created (`creation_cycles`, or `posting` from outside), enter the network
(`injection`), and are counted when they have arrived (`delivery`, `message_ends` where they branch)."""
