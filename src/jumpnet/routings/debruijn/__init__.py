"""Routings of de Bruijn networks: one file = one algorithm."""
