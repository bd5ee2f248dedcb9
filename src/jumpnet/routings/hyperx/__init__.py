"""Routings of HyperX networks and flattened butterflies: one file = one algorithm."""
