"""What the timed machine does, compiled: a file a part, `processors` runs the events of all, `layout` names the memory.

The way of a write to a line that others have too: a processor finds that it must ask (`processors.hits`) and asks its
own node, which sends the request on to the home (`home.serve`). The home turns to it when the line's turn has come
(`home.begin`), tells the others (`tell.tell_all`), each of which loses or changes its copy and acknowledges
(`home.told`), and answers after the last acknowledge (`home.reply`); with that the write is done (`home.complete`).
"""
