"""Sections of the RDN paper, li2009rdn: one file = one table, figure or claim."""
