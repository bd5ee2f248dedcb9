"""What may be set: `parameters` with ranges and meanings, and `SimConfig`, all of them together with what follows."""

from jumpnet.sim.config.sim_config import PRESETS, SimConfig, config_from, preset

__all__ = ["PRESETS", "SimConfig", "config_from", "preset"]
