"""Loads the C++ core; an interrupt that comes meanwhile is raised behind it.

What binds it (nanobind 3.1) runs Python while it starts, and there would drop a KeyboardInterrupt, or end.
"""

import signal

_before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
try:
    import rota._core  # noqa: F401 - to be there
finally:
    signal.pthread_sigmask(signal.SIG_SETMASK, _before)
