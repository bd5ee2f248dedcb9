"""
Fat tree
========

A 2-ary 4-tree: sixteen terminals on the lowest level, as many links between any two levels.
"""

import jumpnet

jumpnet.network("fattree:2,n=4").draw("fat_tree.png")
