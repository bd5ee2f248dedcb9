"""Words of the report as HTML: escaped, and what stands between back-ticks as code. Called by `_page` and `_pieces`."""

from __future__ import annotations

import re
from html import escape

__all__ = ["said"]

_CODE = re.compile("`([^`]+)`")


def said(words: str) -> str:
    """The words, escaped, with names and commands marked as such.

    >>> said("`jumpnet paper --full` for n < 8")
    '<code>jumpnet paper --full</code> for n &lt; 8'
    """
    return _CODE.sub(r"<code>\1</code>", escape(words))
