"""Sections of the SRT paper, inoguchi1996srt: one file = one table, figure or claim."""
