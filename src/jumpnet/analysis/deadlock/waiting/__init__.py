"""Packets that wait for each other: knots, the packets of a cycle, and their ways from their sources."""
