"""Rows of the home's table as rules of a Murphi model."""

from __future__ import annotations

from jumpnet.coherence.murphi.channels import taken
from jumpnet.coherence.murphi.words import Words, indented, quoted
from jumpnet.coherence.protocol import Protocol, Row
from jumpnet.coherence.search.model import TWO_WAIT

__all__ = ["arrivals", "by_itself", "procedures"]

KNOWN = {
    "add": "for k: Node do if node[k].waits then node[k].listed := true; endif; endfor;",
    "own": "for k: Node do node[k].owner := node[k].waits; endfor;",
    "keep": "for k: Node do if node[k].owner then node[k].listed := true; endif; endfor;",
    "release": "for k: Node do node[k].owner := false; endfor;",
    "clear": "for k: Node do node[k].listed := false; endfor;",
}
SERVED = "for k: Node do node[k].waits := false; endfor;"


def _none(message: str) -> str:
    return f"error {quoted(f'no row for {message} at the home')};"


def procedures(words: Words) -> list[str]:
    """What rows of the home share: the receivers of messages, and the rows `last`."""
    lines = [
        "function Alone(n: Node): boolean;",
        "begin",
        "  return forall k: Node do k = n | !(node[k].listed | node[k].owner) endforall;",
        "endfunction;",
        "",
        "procedure Ask(n: Node);",
        "begin",
        "  for k: Node do",
        "    if k != n & node[k].waits then error " + quoted(TWO_WAIT) + "; endif;",
        "  endfor;",
        "  node[n].waits := true;",
        "endprocedure;",
        "",
    ]
    if _tells(words.protocol):
        lines += [*_full(words.protocol), *_chosen()]
    if words.channel("down"):
        lines += _sent("ToAsker", "m: Down; v: Value", "node[k].waits", "v", "nobody waits for a message that is sent")
        lines += _sent("ToOwner", "m: Down", "node[k].owner", "fresh", "there is no owner to fetch from")
        lines += [
            "procedure Multicast(m: Down);",
            "begin",
            "  home.due := 0;",
            "  for k: Node do",
            "    if node[k].listed & !node[k].waits then SendDown(k, m, fresh); home.due := home.due + 1; endif;",
            "  endfor;",
            "endprocedure;",
            "",
        ]
    return [*lines, *_last(words)]


def _tells(protocol: Protocol) -> bool:
    """Whether some row notifies, or passes a message on to, one of those listed."""
    rows = [*protocol.cache_rows.values(), *protocol.home_rows.values()]
    return any(action in ("tell", "pass") for row in rows for action, _ in row.actions)


def _chosen() -> list[str]:
    """The node notified: any that is listed and does not wait, or none, which t = n stands for."""
    return [
        "function May(n: Node; t: Node): boolean;",
        "begin",
        "  return t != n & node[t].listed & !node[t].waits;",
        "endfunction;",
        "",
        "function Chosen(n: Node; t: Node; tells: boolean): boolean;",
        "begin",
        "  if tells & exists k: Node do May(n, k) endexists then return May(n, t); endif;",
        "  return t = n;",
        "endfunction;",
        "",
    ]


def _full(protocol: Protocol) -> list[str]:
    """Whether all pointers are taken, none of them by a node."""
    if not protocol.pointers:
        return []
    return [
        "function Full(n: Node): boolean;",
        "var taken: 0..CACHES;",
        "begin",
        "  taken := 0;",
        "  for k: Node do if node[k].listed then taken := taken + 1; endif; endfor;",
        f"  return !node[n].listed & taken >= {protocol.pointers};",
        "endfunction;",
        "",
    ]


def _sent(name: str, head: str, to: str, value: str, why_not: str) -> list[str]:
    return [
        f"procedure {name}({head});",
        "var sent: boolean;",
        "begin",
        "  sent := false;",
        f"  for k: Node do if !sent & {to} then SendDown(k, m, {value}); sent := true; endif; endfor;",
        f"  if !sent then error {quoted(why_not)}; endif;",
        "endprocedure;",
        "",
    ]


def _last(words: Words) -> list[str]:
    """`Last` is the row of that name, `Settle` repeats it while no acknowledge is to come."""
    rows = [row for row in words.protocol.home_rows.values() if row.event == "last"]
    cases = [line for row in rows for line in (f"case {words.home[row.state]}:", *indented(_body(words, row, "", "")))]
    inside = ["switch home.state", *cases, "else", f"  {_none('last')}", "endswitch;"] if rows else [_none("last")]
    states = " | ".join(f"home.state = {words.home[row.state]}" for row in rows) or "false"
    most = len(words.protocol.home_rows)
    return [
        "procedure Last();",
        "begin",
        *indented(inside),
        "endprocedure;",
        "",
        "procedure Settle();",
        f"var turns: 0..{most};",
        "begin",
        "  turns := 0;",
        f"  while home.due = 0 & {'!home.joined & ' if words.combined else ''}({states}) do",
        f'    if turns = {most} then error "no acknowledge is to come, again and again"; endif;',
        "    turns := turns + 1;",
        "    Last();",
        "  endwhile;",
        "endprocedure;",
        "",
    ]


def by_itself(words: Words) -> list[str]:
    """A rule for each row that the home takes by itself, and for acknowledges that the network has joined."""
    lines = []
    for row in words.protocol.home_rows.values():
        if row.event.islower() and row.event != "last":
            lines += [
                f"rule {quoted(f'{row.event} at the home in {row.state}')}",
                f"  home.state = {words.home[row.state]}",
                "==>",
                "begin",
                *indented(_body(words, row, "", "")),
                "  Settle();",
                "endrule;",
                "",
            ]
    if words.combined:
        guard = ["  home.joined", "==>", "begin", "  home.joined := false;", "  Last();", "  Settle();", "endrule;", ""]
        lines += ['rule "combined acknowledge at the home"', *guard]
    return lines


def arrivals(words: Words) -> list[str]:
    """A rule for each message from a cache. Requests wait while the home is busy."""
    lines = []
    busy = " & ".join(f"home.state != {words.home[state]}" for state in words.home if state in words.protocol.busy)
    for channel in words.channels:
        for message, name in channel.messages.items() if channel.name not in ("down", "side") else ():
            value = channel.value(name)
            waits = f" & {busy}" if channel.name == "asked" and busy else ""
            tells = _when_told(words, message)
            waits += f" & Chosen(n, t, {tells})" if tells else ""
            inside = _counted() if message.endswith("Ack") else [*_served(words, message, value), "Settle();"]
            lines += taken(channel, name, f"{message} at the home", waits, inside, chosen=bool(tells))
    return lines


def _when_told(words: Words, message: str) -> str:
    """When a message makes the home tell one of those listed; empty where it never does.

    Rows are tried in the order of `_served`.
    """
    rows, cases = words.protocol.home_rows, []
    whose = [("+", "Alone(n)")]
    whose += [("-", "!node[n].owner")] if any(row.event == message + "-" for row in rows.values()) else []
    whose += [("*", "Full(n)")] if words.protocol.pointers else []
    for state, name in words.home.items():
        here = [f"home.state = {name}"]
        for mark, condition in [*whose, ("", "true")]:
            row = rows.get((state, message + mark))
            if row and any(action == "tell" for action, _ in row.actions):
                cases.append(f"({' & '.join([*here, condition])})")
            if row or mark == "-":
                here.append(f"!({condition})")
    return " | ".join(cases)


def _counted() -> list[str]:
    return [
        'if home.due = 0 then error "an acknowledge that nobody waits for"; endif;',
        "home.due := home.due - 1;",
        "if home.due = 0 then Last(); Settle(); endif;",
    ]


def _served(words: Words, message: str, value: str) -> list[str]:
    """The rows for a message, by the state of the home and by the sender."""
    rows, cases = words.protocol.home_rows, []
    from_owner_only = any(row.event == message + "-" for row in rows.values())
    for state, name in words.home.items():
        plain, alone, other, more = (rows.get((state, message + mark)) for mark in ("", "+", "-", "*"))
        if not (plain or alone or other or more):
            continue
        inside = _body(words, plain, "n", value) if plain else [_none(message)]
        if more and words.protocol.pointers:
            inside = ["if Full(n) then", *indented(_body(words, more, "n", value)), "else", *indented(inside), "endif;"]
        if from_owner_only:
            not_owner = _body(words, other, "n", value) if other else [_none(message + "-")]
            inside = ["if !node[n].owner then", *indented(not_owner), "else", *indented(inside), "endif;"]
        if alone:
            by_one = _body(words, alone, "n", value)
            inside = ["if Alone(n) then", *indented(by_one), "else", *indented(inside), "endif;"]
        cases += [f"case {name}:", *indented(inside)]
    return ["switch home.state", *cases, "else", f"  {_none(message)}", "endswitch;"] if cases else [_none(message)]


def _body(words: Words, row: Row, sender: str, value: str) -> list[str]:
    """What a row does; sender: the node whose message came, value: of its line. Both may be empty."""
    lines = [line for action, message in row.actions for line in _done(words, row, (action, message), sender, value)]
    lines.append(f"home.state := {words.home[row.following]};")
    if row.following not in words.protocol.busy:
        lines.append(SERVED)
    return lines


def _done(words: Words, row: Row, act: tuple[str, str], sender: str, value: str) -> list[str]:
    """The same of one action and its message."""
    action, message = act
    if action in KNOWN:
        return [KNOWN[action]]
    if action == "forget":
        return [f"node[{sender}].listed := false;"] if sender else []
    if action in ("ask", "ack") and not sender:
        return [f"error {quoted(f'nobody sent {row.event}')};"]
    down, line = words.channel("down"), value or "fresh"
    name = down.messages[message or "PutAck"] if down and (message or action == "ack") else ""
    carries = message in words.protocol.lines
    told = f"SendDown(t, {name}, fresh); node[t].listed := false; home.due := 1;"
    return [
        {
            "ask": f"Ask({sender});",
            "ack": f"SendDown({sender}, {name}, fresh);",
            "reply": f"ToAsker({name}, {'home.memory' if carries else 'fresh'});",
            "forward": f"ToAsker({name}, {line if carries else 'fresh'});",
            "multicast": f"Multicast({name});",
            "tell": f"if t != n then {told} else home.due := 0; endif;",
            "fetch": f"ToOwner({name});",
            "store": f"home.memory := {line};",
            "merge": "if home.memory = fresh then home.memory := next; endif;",
        }[action]
    ]
