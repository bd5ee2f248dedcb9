"""Routings of three tiers of switches: one file = one algorithm."""
