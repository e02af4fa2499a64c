"""Schedules in files, Rota's own and others': read, and written for programs that are not Rota."""
