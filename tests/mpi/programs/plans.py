"""An exchange planned once and run a hundred times with mpi4py; in place; and what is refused.

Rank 0 prints what is wrong, rank by rank: nothing.
"""

from array import array

from mpi4py import MPI

from rota.exchange import AlltoallvPlan

world = MPI.COMM_WORLD
rank, ranks = world.rank, world.size
wrong = []


def items(sender: int, receiver: int) -> int:
    return (sender * 5 + receiver * 3) % 4 * 100


def filled(mark: int) -> array:
    return array("d", [mark + rank * 1000 + to for to in range(ranks) for _ in range(items(rank, to))])


sendcounts = [items(rank, to) for to in range(ranks)]
recvcounts = [items(sender, rank) for sender in range(ranks)]
received = array("d", bytes(8 * sum(recvcounts)))
with AlltoallvPlan(world, sendcounts, recvcounts, MPI.DOUBLE) as plan:
    for mark in range(100):
        plan.run(filled(mark), received)
        expected = [mark + s * 1000 + rank for s in range(ranks) for _ in range(recvcounts[s])]
        if list(received) != expected:
            wrong.append(f"run {mark}")
    for buffers, fault in (((filled(0), array("d", [0])), "bytes"), ((MPI.IN_PLACE, received), "IN_PLACE")):
        try:
            if sum(recvcounts) > 1:
                plan.run(*buffers)
                wrong.append(f"accepted: {fault}")
        except ValueError as refusal:
            if fault not in str(refusal):
                wrong.append(str(refusal))

for counts in (
    [2**63] * ranks,
    [2**62] * ranks,
):  # the second's displacements are too large, of 3 ranks or more
    try:
        AlltoallvPlan(world, counts, counts, MPI.BYTE)
        wrong.append(f"accepted: {counts[0]}")
    except ValueError as refusal:
        if "MPI can count" not in str(refusal):
            wrong.append(str(refusal))

# Numbers that are as narrow as a byte.
narrow = array("B", [200] * ranks)
received = array("B", bytes(200 * ranks))
with AlltoallvPlan(world, memoryview(narrow), memoryview(narrow), MPI.BYTE) as plan:
    plan.run(array("B", [rank] * 200 * ranks), received)
if received != array("B", [sender for sender in range(ranks) for _ in range(200)]):
    wrong.append("counts of a byte")

# Every second place, as much both ways.
both = [items(min(rank, other), max(rank, other)) for other in range(ranks)]
gapped = MPI.DOUBLE.Create_resized(0, 16).Commit()
data = array("d", [rank] * 2 * sum(both))
plan = AlltoallvPlan(world, None, both, gapped)
gapped.Free()
plan.run(MPI.IN_PLACE, data)
if list(data) != [number for other in range(ranks) for _ in range(both[other]) for number in (other, rank)]:
    wrong.append("in place")
plan.free()
plan.free()
try:
    plan.run(MPI.IN_PLACE, data)
    wrong.append("run when freed")
except ValueError:
    pass

try:
    AlltoallvPlan(world, [-1] * ranks, [0] * ranks, MPI.INT)
    wrong.append("accepted: counts below 0")
except MPI.Exception as fault:
    if fault.Get_error_class() != MPI.ERR_ARG:
        wrong.append(str(fault))

all_wrong = world.gather(wrong)
if rank == 0:
    print("wrong:", [what for whats in all_wrong for what in whats])
