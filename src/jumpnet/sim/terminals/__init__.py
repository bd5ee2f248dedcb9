"""Sources and sinks: packets are created, enter the network, and are counted when they have arrived."""
