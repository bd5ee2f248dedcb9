"""
The way to a protocol's fault
=============================

MSI with one mistake: a cache that has to give up its copy keeps it. The model checker finds the shortest way to a
stale read, and it is drawn as a message sequence chart.
"""

from dataclasses import replace
from pathlib import Path

from jumpnet.coherence.check import check_protocol
from jumpnet.coherence.protocol import protocol
from jumpnet.plot.messages import draw_messages

msi = protocol("msi")
wrong = replace(msi, name="msi, wrong", cache=msi.cache.replace("S   Inv       I ", "S   Inv       S "))
draw_messages(wrong, check_protocol(wrong, caches=2), Path("counterexample.png"))
