"""Naive twin of `jumpnet.coherence.check`: caches told apart, nothing remembered, messages in one bag.

A state is (caches, home, bag): caches a tuple of (state, value); home a tuple of (state, listed, owner, asker, due,
value), listed a tuple, the oldest first; the bag a tuple of (message, sender, receiver, value) with the home as -1, in
the order of sending. Combined acknowledges are one message `last` that the network sends when the last of them is on
its way.
"""

from __future__ import annotations

FRESH, STALE, NEXT = 0, 1, 2
NETWORK = -2


def rows_of(text):
    """{(state, event): (next, [action, ...])} of a table."""
    found = {}
    for line in filter(str.strip, text.splitlines()):
        state, event, following, actions = line.split(None, 3)
        found[state, event] = following, [] if actions == "-" else [a.strip() for a in actions.split(",")]
    return found


def count_states(protocol, caches, fifo=False, combined=False):
    """Number of reachable states; AssertionError for a stale or double copy, KeyError for a missing row."""
    cache_rows, home_rows = rows_of(protocol.cache), rows_of(protocol.home)
    first = protocol.cache.split()[0]
    start = ((first, STALE),) * caches, (protocol.home.split()[0], (), -1, -1, 0, FRESH), ()
    seen, todo = {start}, [start]
    while todo:
        state = todo.pop()
        check(state, cache_rows)
        assert not protocol.pointers or len(state[1][1]) <= protocol.pointers
        for after in steps(state, cache_rows, home_rows, protocol, fifo, combined):
            home = after[1]
            after = after[0], (home[0], tuple(sorted(home[1])), *home[2:]), after[2]
            if fifo:  # only the order of those of one channel matters
                after = (*after[:2], tuple(sorted(after[2], key=lambda message: channel(message, protocol))))
            else:
                after = (*after[:2], tuple(sorted(after[2])))
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return len(seen)


def check(state, cache_rows):
    """No stale copy that may be read, no copy beside one that may be written."""
    read = [name for name, _ in state[0] if "hit" in cache_rows.get((name, "read"), ("", []))[1]]
    assert all(v != STALE for name, v in state[0] if name in read)
    assert len(read) < 2 or not any("write" in cache_rows.get((name, "write"), ("", []))[1] for name in read)


def channel(message, protocol):
    """Between which two places a message goes, requests apart from answers."""
    event, sender, receiver, _ = message
    return sender, receiver, event in protocol.requests


def steps(state, cache_rows, home_rows, protocol, fifo, combined):
    """All states one step on."""
    caches, home, bag = state
    for i, (name, _) in enumerate(caches):
        for event in ("read", "write", "evict"):
            if (name, event) in cache_rows:
                yield at_cache(state, i, event, FRESH, cache_rows, protocol.lines, combined)
    for event in ("switch",):
        if (home[0], event) in home_rows:
            yield at_home(state, -1, event, FRESH, home_rows)
    for k, (event, sender, receiver, value) in enumerate(bag):
        rest = caches, home, bag[:k] + bag[k + 1 :]
        if fifo and any(channel(other, protocol) == channel(bag[k], protocol) for other in bag[:k]):
            continue
        if receiver >= 0:
            for to in victims(rest, receiver, event, cache_rows):
                yield at_cache(rest, receiver, event, value, cache_rows, protocol.lines, combined, to)
        elif not (event in protocol.requests and home[0] in protocol.busy):
            for to in [node for node in home[1] if node != sender] or [-1]:
                yield at_home(rest, sender, event, value, home_rows, protocol.pointers, to)


def victims(state, i, event, cache_rows):
    """To whom cache i may pass a message on, [-1] where it does not."""
    passes = any(action.startswith("pass ") for action in cache_rows[state[0][i][0], event][1])
    return ([node for node in state[1][1] if node not in (i, state[1][3])] if passes else []) or [-1]


def at_cache(state, i, event, value, cache_rows, lines, combined=False, to=-1):
    """After an event at cache i, which hands the message on to another one unless that is -1."""
    caches, home, bag = list(state[0]), state[1], list(state[2])
    following, actions = cache_rows[caches[i][0], event]
    own, told = caches[i][1], ""
    if to >= 0:
        home = (home[0], tuple(node for node in home[1] if node != to), *home[2:])
        bag.append((event, i, to, value))
    for action in actions:
        if action.startswith("pass "):
            if to >= 0:
                continue
            action = "send" + action[4:]
        if combined and action.startswith("send ") and action.endswith("Ack"):
            home = (*home[:4], home[4] - 1, home[5])
            bag += [("last", NETWORK, -1, FRESH)] if home[4] == 0 else []
        elif action.startswith("send "):
            bag.append((action[5:], i, -1, own if action[5:] in lines else FRESH))
        elif action == "take":
            own = value
        elif action == "merge" and own == FRESH:
            own = NEXT
        elif action in ("write", "commit"):
            told = action
        elif action == "drop":
            own = STALE

    def older(v):
        return FRESH if v == NEXT and told == "commit" else STALE

    if told:
        own = own if own == STALE else FRESH
        caches = [(name, older(v)) for name, v in caches]
        home = (*home[:5], older(home[5]))
        bag = [(m, a, b, (own if a == i else older(v)) if m in lines else v) for m, a, b, v in bag]
    caches[i] = following, own
    return tuple(caches), home, tuple(bag)


def at_home(state, sender, event, value, home_rows, pointers=0, to=-1):
    """After an event at the home; to: whom `tell` tells."""
    caches, (name, listed, owner, asker, due, memory), bag = state[0], state[1], list(state[2])
    if event.endswith("Ack"):
        due -= 1
        if due:
            return caches, (name, listed, owner, asker, due, memory), state[2]
        event = "last"
    if (name, event + "+") in home_rows and not {*listed, owner} - {sender, -1}:
        event += "+"
    elif any(e == event + "-" for _, e in home_rows) and sender != owner:
        event += "-"
    elif (name, event + "*") in home_rows and len(listed) >= pointers and sender not in listed:
        event += "*"
    following, actions = home_rows[name, event]
    for action in actions:
        word, _, message = action.partition(" ")
        if word == "ask":
            asker = sender
        elif word in ("reply", "forward"):
            line = {"Data", "DataE", "DataM", "DataU"}
            bag.append((message, -1, asker, (memory if word == "reply" else value) if message in line else FRESH))
        elif word == "multicast":
            others = [i for i in listed if i != asker]
            bag += [(message, -1, i, FRESH) for i in sorted(others)]
            due = len(others)
        elif word == "tell":
            due = int(to >= 0)
            bag += [(message, -1, to, FRESH)] * due
            listed = tuple(node for node in listed if node != to)
        elif word == "fetch":
            bag.append((message, -1, owner, FRESH))
        elif word == "store":
            memory = value
        elif word == "merge":
            memory = NEXT if memory == FRESH else memory
        elif word == "add":
            listed = listed if asker in listed else (*listed, asker)
        elif word == "own":
            owner = asker
        elif word == "keep":
            listed = listed if owner in (*listed, -1) else (*listed, owner)
        elif word == "release":
            owner = -1
        elif word == "clear":
            listed = ()
        elif word == "forget":
            listed = tuple(node for node in listed if node != sender)
        elif word == "ack":
            bag.append(("PutAck", -1, sender, FRESH))
    done = not following.startswith(("W", "D", "X", "F"))
    after = caches, (following, listed, owner, -1 if done else asker, due, memory), tuple(bag)
    if due or ("last", NETWORK, -1, FRESH) in bag or (following, "last") not in home_rows:
        return after
    return at_home(after, -1, "last", FRESH, home_rows)


def at_rest(protocol, caches, switch=False):
    """The state before the first reference. switch: the home has chosen the other mode."""
    state = (
        ((protocol.cache.split()[0], STALE),) * caches,
        (protocol.home.split()[0], (), -1, -1, 0, FRESH),
        (),
    )
    return at_home(state, -1, "switch", FRESH, rows_of(protocol.home)) if switch else state


def carry(protocol, state, cache, event):
    """(state at rest after an event of a cache, all messages as (name, receiver, -1 for the home), in order).

    A chain is told from its newest on, of a few pointers the oldest.
    """
    cache_rows, home_rows = rows_of(protocol.cache), rows_of(protocol.home)
    state, messages = at_cache(state, cache, event, FRESH, cache_rows, protocol.lines), []
    while state[2]:
        (name, sender, receiver, value), rest = state[2][0], (*state[:2], state[2][1:])
        messages.append((name, receiver))
        if receiver >= 0:
            to = victims(rest, receiver, name, cache_rows)[-1]
            state = at_cache(rest, receiver, name, value, cache_rows, protocol.lines, to=to)
        else:
            others = [node for node in rest[1][1] if node != sender] or [-1]
            to = others[0] if protocol.pointers else others[-1]
            state = at_home(rest, sender, name, value, home_rows, protocol.pointers, to)
    return state, messages


TELLS = ("Inv", "FetchInv", "Update", "FetchU", "Yield", "Back")


def _told(messages):
    return frozenset(receiver for name, receiver in messages if name in TELLS)


def carried_through(protocol, references, caches, switch=False):
    """Each (cache, is_write) carried through before the next: (tellings, requests).

    A telling is the set of caches told by one of TELLS; requests are what caches asked the home.
    """
    state, tellings, requests = at_rest(protocol, caches, switch), [], 0
    for cache, is_write in references:
        state, messages = carry(protocol, state, cache, "write" if is_write else "read")
        requests += sum(name in protocol.requests for name, _ in messages)
        if told := _told(messages):
            tellings.append(told)
    return tellings, requests


def with_small_caches(protocol, references, caches, ways):
    """The same for (cache, line, is_write), each cache with room for `ways` lines: (tellings, counts by name).

    The line that a cache used least lately falls out, as the tables' evict says. A Put that brings the line is a write
    back, another one a hint; fetches are those for a cache that had no copy.
    """
    invalid, states, recent = protocol.cache.split()[0], {}, [[] for _ in range(caches)]
    tellings, count = [], dict.fromkeys(("misses", "requests", "fetches", "write_backs", "hints"), 0)

    def holds(cache, line):
        return states[line][0][cache][0] != invalid

    for cache, line, is_write in references:
        states.setdefault(line, at_rest(protocol, caches))
        recent[cache] = [k for k in recent[cache] if holds(cache, k)]
        held = holds(cache, line)
        states[line], told_of = carry(protocol, states[line], cache, "write" if is_write else "read")
        if not held and holds(cache, line) and len(recent[cache]) == ways:
            out = recent[cache].pop(0)
            states[out], messages = carry(protocol, states[out], cache, "evict")
            for name, _ in messages[:1]:
                count["write_backs" if name in protocol.lines else "hints"] += 1
        recent[cache] = [*(k for k in recent[cache] if k != line), *([line] * holds(cache, line))]
        messages = told_of
        count["misses"] += not held
        count["requests"] += sum(name in protocol.requests for name, _ in messages)
        count["fetches"] += sum(name in ("Fetch", "FetchInv", "FetchU", "Back") for name, _ in messages) * (not held)
        if told := _told(messages):
            tellings.append(told)
    return tellings, count
