"""Networks of the page that comes with jumpnet: every family, at sizes from a few routers to some thousand.

Read by `web/make.py` and the panels; a test says that no family is missing.
"""

from __future__ import annotations

__all__ = ["GALLERY", "SIZED"]

GALLERY: dict[str, tuple[str, ...]] = {
    "rdt": ("rdt:8", "rdt:16", "rdt:32", "rdt:64", "rdt:16,assignment=none"),
    "prdt": ("prdt:8", "prdt:16", "prdt:32,R=3"),
    "srt1d": ("srt1d:32", "srt1d:32,variant=ss", "srt1d:256"),
    "srt2d": ("srt2d:8", "srt2d:16", "srt2d:16,variant=ss", "srt2d:32", "srt2d:64,variant=ss"),
    "rdn": ("rdn:3,k=1", "rdn:3,k=2", "rdn:4,k=1,base=hypercube", "rdn:5x5,k=1"),
    "torus": ("torus:8", "torus:4x4", "torus:8x8", "torus:16x16", "torus:4x4x4", "torus:8x8x8", "torus:64x64",
              "torus:16x16x16", "torus:4x4x4x4"),
    "mesh": ("mesh:4x4", "mesh:8x8", "mesh:16x16", "mesh:4x4x4", "mesh:8x8x8", "mesh:64x64"),
    "hypercube": ("hypercube:3", "hypercube:4", "hypercube:6", "hypercube:8", "hypercube:10", "hypercube:12"),
    "fattree": ("fattree:2,n=4", "fattree:4,n=3", "fattree:8,n=3"),
    "dragonfly": ("dragonfly:2", "dragonfly:2,arrangement=palmtree", "dragonfly:3", "dragonfly:4"),
    "slimfly": ("slimfly:5", "slimfly:7", "slimfly:13"),
    "hyperx": ("hyperx:4x4", "hyperx:4x4x4", "hyperx:8x8x8"),
    "flatfly": ("flatfly:4", "flatfly:8", "flatfly:4,n=3"),
    "clos": ("clos:4,4,8", "clos:8,8,16"),
    "threetier": ("threetier:4", "threetier:4,aggregation=1,core=1", "threetier:8"),
    "fly": ("fly:2,n=3", "fly:4", "fly:2,n=6"),
    "cmesh": ("cmesh:4x4", "cmesh:8x8"),
    "dualcube": ("dualcube:2", "dualcube:3", "dualcube:4", "dualcube:6"),
    "ccc": ("ccc:3", "ccc:4", "ccc:6", "ccc:8"),
    "wk": ("wk:4,t=2", "wk:4,t=3", "wk:5,t=4", "wk:4,t=6"),
    "debruijn": ("debruijn:2,n=4", "debruijn:2,n=6", "debruijn:3,n=3,directed=true", "debruijn:2,n=11"),
    "kautz": ("kautz:2,n=3", "kautz:2,n=5", "kautz:3,n=3,directed=true", "kautz:2,n=10"),
    "star": ("star:4", "star:5", "star:6", "star:7"),
    "crossedcube": ("crossedcube:4", "crossedcube:6", "crossedcube:8", "crossedcube:10", "crossedcube:11",
                    "crossedcube:12"),
    "midimew": ("midimew:16", "midimew:64", "midimew:256", "midimew:648", "midimew:4096"),
    "hypernet": ("hypernet:3,h=2", "hypernet:4,h=2", "hypernet:3,h=3"),
    "hypermesh": ("hypermesh:4", "hypermesh:8", "hypermesh:3,n=3"),
    "chordalring": ("chordalring:14,w=5", "chordalring:64,w=9", "chordalring:1024,w=33"),
    "illiac": ("illiac:4", "illiac:8", "illiac:32"),
    "barrelshifter": ("barrelshifter:16", "barrelshifter:64", "barrelshifter:256"),
    "circularomega": ("circularomega:3", "circularomega:5", "circularomega:5,directed=false"),
    "pradhan": ("pradhan:3", "pradhan:7", "pradhan:10"),
    "tree": ("tree:2,height=4", "tree:3,height=4", "tree:2,height=9"),
    "complete": ("complete:8", "complete:16", "complete:64"),
    "random": ("random:64,d=4", "random:64", "random:256", "random:512,d=6", "random:648,d=4"),
    "graph": ("graph:petersen",),
    "file": ("file:example.anynet",),
}  # fmt: skip
"""Specs by family, small ones first, in the order in which the page lists them."""

SIZED: tuple[str, ...] = ("rdt:4", "rdt:24", *(f"prdt:{side}" for side in range(4, 65, 4) if side not in (8, 16)))
"""Other sizes of recursive tori that the page makes by rule: their routings rest on what Python prepares for each."""
