"""Options that take one value, given twice: the option parser keeps the last in silence, which is an error here.

Used by the classes of verbs in `help`.
"""

from __future__ import annotations

from typing import Any

from jumpnet.errors import JumpnetError

__all__ = ["refuse_repeats"]


def refuse_repeats(parser: Any) -> Any:
    """The option parser of a verb, which raises JumpnetError where an option comes twice that has one value.

    A flag may come twice: it says the same again, or, as scripts do, `--no-resume` takes `--resume` back.
    """
    parse = parser.parse_args

    def parse_once(args: list[str]) -> Any:
        """What the parser makes of the words; those that a shell wants completed are taken as they come."""
        options, others, order = parse(args=args)
        if parser.ctx is not None and parser.ctx.resilient_parsing:
            return options, others, order
        seen = set()
        for option in order:
            if _is_single(option) and option.name in seen:
                name = option.opts[0]
                raise JumpnetError(f"{name} {options[option.name]!r} found after another {name}, one expected")
            seen.add(option.name)
        return options, others, order

    parser.parse_args = parse_once
    return parser


def _is_single(option: Any) -> bool:
    return option.param_type_name == "option" and not (option.is_flag or option.multiple or option.count)
