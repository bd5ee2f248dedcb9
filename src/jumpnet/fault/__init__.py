"""Faults and reconfiguration of arrays and networks."""
