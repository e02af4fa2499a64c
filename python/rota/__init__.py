"""Collective communication with schedules that are provably the best."""
