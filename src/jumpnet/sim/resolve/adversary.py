"""What the traffic `worst` means for a run that names no routing for it: the worst for the run's own.

Used by `engine` and by the points of studies, so that several networks may each have their own adversary.
"""

from __future__ import annotations

from jumpnet.errors import JumpnetError
from jumpnet.routings import BoundRouting, bind
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.traffic.worst import worst_for


def against(config: SimConfig, bound: BoundRouting) -> SimConfig:
    """The settings with the routing of the run named in every `worst` that names none.

    Raises JumpnetError for a routing that is not known by its name, or is another one than the known.

    >>> from jumpnet.topology import build
    >>> against(SimConfig(traffic="worst"), bind("torus.duato", build("torus:4x4"))).traffic
    'worst:routing=torus.duato'
    """
    traffic = worst_for(config.traffic, bound.name)
    classes = [each.model_copy(update={"traffic": worst_for(each.traffic, bound.name)}) for each in config.more_classes]
    if traffic == config.traffic and classes == list(config.more_classes):
        return config
    if not _is_known(bound):
        raise JumpnetError(
            f"worst: routing {bound.name} found, which is not registered under that name; a registered one expected"
        )
    return config.model_copy(update={"traffic": traffic, "more_classes": tuple(classes)})


def _is_known(bound: BoundRouting) -> bool:
    """Whether the name of a routing names it."""
    try:
        known = bind(bound.name, bound.network, bound.vcs).routing
    except JumpnetError:
        return False
    return known.relation is bound.routing.relation and known.start is bound.routing.start
