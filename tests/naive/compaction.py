"""Naive twin of hash compaction: a list of slots in plain numbers, states by the model, one by one."""

from __future__ import annotations

MASK = (1 << 64) - 1
PLACE, HASH = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93


def mixed(words, start, factor):
    """64 bits of a state's words."""
    h = start
    for word in words:
        h = ((h ^ word) * factor & MASK) ^ (h >> 29)
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        h = (h ^ (h >> 33)) * factor & MASK
    return h ^ (h >> 33)


class Slots:
    """Hashes of `bits` bits in 2^k slots."""

    def __init__(self, bits, salt, slots):
        self.bits, self.salt, self.held = bits, salt, [None] * slots
        self.words, self.met = [], 0

    def place_and_hash(self, words):
        start = (self.salt + HASH) & MASK
        return mixed(words, 0, PLACE) % len(self.held), mixed(words, start, HASH) >> (64 - self.bits)

    def grow(self):
        """Twice the slots, where three quarters are taken."""
        if 4 * len(self.words) >= 3 * len(self.held):
            self.held = [None] * (2 * len(self.held))
            for old in self.words:
                self.put(old)

    def add(self, words):
        """Whether the state is new, as far as hashes tell."""
        place, made = self.place_and_hash(words)
        met = 0
        while self.held[place] is not None:
            if self.held[place] == made:
                return False
            met += 1
            place = (place + 1) % len(self.held)
        self.met += met
        self.words.append(words)
        self.held[place] = made
        return True

    def put(self, words):
        place, made = self.place_and_hash(words)
        while self.held[place] is not None:
            place = (place + 1) % len(self.held)
        self.held[place] = made


def search(model, words_of, bits, salt, slots):
    """(states in the order of finding, how many others the new ones met) of a model; words_of(state) are its words."""
    table = Slots(bits, salt, slots)
    table.add(words_of(model.start))
    found = [model.start]
    for state in found:
        for step in model.steps(state):
            if table.add(words_of(step.after)):
                found.append(step.after)
        table.grow()
    return found, table.met
