"""Ways to the channel dependency graph of a large network without following every packet, a folder each.

`dependency` has the table of them: which is tried, and when.
"""
