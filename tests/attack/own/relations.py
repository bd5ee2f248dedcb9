"""Relations that misbehave: rows, reads, channels, counts, header, loops, arrays, errors, types."""

from __future__ import annotations

import functools

import numba
from tests.attack.own import cases
from tests.attack.own.cases import FACES, add, dimension_order, rare, relation, right

from jumpnet.routings import DESTINATION, STATE, Prepared, Routing


@numba.njit
def far_neighbor(net, here):
    """A helper that reads outside."""
    return net.neighbor[here + 100, 0]


@relation("index 128 of out found, 0 to 127 expected")
def writes_past_the_rows(net, here, head, out):
    for k in range(200):
        out[k, 0] = out[k, 1] = out[k, 2] = out[k, 3] = 0
    return 1


@relation("index -1 of out found")
def writes_before_the_rows(net, here, head, out):
    out[here - here - 1, 0] = 5
    return right(net, here, head, out)


@relation("index 4 of out found, 0 to 3 expected")
def writes_past_the_columns(net, here, head, out):
    for k in range(5):
        out[0, k] = 0
    return 1


@relation("index 1000001 of net.neighbor found, 0 to 15 expected")
def reads_far_outside(net, here, head, out):
    return net.neighbor[here * 1_000_001 if here == 1 else here, 0] * 0 + right(net, here, head, out)


@relation("index -3 of net.coord found")
def reads_below_zero(net, here, head, out):
    return net.coord[0 - here, 0] * 0 + right(net, here, head, out) if here == 3 else right(net, here, head, out)


@relation("'routers' found, one of neighbor, far_port, link_class, coord, params, own, table, vcs, queues expected")
def asks_what_a_view_does_not_say(net, here, head, out):
    return net.routers


@relation("of net.neighbor found, 0 to 15 expected")
def reads_outside_in_a_helper(net, here, head, out):
    return far_neighbor(net, here)


@relation("index 0 of net.own found, but it is empty")
def reads_what_was_not_prepared(net, here, head, out):
    return net.own[here - here]


@relation("of net.table found, but it is empty")
def reads_a_table_that_is_not_there(net, here, head, out):
    return net.table[here, head[DESTINATION]]


@relation("header field 9 found, 0 to 5 expected")
def reads_past_the_header(net, here, head, out):
    return head[9]


@relation("index 8 of head found, 0 to 5 expected")
def reads_past_the_header_by_a_name(net, here, head, out):
    field = 8
    return head[field]


@relation("names port 4, which is not there: 0 to 3 expected")
def names_a_port_too_high(net, here, head, out):
    count = right(net, here, head, out)
    out[0, 0] = 4
    return count


@relation("names port -1, which is not there")
def names_a_port_below_zero(net, here, head, out):
    count = right(net, here, head, out)
    out[0, 0] = -1
    return count


@relation("names virtual channel 1, which is not there: 0 alone (vcs=1) expected")
def names_a_channel_too_high(net, here, head, out):
    count = right(net, here, head, out)
    out[0, 1] = 1
    return count


@relation("names virtual channel -7")
def names_a_channel_below_zero(net, here, head, out):
    count = right(net, here, head, out)
    out[0, 1] = -7
    return count


@relation("has KIND 64, 0 to 3 expected")
def gives_an_unknown_kind(net, here, head, out):
    count = right(net, here, head, out)
    out[0, 3] = 64
    return count


@relation("candidate 0 has no NEXT_STATE: it is not written")
def forgets_a_column(net, here, head, out):
    out[0, 0], out[0, 1], out[0, 3] = 0, 0, 0
    return 0 if here == head[DESTINATION] else 1


@relation("candidate 1 has no PORT")
def counts_a_row_too_many(net, here, head, out):
    return 2 * right(net, here, head, out)


@relation("1000000 candidates returned, at most 128 expected")
def counts_a_million(net, here, head, out):
    return right(net, here, head, out) * 1_000_000


@relation("has no route: -5 returned, candidates expected")
def counts_below_zero(net, here, head, out):
    return -5


@relation("says arrived at router")
def arrives_anywhere(net, here, head, out):
    return 0


@relation("head[1] is written, which may only be read")
def moves_its_destination_here(net, here, head, out):
    """It was free of deadlock, with a certificate that had been checked."""
    head[1] = here
    return 0


@relation("header field 7 found, 0 to 5 expected")
def writes_what_belongs_to_the_carrier(net, here, head, out):
    head[7] += 1
    return right(net, here, head, out)


@relation("net.neighbor[0, 0] is written, which may only be read")
def rewires_the_network(net, here, head, out):
    net.neighbor[0, 0] = 5
    return right(net, here, head, out)


@relation("net.params[slice(None, None, None)] is written")
def changes_the_sides(net, here, head, out):
    net.params[:] = 2
    return right(net, here, head, out)


@relation("net.own[0] is written", prepare=lambda net, options: Prepared(own=[1, 2]))
def counts_its_calls(net, here, head, out):
    net.own[0] += 1
    return right(net, here, head, out)


@relation("AttributeError: can't set attribute")
def replaces_an_array(net, here, head, out):
    net.vcs = 64
    return right(net, here, head, out)


@relation("lines run in one call, an end expected")
def never_ends(net, here, head, out):
    while True:
        pass


@relation("lines run in one call, an end expected")
def walks_for_ever(net, here, head, out):
    at = here
    while at != -1:
        at = net.neighbor[at, 0]
    return 1


@relation("each with another STATE")
def always_has_a_new_state(net, here, head, out):
    out[0, 0] = out[0, 1] = out[0, 3] = 0
    out[0, 2] = head[STATE] + 1
    return 1


@relation("calls_itself calls itself, which own functions may not: a loop expected")
def calls_itself(net, here, head, out):
    return calls_itself(net, here, head, out)


@relation("ValueError: not from here")
def raises(net, here, head, out):
    if here == 5:
        raise ValueError("not from here")
    return right(net, here, head, out)


@relation("AssertionError")
def asserts(net, here, head, out):
    assert here != 5
    return right(net, here, head, out)


@relation("division by zero")
def divides_by_zero(net, here, head, out):
    return right(net, here, head, out) // (here - here)


@relation("division by zero")
def takes_the_rest_of_zero(net, here, head, out):
    return (right(net, here, head, out) + 1) % net.vcs % (here - here)


@relation("1.0 returned, a whole number expected")
def returns_a_float(net, here, head, out):
    return right(net, here, head, out) / 1


@relation("None returned, a whole number expected")
def returns_nothing(net, here, head, out):
    right(net, here, head, out)


@relation("0.5 is written to out[0, 0], a whole number expected")
def writes_a_float(net, here, head, out):
    out[0, 0] = 0.5
    return 1


@relation("does not compile")
def adds_words(net, here, head, out):
    return "a" + here


@relation("OverflowError")
def passes_64_bits_in_a_row(net, here, head, out):
    count = right(net, here, head, out)
    out[0, 2] = 1 << 70
    return count


@relation("in plain Python 1 [[")
def passes_64_bits_on_the_way(net, here, head, out):
    count = right(net, here, head, out)
    out[0, 2] = (((here + 1) << 62) * 4) >> 66
    return count


@relation("takes_three(net, here, head) found, (net, here, head, out) expected")
def takes_three(net, here, head):
    return 0


add("partial", "partial found, a function expected",
    lambda: FACES[0](Routing(name="own.partial", relation=functools.partial(dimension_order))))  # fmt: skip


@rare("index 1000000000 of out found, 0 to 127 expected")
def writes_far_outside_rarely_in_a_helper_of_a_module(net, here, head, out):
    if here == 517 and head[1] == 3:
        cases.put(out, 10**9, 0)
    return right(net, here, head, out)


@rare("compiled, it gives an error; in plain Python 1 [[")
def raises_whole_numbers_to_powers_below_0(net, here, head, out):
    """Compiled, the power was 0."""
    if here == 517 and head[1] == 3 and 2 ** (head[1] - here) == 0:
        return -1
    return right(net, here, head, out)
