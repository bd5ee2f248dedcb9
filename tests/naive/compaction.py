"""Naive twin of hash compaction: a list of slots in plain numbers, states by the model, one by one."""

from __future__ import annotations

MASK = (1 << 64) - 1
LANES = 1 << 16


def drawn(place):
    """Word number `place` of the sequence SplitMix64."""
    z = (place + 1) * 0x9E3779B97F4A7C15 & MASK
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        z = (z ^ z >> shift) * factor & MASK
    return z ^ z >> 31


def sums(words, salt, apart=False):
    """Two sums of a random word for each 16 bits, the first ones multiplied, the others only where caches differ."""
    lanes = [word >> 16 * k & 0xFFFF for word in words for k in range(4)]
    factors = [drawn(k) | 1 if apart or k == 0 else 1 for k in range(len(lanes))]
    both = [
        [factor * drawn(2 * (salt * LANES + lane) + column) for lane, factor in zip(lanes, factors, strict=True)]
        for column in (0, 1)
    ]
    return [sum(column) & MASK for column in both]


def stirred(h):
    """64 bits of a word."""
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        h = (h ^ (h >> 33)) * factor & MASK
    return h ^ (h >> 33)


class Slots:
    """Hashes of `bits` bits in 2^k slots."""

    def __init__(self, bits, salt, slots):
        self.bits, self.salt, self.held = bits, salt, [None] * slots
        self.words, self.met = [], 0

    def place_and_hash(self, words):
        first, second = sums(words, self.salt)
        crossed = second ^ ((first << 32 | first >> 32) & MASK)
        return stirred(first) % len(self.held), stirred(crossed) >> (64 - self.bits)

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
