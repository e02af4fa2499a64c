"""Names of collectives and algorithms mean the same everywhere, and errors name what is valid there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rota
from rota import Collective, _core, algorithms, candidates, inter_group, least_seconds, schedule, solves
from rota.cli import status_of
from rota.collectives import collectives_of, needs_hosts
from rota.patterns import regular
from rota.vocabulary import SERVED, SERVED_AS

NETWORK = rota.Network(1e-6, 1e-9)

NAMES = {
    Collective.broadcast: ("bcast", "broadcast"),
    Collective.reduce_scatter: ("reduce-scatter", "reduce_scatter"),
    Collective.exscan: ("exscan",),
}
ALL_NAMES = [(collective, name) for collective, names in NAMES.items() for name in names]


@pytest.mark.parametrize(("collective", "name"), ALL_NAMES)
def test_names_in_python(collective: Collective, name: str) -> None:
    assert algorithms(name) == algorithms(collective)
    algorithm = algorithms(name)[0]
    assert schedule(name, algorithm, ranks=5).problem.collective == collective
    assert solves(name, algorithm, ranks=5)
    assert [each.algorithm for each in candidates(name, NETWORK, 64, ranks=5)]
    assert least_seconds(name, NETWORK, 64, ranks=5) == least_seconds(collective, NETWORK, 64, ranks=5)
    explained = [_core.explain(each, 100, 1 << 20).algorithm for each in (name, collective)]
    assert explained[0] == explained[1]


def test_algorithms_in_python() -> None:
    trees, again = (schedule("bcast", name, ranks=9, blocks=4) for name in ("two_tree", "two-tree"))
    assert trees.steps(3) == again.steps(3)
    assert solves("bcast", "two-tree", ranks=9)
    stages = [rota.inter_allgather(name, [1, 1, 0], first_group=2) for name in ("two_stage", "two-stage")]
    assert stages[0].steps(2) == stages[1].steps(2)


def test_names_between_groups() -> None:
    by_name = inter_group("inter-bcast", "circulant", ranks=6, first_group=1)
    assert by_name.problem.collective == Collective.inter_broadcast
    between = [
        _core.explain_between(name, senders=3, receivers=4, bytes=64).algorithm
        for name in ("bcast", "broadcast", Collective.broadcast)
    ]
    assert len(set(between)) == 1


@pytest.mark.parametrize(
    "words",
    [
        "show circulant --ranks 5 --collective {}",
        "verify ring --ranks 5 --collective {}",
        "simulate {} --ranks 5 --bytes 64",
        "explain {} --ranks 5 --bytes 64",
    ],
)
@pytest.mark.parametrize("names", [("bcast", "broadcast"), ("reduce-scatter", "reduce_scatter")])
def test_names_in_commands(words: str, names: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    if "ring" in words and "bcast" in names:
        words = words.replace("ring", "chain")
    printed = []
    for name in names:
        assert status_of(words.format(name).split()) == 0
        lines = capsys.readouterr().out.splitlines()
        printed.append([line for line in lines if " schedules in " not in line])
    assert printed[0] == printed[1]


@pytest.mark.parametrize(
    "words",
    [
        "show {} --ranks 9",
        "verify {} --ranks 5 --collective scan",
        "simulate bcast --ranks 9 --bytes 64 --algorithm {}",
        "export {} --form goal --ranks 5",
    ],
)
def test_algorithms_in_commands(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    printed = []
    for name in ("two_tree", "two-tree"):
        assert status_of(words.format(name).split()) == 0
        lines = capsys.readouterr().out.splitlines()
        printed.append([line for line in lines if " schedules in " not in line])
    assert printed[0] == printed[1]


@pytest.mark.parametrize("name", ["two_stage", "two-stage"])
def test_algorithms_between_groups(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(f"show inter-group --senders 4 --receivers 2 --algorithm {name}".split()) == 0
    assert "two_stage: 1 block of each of 4 ranks" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("bench {} --mpi lam --hosts 2 --rate 1gbit", "'lam' is no MPI"),
        ("bench all --collectives {}/sparse4 --mpi openmpi --hosts 2 --rate 1gbit", "has no shapes"),
        ("bench smpi --collectives {} --selectors x", "'x' is no selector"),
        ("check --mpi openmpi -n 2 --algorithm {}=x", "has no 'x'"),
        ("check --mpi lam -n 2 --case {},count=1", "'lam' is no MPI"),
        ("check --mpi openmpi -n 2 --algorithm {}=two-tree,scan=x", "scan has no 'x'"),
        ("plan {} --platform missing.json --source a", "cannot read missing.json"),
    ],
)
@pytest.mark.parametrize("name", ["bcast", "broadcast"])
def test_names_get_beyond_where_they_are_read(
    words: str, says: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(words.format(name).split()) == 2
    assert says in capsys.readouterr().err


@given(st.text(alphabet="abcdefgh_-", min_size=3).filter(lambda word: word.strip("-_") == word))
def test_what_is_no_name(word: str) -> None:
    with pytest.raises(ValueError, match="valid: broadcast, reduce, allgather, reduce_scatter, allreduce,"):
        schedule(word, "circulant", ranks=4)


def test_valid_names_are_valid() -> None:
    """Every name in an error's list is taken where the error was raised."""
    for ask, among in (
        (lambda word: schedule(word, "?", ranks=4), 7),
        (algorithms, 11),
        (lambda word: inter_group(word, "?", ranks=4, first_group=2), 3),
        (lambda word: _core.explain(word, 4, 64), 7),
        (lambda word: _core.explain_between(word, senders=4, receivers=4, bytes=64), 4),
    ):
        with pytest.raises(ValueError, match="no collective") as refused:
            ask("nonsense")
        names = str(refused.value).rpartition("valid: ")[2].split(", ")
        assert len(names) == among
        for name in names:
            try:
                ask(name)
            except ValueError as fault:
                assert "no collective" not in str(fault)  # noqa: PT017 - the algorithm may be none


REFUSED = {
    "unknown algorithm 'circulant' for scan; valid: chain, recursive_doubling, ": lambda: schedule(
        "scan", "circulant", ranks=4
    ),
    "unknown algorithm 'ring' for exscan; valid: chain, ": lambda: solves("exscan", "ring", ranks=4),
    "unknown algorithm 'star' for inter_reduce; valid: ": lambda: inter_group(
        "inter_reduce", "star", ranks=4, first_group=2
    ),
    "unknown algorithm 'star' for inter_allgather; valid: ": lambda: rota.inter_allgather(
        "star", [1, 0], first_group=1
    ),
    "unknown algorithm 'star' for all_to_many; valid: ac, ": lambda: rota.all_to_many(regular(4, 2), "star"),
    "'hierarchical' for scan is for ranks that share hosts; say which do": lambda: schedule(
        "scan", "hierarchical", ranks=4
    ),
    "'circulant' for reduce does not keep the order of ranks here; choose another": lambda: schedule(
        "reduce", "circulant", ranks=4, in_order=True
    ),
    "'hierarchical' for inter_broadcast is for ranks that share hosts; say which do": lambda: inter_group(
        "inter_bcast", "hierarchical", ranks=4, first_group=2
    ),
}


@pytest.mark.parametrize("says", REFUSED)
def test_refusals_name_the_collective(says: str) -> None:
    with pytest.raises(ValueError, match=f"^{says}"):
        REFUSED[says]()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            "show circulant --collective scan --ranks 4",
            "'circulant' is no algorithm for scan: choose chain, ",
        ),
        (
            "simulate scan --algorithm circulant --ranks 4 --bytes 1",
            "'circulant' for scan: choose all, chain",
        ),
        (
            "show inter-group --senders 3 --receivers 2 --algorithm star",
            "'star' is no algorithm for inter_allgather here: choose join, spread",
        ),
    ],
)
def test_commands_refusals_name_the_collective(
    words: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(words.split()) == 2
    said = capsys.readouterr().err
    assert says in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("words", ["show x --ranks 4", "simulate bcast --ranks 4 --bytes 1 --algorithm x"])
def test_valid_algorithms_are_valid(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(words.split()) == 2
    names = capsys.readouterr().err.rpartition("choose ")[2].replace(" or ", ", ").strip().split(", ")
    for name in names:
        collectives = collectives_of(name)
        for_hosts = collectives and all(needs_hosts(name, each) for each in collectives)
        hosts = ["--per-host", "2"] if for_hosts else []
        assert status_of([*words.replace("x", name, 1 if "show" in words else -1).split(), *hosts]) == 0


@pytest.mark.parametrize("name", ["bcast", "broadcast"])
def test_names_in_the_environment(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROTA_ALGORITHM", f"{name}=chain")
    assert _core.explain("bcast", 100, 1 << 20).algorithm == "chain"
    monkeypatch.setenv("ROTA_ALGORITHM", f"{name}=two-tree")
    assert _core.explain("bcast", 100, 1 << 20).algorithm == "two_tree"
    monkeypatch.delenv("ROTA_ALGORITHM")
    monkeypatch.setenv("ROTA_OFF", name)
    assert _core.explain("bcast", 100, 1 << 20).algorithm == "native"


@pytest.mark.parametrize("command", ["run -n 2", "lab run --hosts 2 --rate 1gbit"])
def test_what_is_off_is_read_before_a_job_starts(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of([*command.split(), "--off", "bcast,foo", "/bin/true"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "--off: 'foo' is no collective" in said
    names = said.rpartition("choose ")[2].replace(" or ", ", ").strip().split(", ")
    assert names == [*SERVED, *SERVED_AS, "all"]


def test_what_is_off_has_every_name_of_a_call(capsys: pytest.CaptureFixture[str]) -> None:
    off = "reduce_scatter_block,allgatherv,alltoall-w,inter-broadcast,all"
    assert status_of(f"run -n 2 --mpi mpich --dry-run --off {off} /bin/true".split()) == 2
    assert "'alltoall-w'" in capsys.readouterr().err
    off = off.replace("alltoall-w", "alltoallw")
    assert status_of(f"run -n 2 --mpi mpich --dry-run --off {off} /bin/true".split()) == 0
    assert "ROTA_OFF reduce_scatter,allgather,alltoall,inter_bcast,all" in capsys.readouterr().out


def test_settings_have_these_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROTA_OFF", "foo")
    with pytest.raises(ValueError, match="unknown collective 'foo'") as refused:
        _core.explain("bcast", 100, 1 << 20)
    assert tuple(str(refused.value).rpartition("valid: ")[2].split(", ")) == SERVED
