"""What may be set: `parameters` with ranges and meanings, and `SimConfig`, all of them together with what follows.

The package itself imports from the files: keys of kernels and points do not follow what a folder hands on.
"""

from jumpnet.sim.config.sim_config import PRESETS, SimConfig, config_from, preset

__all__ = ["PRESETS", "SimConfig", "config_from", "preset"]
