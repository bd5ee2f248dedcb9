"""The memory of a source: four words that the simulator keeps for its injection process.

Apart from `injection_process`, which lends them, as the checked pass needs them before a process is defined.
"""

from __future__ import annotations

__all__ = ["COUNTER", "LAST", "MEMORY_WORDS", "MODE", "NEVER"]

LAST = 0
"""Word of a source's memory: cycle of its last packet, -1 before the first. The process updates it."""
COUNTER = 1
"""Word of a source's memory: random draws used so far. The process updates it."""
MODE = 2
"""Word of a source's memory that is the process's own (on or off, position in a list); 0 at the start. So is word 3."""
MEMORY_WORDS = 4

NEVER = 1 << 40
"""Creation cycle of a packet that never comes."""
