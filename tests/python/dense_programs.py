"""The best throughput by an independent formulation: a variable for each flow, in floats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import linprog

if TYPE_CHECKING:
    from rota.steady.plan import Plan


def dense_optimum(plan: Plan) -> float:
    """Maximise TP over send(i, j, m), cons(i, k, l, m) and TP, as the paper writes it, in floats."""
    platform, series = plan.platform, plan.series
    sends = [(link, message) for link in platform.links for message in series.sizes]
    conses = [
        (node, task, time)
        for node in platform.nodes
        for task in series.tasks
        for time in (series.task_time(node, task),)
        if time is not None
    ]
    width = len(sends) + len(conses) + 1
    ports: dict[tuple[str, str], np.ndarray] = {}
    balance = {(node.name, message): np.zeros(width) for node in platform.nodes for message in series.sizes}
    for place, (link, message) in enumerate(sends):
        time = float(link.cost * series.sizes[message])
        ports.setdefault(("out", link.source), np.zeros(width))[place] += time
        ports.setdefault(("in", link.target), np.zeros(width))[place] += time
        balance[link.source, message][place] -= 1
        balance[link.target, message][place] += 1
    for place, (node, (k, middle, m), time) in enumerate(conses, len(sends)):
        ports.setdefault(("compute", node.name), np.zeros(width))[place] += float(time)
        balance[node.name, (k, middle)][place] -= 1
        balance[node.name, (middle + 1, m)][place] -= 1
        balance[node.name, (k, m)][place] += 1
    for node, message in series.deliveries:
        balance[node, message][-1] -= 1
    rows = [row for (node, message), row in balance.items() if series.origins.get(message) != node]
    objective = np.zeros(width)
    objective[-1] = -1
    found = linprog(
        objective, np.array(list(ports.values())), np.ones(len(ports)), np.array(rows), np.zeros(len(rows))
    )
    assert found.status == 0
    return float(-found.fun)


def dense_broadcast(plan: Plan) -> float:
    """Maximise TP over n(i, j), a flow to each target below n, and TP, in floats."""
    platform, targets = plan.platform, plan.series.hosts
    links = len(platform.links)
    width = links * (len(targets) + 1) + 1
    ports: dict[tuple[str, str], np.ndarray] = {}
    below, balance = [], []
    for place, link in enumerate(platform.links):
        ports.setdefault(("out", link.source), np.zeros(width))[place] = float(link.cost)
        ports.setdefault(("in", link.target), np.zeros(width))[place] = float(link.cost)
        for number in range(1, len(targets) + 1):
            row = np.zeros(width)
            row[place], row[number * links + place] = -1, 1
            below.append(row)
    for number, target in enumerate(targets, 1):
        for node in platform.nodes:
            row = np.zeros(width)
            for place, link in enumerate(platform.links):
                row[number * links + place] = (link.target == node.name) - (link.source == node.name)
            row[-1] = -1 if node.name == target else 0
            if node.name != plan.series.root:
                balance.append(row)
    objective = np.zeros(width)
    objective[-1] = -1
    limits = np.concatenate([np.ones(len(ports)), np.zeros(len(below))])
    upper = np.array([*ports.values(), *below])
    found = linprog(objective, upper, limits, np.array(balance), np.zeros(len(balance)))
    assert found.status == 0
    return float(-found.fun)
