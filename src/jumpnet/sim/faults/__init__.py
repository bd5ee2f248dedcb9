"""Faults that strike during a simulation: `plan` says which, `purge` takes broken packets out, `strike` runs it all."""
