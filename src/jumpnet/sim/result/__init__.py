"""What a simulation answers: points with their figures, the names that they have, and a cache of them.

The package itself imports from the files: keys of kernels and points do not follow what a folder hands on.
"""

from jumpnet.sim.result.point import LATENCIES, Point, Result, hint_of, told, up_to_last

__all__ = ["LATENCIES", "Point", "Result", "hint_of", "told", "up_to_last"]
