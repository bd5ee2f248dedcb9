"""Numbers of the rows of `rules`: how they are found, and what their bits tell."""

from jumpnet.jit.linked import inlined

# Places of a row: ROWS * class + PARTS * part + ALONE * alone + event.
ROWS, PARTS, ALONE = 32, 8, 4
CLASSES = 16
UNSHARED = -1
"""In place of the class of a line that two have read, where one node at a time may read."""
NONE, HOLDER, GONE, OWNER = 0, 1, 2, 3
"""The actor's part: a copy, or the line is its own. GONE: it had that, and has it no more; an owner that let go in
silence, or a node whose request others have overtaken."""
READ, WRITE, EVICT = 0, 1, 2

# What a row does; 0 where nothing happens.
CLASS_BITS, CLASS = 15, 1
"""The class that the line is in afterwards."""
KEEP, ACTOR, NOBODY = 0, 16, 32
"""The owner afterwards: the same, the actor, none."""
CHANGES = 64
"""The class or the owner is another one."""
ASKS = 128
"""The home gets a request, or is notified of an eviction."""
TELLS = 256
"""All others listed are notified."""
FETCHES = 512
"""The owner sends the line home; to the actor if it had no copy."""
CLEANS = 1024
"""Another one's dirty copy is clean afterwards."""
TAKES = 2048
"""All others listed lose their copies, and are not listed any more."""
SOILS = 4096
"""The actor's copy is dirty."""
MATES = 8192
"""Other caches of the actor's node lose theirs."""
STORES = 16384
"""An eviction brings the line to memory."""
DEPENDS = 32768
"""Another row holds where no other is listed."""
LEAVES = 65536
"""A reference without a copy gets none: no write allocate, or a read past the cache."""
LISTS = 131072
"""With LEAVES: the home lists the actor all the same; otherwise its entry stays as it is, but for TAKES."""
SAME_ALONE = TELLS | TAKES
"""A message without receivers is not sent, and without copies none is taken: rows that differ in these are one."""


@inlined
def only_tells(does):
    """Whether a write tells others of the word and no more: none loses a copy, and nobody owns the line."""
    return does & (TELLS | TAKES | ACTOR) == TELLS
