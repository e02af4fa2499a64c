"""Which lab is asked for, and how its links are described: in words, without opening one."""

import pytest

from rota.commands.lab import describe, lab_spec
from rota.errors import RotaError
from rota.lab import LabSpec, Link, network
from rota.lab.spec import MapBy


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ((0, "1gbit", None, 1), "cannot have 0 hosts"),
        ((-1, "1gbit", None, 1), "hosts: choose from 1 to"),
        ((10**6, "1gbit", None, 1), "cannot have 1000000 hosts"),
        ((2, "fast", None, 1), "'fast' is no rate"),
        ((2, "1gbit", None, 0), "cannot have 0 ranks"),
        ((3, None, "1gbit,2gbit", 1), "names 2 links and --hosts 3"),
        ((None, None, "1gbit,", 1), "'' is no rate"),
        ((2, None, None, 1), "needs the rate"),
        ((2, "1gbit", "1gbit,1gbit", 1), "needs the rate"),
        ((None, "1gbit", None, 1), "needs hosts"),
        ((2, "1gbit", None, 1, 0), "cannot have 0 links"),
    ],
)
def test_what_is_no_lab_is_refused(
    options: tuple[int | None, str | None, str | None, int], complaint: str
) -> None:
    with pytest.raises(RotaError, match=complaint):
        lab_spec(*options)


def test_each_host_has_its_own_rate() -> None:
    spec = lab_spec(None, None, "100mbit,1gbit", 2)
    assert spec == LabSpec((100_000_000, 1_000_000_000), 2)
    assert (spec.hosts, spec.ranks, spec.slowest_bits_per_s) == (2, 4, 100_000_000)
    assert "host1 root tbf rate 1000000000bit" in network.switch_rates(spec)
    assert "eth0 root tbf rate 100000000bit" in network.host_rate(spec, 0)


def test_hosts_get_ranks_by_slot_or_by_node() -> None:
    by_slot, by_node = (lab_spec(2, "1gbit", None, 3, map_by=each) for each in MapBy)
    assert by_slot.host_of_rank == (0, 0, 0, 1, 1, 1)
    assert by_node.host_of_rank == (0, 1, 0, 1, 0, 1)


def test_each_host_has_as_many_links_as_asked() -> None:
    spec = lab_spec(2, "100mbit", None, 2, 2)
    assert spec == LabSpec((100_000_000,) * 2, 2, links=2)
    assert network.host_rate(spec, 0).count("root tbf rate 100000000bit") == 2
    assert "address add 10.1.0.2/16 dev eth1" in network.host_devices(spec, 1)
    assert network.switch_rates(spec).count("root tbf") == 4
    line = describe((Link(200_000_000, 198e6, 196e6),) * 4, 2)
    assert line.startswith("rota lab: 2 hosts, 2 links each of 200 Mbit/s; under full load")


def test_links_are_described_in_one_line() -> None:
    line = describe((Link(200_000_000, 198e6, 196e6), Link(200_000_000, 199e6, 197e6)))
    assert line == "rota lab: 2 hosts, links of 200 Mbit/s; under full load they carry 98.0% to 99.5% of that"


def test_links_that_processors_cannot_fill() -> None:
    """What they carry is a rate, and what that means for results stands beside it."""
    line = describe((Link(10**13, 2.31e9, 1.9e9), Link(10**13, 2e9, 2e9)))
    assert "0.0" not in line
    assert (
        "links of 10 Tbit/s; under full load they carry only 1.9 Gbit/s to 2.31 Gbit/s, for processors"
        in line
    )
    assert "times will be those of this machine's processors" in line
    assert describe((Link(10**9, 0.9e9, 1e9),)).endswith("they carry 90.0% to 100.0% of that")
