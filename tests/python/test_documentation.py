"""README and docs: their commands are such; those that take no time run, and print what stands there."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
import typer

from documentation import PAGES, ROOT, blocks_of, is_quick, name_of
from rota.cli import app, status_of

MEASURED: Final = re.compile(r"\d[\d.]* ?(?:ns|µs|ms|s)\b")
READERS: Final = (
    "export circulant --collective allreduce --ranks 8 --blocks 2 --form msccl --output theirs.xml",
    "show binomial --ranks 8 --json schedule.json",
    "platform generate tiers --nodes 12 --hosts 0.5 --seed 3 --output p.xml",
    "platform generate figure2 --output figure2.json",
    "plan scatter --platform figure2.json --source Ps --targets P0,P1 --json plan.json",
)
"""What makes the files that a reader has of his own, or from another page."""


class Sample(NamedTuple):
    """A command, and what it prints; nothing where that does not stand there."""

    words: tuple[str, ...]
    printed: tuple[str, ...]


def samples(page: Path) -> Iterator[Sample]:
    """Yield the lines `$ rota ...` of a page's indented blocks, and what stands below each."""
    for block in blocks_of(page):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, *below = part.rstrip().split("\n")
            words = tuple(shlex.split(line, comments=True))
            if words[:1] == ("rota",):
                yield Sample(words[1:], tuple(below))


def plain(lines: Sequence[str]) -> list[str]:
    """Return lines without what differs from run to run: times, and the widths of their columns."""
    told = (re.sub(r"[ ━─┳╇┴┬┼]+", " ", MEASURED.sub("(time)", line)).strip() for line in lines)
    return [line for line in told if line]


def parse(words: Sequence[str]) -> None:
    """Have the command that these words call read them, and do nothing."""
    command: Any = typer.main.get_command(app)
    while hasattr(command, "commands"):
        called = (" ".join(words[:2]), words[0])
        length, command = next(
            (len(name.split()), found) for name in called if (found := command.get_command(None, name))
        )
        words = words[length:]
    command.make_context("rota", list(words))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All are words that the parser takes; what is quick is run, in the page's order, in one folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "150")
    assert [status_of(each.split()) for each in READERS] == [0] * len(READERS)
    for words, printed in samples(page):
        parse(words)
        if not is_quick(words):
            continue
        capsys.readouterr()
        assert status_of(words) == 0, words
        if printed:
            expected, out = plain(printed), plain(capsys.readouterr().out.split("\n"))
            assert expected == out[: len(expected)], words


def test_there_are_samples() -> None:
    """A page whose samples are not found would pass for one whose samples are right."""
    found = [sample for page in PAGES for sample in samples(page)]
    assert len(found) > 40
    assert sum(bool(sample.printed) for sample in found) > 8


FILES: Final = {
    "nodes = [": "platform show FILE.toml",
    '"nodes": [': "platform show FILE.json",
    "operands = [": "plan reduce --platform three.json --hosts P0,P1,P2 --target P0 --measures FILE.toml",
}
"""What blocks of docs/platforms.md that are files have in them, and what reads such a file."""


@pytest.mark.parametrize("part", FILES)
def test_files(part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (block,) = (each for each in blocks_of(ROOT / "docs/platforms.md") if part in each)
    (file,) = re.findall(r"FILE\S+", FILES[part])
    Path(file).write_text(block)
    for line in ("platform generate complete --nodes 3 --output three.json", FILES[part]):
        assert status_of(line.split()) == 0


RUN: Final = {
    r"\$ ": "here, in tests/mpi/test_documented_programs.py and test_slurm.py",
    ">>> ": "by doctest, in tests/run",
    r"with .*MPI\.COMM_WORLD": "in tests/mpi/test_documented_programs.py",
    "find_package": "there too",
    "#!/bin/sh": "in test_slurm.py",
    "python tests/python/plan_fuzz.py": "in test_certify.py",
    **dict.fromkeys(map(re.escape, FILES), "above"),
}
"""What is in a block that is code, and where it is run."""
DRAWN: Final = {"docs/design.md", "docs/howto/report.md"}
"""Pages with blocks that are no code: drawings, a line of output."""


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_block_is_run(page: Path) -> None:
    own = [
        block
        for block in blocks_of(page)
        if block.strip() and not any(re.search(each, block) for each in RUN)
    ]
    assert not own or name_of(page) in DRAWN, own


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_others(page: Path) -> None:
    """Fences are around doctests, or around what test_slurm.py runs; no command stands outside a block."""
    text = page.read_text()
    fenced = set(re.findall(r"^```(\w+)", text, re.MULTILINE))
    assert fenced <= ({"bash"} if name_of(page) == "docs/slurm.md" else {"python"})
    assert not re.search(r"^\$ ", text, re.MULTILINE)


def test_man_pages(tmp_path: Path) -> None:
    """NAME is one line, prose stands in DESCRIPTION."""
    pytest.importorskip("sphinx", reason="Sphinx is missing: make docs installs it")
    docs = ROOT / "docs"
    words = ("--quiet", "--fail-on-warning", "--doctree-dir", tmp_path / "doctrees", "--builder", "man")
    subprocess.run((sys.executable, "-m", "sphinx", *words, docs, tmp_path / "man"), check=True)
    pages = [page.read_text() for page in (tmp_path / "man").glob("man?/rota.*")]
    assert len(pages) == 3
    for page in pages:
        (name,) = re.findall(r"^\.SH NAME\n(.*?)^\.SH DESCRIPTION\n", page, re.MULTILINE | re.DOTALL)
        assert re.fullmatch(r"rota \\- .+\n", name)
