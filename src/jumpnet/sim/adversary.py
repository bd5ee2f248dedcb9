"""What the traffic `worst` means for a run that names no routing for it: the worst for the run's own.

Used by `engine` and by the points of studies, so that several networks may each have their own adversary.
"""

from __future__ import annotations

from jumpnet.sim.config import SimConfig
from jumpnet.traffic.worst import worst_for

__all__ = ["against"]


def against(config: SimConfig, routing: str) -> SimConfig:
    """The settings with the routing of the run named in every `worst` that names none.

    >>> against(SimConfig(traffic="worst"), "torus.duato").traffic
    'worst:routing=torus.duato'
    """
    traffic = worst_for(config.traffic, routing)
    classes = [each.model_copy(update={"traffic": worst_for(each.traffic, routing)}) for each in config.more_classes]
    if traffic == config.traffic and classes == list(config.more_classes):
        return config
    return config.model_copy(update={"traffic": traffic, "more_classes": tuple(classes)})
