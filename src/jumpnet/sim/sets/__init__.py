"""The fast engine: the stages of `sim.router` on sets of lanes, sixteen routers at once."""
