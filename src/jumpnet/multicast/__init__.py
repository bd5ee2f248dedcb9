"""Broadcast and multicast schemes: one file = one scheme."""
