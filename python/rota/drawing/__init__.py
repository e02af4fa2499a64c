"""Schedules as people look at them: pure functions from data to text and figures."""
