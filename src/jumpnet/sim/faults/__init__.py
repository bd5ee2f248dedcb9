"""Faults during a simulation: `plan` says which, `purge` takes broken packets out, `engine` runs it all."""
