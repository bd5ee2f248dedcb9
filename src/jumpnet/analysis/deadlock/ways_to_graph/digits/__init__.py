"""Dependencies from sets of destinations: at every router at once, digit by digit, without a walk."""
