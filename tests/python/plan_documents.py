"""Plans for two figures' platforms, as documents for tests to change; and how what they become is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from steady_plans import figure_2, figure_6

from rota.errors import RotaError
from rota.steady.all_to_all import series_of_all_to_alls
from rota.steady.broadcast import series_of_broadcasts
from rota.steady.certificate import certify
from rota.steady.claims import seal_of
from rota.steady.plan import as_text, planned
from rota.steady.reduce import series_of_reduces
from rota.steady.scatter import series_of_scatters


def scatter() -> dict[str, Any]:
    """Return Figure 2's plan: 26 time units of messages in a period of 12."""
    platform = figure_2()
    return document_of(as_text(planned(platform, series_of_scatters(platform, "Ps", ["P0", "P1"]))))


def all_to_all() -> dict[str, Any]:
    platform = figure_6()
    return document_of(as_text(planned(platform, series_of_all_to_alls(platform, ["P0", "P1"]))))


def reduce() -> dict[str, Any]:
    platform = figure_6()
    return document_of(as_text(planned(platform, series_of_reduces(platform, ["P0", "P1", "P2"], "P0"))))


def broadcast() -> dict[str, Any]:
    platform = figure_6()
    return document_of(as_text(planned(platform, series_of_broadcasts(platform, "P0", ["P1", "P2"]))))


def document_of(text: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(text)
    return document


def sealed(document: dict[str, Any]) -> str:
    return json.dumps(document | {"seal": seal_of(document)})


def refusal(document: dict[str, Any]) -> str:
    """Return in which words the plan is refused, sealed or not: in one line."""
    with pytest.raises(RotaError) as sealed_fault:
        certify(sealed(document))
    with pytest.raises(RotaError) as fault:
        certify(json.dumps(document), sealed=False)
    assert str(sealed_fault.value) == str(fault.value)
    assert str(fault.value).isprintable()
    return str(fault.value)
