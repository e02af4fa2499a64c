"""Runs tests of mpi4py's own suite on every rank; rank 0 prints as JSON what became of each on each rank.

Of the collectives only those that Rota serves.

guest.py DIRECTORY MODULE...
"""

import json
import sys
import unittest


class Outcomes(unittest.TestResult):
    """What became of each test, by its name."""

    def __init__(self) -> None:
        super().__init__()
        self.of: dict[str, str] = {}

    def startTest(self, test: unittest.TestCase) -> None:
        super().startTest(test)
        self.of[test.id()] = "passed"

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        super().addSkip(test, reason)
        self.of[test.id()] = f"skipped: {reason}"

    def addFailure(self, test: unittest.TestCase, error: object) -> None:
        super().addFailure(test, error)
        self.of[test.id()] = "failed"

    def addError(self, test: unittest.TestCase, error: object) -> None:
        super().addError(test, error)
        self.of[test.id()] = "failed"

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, error: object) -> None:
        super().addSubTest(test, subtest, error)
        if error is not None:
            self.of[test.id()] = "failed"


directory, *modules = sys.argv[1:]
sys.path.insert(0, directory)

from mpi4py import MPI  # noqa: E402

loader = unittest.TestLoader()
loader.testNamePatterns = [
    *(f"*{word}*" for word in ("Bcast", "Reduce", "reduce", "Allgather", "Scan", "Exscan")),
    *(f"{module}.*" for module in modules if not module.startswith("test_cco_")),
]
outcomes = Outcomes()
loader.loadTestsFromNames(modules).run(outcomes)
for _, text in outcomes.failures + outcomes.errors:
    print(text, file=sys.stderr)
of_all = MPI.COMM_WORLD.gather(outcomes.of)
if of_all is not None:
    print(json.dumps(of_all, indent=0, sort_keys=True))
