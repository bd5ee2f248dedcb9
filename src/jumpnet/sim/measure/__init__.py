"""A run measured: `run` goes through its phases, `measure` gives the figures by `statistics`; `checkpoint` keeps a long
one, `deadlock` finds packets that wait in a ring, `checks` are laws that must hold."""
