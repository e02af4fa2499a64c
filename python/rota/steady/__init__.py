"""Steady state: the optimal throughput of a series of operations on a heterogeneous platform (paper 5)."""
