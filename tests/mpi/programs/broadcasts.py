"""Broadcasts from every root with mpi4py: bytes, ints with differing derived types, and Python objects.

Among as many of the first ranks as is asked for, one number after the other. Rank 0 prints a hash of every
rank's memory for each broadcast, then how many there were.

broadcasts.py RANKS,RANKS,... SIZE...
"""

import hashlib
import sys
from array import array
from collections.abc import Sequence

from mpi4py import MPI


def bytes_alike(world: MPI.Intracomm, size: int, root: int) -> bytes:
    """Return a buffer after a broadcast of some of its bytes."""
    buffer = bytearray([world.rank % 251]) * (size + 2)
    if world.rank == root:
        buffer[1:-1] = bytes((i * 7 + size + root) % 256 for i in range(size))
    world.Bcast([memoryview(buffer)[1:-1], size, MPI.BYTE], root)
    return bytes(buffer)


def ints_apart(world: MPI.Intracomm, size: int, root: int) -> bytes:
    """Return ints after a broadcast: every third of them on odd ranks, a row of them on even ones."""
    numbers = array("i", [world.rank]) * (3 * size + 1)
    stride = 1 + 2 * (world.rank % 2)
    if world.rank == root:
        for i in range(size):
            numbers[stride * i] = i * 5 + root
    spread = MPI.INT.Create_vector(size, 1, stride).Commit()
    world.Bcast([numbers, 1, spread], root)
    spread.Free()
    assert [numbers[stride * i] for i in range(size)] == [i * 5 + root for i in range(size)]
    return numbers.tobytes()


def object_pickled(world: MPI.Intracomm, size: int, root: int) -> bytes:
    """Return an object that came pickled: its length first, then its bytes."""
    thing = {"root": root, "squares": [i * i for i in range(size)]} if world.rank == root else None
    return repr(world.bcast(thing, root)).encode()


def broadcast_all(world: MPI.Intracomm, sizes: Sequence[int]) -> int:
    """Return how many broadcasts there were."""
    count = 0
    for chosen_root in range(world.size):
        for size in sizes:
            for broadcast in (bytes_alike, ints_apart, object_pickled):
                digest = hashlib.sha256(broadcast(world, size, chosen_root)).hexdigest()
                digests = world.gather(digest)
                count += 1 + (broadcast is object_pickled)
                if world.rank == 0:
                    print(broadcast.__name__, chosen_root, size, digests)
    return count


for ranks in map(int, sys.argv[1].split(",")):
    some = MPI.COMM_WORLD.Split(0 if MPI.COMM_WORLD.rank < ranks else MPI.UNDEFINED)
    if some != MPI.COMM_NULL:
        counted = broadcast_all(some, [int(word) for word in sys.argv[2:]])
        if some.rank == 0:
            print(f"with data, {ranks} ranks: {counted}")
        some.Free()
    MPI.COMM_WORLD.Barrier()
