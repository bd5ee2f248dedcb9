"""Every setting of the simulator as rows: unit, range, default, meaning, and what BookSim 2 calls it.

Used by `jumpnet list setting`, the page of settings and the messages for names that are none.
"""

from __future__ import annotations

from jumpnet.settings.settings import settings_of
from jumpnet.sim.config.parameters import BOOKSIM
from jumpnet.sim.config.sim_config import SimConfig

__all__ = ["setting_rows"]

COLUMNS = ("name", "unit", "range", "default", "booksim", "meaning")


def setting_rows() -> list[dict[str, str]]:
    """A row for each setting, in the order of `SimConfig`: name, unit, range, default, booksim, meaning.

    >>> row = next(row for row in setting_rows() if row["name"] == "buffer_flits")
    >>> row["unit"], row["range"], row["default"], row["booksim"]
    ('flits', '1 to 4096', '8', 'vc_buf_size')
    """
    return [
        {key: row.get(key, BOOKSIM.get(row["name"], "")) for key in COLUMNS} for row in settings_of(SimConfig).rows()
    ]
