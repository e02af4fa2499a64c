"""A plan's file has one form: keys, names and numbers that are not of it are no plan."""

from __future__ import annotations

import json
from typing import Any

import plan_changes
import pytest
from plan_documents import all_to_all, broadcast, reduce, refusal, scatter, sealed

from rota.errors import RotaError
from rota.steady.certificate import certify


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"throughput": "1"}', "{" * 100_000, '{"throughput": 1e999}']
)
def test_what_is_no_plan(text: str) -> None:
    with pytest.raises(RotaError, match="no plan"):
        certify(text)


@pytest.mark.parametrize(
    ("key", "before", "after"),
    [
        ("throughput", '"throughput": "1/2"', '"throughput": "5", "throughput": "1/2"'),
        ("rate", '"rate": "1/4"', '"rate": "5", "rate": "1/4"'),
        ("Ps", '"send": {"Ps"', '"send": {"Ps": "1", "Ps"'),
        ("id", '"id": "Pa"', '"id": "Pa", "id": "Pa"'),
        ("length", '"length": ', '"length": "1", "length": '),
    ],
)
def test_no_key_is_there_twice(key: str, before: str, after: str) -> None:
    text = sealed(scatter())
    certify(text)
    assert before in text
    with pytest.raises(RotaError, match=f"no plan: a key is there twice: '{key}'"):
        certify(text.replace(before, after, 1))


@pytest.mark.parametrize("make", [scatter, all_to_all, reduce, broadcast])
def test_keys_are_all_there_and_known(make: Any) -> None:
    """In all objects of the file."""
    count = 0
    for path in [(), *plan_changes.paths(make())]:
        whole = make()
        holder = plan_changes.at(whole, path)
        if not isinstance(holder, dict):
            continue
        holder["note"] = "1"
        refusal(whole)
        del holder["note"]
        for key in list(holder):
            if (path == () and key == "seal") or (key == "task" and "id" in holder):
                continue  # A node need not compute.
            kept = holder.pop(key)
            refusal(whole)
            count += 1
            holder[key] = kept
        certify(sealed(whole))
    assert count > 40
    without = make()
    del without["seal"]
    with pytest.raises(RotaError, match='the plan has no "seal"'):
        certify(json.dumps(without), sealed=False)


@pytest.mark.parametrize(
    "name", ["a\nplan.json: certified: reduce", "a\rb", "\x1b[31m", "\u202e", "", " a", "a" * 201]
)
def test_names_that_would_be_printed_as_something_else(name: str) -> None:
    """A new line in the name of an overloaded node would be a line that says what the command says."""
    document = renamed(scatter(), "Pa", name)
    refusal(document)
    next(link for link in document["platform"]["links"] if link["source"] == name)["cost"] = "1000"
    refusal(document)


@pytest.mark.parametrize("name", [5, 0, None, True, 1.5])
def test_nodes_and_platforms_have_names(name: Any) -> None:
    """What is no name may look like one here, and is none to those who carry out the plan."""
    for make in (scatter, reduce, all_to_all, broadcast):
        for node in ("P0", "P1"):
            assert "no plan" in refusal(renamed(make(), node, name))
        document = make()
        document["platform"]["name"] = name
        assert "no plan" in refusal(document)


def renamed(value: Any, old: str, new: Any) -> Any:
    if isinstance(value, dict):
        return {renamed(key, old, str(new)): renamed(item, old, new) for key, item in value.items()}
    if isinstance(value, list):
        return [renamed(item, old, new) for item in value]
    return new if value == old else value


@pytest.mark.parametrize("index", [-1, True, 1.0, "1", None, 10**30])
def test_messages_have_numbers_from_0_up(index: Any) -> None:
    """Hosts are 0, 1, ...: -1 is not the last, true is not the second."""

    def changed(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: changed(item) for key, item in value.items()}
        if isinstance(value, list):
            return [index if type(item) is int and item == 1 else changed(item) for item in value]
        return value

    for make in (scatter, reduce, all_to_all):
        refusal(changed(make()))


@pytest.mark.parametrize(
    "number",
    [
        "2/4",
        "01",
        "1/02",
        "\u0661/\u0662",
        "+1/2",
        "1 / 2",
        "0.5",
        "5e-1",
        "1_0/20",
        0.5,
        1,
        None,
        True,
        ["1/2"],
        "",
        "1/0",
    ],
)
def test_a_number_is_written_in_one_way(number: Any) -> None:
    """Everything else would be read by others as something else."""
    assert "no plan" in refusal(scatter() | {"throughput": number, "bound": number})


@pytest.mark.parametrize("fixed", [1, 0, "true", None, []])
def test_fixed_is_true_or_false(fixed: Any) -> None:
    assert "no plan: fixed" in refusal(scatter() | {"fixed": fixed})
