"""The parts of the page's file: where networks stand in it, how one is put together. For `written` and web/make.py."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path

from jumpnet.errors import JumpnetError
from jumpnet.explore.network_data import packed_network
from jumpnet.explore.packed import as_text
from jumpnet.explore.runs import runs_text, sized_text
from jumpnet.networks import Network

__all__ = [
    "COMMITTED", "MARK", "assembled", "network_element", "opened_at", "run_element", "sized_element",
    "specs_in", "wasm_element", "with_networks",
]  # fmt: skip

COMMITTED = Path(__file__).with_name("page.html")
"""The page that comes with jumpnet, as `make page` has built it."""
MARK = "<!--networks-->\n"
"""What the networks of a page stand behind."""
ELEMENT = re.compile(r'<script type="application/x-jumpnet" data-spec="([^"]*)"')
BODY = re.compile(r'<body data-net="[^"]*"(?: data-routing="[^"]*")?(?: data-at="[^"]*")?>')


def network_element(net: Network, also: str = "") -> str:
    """A network as an element of the page; `also`: a routing that it names in any case."""
    about = f'data-spec="{escape(net.spec)}" data-family="{escape(net.family)}" data-routers="{net.routers}"'
    return f'<script type="application/x-jumpnet" {about}>{packed_network(net, also)}</script>\n'


def run_element(net: Network, also: str = "") -> str:
    """The runs of a network as an element of the page, empty where it has none."""
    text = runs_text(net, also)
    return f'<script type="application/x-jumpnet-run" data-spec="{escape(net.spec)}">{text}</script>\n' if text else ""


def sized_element(net: Network) -> str:
    """The routings of a size that the page makes by its family's rule, as an element of the page."""
    return f'<script type="application/x-jumpnet-size" data-spec="{escape(net.spec)}">{sized_text(net)}</script>\n'


def wasm_element(module: bytes) -> str:
    """The simulator, compiled to WebAssembly, as an element of the page."""
    return f'<script type="application/x-jumpnet-wasm">{as_text(module)}</script>\n'


def specs_in(page: str) -> list[str]:
    """Specs of the networks that a page holds, in their order.

    >>> specs_in('<script type="application/x-jumpnet" data-spec="torus:4" data-family="torus">')
    ['torus:4']
    """
    from html import unescape

    return [unescape(found) for found in ELEMENT.findall(page)]


def assembled(template: str, parts: Mapping[str, str], elements: Iterable[str]) -> str:
    """A page from its template: texts for the places `/*name*/`, elements behind the mark.

    Raises JumpnetError for a template without one of the places.
    """
    page = template
    for name, text in parts.items():
        place = f"/*{name}*/"
        if page.count(place) != 1:
            raise JumpnetError(f"template: {page.count(place)} places {place} found, one expected")
        page = page.replace(place, text.replace("</script", "<\\/script"))
    return with_networks(page, elements)


def with_networks(page: str, elements: Iterable[str]) -> str:
    """A page with more elements, before those that it has."""
    before, mark, after = page.partition(MARK)
    if not mark:
        raise JumpnetError("page: no place for networks found, one expected; `make page` builds it anew")
    return "".join([before, mark, *elements, after])


def opened_at(page: str, spec: str, routing: str = "", at: str = "") -> str:
    """A page that shows this network when it is opened without a link's rest, with this routing and state if any."""
    told = f' data-routing="{escape(routing)}"' if routing else ""
    state = f' data-at="{escape(at)}"' if at else ""
    return BODY.sub(lambda _: f'<body data-net="{escape(spec)}"{told}{state}>', page, count=1)
