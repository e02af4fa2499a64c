"""What the papers prove of their schedules' parts, checked for all ranks of every p in a range."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol

from rota._core import check_circulant, check_two_trees
from rota.vocabulary import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from rota._core import CirculantReport, TwoTreesReport


class Proof(Protocol):
    """A check of one p, what its reports add up to, and that in words; a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]
    faults: list[str]

    def check(self, ranks: int) -> Callable[[], None]:
        """Check one p, without the interpreter's lock; return how to count the report in."""

    def summary(self, counts: range, seconds: float) -> str:
        """Return what was checked, and the largest counts beside their bounds."""


@dataclass
class CirculantProof:
    """Conditions 1 to 4, Lemmas 5 and 6 and Theorem 3 of paper 1."""

    counts: int = 0
    ranks: int = 0
    recursive_calls: int = 0
    iterations: int = 0
    iterations_beyond_lemma_6: int = 0
    violations: int = 0
    faults: list[str] = field(default_factory=list)

    def check(self, ranks: int) -> Callable[[], None]:
        """Check the circulant schedules of `ranks` ranks."""
        report = check_circulant(ranks)
        return lambda: self.add(report)

    def add(self, report: CirculantReport) -> None:
        """Count one p's report in."""
        largest = report.largest
        self.counts += 1
        self.ranks += report.ranks
        self.recursive_calls = max(self.recursive_calls, largest.recursive_calls)
        self.iterations = max(self.iterations, largest.iterations)
        self.iterations_beyond_lemma_6 = max(
            self.iterations_beyond_lemma_6, largest.iterations_beyond_lemma_6
        )
        self.violations = max(self.violations, largest.violations)
        self.faults += [f"p = {report.ranks}, {fault}" for fault in report.violations]

    def summary(self, counts: range, seconds: float) -> str:
        """Return what was checked and the largest counts."""
        q = (counts[-1] - 1).bit_length()
        found = counted(len(self.faults), "fault") if self.faults else "all conditions hold"
        return "\n".join(
            (
                f"{self.counts} numbers of ranks, {self.ranks} ranks in {seconds:.1f} s: {found}",
                f"  recursive calls  {self.recursive_calls:3}  at most q - 1 = {max(q - 1, 0)} (Lemma 5)",
                f"  iterations       {self.iterations:3}  at most 3q + recursive calls; {self._beyond()}",
                f"  violations       {self.violations:3}  at most 4 (Theorem 3)",
            )
        )

    def _beyond(self) -> str:
        if self.iterations_beyond_lemma_6 <= 0:
            return "within Lemma 6's 2q + recursive calls"
        return f"up to {self.iterations_beyond_lemma_6} beyond Lemma 6's 2q + recursive calls"


@dataclass
class TwoTreesProof:
    """Lemma 1 of paper 4, and the trees' shape."""

    pairs: int = 0
    nodes: int = 0
    height: int = 0
    latest: int = 0
    faults: list[str] = field(default_factory=list)

    def check(self, ranks: int) -> Callable[[], None]:
        """Check all pairs of two trees over `ranks` nodes."""
        report = check_two_trees(ranks)
        return lambda: self.add(report)

    def add(self, report: TwoTreesReport) -> None:
        """Count one number of nodes in."""
        self.pairs += report.pairs
        self.nodes += report.pairs * report.nodes
        self.height = max(self.height, report.height)
        self.latest = max(self.latest, report.latest)
        self.faults += [f"{report.nodes} nodes: {fault}" for fault in report.violations]

    def summary(self, counts: range, seconds: float) -> str:
        """Return what was checked and the largest heights."""
        found = counted(len(self.faults), "fault") if self.faults else "Lemma 1 holds"
        levels, rounds = (counts[-1] - 1).bit_length() + 2, 2 * counts[-1].bit_length()
        return "\n".join(
            (
                f"{self.pairs} pairs of trees, {self.nodes} nodes in {seconds:.1f} s: {found}",
                f"  height           {self.height:3}  at most ceil(log2 N) + 2 = {levels}",
                f"  latest arrival   {self.latest:3}  at most round 2 ceil(log2(N + 1)) = {rounds}",
            )
        )


PROOFS: Final[dict[str, Callable[[], Proof]]] = {"circulant": CirculantProof, "two_tree": TwoTreesProof}
