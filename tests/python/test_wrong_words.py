"""Whatever is wrong in a command line, the answer is one line and status 2: no traceback, no half answer.

Command lines are made of the commands' own options, with a flaw. ROTA_EXAMPLES=10000 tries so many, in place
of 300.
"""

import io
import os
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, get_args, get_type_hints

import pytest
import typer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rota.cli import app, status_of

EXAMPLES: Final = int(os.environ.get("ROTA_EXAMPLES", "300"))

# What makes a line right as far as it is there, by the parameter's name.
FINE: Final = {
    "algorithm": "circulant",
    "collective": "bcast",
    "file": "missing.json",
    "form": "goal",
    "hosts": "2",
    "kind": "ring",
    "message_bytes": "64",
    "mpi": "openmpi",
    "output": "out.xml",
    "plan": "missing.json",
    "platform_file": "missing.json",
    "plot": "picture.svg",
    "program": "/bin/true",
    "ranks": "4",
    "rate": "1gbit",
    "receivers": "2",
    "report": "missing.json",
    "senders": "2",
    "size": "64",
    "sizes": "64",
    "source": "a",
    "target": "b.json",
    "targets": "b",
}
# Texts that are read in any case before anything is done; others may be whatever the user likes.
READ: Final = frozenset(
    {"algorithm", "alpha", "bandwidth", "case", "collective", "collectives", "combine", "fabric_name"}
    | {"file", "form", "generate", "kind", "largest_share", "latency", "loss", "message_bytes", "mpi", "plan"}
    | {"platform_file", "profile", "ranks", "rate", "rates", "receivers", "selectors", "senders", "shape"}
    | {"off", "size", "sizes", "source", "speed", "target", "targets", "task", "topology"}
    | {"block_bytes", "pattern_file"}
)
# Read only beside other options.
IDLE: Final = {
    ("all-to-many",): {"message_bytes"},
}


@dataclass(frozen=True)
class Parameter:
    """A parameter of a command."""

    name: str
    option: str | None
    kind: type
    is_required: bool

    def words(self, value: str) -> list[str]:
        return [value] if self.option is None else [self.option, value]

    @property
    def is_wanted(self) -> bool:
        """Is it there in any line, so that others are read?"""
        return self.is_required or self.name in ("hosts", "rate")


@dataclass(frozen=True)
class Command:
    """A command's words and its parameters, flags left out."""

    words: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    takes_all: bool
    """Is whatever follows a program's?"""


def own_kind(kind: Any) -> Any:
    """Return what a kind is where it is not None."""
    return next((each for each in get_args(kind) if each is not type(None)), kind)


def commands(group: Any, words: tuple[str, ...] = ()) -> Iterator[Command]:
    """Walk the tree of commands."""
    for word, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*words, word))
            continue
        kinds = get_type_hints(command.function)
        parameters = tuple(
            Parameter(
                each.name,
                each.opts[0] if each.opts[0].startswith("-") else None,
                own_kind(kinds[each.name]),
                bool(each.required),
            )
            for each in command.loaded.params
            if each.name != "help" and not getattr(each, "is_flag", False)
        )
        yield Command(
            (*words, *word.split()), parameters, any(each.nargs == -1 for each in command.loaded.params)
        )


COMMANDS: Final = tuple(commands(typer.main.get_command(app)))

NO_WORD: Final = st.text(alphabet="?!%&;=", min_size=1, max_size=6)
NO_INTEGER: Final = st.sampled_from(["", "x", "1.5", "1e3", "0x10", "--", "٣x", "nan"]) | NO_WORD
NO_NUMBER: Final = st.sampled_from(["", "x", "1,5", "--"]) | NO_WORD
NO_FILE: Final = st.sampled_from(["missing/x.json", "/", "", "missing/missing/x.svg", "\udcff/x"])
NO_PICTURE: Final = st.sampled_from(["x.gif", "x", "missing/x.svg", "-", "/", ".svg.txt"])


def flaw_of(command: Command, parameter: Parameter) -> st.SearchStrategy[str] | None:
    """Return values that the parameter cannot have; None where there are none."""
    if parameter.kind is int or parameter.kind == list[int]:
        return NO_INTEGER
    if parameter.kind is float:
        return NO_NUMBER
    if parameter.name == "plot" and command.words[0] != "plan":
        return NO_PICTURE
    if parameter.name in ("json_file", "output", "pattern", "platform_file", "profile", "file", "plan"):
        return NO_FILE
    if parameter.name in READ - IDLE.get(command.words, set()):
        return NO_WORD
    return None


@st.composite
def wrong_lines(draw: st.DrawFn) -> list[str]:
    """Draw a command and one thing that is wrong with it."""
    command = draw(st.sampled_from(COMMANDS))
    wanted = [parameter for parameter in command.parameters if parameter.is_wanted]
    flawed = {
        parameter: flaw
        for parameter in command.parameters
        if (flaw := flaw_of(command, parameter)) is not None
    }
    kinds = ["unknown", *(["missing"] if any(each.is_required for each in wanted) else [])]
    kinds += ["flawed"] * 4 if flawed else []
    kinds += ["no value"] if any(each.option for each in command.parameters) else []
    kinds += [] if command.takes_all else ["excess"]
    kind = draw(st.sampled_from(kinds))
    chosen: list[tuple[Parameter, str]] = [(each, FINE[each.name]) for each in wanted]
    if kind == "missing":
        lost = draw(st.sampled_from([each for each in wanted if each.is_required]))
        chosen = [(each, value) for each, value in chosen if each != lost]
    if kind == "flawed":
        parameter = draw(st.sampled_from(sorted(flawed, key=lambda each: each.name)))
        chosen = [(each, value) for each, value in chosen if each != parameter]
        chosen.append((parameter, draw(flawed[parameter])))
    options = [word for each, value in chosen if each.option for word in each.words(value)]
    arguments = [value for each, value in chosen if each.option is None]
    line = [*command.words, *options]
    if kind == "unknown":
        line += [f"--{draw(st.text(alphabet='qxyz', min_size=3, max_size=9))}"]
    if kind == "no value":
        option = draw(st.sampled_from([each.option for each in command.parameters if each.option]))
        return [*line, *([] if command.takes_all else ["--", *arguments][1:]), str(option)]
    return [*line, *arguments, *(["excess", "excess"] if kind == "excess" else [])]


def answer(line: list[str]) -> tuple[int, str, str]:
    """Return the status of a command line in this process, and what it prints."""
    out, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(errors):
        status = status_of(line)
    return status, out.getvalue(), errors.getvalue()


@pytest.fixture(scope="module", autouse=True)
def empty_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in which nothing is there, and nothing is after the tests."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("wrong")
        patch.chdir(folder)
        patch.setattr(os, "execve", lambda *_: pytest.fail("a program was started"))
        yield folder


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(line=wrong_lines())
def test_wrong_lines(empty_folder: Path, line: list[str]) -> None:
    status, out, errors = answer(line)
    assert status == 2, (out, errors)
    assert out == ""
    assert errors.startswith("rota: ")
    assert errors.count("\n") == 1
    assert list(empty_folder.iterdir()) == []


def test_all_commands_are_tried() -> None:
    assert len(COMMANDS) > 40
    assert {("show",), ("show", "inter-group"), ("bench", "bcast"), ("plan", "reduce")} <= {
        command.words for command in COMMANDS
    }
    assert sum(len(command.parameters) for command in COMMANDS) > 200


@pytest.mark.parametrize(
    "line",
    [
        "verify chain --ranks 2..3 --blocks 1,99999999999999999999",
        "verify chain --ranks 2..3000000000",
        "show circulant --ranks 99999999999999999999",
        "show chain --ranks 4 --blocks 99999999999999999999",
        "show inter-group --senders 99999999999999999999 --receivers 2",
        "show inter-group --senders 2 --receivers 2 --blocks 99999999999999999999",
        "simulate bcast --ranks 99999999999999999999 --bytes 1",
        "simulate bcast --ranks 4 --bytes 99999999999999999999",
        "simulate bcast --ranks 4 --bytes 1 --blocks 99999999999999999999",
        "simulate inter-group --senders 2 --receivers 2 --bytes 99999999999999999999",
        "simulate inter-group --senders 2 --receivers 2 --bytes 1 --blocks 99999999999999999999",
        "explain bcast --ranks 4 --bytes 99999999999999999999",
        "explain bcast --ranks 99999999999999999999 --bytes 1",
        "explain allgather --ranks 4 --bytes 8 --largest-share 99999999999999999999",
        "explain bcast --senders 99999 --receivers 2 --bytes 1",
        "all-to-many --generate dense:n=4 --seed 99999999999999999999",
        "all-to-many --generate dense:n=4 --bytes 99999999999999999999",
        "all-to-many --generate dense:n=4 --alpha 99999999999999999999999999",
        "all-to-many --generate skewed:n=12,d=50",
        "platform generate tiers --nodes 99999999999999999999",
        "platform generate ring --nodes 4 --bandwidth 1e300 --speed 1Gf",
        "lab run --hosts -4 --rate 1gbit -- /bin/true",
        "bench bcast --mpi openmpi --hosts 99999999999999999999 --rate 1gbit",
        "bench bcast --mpi openmpi --hosts 2 --rate 1e40gbit --sizes x",
        "bench bcast --mpi openmpi --hosts 2 --rate 1gbit --sizes 99999999999999999999999",
        "bench colouring --alone --ranks 99999999999999999999",
    ],
)
def test_too_large(line: str, empty_folder: Path) -> None:
    status, out, errors = answer(line.split())
    assert (status, out) == (2, "")
    assert errors.startswith("rota: ")
    assert errors.count("\n") == 1
    assert list(empty_folder.iterdir()) == []
