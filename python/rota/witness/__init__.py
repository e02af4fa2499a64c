"""Schedules on heterogeneous platforms, played by SimGrid: an independent witness of what they take.

Rota says how long a schedule takes by its own arithmetic. Here the same schedule is given to SimGrid as
actors that send, receive and compute one thing after the other, with what each waits for and no times at all.
"""

from rota.witness.script import Execute, Mark, Program, Receive, Send, Wait, script_of
from rota.witness.simgrid import played

__all__ = ["Execute", "Mark", "Program", "Receive", "Send", "Wait", "played", "script_of"]
