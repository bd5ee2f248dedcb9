"""Steps shared by the mesh routings: dimension order and the list of ports that lead closer.

Port 2d goes up and 2d+1 down in dimension d; net.params = sides. Turn models: Glass and Ni 1992.
"""

from __future__ import annotations

from jumpnet.jit.linked import kernel
from jumpnet.networks import Network

__all__ = ["mesh_port", "must_be_mesh", "must_be_plane_mesh", "toward"]


def must_be_mesh(net: Network) -> str | None:
    """Why a routing for meshes does not fit a network, or None."""
    return None if net.family in ("mesh", "cmesh") else "it needs a mesh"


def must_be_plane_mesh(net: Network) -> str | None:
    """Why a routing for 2-D meshes does not fit a network, or None."""
    return None if net.family == "mesh" and len(net.params) == 2 else "it needs a mesh of two dimensions"


@kernel
def toward(net, here, target, d):
    """Port of dimension d that leads closer to the target, -1 when the coordinate is right."""
    at, to = net.coord[here, d], net.coord[target, d]
    return -1 if at == to else 2 * d if to > at else 2 * d + 1


@kernel
def mesh_port(net, here, target):
    """Port of the lowest dimension in which `here` and `target` differ, -1 if none."""
    for d in range(net.coord.shape[1]):
        port = toward(net, here, target, d)
        if port >= 0:
            return port
    return -1
