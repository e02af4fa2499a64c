"""What holds for all tests."""

import os

# Open MPI's component for one-sided messages by libfabric, which nothing here sends, sleeps for a second in
# each MPI_Init that finds no such network: of the 1.3 s that a small job takes.
os.environ.setdefault("OMPI_MCA_btl", "^ofi")
