"""Virtual networks of a protocol: which kinds of messages wait for each other (`kinds`), the least number (`least`)."""
