"""What a simulation answers: points with their figures, the names that they have, and a cache of them."""

from jumpnet.sim.result.point import LATENCIES, Point, Result, hint_of, told, up_to_last

__all__ = ["LATENCIES", "Point", "Result", "hint_of", "told", "up_to_last"]
