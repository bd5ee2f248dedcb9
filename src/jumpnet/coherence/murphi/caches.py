"""Rows of a cache's table as rules of a Murphi model."""

from __future__ import annotations

from jumpnet.coherence.murphi.channels import taken
from jumpnet.coherence.murphi.words import Channel, Words, indented, quoted
from jumpnet.coherence.protocol import Row

__all__ = ["arrivals", "by_themselves", "written"]

OWES = {"read": "reading", "write": "writing"}


def by_themselves(words: Words) -> list[str]:
    """A rule for each row in which the processor reads, writes or evicts."""
    lines = []
    for row in words.protocol.cache_rows.values():
        if row.event in ("read", "write", "evict"):
            lines += [
                "ruleset n: Node do",
                f"  rule {quoted(f'{row.event} at a cache in {row.state}')}",
                f"    node[n].state = {words.cache[row.state]}",
                "  ==>",
                "  begin",
                *indented(_body(words, row, "fresh"), 2),
                "  endrule;",
                "endruleset;",
                "",
            ]
    return lines


def arrivals(words: Words) -> list[str]:
    """A rule for each message from the home, or from another cache."""
    channels = (words.channel("down"), words.channel("side"))
    return [
        line
        for channel in channels
        if channel
        for message, name in channel.messages.items()
        for line in _arrival(words, channel, message, name)
    ]


def _arrival(words: Words, channel: Channel, message: str, name: str) -> list[str]:
    value, cases, passes = channel.value(name), [], message in words.protocol.passed
    rows = [row for row in words.protocol.cache_rows.values() if row.event == message]
    for row in rows:
        cases += [f"case {words.cache[row.state]}:", *indented(_body(words, row, value))]
    error = f"error {quoted(f'no row for {message} at a cache')};"
    inside = ["switch node[n].state", *cases, "else", f"  {error}", "endswitch;"] if cases else [error]
    passing = [f"node[n].state = {words.cache[row.state]}" for row in rows if ("pass" in dict(row.actions))]
    guard = f" & Chosen(n, t, {' | '.join(passing)})" if passes else ""
    return taken(channel, name, f"{message} at a cache", guard, inside, chosen=passes)


def written(words: Words) -> list[str]:
    """What a write does to all copies and to all lines under way, and to the writer's own."""
    ages = [f"Age{channel.type}(k, k = n | commit);" for channel in words.channels if channel.lines]
    return [
        "procedure Written(n: Node; commit: boolean);",
        "begin",
        "  for k: Node do",
        "    node[k].value := Aged(node[k].value, k = n | commit);",
        *indented(ages, 2),
        "  endfor;",
        "  home.memory := Aged(home.memory, commit);",
        "endprocedure;",
        "",
    ]


def _body(words: Words, row: Row, value: str) -> list[str]:
    """What a row does at node n; value: of the line that has come."""
    protocol, lines = words.protocol, []
    if row.event == "write" or (row.event == "read" and ("hit", "") not in row.actions):
        error = f"error {quoted(f'a {row.event} at a cache in {row.state} gets no answer')};"
        lines += [f"if node[n].owes != nothing then {error} endif;", f"node[n].owes := {OWES[row.event]};"]
    tells, joins = "", 0
    for action, message in row.actions:
        if action == "pass":
            side = words.channel("side")
            assert side is not None
            lines.append(f"if t != n then SendSide(t, {side.messages[row.event]}, fresh); node[t].listed := false;")
            lines += ["else", *indented(_send(words, message)), "endif;"]
        elif action == "send" and words.combined and message.endswith("Ack") and message not in protocol.requests:
            joins += 1
        elif action == "send":
            channel = words.channel("asked" if message in protocol.requests else "up")
            assert channel is not None
            carried = "node[n].value" if message in protocol.lines else "fresh"
            lines.append(f"Send{channel.type}(n, {channel.messages[message]}, {carried});")
        elif action == "take":
            if row.state in protocol.readable:
                error = f"error {quoted(f'a reader in {row.state} goes back to an older value')};"
                lines.append(f"if {value} < node[n].value then {error} endif;")
            lines.append(f"node[n].value := {value};")
            lines.append("if node[n].owes = reading then node[n].owes := nothing; endif;")
        elif action == "merge":
            lines.append("if node[n].value = fresh then node[n].value := next; endif;")
        elif action in ("write", "commit"):
            tells = action
            lines.append("if node[n].value != stale then node[n].value := next; endif;")
            lines.append("node[n].owes := nothing;")
        elif action == "drop":
            lines.append("node[n].value := stale;")
    if row.following in protocol.stable:
        error = f"error {quoted(f'a read or a write is lost at a cache in {row.state}')};"
        lines.append(f"if node[n].owes != nothing then {error} endif;")
    lines.append(f"node[n].state := {words.cache[row.following]};")
    if tells:
        lines.append(f"Written(n, {'true' if tells == 'commit' else 'false'});")
    return [*lines, *_join(joins)] if joins else lines


def _join(joins: int) -> list[str]:
    """Acknowledges join others in the network."""
    error = 'error "an acknowledge that nobody waits for";'
    due = [f"home.due := home.due - {joins};", "home.joined := home.due = 0;"]
    return [f"if home.due < {joins} then {error} endif;", *due]


def _send(words: Words, message: str) -> list[str]:
    """The answer to the home of a cache that finds no node to pass a message on to."""
    if words.combined and message.endswith("Ack"):
        return _join(1)
    channel = words.channel("up")
    assert channel is not None
    return [f"SendUp(n, {channel.messages[message]}, fresh);"]
