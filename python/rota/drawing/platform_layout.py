"""Where a graph's nodes are drawn: as far from each other as there are links between them.

Stress majorization: from the plane that fits the distances best (classical scaling), each step moves all
nodes to where distances on paper differ least from those in the graph, nearer ones counting more. The same
graph gives the same places.

Source: E. Gansner, Y. Koren, S. North, Graph drawing by stress majorization, Graph Drawing 2004.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from rota.platforms import Platform

Floats = NDArray[np.float64]

_STEPS: Final = 300


def places_of(platform: Platform) -> dict[str, tuple[float, float]]:
    """Return a place for each node, in lengths of a link; O(n^2) a step for n nodes."""
    names = [node.name for node in platform.nodes]
    distances = _distances(platform, names)
    is_complete = len(names) > 3 and distances.max() == 1  # noqa: PLR2004 - two and three are as well off below
    places = _circle(len(names)) if is_complete else _turned(_majorized(_scaled(distances), distances))
    return {name: (float(x), float(y)) for name, (x, y) in zip(names, places, strict=True)}


def _distances(platform: Platform, names: list[str]) -> Floats:
    """Return how many links apart nodes are, in whichever direction; unconnected ones a little farther."""
    index = {name: number for number, name in enumerate(names)}
    near = [set[int]() for _ in names]
    for link in platform.links:
        near[index[link.source]].add(index[link.target])
        near[index[link.target]].add(index[link.source])
    found = np.full((len(names), len(names)), np.inf)
    for start in range(len(names)):
        front, steps, seen = {start}, 0, {start}
        while front:
            found[start, list(front)] = steps
            front = set().union(*(near[node] for node in front)) - seen
            seen |= front
            steps += 1
    finite = found[np.isfinite(found)]
    found[~np.isfinite(found)] = finite.max() / 2 + 1.5
    return found


def _circle(count: int) -> Floats:
    """Return places on a circle, clockwise from the top, where nobody hides anybody's links."""
    angles = 2 * np.pi * np.arange(count) / count
    radius = 0.5 / np.sin(np.pi / count)
    places: Floats = radius * np.stack([1 + np.sin(angles), 1 - np.cos(angles)], axis=1)
    return places


def _scaled(distances: Floats) -> Floats:
    """Return places by classical scaling, with a little added so that no two nodes are in one place."""
    count = len(distances)
    centring = np.eye(count) - 1 / count
    values, vectors = np.linalg.eigh(-0.5 * centring @ distances**2 @ centring)
    largest = np.argsort(values)[::-1][:2]
    places = np.zeros((count, 2))
    places[:, : largest.size] = vectors[:, largest] * np.sqrt(np.maximum(values[largest], 0))
    return places + np.random.default_rng(0).normal(scale=0.05, size=places.shape)


def _majorized(places: Floats, distances: Floats) -> Floats:
    if len(places) == 1:
        return places
    with np.errstate(divide="ignore"):
        weights = np.where(distances > 0, distances**-2.0, 0.0)
    laplacian = np.diag(weights.sum(axis=1)) - weights
    inverse = np.linalg.pinv(laplacian)
    for _ in range(_STEPS):
        apart = np.linalg.norm(places[:, None] - places[None], axis=2)
        pull = -weights * distances / np.maximum(apart, 1e-9)
        np.fill_diagonal(pull, 0.0)
        np.fill_diagonal(pull, -pull.sum(axis=1))
        places = inverse @ (pull @ places)
    return places


def _turned(places: Floats) -> Floats:
    """Return the places with their longest extent across, the first node in the upper left."""
    centred = places - places.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    turned: Floats = centred @ axes.T if len(axes) == 2 else centred  # noqa: PLR2004 - the plane
    for axis in (0, 1):
        if turned[0, axis] > 0:
            turned[:, axis] *= -1
    corner: Floats = turned.min(axis=0)
    return turned - corner
