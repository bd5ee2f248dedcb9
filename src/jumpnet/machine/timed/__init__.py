"""The machine with time, a file a part: processors, caches, homes, queues, locks and barriers, trees.

The way of a write to a line that others have too: a processor finds that it must ask (`_processors.hits`) and asks its
own node, which sends the request on to the home (`_home.serve`). The home turns to it when the line's turn has come
(`_home.begin`), tells the others (`_tell.tell_all`), each of which loses or changes its copy and acknowledges
(`_home.told`), and answers after the last acknowledge (`_home.reply`); with that the write is done (`_home.complete`).
What is lost, changed, fetched and owned is in the protocol's rows (`coherence.rules`), what things take in
`design.Costs`, and what the memory holds in `_layout`.
"""
