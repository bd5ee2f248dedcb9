"""Rows as a pandas DataFrame, for whoever has pandas: points, curves and studies in a notebook.

Called by the `to_pandas` of what has rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jumpnet.errors import JumpnetError

__all__ = ["data_frame"]


def data_frame(rows: Sequence[Mapping[str, Any]]) -> Any:
    """The rows as a pandas DataFrame; raises JumpnetError when pandas is missing."""
    try:
        import pandas
    except ImportError:
        raise JumpnetError("pandas is missing: pip install 'jumpnet[data]'") from None
    return pandas.DataFrame(rows)
