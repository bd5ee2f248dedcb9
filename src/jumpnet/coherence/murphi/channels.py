"""Channels of a Murphi model: bags of messages, or queues, with the same procedures for both.

For each channel X: `SendX(n, m, v)` puts message m with value v of the line, `HasX` tells whether it may arrive next,
`TakeX` removes it, `AgeX(n, commit)` is what a write does to the lines under way.
"""

from __future__ import annotations

from jumpnet.coherence.murphi.words import Channel, indented, quoted
from jumpnet.coherence.search.model import MOST_WAITING

__all__ = ["field", "procedures", "taken", "type_of"]

FULL = f'error "more than {MOST_WAITING} messages wait between two places";'


def type_of(channel: Channel, in_order: bool) -> str:
    """The type of its messages. A queue's free places hold none, which comes first."""
    names = [*([f"{channel.name}_none"] if in_order else []), *channel.messages.values()]
    return f"{channel.type}: enum {{ {', '.join(names)} }};"


def field(channel: Channel, in_order: bool) -> str:
    """The channel as a field of a node's record."""
    if in_order:
        return f"{channel.name}: array [Place] of record what: {channel.type}; value: Value; end;"
    return f"{channel.name}: array [{channel.type}] of array [Value] of Count;"


def procedures(channel: Channel, in_order: bool) -> list[str]:
    """Send, Has, Take and Age of a channel."""
    made = _queue(channel) if in_order else _bag(channel)
    return [line for name, head, body in made for line in _procedure(channel, name, head, body)]


def _procedure(channel: Channel, name: str, head: str, body: list[str]) -> list[str]:
    word, result = ("function", ": boolean") if name == "Has" else ("procedure", "")
    return [f"{word} {name}{channel.type}({head}){result};", *body, f"end{word};", ""]


def _bag(channel: Channel) -> list[tuple[str, str, list[str]]]:
    message = f"n: Node; m: {channel.type}; v: Value"
    place, all_places = f"node[n].{channel.name}[m][v]", f"node[n].{channel.name}"
    send = [
        f"var total: 0..{MOST_WAITING};",
        "begin",
        "  total := 0;",
        f"  for a: {channel.type} do for b: Value do total := total + {all_places}[a][b]; endfor; endfor;",
        f"  if total = {MOST_WAITING} then {FULL} endif;",
        f"  {place} := {place} + 1;",
    ]
    age = ["begin"]
    for name in channel.lines:
        stale, fresh, new = (f"{all_places}[{name}][{value}]" for value in ("stale", "fresh", "next"))
        age += indented(
            [
                f"{stale} := {stale} + {fresh};",
                f"if commit then {fresh} := {new};",
                f"else {stale} := {stale} + {new}; {fresh} := 0;",
                "endif;",
                f"{new} := 0;",
            ]
        )
    return [
        ("Send", message, send),
        ("Has", message, ["begin", f"  return {place} > 0;"]),
        ("Take", message, ["begin", f"  {place} := {place} - 1;"]),
        *([("Age", "n: Node; commit: boolean", age)] if channel.lines else []),
    ]


def _queue(channel: Channel) -> list[tuple[str, str, list[str]]]:
    message, none, places = f"n: Node; m: {channel.type}; v: Value", f"{channel.name}_none", f"node[n].{channel.name}"
    last = MOST_WAITING - 1
    send = [
        "var placed: boolean;",
        "begin",
        f"  if {places}[{last}].what != {none} then {FULL} endif;",
        "  placed := false;",
        "  for k: Place do",
        f"    if !placed & {places}[k].what = {none} then",
        f"      {places}[k].what := m; {places}[k].value := v; placed := true;",
        "    endif;",
        "  endfor;",
    ]
    take = ["begin"]
    for k in range(last):
        take += indented([f"{places}[{k}].{part} := {places}[{k + 1}].{part};" for part in ("what", "value")])
    take += [f"  {places}[{last}].what := {none};", f"  {places}[{last}].value := stale;"]
    is_line = " | ".join(f"{places}[k].what = {name}" for name in channel.lines)
    age = [
        "begin",
        "  for k: Place do",
        f"    if {is_line} then {places}[k].value := Aged({places}[k].value, commit); endif;",
        "  endfor;",
    ]
    return [
        ("Send", message, send),
        ("Has", message, ["begin", f"  return {places}[0].what = m & {places}[0].value = v;"]),
        ("Take", message, take),
        *([("Age", "n: Node; commit: boolean", age)] if channel.lines else []),
    ]


def taken(channel: Channel, name: str, title: str, guard: str, inside: list[str], chosen: bool) -> list[str]:
    """The rule in which message `name` of node n arrives and is taken.

    guard: what else must hold, with ` & ` before; chosen: whether one of several nodes t is notified next.
    """
    value = channel.value(name)
    return [
        f"ruleset n: Node{'; t: Node' if chosen else ''}{'; v: Value' if value == 'v' else ''} do",
        f"  rule {quoted(title)}",
        f"    Has{channel.type}(n, {name}, {value}){guard}",
        "  ==>",
        "  begin",
        f"    Take{channel.type}(n, {name}, {value});",
        *indented(inside, 2),
        "  endrule;",
        "endruleset;",
        "",
    ]
