"""The Poisson equation on a square, by conjugate gradients with petsc4py: what each solution's norm is."""

import sys

import petsc4py

petsc4py.init(sys.argv)
from petsc4py import PETSc  # noqa: E402 (only after init)

EDGE = 160

matrix = PETSc.Mat().createAIJ((EDGE * EDGE, EDGE * EDGE), nnz=5)
for row in range(*matrix.getOwnershipRange()):
    y, x = divmod(row, EDGE)
    matrix[row, row] = 4.0
    for to_y, to_x in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
        if 0 <= to_y < EDGE and 0 <= to_x < EDGE:
            matrix[row, to_y * EDGE + to_x] = -1.0
matrix.assemble()
solution, right = matrix.createVecs()
right.set(1.0)
solver = PETSc.KSP().create()
solver.setOperators(matrix)
solver.setType("cg")
solver.setTolerances(rtol=1e-10, max_it=2000)
solver.solve(right, solution)
everywhere, whole = PETSc.Scatter.toAll(solution)
everywhere.scatter(solution, whole)
PETSc.Sys.Print(f"norm {solution.norm():.9e}, middle {whole[EDGE * EDGE // 2 + EDGE // 2]:.9e}")
