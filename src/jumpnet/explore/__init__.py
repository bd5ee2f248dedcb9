"""The page: networks, routes and the simulator in a browser, as one static file that asks nothing of any server.

`web/` holds what runs in the browser, built into `page.html` here, which comes with a gallery of networks. `written`
writes it, with networks of one's own in it; `network_data` and `packed` are what it knows of a network.
"""

from __future__ import annotations
