"""Tables 1 and 2 and Theorem 1 of the RDN paper: formulas, and searches of networks with millions of nodes."""

from __future__ import annotations

import math
from fractions import Fraction

from jumpnet.paper._figures import figures
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table, golden_table
from jumpnet.topology import family

TITLE = "Tables 1 and 2: cost ratio of networks of 2 to 50 million nodes"
ORDER = 20

SPECS = {
    "3D-torus": "torus:128x128x128",
    "WK(8,7)": "wk:8,t=7",
    "21-cube": "hypercube:21",
    "CCC(17)": "ccc:17",
    "DC(11)": "dualcube:11",
    "RDN(5^2,2)": "rdn:5x5,k=2",
    "RDN(3^3,2)": "rdn:3x3x3,k=2",
    "RDN(5,3)": "rdn:5,k=3",
}
SLOW = ("WK(8,7)", "RDN(5,3)")
FORMULAS = {
    "3D-torus": ("3D Torus", {"x": 128, "y": 128, "z": 128}),
    "WK(8,7)": ("WK(n,t)", {"n": 8, "t": 7}),
    "21-cube": ("n-cube", {"n": 21}),
    "CCC(17)": ("CCC(n)", {"n": 17}),
    "DC(11)": ("DC(n)", {"n": 11}),
    "RDN(5^2,2)": ("RDN(m,k)", {"m": 25, "k": 2, "d0": 4, "D0": 4}),
    "RDN(3^3,2)": ("RDN(m,k)", {"m": 27, "k": 2, "d0": 6, "D0": 3}),
    "RDN(5,3)": ("RDN(m,k)", {"m": 5, "k": 3, "d0": 2, "D0": 2}),
}
"""Row of Table 1 and the sizes, for each row of Table 2."""


def evaluate(formula: str, names: dict[str, float]) -> int | float:
    """The value of a printed formula: numbers, names, + - * / ** and lg(), nothing else.

    >>> evaluate("2**n/2+lg(8)", {"n": 3})
    7
    """
    import ast

    def value(node: ast.AST) -> float:
        match node:
            case ast.Constant(value=int(number)):
                return number
            case ast.Name(id=name):
                return names[name]
            case ast.Call(func=ast.Name(id="lg"), args=[inner]):
                return math.log2(value(inner))
            case ast.BinOp(left=left, op=op, right=right):
                a, b = value(left), value(right)
                match op:
                    case ast.Add():
                        return a + b
                    case ast.Sub():
                        return a - b
                    case ast.Mult():
                        return a * b
                    case ast.Div():
                        return a / b
                    case ast.Pow():
                        return a**b
        raise AssertionError(f"{formula} is not a formula")

    result = value(ast.parse(formula, mode="eval").body)
    return int(result) if result == int(result) else result


def _by_formula(golden: Golden, row: str) -> list[int | float]:
    """Nodes, degree, diameter and CR of a row of Table 2 by the formulas of Table 1."""
    name, sizes = FORMULAS[row]
    words = golden["table_1"]["rows"][name]
    names: dict[str, float] = dict(sizes)
    nodes, degree, diameter = (evaluate(word, names) for word in words[:3])
    return [nodes, degree, diameter, evaluate(words[3], {**names, "Nk": nodes, "Dk": diameter})]


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Search each network (the one of 50 million nodes under --full), and evaluate the formulas of Table 1."""
    columns = golden["table_2"]["columns"]
    computed: dict[str, dict[str, int | float | Fraction]] = {}
    notes: dict[tuple[str, str], str] = {}
    for done, (row, spec) in enumerate(SPECS.items()):
        progress(done, len(SPECS))
        if row in SLOW and not full:
            claims = family(spec).claims()
            nodes, degree, diameter = (int(claims[k]) for k in ("routers", "degree", "diameter"))
            cost_ratio = (degree + diameter) / math.log2(nodes)
            computed[row] = dict(zip(columns, (nodes, degree, diameter, cost_ratio), strict=True))
            notes[row, "diameter"] = notes[row, "CR"] = BY_FORMULA
            continue
        found = figures(spec)
        computed[row] = dict(zip(columns, (found.routers, found.degree, found.diameter, found.cost_ratio), strict=True))
        if row.startswith("3D"):
            notes[row, "CR"] = TORUS
        if row.startswith("CCC"):
            notes[row, "diameter"] = notes[row, "CR"] = CCC
    table = golden_table(
        golden, "table_2", computed, notes, key="li2009rdn", note="Searched, except where a note says."
    )
    rows: list[tuple[str, list[Cell | None]]] = []
    for row in golden["table_2"]["rows"]:
        printed_row = golden["table_2"]["rows"][row]
        values = _by_formula(golden, row)
        rows.append((row, [Cell(p, v) for p, v in zip(printed_row, values, strict=True)]))
    formulas = Table(
        "The same cells by the formulas of Table 1",
        "li2009rdn, Tables 1 and 2",
        columns,
        rows,
        "lg is the logarithm to base 2.",
    )
    return Section(TITLE, TEXT, (table, formulas))


BY_FORMULA = """By the formula of Table 1; `jumpnet paper --full` searches it (877 orbits of 2 million nodes, 256 at a
time, or one orbit at a time of 50 million)."""
TORUS = """Exact: (6 + 192) / 21."""
CCC = """The diameter of CCC(n) is 2n + floor(n/2) - 2 = 40 for n = 17; Table 1 has 2n."""
TEXT = """Diameters are found by breadth-first search, one for each orbit of known symmetries; networks of millions of
nodes are searched by their neighbor function, without a table. The second table evaluates the printed formulas."""
