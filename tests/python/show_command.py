"""``rota show`` as tests ask it: what it prints, and what it refuses."""

import json
from typing import Any

import typer
from typer.testing import CliRunner

from rota import Collective, algorithms
from rota.commands import show as command
from rota.errors import RotaError

app = typer.Typer()
app.command()(command.show)

PAIRS = [
    (algorithm, collective)
    for collective in (
        Collective.broadcast,
        Collective.reduce,
        Collective.allgather,
        Collective.reduce_scatter,
        Collective.allreduce,
        Collective.scan,
        Collective.exscan,
    )
    for algorithm in algorithms(collective)
]


def shown(*arguments: object) -> str:
    result = CliRunner().invoke(app, [*map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result.stdout


def json_of(*arguments: object) -> Any:
    return json.loads(shown(*arguments, "--json", "-"))


def refusal(*arguments: object) -> str:
    fault = CliRunner().invoke(app, [*map(str, arguments)]).exception
    assert isinstance(fault, RotaError)
    return str(fault)
