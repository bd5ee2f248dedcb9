"""Table II of the RDT paper: diameter and degree of fourteen networks of about 4096 and 65,536 nodes, by search."""

from __future__ import annotations

from jumpnet.paper._figures import figures
from jumpnet.paper._section import Golden, Progress, Section, golden_table

TITLE = "Table II: diameter and degree of direct networks"
ORDER = 40

SPECS = {
    "2D Torus": ("torus:64x64", "torus:256x256"),
    "3D Torus": ("torus:16x16x16", "torus:32x32x64"),
    "4D Torus": ("torus:8x8x8x8", "torus:16x16x16x16"),
    "Hypercube": ("hypercube:12", "hypercube:16"),
    "De Bruijn": ("debruijn:2,n=12", "debruijn:2,n=16"),
    "Kautz": ("kautz:2,n=11", "kautz:2,n=15"),
    "Pradhan": ("pradhan:12", "pradhan:16"),
    "Circular omega": ("circularomega:10", "circularomega:13"),
    "n-Star graph": ("star:7", "star:8"),
    "CCC": ("ccc:9", "ccc:12"),
    "Hypernet": ("hypernet:4,h=3", "hypernet:5,h=3"),
    "Crossed Cube": ("crossedcube:12", "crossedcube:16"),
    "Midimew": ("midimew:4096", "midimew:65536"),
    "RDT(2,4,1)/alpha": ("rdt:64", "rdt:256"),
}
"""Row of the table: our networks for the two columns, of the sizes that the column of notes gives."""


def section(golden: Golden, progress: Progress) -> Section:
    """Search every network of the table from one router of each orbit."""
    columns = golden["table_2"]["columns"]
    computed: dict[str, dict[str, int]] = {}
    for done, (row, specs) in enumerate(SPECS.items()):
        progress(done, len(SPECS))
        computed[row] = {}
        for n, spec in enumerate(specs):
            found = figures(spec)
            computed[row] |= {columns[2 * n]: found.diameter, columns[2 * n + 1]: found.degree}
    table = golden_table(golden, "table_2", computed, NOTES, key="yang2001rdt", note=f"Networks: {_named()}.")
    return Section(TITLE, TEXT, (table,))


def _named() -> str:
    return "; ".join(f"{row} = {small}, {large}" for row, (small, large) in SPECS.items())


OMEGA = """With k stages of 2^(k-1) nodes, k-1 hops set every address bit and at most k-1 more reach the stage: 2k-2.
The paper prints 2k."""
OMEGA_LINKS = """Its channels lead one way: two leave a node and two arrive. The paper counts both."""
STAR = """The diameter of the n-star is floor(3(n-1)/2) = 9 and 10; the paper prints n."""
CCC = """The diameter of CCC(n) is 2n + floor(n/2) - 2 = 20 and 28; the printed figures fit no formula of it."""
HYPERNET = """The printed diameter falls as the network grows, which no reading of the cited construction gives."""
MIDIMEW = """The cited paper's own formula, the ceiling of (sqrt(2N-1) - 1)/2, gives 45."""
ALPHA = """The printed assignment has diameter 9 at this size: see the section on the diameter of the assignment
alpha."""
SMALL, LARGE = "4096 diameter", "65536 diameter"
NOTES = {
    ("Circular omega", SMALL): OMEGA,
    ("Circular omega", LARGE): OMEGA,
    ("Circular omega", "4096 degree"): OMEGA_LINKS,
    ("Circular omega", "65536 degree"): OMEGA_LINKS,
    ("n-Star graph", SMALL): STAR,
    ("n-Star graph", LARGE): STAR,
    ("CCC", SMALL): CCC,
    ("CCC", LARGE): CCC,
    ("Hypernet", SMALL): HYPERNET,
    ("Hypernet", LARGE): HYPERNET,
    ("Midimew", SMALL): MIDIMEW,
    ("RDT(2,4,1)/alpha", SMALL): ALPHA,
}
TEXT = """Diameters are exact, by breadth-first search from one router of each orbit of known symmetries, or from
every router where too little is known. The degree is the largest number of channels that leave a router."""
