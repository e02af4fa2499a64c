"""Benchmarks: native and Rota alternately in one job, and always as ratios."""
