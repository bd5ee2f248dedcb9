"""The JUMP-1 router chip, bit by bit and clock by clock."""
