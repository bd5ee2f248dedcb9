"""Virtual networks of a protocol: which kinds of messages wait for which (`kinds`), the least number (`least`), and
whether protocol and network together can deadlock (`joint`)."""
