"""Paper 4, computed again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rota._core import check_two_trees

from rota.cli import status_of
from rota.reproduce.beside import Verdict
from rota.reproduce.two_tree import TITLE
from rota.reproduce.two_tree_construction import Tree, colours_of, printed_trees

if TYPE_CHECKING:
    from pathlib import Path


def test_printed_trees_are_numbered_in_order_and_can_be_coloured() -> None:
    for ranks in range(2, 200):
        trees = printed_trees(ranks)
        nodes = ranks - 1
        for tree in trees:
            assert tree.parents.count(nodes) == 1
            assert all(tree.parents.count(node) <= 2 for node in range(nodes))
        assert not trees[0].inner & trees[1].inner - {nodes}
        assert colours_of(trees) is not None
        assert not check_two_trees(nodes).violations


def test_a_conflict_has_no_colouring() -> None:
    # Node 0 sends to 1 and 2 in the first tree and to 1 in the second: an odd cycle.
    trees = (Tree((3, 0, 0)), Tree((1, 0, 3)))
    assert colours_of(trees) is None


def test_the_command_shows_every_figure_quickly(tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in ("a.json", "a.md", "a.svg")}
    words = ["reproduce", "two-tree", "--quick", "--json", str(files["a.json"])]
    assert status_of([*words, "--markdown", str(files["a.md"]), "--plot", str(files["a.svg"])]) == 0
    parts = json.loads(files["a.json"].read_text())["parts"]
    named = {part["number"].split(",")[0]: part for part in parts}
    assert {*named} == {*(f"Figure {i}" for i in range(1, 6)), "Table 1", "Lemma 1", "Section 2"}
    assert named["Lemma 1"]["verdict"] == Verdict.SAME.value
    for number in ("Figure 2", "Figure 3"):
        assert named[number]["verdict"] == Verdict.HOLDS.value
    assert files["a.md"].read_text().startswith(f"# {TITLE}\n")
    assert "## Figure 5" in files["a.md"].read_text()
    assert f"<!-- {TITLE} -->" in files["a.svg"].read_text()
