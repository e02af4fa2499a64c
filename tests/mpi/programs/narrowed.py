"""Exchanges by mpi4py, by MPI_Alltoall_c and its like where they are; counts differ between ranks."""

import ctypes

import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, ranks = world.rank, world.size
peers = np.arange(ranks)

sent = 100 * rank + peers
received = np.empty(ranks, dtype=sent.dtype)
world.Alltoall(sent, received)
assert (received == 100 * peers + rank).all()

# From rank i to rank j i + 2 j items, each of them 100 i + j, with a gap behind each message.
out, into = rank + 2 * peers, peers + 2 * rank
starts_out, starts_in = np.cumsum(out + 1) - out - 1, np.cumsum(into + 1) - into - 1
sent = np.full(out.sum() + ranks, -1)
for peer in peers:
    sent[starts_out[peer] :][: out[peer]] = 100 * rank + peer
expected = np.full(into.sum() + ranks, -2)
for peer in peers:
    expected[starts_in[peer] :][: into[peer]] = 100 * peer + rank
received = np.full(len(expected), -2)
world.Alltoallv([sent, out, starts_out, MPI.INT64_T], [received, into, starts_in, MPI.INT64_T])
assert (received == expected).all()

types = [MPI.INT64_T] * ranks
received = np.full(len(expected), -2)
world.Alltoallw([sent, (out, 8 * starts_out), types], [received, (into, 8 * starts_in), types])
assert (received == expected).all()

# Called by name, with MPICH's handles: what the MPI library cannot count is an error, as what it always
# refuses is; in place the arrays of what is sent are nobody's.
comm, byte = (ctypes.c_int(handle.handle) for handle in (world, MPI.BYTE))
library = ctypes.CDLL(None)
counts = ctypes.c_longlong


def class_of(code: int) -> int:
    return MPI.Get_error_class(code)


for count in (2**40, -(2**32) + 5):
    assert class_of(library.MPI_Bcast_c(None, counts(count), byte, 0, comm)) == MPI.ERR_COUNT
assert class_of(library.MPI_Bcast_c(None, counts(-1), byte, 0, comm)) == MPI.ERR_COUNT
in_place, nowhere = ctypes.c_void_p(-1), ctypes.c_void_p(8)
shares, starts = (counts * ranks)(*[1] * ranks), (counts * ranks)(*range(ranks))
received = (ctypes.c_byte * ranks)(*[rank] * ranks)
assert library.MPI_Alltoall_c(in_place, counts(2**40), byte, received, counts(1), byte, comm) == 0
assert list(received) == list(range(ranks))
assert library.MPI_Alltoallv_c(in_place, nowhere, nowhere, byte, received, shares, starts, byte, comm) == 0
assert list(received) == [rank] * ranks
