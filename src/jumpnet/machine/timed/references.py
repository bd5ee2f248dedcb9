"""What a processor does next, as the timed machine's streams say it: numbers for what records of a trace are about."""

from jumpnet.machine.records import BARRIER, CONDITION, LOCK, UNLOCK

__all__ = ["AWAIT", "BARRIER", "CONDITION", "FLAG", "LOCK", "POST", "READ", "UNLOCK", "WHAT_BITS", "WRITE"]

READ, WRITE, POST, AWAIT = 0, 1, 6, 7
"""Beside LOCK and so on of `records`; the last two open a flag and wait for it."""
WHAT_BITS = 3
FLAG = -1
"""`members` of the flags of an address."""
