"""Packets of routings that choose, followed from one router of each orbit that automorphisms make."""
