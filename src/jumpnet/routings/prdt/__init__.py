"""Routings of perfect recursive diagonal tori: one file = one algorithm."""
