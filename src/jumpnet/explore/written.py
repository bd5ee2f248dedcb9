"""Writes the page with networks of one's own in it, beside its gallery. Called by `cli` and `report`.

>>> import tempfile
>>> folder = tempfile.mkdtemp()
>>> page = write_page(folder, ["torus:6x6"])
>>> page.path.name, page.specs[0]
('index.html', 'torus:6x6')
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from jumpnet.errors import JumpnetError
from jumpnet.explore.network_data import MOST_ROUTERS
from jumpnet.explore.pieces import COMMITTED, network_element, opened_at, run_element, specs_in, with_networks
from jumpnet.explore.runs import own_routings
from jumpnet.explore.stated import check_stated, keys_of
from jumpnet.files import open_regular, read_text, write_bytes
from jumpnet.networks import Network
from jumpnet.routings import bind
from jumpnet.topology import build, family

__all__ = ["MOST_NETWORKS", "PAGE", "Written", "page_text", "write_page", "write_text"]

PAGE = "index.html"
"""Name of the file that is written."""
MOST_NETWORKS = 100
RUN_OF = '<script type="application/x-jumpnet-run" data-spec="{}">'
MOST_BYTES = 1 << 26
OWN = re.compile(rb'<title>jumpnet</title>\n<meta name="sources" content="[0-9a-f]{32}">')
"""What a page of jumpnet has near its beginning."""
HEAD_BYTES = 4096


def page_text(networks: Sequence[str | Network] = (), routing: str = "", at: str = "") -> str:
    """The page as one text: the networks given (specs or networks), the first of them shown, and the gallery.

    routing: shown on the first. at: how it is shown, as the page's link says behind the network's name, e.g.
    `view=space&picked=3`. Raises JumpnetError for specs that name no network, too many of them or too large ones, a
    routing that does not fit one of them, or is a user's own and has too many states for a page, and `at` without a
    network, with another one, or in keys and values that the page does not have (`check_stated`). Of a user's own
    routings those that fit a network are in the page as tables.
    """
    from jumpnet.explore.panels.multicast import element as multicast_element  # with it all that panels show

    if at and not networks:
        raise JumpnetError(f"{at} found without a network, a network to show so expected")
    if len(networks) > MOST_NETWORKS:
        raise JumpnetError(f"{len(networks)} networks found, at most {MOST_NETWORKS} expected in a page")
    page = read_text(COMMITTED, MOST_BYTES, "the page that comes with jumpnet expected")
    held = set(specs_in(page))
    nets = [_built(net) if isinstance(net, str) else net for net in networks]
    if routing:
        for net in nets:
            bind(routing, net)
    if at:
        check_stated(at, nets[0], keys_of(page))
    new = {net.spec: net for net in nets if routing or net.spec not in held or own_routings(net)}
    runs = {net.spec: net for net in nets if net.spec in new or RUN_OF.format(escape(net.spec)) not in page}
    page = with_networks(page, (run_element(net, routing) for net in runs.values()))
    page = with_networks(page, (network_element(net, routing) for net in new.values()))
    page = with_networks(page, (multicast_element(net) for net in new.values() if net.spec not in held))
    return opened_at(page, nets[0].spec, routing, at) if nets else page


def _built(spec: str) -> Network:
    """A network that is not too large, which is said before it is built where its size is known."""
    size = family(spec).size()
    if size is not None and size[0] > MOST_ROUTERS:
        raise JumpnetError(f"{spec}: {size[0]} routers found, at most {MOST_ROUTERS} expected in a page")
    return build(spec)


class Written(NamedTuple):
    """A page that has been written."""

    path: Path
    bytes: int
    specs: list[str]
    """Of all its networks, in their order."""


def write_page(
    folder: str | Path, networks: Sequence[str | Network] = (), routing: str = "", name: str = PAGE, at: str = ""
) -> Written:
    """Write the page into a folder that is there, by default as `index.html`.

    Raises what `page_text` and `write_text` do.
    """
    return write_text(folder, page_text(networks, routing, at), name)


def _is_page(path: Path) -> bool:
    """Whether a file is a page that jumpnet has written; raises JumpnetError for what is no file, such as a pipe."""
    with open_regular(path, "a page of jumpnet expected") as file:
        return OWN.search(file.read(HEAD_BYTES)) is not None


def write_text(folder: str | Path, text: str, name: str = PAGE) -> Written:
    """Write what `page_text` gave into a folder that is there, over an older page of jumpnet but over no other file.

    Raises JumpnetError where something else of that name is there, or it cannot be written.
    """
    path, data = Path(folder) / name, text.encode()
    if path.exists() and not _is_page(path):
        raise JumpnetError(
            f"{path}: another file found, none or a page of jumpnet expected; choose another folder or name"
        )
    write_bytes(path, data)
    return Written(path, len(data), specs_in(text))
