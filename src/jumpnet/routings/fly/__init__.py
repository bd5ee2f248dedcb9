"""Routings of butterflies (k-ary n-flies): one file = one algorithm."""
