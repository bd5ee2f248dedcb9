"""Routings of folded Clos networks: one file = one algorithm."""
