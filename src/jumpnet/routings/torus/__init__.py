"""Routings of tori and k-ary n-cubes: one file = one algorithm."""
