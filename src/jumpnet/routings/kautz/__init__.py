"""Routings of Kautz networks: one file = one algorithm."""
