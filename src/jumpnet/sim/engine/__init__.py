"""A run in progress: `Engine` binds and advances it, by `cycle`, the only way into compiled code; threads in `team`.

The package itself imports from the files: keys of kernels and points do not follow what a folder hands on.
"""

from jumpnet.sim.engine.engine import Engine, process_of

__all__ = ["Engine", "process_of"]
