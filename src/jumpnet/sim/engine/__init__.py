"""A run in progress: `Engine` binds and advances it, by `cycle`, the only way into compiled code; threads in `team`."""

from jumpnet.sim.engine.engine import Engine, process_of

__all__ = ["Engine", "process_of"]
