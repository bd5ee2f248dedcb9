"""Settings resolved for a network and its routing: channels, bubbles, kinds of packets, subnetworks, worst traffic."""
