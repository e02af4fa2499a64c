"""The certificate under attack: what cannot be carried out, or is not what it says, is refused."""

from __future__ import annotations

import ast
import inspect
import json
import os
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import plan_fuzz
import pytest
from plan_documents import all_to_all, broadcast, document_of, reduce, refusal, scatter, sealed
from steady_plans import figure_2, figure_6, plan_of
from typer.testing import CliRunner

import rota.steady.certificate
import rota.steady.claims
import rota.steady.problem
from rota.cli import app
from rota.errors import RotaError
from rota.platforms import Link, Node, Platform
from rota.steady.all_to_all import series_of_all_to_alls
from rota.steady.certificate import certify
from rota.steady.claims import Refused
from rota.steady.plan import as_text, plan_in, planned
from rota.steady.scatter import series_of_scatters
from rota.steady.simulate import simulated

if TYPE_CHECKING:
    from pathlib import Path

run = CliRunner()


@pytest.mark.parametrize("make", [scatter, all_to_all, reduce, broadcast])
def test_plans_are_certified(make: Any) -> None:
    assert certify(sealed(make())).throughput > 0


def test_a_transfer_listed_twice_in_a_matching_counts_twice() -> None:
    """Else a plan that takes 26 time units one message after the other would fit into a period of 12."""
    document = scatter()
    document["matchings"] = [
        {
            "length": str(length / 3),
            "transfers": [[flow["source"], flow["target"], flow["message"], str(amount / 3)]] * 3,
        }
        for flow in document["flows"]
        for amount in (Fraction(flow["rate"]) * 12,)
        for length in (amount * cost_of(document, flow),)
    ]
    assert sum(Fraction(each["length"]) for each in document["matchings"]) == Fraction(26, 3)
    assert "a matching has a transfer twice" in refusal(document)
    for matching in document["matchings"]:
        del matching["transfers"][1:]
        matching["transfers"][0][3] = str(3 * Fraction(matching["transfers"][0][3]))
    assert "not as long as it says" in refusal(document)
    for matching in document["matchings"]:
        matching["length"] = str(3 * Fraction(matching["length"]))
    assert "do not fit into the period" in refusal(document)


def cost_of(document: dict[str, Any], flow: dict[str, Any]) -> Fraction:
    ends = (flow["source"], flow["target"])
    links = document["platform"]["links"]
    return next(Fraction(link["cost"]) for link in links if (link["source"], link["target"]) == ends)


def test_a_matching_lasts_as_long_as_it_must() -> None:
    """Not longer, either; and what is in it is a flow, and something."""
    document = reduce()
    document["matchings"][0]["length"] = str(Fraction(document["matchings"][0]["length"]) / 2)
    assert "not as long as it says" in refusal(document)
    document = scatter()
    document["matchings"].append({"length": "0", "transfers": []})
    assert "a matching is empty" in refusal(document)
    document = scatter()
    document["matchings"].append({"length": "0", "transfers": [["Ps", "Pa", [0], "0"]]})
    assert "a transfer of nothing" in refusal(document)
    document = scatter()
    document["matchings"].append({"length": "1", "transfers": [["Ps", "Pa", [1], "1"]]})
    assert "no flow" in refusal(document)


@pytest.mark.parametrize("operations", ["1000000", "7", "5", "0"])
def test_the_operations_of_a_period_are_checked(operations: str) -> None:
    assert "operations" in refusal(scatter() | {"operations_per_period": operations})


def test_without_matchings_it_says_so(tmp_path: Path) -> None:
    document = scatter()
    file = tmp_path / "plan.json"
    file.write_text(sealed(document))
    whole = run.invoke(app, ["certify", str(file)], catch_exceptions=False).output
    assert whole == (
        "plan.json: certified: scatter, throughput 1/2 (the optimum), period 12\n"
        "checked: 6 flows and tasks, 2 trees, the dual of 5 nodes and 5 links, 3 matchings, the seal\n"
    )
    document["matchings"] = None
    file.write_text(sealed(document))
    lacking = run.invoke(app, ["certify", str(file)], catch_exceptions=False).output
    assert lacking == (
        "plan.json: certified, without a schedule: scatter, throughput 1/2 (the optimum), period 12\n"
        "checked: 6 flows and tasks, 2 trees, the dual of 5 nodes and 5 links, the seal\n"
        "not in it, not checked: matchings, which would be a schedule of the period\n"
    )
    document["matchings"] = []
    assert "do not carry the flows" in refusal(document)


def test_a_bound_that_nothing_need_reach_is_no_optimum(tmp_path: Path) -> None:
    """A plan below its bound proves that nothing is above the bound, not that something reaches it."""
    platform = figure_2()
    below = planned(platform, series_of_scatters(platform, "Ps", ["P0", "P1"]), Fraction(5))
    document = document_of(as_text(below))
    document["dual"]["compute"]["Pa"] = "1/4"
    document["bound"] = str(Fraction(document["bound"]) + Fraction(1, 4))
    file = tmp_path / "plan.json"
    file.write_text(sealed(document))
    output = run.invoke(app, ["certify", str(file)], catch_exceptions=False).output
    assert "throughput 2/5 (proved: none is above 3/4), period 5" in output
    assert "optimum" not in output


def test_a_file_whose_name_has_a_new_line(tmp_path: Path) -> None:
    file = tmp_path / "a\nplan.json"
    file.write_text(sealed(scatter()))
    outcome = run.invoke(app, ["certify", str(file)], catch_exceptions=False)
    assert outcome.output.startswith("'a\\nplan.json': certified: scatter")


def test_a_tree_that_goes_to_and_fro() -> None:
    """It is conserved, and the flows add up to it; but who carries it out has one message, not two."""
    nodes, quarter = tuple(Node(name) for name in "sqrt"), Fraction(1, 4)
    costs = {("s", "q"): 1, ("q", "r"): quarter, ("r", "t"): quarter, ("t", "r"): quarter}
    platform = Platform(nodes, tuple(Link(*ends, Fraction(cost)) for ends, cost in costs.items()))
    document = document_of(
        as_text(planned(platform, series_of_scatters(platform, "s", ["t"])), with_matchings=False)
    )
    assert (document["throughput"], document["period"]) == ("1", "4")
    document["flows"] = [
        {"source": source, "target": target, "message": [0], "rate": rate}
        for source, target, rate in (
            ("s", "q", "1"),
            ("q", "r", "1"),
            ("r", "t", "2"),
            ("t", "r", "1"),
        )
    ]
    there = ["r", "t", [0]]
    document["trees"][0]["transfers"] = [["s", "q", [0]], ["q", "r", [0]], there, ["t", "r", [0]], there]
    assert "a tree makes a message twice at a node" in refusal(document)


def test_trees_bring_nothing_back_and_make_nothing_for_nobody() -> None:
    document = broadcast()
    assert "back to where it comes from" in refusal(with_transfer(document, ["P1", "P0", []]))
    platform = figure_6()
    idle = planned(platform, series_of_all_to_alls(platform, ["P0", "P1"]), Fraction(3, 2))
    document = document_of(as_text(idle))
    assert "makes what it does not use" in refusal(with_transfer(document, ["P0", "P2", [0, 1]]))


def with_transfer(document: dict[str, Any], transfer: list[Any]) -> dict[str, Any]:
    """Return a plan in which each operation has a transfer more, and all adds up, in no schedule."""
    source, target, message = transfer
    for tree in document["trees"]:
        tree["transfers"].append(transfer)
    flow = {"source": source, "target": target, "message": message, "rate": document["throughput"]}
    document["flows"].append(flow)
    # Ports are not to be the reason.
    for link in document["platform"]["links"]:
        if (link["source"], link["target"]) == (source, target):
            link["cost"] = "1/1000"
    return document | {"matchings": None, "fixed": True}


def test_a_plan_carries_something() -> None:
    nothing = {"throughput": "0", "operations_per_period": "0", "fixed": True, "matchings": None}
    assert "the throughput is 0" in refusal(scatter() | nothing | {"flows": [], "tasks": [], "trees": []})


def test_what_no_planner_would_take_is_no_problem() -> None:
    """Plans are read again where they are carried out: what is refused there is not certified."""
    document = broadcast()
    document["platform"]["nodes"].append({"id": "P3"})
    assert "to all other nodes" in refusal(document)
    document = scatter()
    document["platform"]["links"].append({"source": "Pa", "target": "Pa", "cost": "1"})
    assert "no link to itself" in refusal(document)
    document = scatter()
    document["platform"]["links"].append({"source": "P0", "target": "Pa", "cost": "1" + "0" * 30})
    assert "out of range" in refusal(document)
    document = scatter()
    document["platform"]["directed"] = False
    assert "not directed" in refusal(document)
    document = reduce()
    document["series"]["hosts"] = ["P1"]
    assert "a reduce has 2" in refusal(document)


def test_potentials_are_what_messages_cost() -> None:
    """Not only no more than that, and each is said once."""
    document = reduce()
    potentials = document["dual"]["potentials"]
    potentials.append(potentials[0])
    assert "a message's potentials is there twice" in refusal(document)
    document = reduce()
    document["dual"]["potentials"].append([[0, 9], {}])
    assert "not of each message" in refusal(document)
    document = broadcast()
    document["dual"]["cuts"][0]["nodes"].append("nobody")
    assert "none of targets" in refusal(document)


def test_long_times_are_refused_where_they_are_simulated() -> None:
    """In one line: floating point has no such numbers."""
    plan = plan_of(0)
    long = planned(plan.platform, plan.series, plan.period * 10**400)
    text = as_text(long)
    assert certify(text).period == long.period
    with pytest.raises(RotaError, match="more time units than can be simulated"):
        simulated(plan_in(text), long.period)


def test_it_knows_nothing_of_how_plans_are_made() -> None:
    """The words of plans and platforms, and no more."""
    allowed = {
        "rota.errors",
        "rota.platforms",
        "rota.platforms.numbers",
        "rota.steady.claims",
        "rota.steady.problem",
        "rota.steady.series",
    }
    for module in (rota.steady.certificate, rota.steady.problem, rota.steady.claims):
        tree = ast.walk(ast.parse(inspect.getsource(module)))
        known = {each.module for each in tree if isinstance(each, ast.ImportFrom)}
        assert {name for name in known if name and name.startswith("rota")} <= allowed


def test_seals() -> None:
    document = scatter()
    document["platform"]["name"] = "another"
    with pytest.raises(Refused, match="the seal does not fit"):
        certify(json.dumps(document))
    assert certify(sealed(document)).throughput == Fraction(1, 2)


def test_fuzz() -> None:
    """ROTA_FUZZ=1000000 for more."""
    count = int(os.environ.get("ROTA_FUZZ", "3000"))
    found = plan_fuzz.run(count, seed=1)
    assert found["refused"] > count / 2
    assert found["said otherwise"] > count / 100
    assert found["different plans recomputed"] > count / 100
