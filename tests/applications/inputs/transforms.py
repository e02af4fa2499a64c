"""Three-dimensional Fourier transforms with mpi4py-fft, there and back: exchanges of all with all."""

import numpy as np
from mpi4py import MPI
from mpi4py_fft import PFFT, newDistArray

SHAPE = (96, 96, 96)
TURNS = 4

transforms = PFFT(MPI.COMM_WORLD, SHAPE, axes=(0, 1, 2), dtype=float)
values = newDistArray(transforms, forward_output=False)
values[:] = np.random.default_rng(MPI.COMM_WORLD.rank).random(values.shape)
spectrum = newDistArray(transforms, forward_output=True)
for _ in range(TURNS):
    back = transforms.backward(transforms.forward(values, spectrum), np.empty_like(values))
    away = MPI.COMM_WORLD.allreduce(float(np.abs(back - values).max()), MPI.MAX)
    energy = MPI.COMM_WORLD.allreduce(float((values**2).sum()))
    if MPI.COMM_WORLD.rank == 0:
        print(f"energy {energy:.9e}, there and back {'alike' if away < 1e-12 else away}")
    values *= 1.25
