"""Networks as the page gets them: names as JSON, arrays as planes of differences, all in one compressed text.

The format stands in `web/README.md`; `web/src/data/decode.ts` is the inverse. Called by `network_data` and by
whatever else puts arrays into a page.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.terms import Array

__all__ = ["as_text", "pack", "unpack"]

TYPES = {"int16": "i2", "int32": "i4", "int64": "i8", "uint8": "u1"}
WIDTHS = (1, 2, 4, 8)
MEMORY = range(3, 7)
"""How much the compressor looks back on at a time (its `memLevel`): the less, the more often it adapts its codes."""


def _zigzag(values: Array) -> Array:
    """Small numbers of either sign as small numbers without one: 0, -1, 1, -2 to 0, 1, 2, 3."""
    return ((values << 1) ^ (values >> 63)).view(np.uint64)


def _differences(array: Array, rows: bool) -> Array:
    """(columns, rows) int64: down each column the difference to the value above it, the first one whole."""
    table = array.reshape(len(array), -1).astype(np.int64) if array.size else np.zeros((0, 0), np.int64)
    if rows:
        table = table - np.arange(len(table))[:, None]
    return np.diff(table.T, prepend=0, axis=1)


def _planes(array: Array, rows: bool) -> tuple[bytes, int]:
    """The bytes of an array, and how many of each number there are."""
    numbers = _zigzag(_differences(array, rows)).ravel()
    most = int(numbers.max(initial=0))
    width = next(width for width in WIDTHS if most < 1 << (8 * width))
    split = np.ascontiguousarray(numbers, "<u8").view(np.uint8).reshape(-1, 8)[:, :width]
    return np.ascontiguousarray(split.T).tobytes(), width


def as_text(whole: bytes) -> str:
    """Bytes as the shortest compressed text (zlib, base64) of a few."""
    ways = (zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS, memory) for memory in MEMORY)
    return base64.b64encode(min((way.compress(whole) + way.flush() for way in ways), key=len)).decode("ascii")


def pack(what: Mapping[str, Any], rows: tuple[str, ...] = ()) -> str:
    """A mapping of JSON values and integer arrays, at any depth, as one text (base64).

    rows: names of (R, P) tables of router numbers, which are small once each row's own number is taken from it. Raises
    JumpnetError for arrays of other types than integers.

    >>> unpack(pack({"name": "ring", "next": np.array([[1, 2], [2, 0], [0, 1]], np.int32)}, ("next",)))["next"].tolist()
    [[1, 2], [2, 0], [0, 1]]
    """
    parts: list[bytes] = []

    def plain(value: Any, name: str) -> Any:
        if isinstance(value, np.ndarray):
            if value.dtype.name not in TYPES:
                raise JumpnetError(f"{name}: an array of {value.dtype} found, one of {', '.join(TYPES)} expected")
            code = "rows" if name in rows else "plain"
            part, width = _planes(value, name in rows)
            parts.append(part)
            return {"shape": list(value.shape), "type": TYPES[value.dtype.name], "code": code, "width": width}
        if isinstance(value, Mapping):
            return {str(key): plain(each, str(key)) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [plain(each, name) for each in value]
        return value

    head = json.dumps(plain(what, ""), separators=(",", ":"), ensure_ascii=False).encode()
    whole = b"".join([len(head).to_bytes(4, "little"), head, *parts])
    return as_text(whole)


def unpack(text: str) -> dict[str, Any]:
    """What `pack` was given; for tests and for whoever reads a page in Python."""
    whole = zlib.decompress(base64.b64decode(text))
    start = 4 + int.from_bytes(whole[:4], "little")
    at = start

    def made(value: Any) -> Any:
        nonlocal at
        if isinstance(value, list):
            return [made(each) for each in value]
        if not isinstance(value, dict):
            return value
        if set(value) != {"shape", "type", "code", "width"}:
            return {key: made(each) for key, each in value.items()}
        count, width = int(np.prod(value["shape"])), value["width"]
        planes = np.frombuffer(whole, np.uint8, count * width, at).reshape(width, count)
        at += count * width
        eight = np.zeros((count, 8), np.uint8)
        eight[:, :width] = planes.T
        numbers = eight.view("<u8").ravel()
        signed = (numbers >> np.uint64(1)).view(np.int64) ^ -(numbers & np.uint64(1)).view(np.int64)
        length = value["shape"][0]
        table = np.cumsum(signed.reshape(-1, length) if count else signed.reshape(0, length), axis=1).T
        if value["code"] == "rows":
            table = table + np.arange(length)[:, None]
        return table.reshape(value["shape"]).astype(f"<{value['type']}")

    result: dict[str, Any] = made(json.loads(whole[4:start]))
    return result
