"""What the exact figures need of `jumpnet.memory`, under the name they import it by."""

from __future__ import annotations

from jumpnet.memory import available_bytes, readable, require, table_bytes

__all__ = ["available_bytes", "readable", "require", "table_bytes"]
