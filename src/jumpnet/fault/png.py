"""A small reader of PNG masks: 8-bit or 1-bit grey, RGB, RGBA or palette, not interlaced. Used by `defects.py`.

Own reader, because an image library is no dependency of this layer and a mask needs little of the format (ISO/IEC
15948). Sizes are checked before anything is unpacked.
"""

from __future__ import annotations

import struct
import zlib

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.terms import Array

__all__ = ["read_mask"]

_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}


def _chunks(data: bytes, name: str) -> tuple[bytes, bytes, bytes]:
    """Header, palette and compressed pixels."""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise JumpnetError(f"{name}: no PNG signature found")
    at, header, palette, pixels, ended = 8, b"", b"", [], False
    while at + 12 <= len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        check = data[at + 8 + length : at + 12 + length]
        if len(check) < 4 or zlib.crc32(kind + body) != struct.unpack(">I", check)[0]:
            raise JumpnetError(f"{name}: a cut or damaged PNG found")
        header = body if kind == b"IHDR" else header
        palette = body if kind == b"PLTE" else palette
        if kind == b"IDAT":
            pixels.append(body)
        if kind == b"IEND":
            ended = True
            break
        at += 12 + length
    if not ended:
        raise JumpnetError(f"{name}: a cut or damaged PNG found")
    if len(header) != 13:
        raise JumpnetError(f"{name}: a PNG without header found")
    return header, palette, b"".join(pixels)


def _unfilter(raw: bytes, height: int, stride: int, step: int, name: str) -> Array:
    """Undo the five line filters; (height, stride) uint8."""
    lines = np.frombuffer(raw, np.uint8).reshape(height, stride + 1)
    out = np.zeros((height, stride), np.uint8)
    above = np.zeros(stride, np.uint8)
    for y in range(height):
        kind, line = int(lines[y, 0]), lines[y, 1:]
        if kind > 4:
            raise JumpnetError(f"{name}: PNG line filter {kind} found, 0 to 4 expected")
        if kind == 0 or kind == 2:
            out[y] = line + above if kind == 2 else line
        else:
            here = out[y]
            for i in range(stride):
                a = int(here[i - step]) if i >= step else 0
                b = int(above[i])
                c = int(above[i - step]) if i >= step else 0
                if kind == 4:
                    p = a + b - c
                    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
                    guess = a if pa <= pb and pa <= pc else b if pb <= pc else c
                else:
                    guess = a if kind == 1 else (a + b) // 2
                here[i] = (int(line[i]) + guess) & 255
        above = out[y]
    return out


def read_mask(data: bytes, name: str, shape: tuple[int, int]) -> Array:
    """The mask in a PNG of exactly `shape` (rows, columns): true where a pixel is dark (its channels' mean below half).

    Raises JumpnetError for anything that is not such a PNG, before unpacking more than the mask needs.
    """
    header, palette, packed = _chunks(data, name)
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", header)
    if (height, width) != shape:
        raise JumpnetError(
            f"{name}: a map of {height}x{width} elements found, {shape[0]}x{shape[1]} expected (spares included)"
        )
    if interlaced or colour not in _CHANNELS or depth not in ((1, 8) if colour in (0, 3) else (8,)):
        raise JumpnetError(
            f"{name}: PNG of depth {depth}, colour type {colour} found, 8-bit without interlace expected"
        )
    channels = _CHANNELS[colour]
    stride = (width * channels * depth + 7) // 8
    try:
        raw = zlib.decompressobj().decompress(packed, height * (stride + 1) + 1)
    except zlib.error:
        raise JumpnetError(f"{name}: a damaged PNG found") from None
    if len(raw) != height * (stride + 1):
        raise JumpnetError(f"{name}: {len(raw)} bytes of pixels found, {height * (stride + 1)} expected")
    lines = _unfilter(raw, height, stride, max(1, channels * depth // 8), name)
    if depth == 1:
        pixels = np.unpackbits(lines, axis=1)[:, :width]
        if colour == 0:
            return pixels == 0
    else:
        pixels = lines.reshape(height, width, channels)
    if colour == 3:
        if len(palette) % 3 or int(pixels.max(initial=0)) >= len(palette) // 3:
            raise JumpnetError(f"{name}: a palette of {len(palette) / 3:g} colours found, one for every pixel expected")
        return np.frombuffer(palette, np.uint8).reshape(-1, 3).mean(axis=1)[pixels.reshape(height, width)] < 128
    shown = pixels[:, :, : channels - 1] if colour in (4, 6) else pixels
    return shown.mean(axis=2) < 128
