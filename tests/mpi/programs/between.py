"""Two lists of ranks as two groups, from Python: every rank gets what all of the other list have."""

import sys

import numpy as np
from mpi4py import MPI

from rota.between import between
from rota.errors import RotaError

SIZE = 3000
GROUPS = ([2, 0], [3, 1])

world = MPI.COMM_WORLD
connected = between(world, *GROUPS)
assert connected is not None
others = GROUPS[1] if world.rank in GROUPS[0] else GROUPS[0]
received = np.empty((2, SIZE), dtype=np.int64)
connected.Allgather(np.arange(SIZE) + world.rank * SIZE, received)
for number, owner in enumerate(others):
    assert (received[number] == np.arange(SIZE) + owner * SIZE).all()
connected.Free()
for first, second in (([], [1]), ([0, 1], [1]), ([0], [4])):
    try:
        between(world, first, second)
    except RotaError:
        continue
    sys.exit(1)
