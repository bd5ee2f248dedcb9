"""Naive twin of `jumpnet.coherence.functional`: sets in dictionaries, one reference at a time, as the rules read."""

from __future__ import annotations

from collections import Counter, OrderedDict


def messages(records, protocol, directory, clusters_of, line_bytes=32, page_bytes=4096):
    """Counter of (home, destinations) over (proc, address, size, is_write, kind) records; home is the first toucher."""
    copies, writer, touched, home = {}, {}, {}, {}
    sent = Counter()
    for proc, address, size, is_write, kind in records:
        if kind not in (0, 1):
            continue
        node = proc // clusters_of
        for line in range(address // line_bytes, (address + size - 1) // line_bytes + 1):
            page = line * line_bytes // page_bytes
            holders = copies.setdefault(line, set())
            home.setdefault(page, node)
            listed = touched.setdefault(page, set()) if directory == "page" else holders
            if is_write and (protocol == "update" or writer.get(line) != node):
                destinations = frozenset(listed) - {node}
                if destinations:
                    sent[home[page], destinations] += 1
                if protocol == "invalidate":
                    holders.clear()
                    writer[line] = node
            elif node not in holders:
                writer[line] = None
            holders.add(node)
            touched.setdefault(page, set()).add(node)
    return sent


SOLE_OWN = ("mesi", "moesi", "dragon", "mesif", "firefly")
"""Under these a sole reader may write."""


class Recent:
    """A set-associative store of one owner: per set an ordered dictionary, the most recent last.

    Unless said otherwise one set up to 64 entries, and 8 ways above.
    """

    def __init__(self, entries, ways=0):
        ways = ways or (entries if entries <= 64 else 8)
        self.ways, self.sets = ways, [OrderedDict() for _ in range(entries // ways)]

    def of(self, number):
        """The set of a number."""
        return self.sets[number % len(self.sets)]

    def look_up(self, number, tag):
        """Whether it is there; it is afterwards."""
        part = self.of(number)
        found = tag in part
        part[tag] = None
        part.move_to_end(tag)
        if len(part) > self.ways:
            part.popitem(last=False)
        return found


def machine(records, processors, protocol, directory, clusters_of, caches, hints=False, homes=None, update_pages=(),
            translation=None, pruning=0, exclusive=False, line_bytes=32, page_bytes=4096,
            placement="first-touch", page_entry="never_cleared", pointers=0, evicts=False):  # fmt: skip
    """(messages as above, what the machine counts) with caches of `caches` = (bytes, ways) for each processor.

    The caches are the truth: who holds a line is looked up in all of them. `listed` is what the home believes. Counted
    as ("packets", page) are a request, a fetch and a message to each destination, each with its answer, between nodes;
    as ("spared", page) those that go when the message is one packet. `sent` counts (home, destinations), or
    (home, destinations, True) where an entry of few pointers does not know its destinations any more.

    Under `mesi` and `moesi` a sole reader may write and tells the home when it gives up its clean copy; under `moesi` a
    dirty line that is read stays dirty where it is. `state`: E the writer's copy is clean, M dirty, O dirty beside
    others; S several have read it and nobody wrote, U nobody has it. `dragon` is an update protocol of which all this
    holds, and which tells of every copy that is given up; a writer becomes the owner, and alone where it held the only
    copy. Under `single` a node that reads a line it lacks does what a writer does. `mesif` is `mesi` where the last
    reader owns the line beside others, clean (F): it serves the next one, and a writer takes its copy without the line.
    Under it a line of which nobody has a copy is given to one node, and nobody is told, whatever the entry of its page
    lists; a dirty copy goes on in its node, as under `single`. `firefly` writes shared lines through to all copies and
    to memory and tells of every copy that is given up; who is alone with a line owns it, clean or dirty.
    """
    tells_sole, keeps, state = protocol in SOLE_OWN, protocol in ("moesi", "dragon"), {}
    exclusive, lone, mesif, firefly = exclusive or tells_sole, *(protocol == p for p in ("single", "mesif", "firefly"))
    nodes = range(-(-processors // clusters_of))
    cache = [Recent(caches[0] // line_bytes, caches[1]) for _ in range(processors)]  # line -> dirty
    first = [Recent(translation[0]) for _ in range(processors)] if translation else []
    second = [Recent(translation[1]) for _ in nodes] if translation else []
    pruner = [Recent(pruning) for _ in nodes] if pruning else []
    listed, writer, touched, home = {}, {}, {}, {}
    sent, count = Counter(), Counter()
    named, lost = {}, set()  # nodes by pointer of an entry, the oldest first; entries that have lost count

    def members(line, page):
        """Whom the entry of a line lists."""
        if directory == "line":
            return listed.setdefault(line, set())
        if page_entry == "never_cleared":
            return touched.setdefault(page, set())
        lines = range(page * page_bytes // line_bytes, (page + 1) * page_bytes // line_bytes)
        return set().union(*(listed.get(k, set()) for k in lines))

    def point(node, line, page):
        """A node that has a copy now is named, or not, by the entry."""
        entry = page if directory == "page" else line
        if node == home[page]:
            return
        if not evicts:
            if len(members(line, page) - {home[page]}) > pointers:
                lost.add(entry)
            return
        queue = named.setdefault(entry, [])
        if node in queue:
            return
        queue.append(node)
        if len(queue) > pointers:
            victim = queue.pop(0)
            count["evictions"] += 1
            count["packets", page] += 2
            gone = [line] if directory == "line" else [k for k in listed if k * line_bytes // page_bytes == page]
            touched[page] -= {victim} if directory == "page" else set()
            for k in gone:
                listed[k].discard(victim)
                if writer.get(k) == victim:
                    writer[k], state[k] = None, "S" if state.get(k) in ("O", "F") else "U"
                for q in of(victim):
                    count["write_backs"] += cache[q].of(k).pop(k, False)

    def of(node):
        return range(node * clusters_of, min((node + 1) * clusters_of, processors))

    def has(p, line):
        return line in cache[p].of(line)

    def evict(p, line, dirty):
        node = p // clusters_of
        if (lone or mesif) and dirty and (mates := [q for q in of(node) if has(q, line)]):
            cache[mates[0]].of(line)[line] = True
            return
        owns = writer.get(line) == node and state[line] in ("E", "F")
        told = hints or protocol in ("dragon", "firefly") or (tells_sole and owns)
        if dirty:
            count["write_backs"] += 1
            stays = any(has(q, line) for q in of(node))
            writer[line], state[line] = None, "S" if stays or state.get(line) == "O" else "U"
        if not any(has(q, line) for q in of(node)):
            count["hints"] += told and not dirty
            if told and tells_sole and not dirty and writer.get(line) == node:
                writer[line], state[line] = None, "S" if state[line] == "F" else "U"
            if told or dirty:
                listed[line].discard(node)
                if directory == "line" and node in named.get(line, []):
                    named[line].remove(node)

    for proc, address, size, is_write, kind in records:
        if kind not in (0, 1):
            continue
        node = proc // clusters_of
        writes = is_write
        for line in range(address // line_bytes, (address + size - 1) // line_bytes + 1):
            page = line * line_bytes // page_bytes
            by_place = {"round-robin": len(home) % len(nodes), "interleaved": page % len(nodes)}
            home.setdefault(page, by_place.get(placement, (homes or {}).get(page, node)))
            update = protocol == "update" or (protocol == "mixed" and page in update_pages)
            if translation:
                count["stage_1_misses"] += not first[proc].look_up(page, page)
            held = True
            if not has(proc, line):
                count["cache_misses"] += 1
                held = any(has(q, line) for q in of(node))
                count["bus_transfers"] += held
                part = cache[proc].of(line)
                part[line] = False
                if len(part) > caches[1]:
                    evict(proc, *part.popitem(last=False))
            cache[proc].of(line).move_to_end(line)
            is_write = writes or (lone and not held)
            kept = None
            if not held and writer.get(line) not in (None, node) and not (is_write and state[line] == "F"):
                count["fetches"] += 1
                count["packets", page] += 2 * (writer[line] != home[page])
                kept = writer[line] if keeps and state[line] != "E" else None
                for q in of(writer[line]):
                    if has(q, line) and kept is None:
                        cache[q].of(line)[line] = False
            sole = not members(line, page) - {node}
            itself = is_write and update and held and sole and node == home[page]
            count["requests"] += itself  # which needs no translation
            asks = is_write and not itself and (update or writer.get(line) != node or state[line] in ("O", "F"))
            becomes = "O" if protocol == "dragon" and not (sole and (held or state.get(line, "U") == "U")) else "M"
            owned = firefly and sole and writer.get(line) is None
            through = update or (firefly and asks and not owned)
            count["misses"] += not held
            if asks or not held:
                count["requests"] += 1
                count["packets", page] += 2 * (node != home[page])
                if translation:
                    count["stage_2_misses"] += not second[home[page]].look_up(page, page)
            held_by = listed.setdefault(line, set())
            untold = writer.get(line) is None and (
                lone or (mesif and state.get(line, "U") == "U")
            )  # memory alone has it
            if asks and through and evicts:  # whose copy goes for the writer's is not told of the write
                point(node, line, page)
            if asks and not untold and not owned and not (protocol == "dragon" and becomes == "M"):
                pruned = pruning and directory == "page" and pruner[home[page]].look_up(line, line)
                count["pruned"] += bool(pruned)
                destinations = frozenset(held_by if pruned else members(line, page)) - {node}
                away = len(destinations - {home[page]})
                count["packets", page] += 2 * away
                count["spared", page] += 2 * (away - 1) if away else 0
                if destinations:
                    unknown = (page if directory == "page" else line) in lost
                    sent[(home[page], destinations, *([True] if unknown else []))] += 1
            elif not held and mesif and not is_write:
                writer[line], state[line] = node, "E" if untold else "F"
            elif not held and firefly and not is_write:
                writer[line], state[line] = (node, "E") if owned else (None, "S")
            elif not held and not update and not is_write:
                # In S the home of these believes, until a write, that others have it.
                believes = protocol in ("mesi", "dragon") and state.get(line) == "S"
                own = exclusive and sole and not believes
                writer[line], state[line] = (node, "E") if own else (kept, "O" if kept is not None else "S")
            if is_write and firefly:
                soils = not asks or (owned and not held)
                writer[line], state[line] = (None, "S") if through else (node, "M" if soils else "E")
                for q in of(node):
                    if has(q, line) and soils:
                        cache[q].of(line)[line] = q == proc
            elif is_write and protocol == "dragon":
                for q in range(processors):
                    if has(q, line):
                        cache[q].of(line)[line] = q == proc
                writer[line], state[line] = node, becomes if asks else "M"
            elif is_write and not update:
                for q in range(processors):
                    if q != proc:
                        cache[q].of(line).pop(line, None)
                cache[proc].of(line)[line] = True
                if asks:
                    held_by.clear()
                    writer[line] = node
                if writer[line] == node and (asks or state[line] == "E"):
                    state[line] = "M"
                if asks and directory == "line":
                    lost.discard(line)
                    named.pop(line, None)
            held_by.add(node)
            touched.setdefault(page, set()).add(node)
            if pointers:
                point(node, line, page)
    return sent, count
