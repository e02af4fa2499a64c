"""A lab as a program sees it: open it, run jobs in it, close it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self

from rota.errors import RotaError
from rota.lab import control
from rota.lab.needs import LAB_TOOLS, forbidden, in_namespaces, missing_tools, search_path
from rota.lab.placement import lab_command, lab_environment
from rota.lab.slurm import PACKAGES
from rota.launcher import Output, launcher_environment

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from rota.lab.spec import LabSpec
    from rota.launch import Job


@dataclass(frozen=True)
class Link:
    """What a link should carry each way, and what it did when all links were loaded at once."""

    asked_bits_per_s: int
    sent_bits_per_s: float
    received_bits_per_s: float


class Lab:
    """An open lab. It ends with its `with` block, and with this process if that ends first, however it ends.

    Raise RotaError with what is missing if this machine cannot have one.
    """

    def __init__(self, spec: LabSpec) -> None:
        self.spec = spec
        self._control, theirs = control.channel()
        try:
            with theirs:
                self._process = _start(spec, theirs.fileno())
        except BaseException:
            self._control.close()
            raise
        try:
            measured = self._answer()["links"]
        except BaseException:
            self.close()
            raise
        self.links = tuple(
            Link(asked, *rates)
            for asked, rates in zip(
                (rate for rate in spec.rates_bits_per_s for _ in range(spec.links)), measured, strict=True
            )
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End everything that runs in the lab, and the lab."""
        self._control.close()
        with self._process:
            pass  # it ends by itself; what this waits for is that nothing is left

    def run(self, job: Job) -> int:
        """Run a job over the hosts with this process's standard streams; return its exit status."""
        return self._run(lab_command(job, self.spec), (0, 1, 2))

    def capture(self, job: Job) -> Output:
        """Run a job over the hosts with no input; return its exit status and what it wrote."""
        with Path(os.devnull).open("rb") as stdin, _scratch() as stdout, _scratch() as stderr:
            status = self._run(
                lab_command(job, self.spec), (stdin.fileno(), stdout.fileno(), stderr.fileno())
            )
            return Output(status, _contents(stdout), _contents(stderr))

    def run_command(self, command: Sequence[str]) -> int:
        """Run a command on the switch, which is no job of the lab's; return its exit status."""
        return self._run(command, (0, 1, 2))

    def _run(self, command: Sequence[str], streams: tuple[int, int, int]) -> int:
        try:
            control.tell(self._control, command, streams)
        except OSError as error:
            raise RotaError(f"the lab cannot run the job: {error}") from None
        status: int = self._answer()["status"]
        return status if status >= 0 else 128 - status

    def _answer(self) -> dict[str, Any]:
        answer: dict[str, Any] | None = control.hear(self._control)[0]
        if answer is None:
            raise RotaError(_why_ended(self._process))
        if "error" in answer:
            raise RotaError(f"the lab cannot be built: {answer['error']}")
        return answer


def _start(spec: LabSpec, channel: int) -> subprocess.Popen[str]:
    environment = {**launcher_environment(), **lab_environment(spec), "PATH": search_path()}
    tools = {**LAB_TOOLS, **(PACKAGES if spec.has_slurm else {})}
    for tool in missing_tools(environment["PATH"], tools):
        raise RotaError(f"the lab needs {tool}")
    inside = (sys.executable, "-m", "rota.lab.inside", str(channel), json.dumps(asdict(spec)))
    return subprocess.Popen(
        (*in_namespaces(), *inside),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        pass_fds=(channel,),
    )


def _why_ended(process: subprocess.Popen[str]) -> str:
    said = process.stderr.read().strip().splitlines() if process.stderr else []
    reason = said[-1] if said else "its first process was killed"
    if reason.startswith("unshare:"):
        return forbidden(reason)
    return f"the lab ended early: {reason}"


def _scratch() -> IO[bytes]:
    return tempfile.TemporaryFile()


def _contents(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")
