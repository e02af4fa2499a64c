"""Collectives over many hosts of several ranks each, simulated."""
