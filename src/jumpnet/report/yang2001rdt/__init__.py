"""Sections of the RDT paper, yang2001rdt: one file = one table, figure or claim."""
