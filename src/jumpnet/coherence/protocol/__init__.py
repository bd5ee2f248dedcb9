"""Coherence protocols as transition tables: one file = one protocol."""
