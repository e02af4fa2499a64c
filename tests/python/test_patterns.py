"""Readers of patterns: what they read, how they refuse, and that nothing breaks them."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
import pattern_fuzz
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse  # type: ignore[import-untyped]
from scipy.io import mmwrite  # type: ignore[import-untyped]

from rota.errors import RotaError
from rota.patterns import from_matrix, matrix_of, read_pattern, write_pattern

if TYPE_CHECKING:
    from pathlib import Path

MATRIX = np.array([[0, 3, 0, 70], [1, 0, 0, 0], [0, 0, 0, 5], [12, 0, 9, 0]])


@pytest.mark.parametrize(
    "text",
    [
        "0,3,0,70\n1,0,0,0\n0,0,0,5\n12,0,9,0\n",
        "\ufeff# a comment\r\n0;3;0;70\r\n\r\n1;0;0;0\r\n0;0;0;5\r\n12;0;9;0",
        "0 3 0 70\n1 0 0 0\n0 0 0 5\n12 0 9 0",
        "0\t3\t0\t7e1\n1.0\t0\t0\t0\n0\t0\t0\t5\n12\t0\t9\t0.000e+00",
    ],
)
def test_csv(text: str, tmp_path: Path) -> None:
    file = tmp_path / "pattern.csv"
    file.write_bytes(text.encode())
    assert (matrix_of(read_pattern(file)) == MATRIX).all()


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_sparse_npz(form: str, tmp_path: Path) -> None:
    for make in (sparse.csr_matrix, sparse.csr_array):
        file = tmp_path / "pattern.npz"
        sparse.save_npz(file, make(MATRIX).asformat(form))
        assert (matrix_of(read_pattern(file)) == MATRIX).all()


@pytest.mark.parametrize("kind", [np.int64, np.uint8, np.float64, np.uint64])
def test_dense_npz(kind: type, tmp_path: Path) -> None:
    file = tmp_path / "pattern.npz"
    np.savez(file, MATRIX.astype(kind))
    assert (matrix_of(read_pattern(file)) == MATRIX).all()


def test_matrix_market(tmp_path: Path) -> None:
    file = tmp_path / "pattern.mtx"
    for matrix in (sparse.coo_matrix(MATRIX), MATRIX, MATRIX.astype(float)):
        mmwrite(str(file), matrix)
        assert (matrix_of(read_pattern(file)) == MATRIX).all()
    both_ways = MATRIX + MATRIX.T
    for matrix in (sparse.coo_matrix(both_ways), both_ways):
        mmwrite(str(file), matrix, symmetry="symmetric")
        assert (matrix_of(read_pattern(file)) == both_ways).all()
    mmwrite(str(file), sparse.coo_matrix(MATRIX), field="pattern")
    assert (matrix_of(read_pattern(file, 8)) == 8 * (MATRIX > 0)).all()


@pytest.mark.parametrize("text", ["1152921504606846977.0", "1152921504606846977", "1.152921504606846977e18"])
def test_a_cell_is_not_rounded(text: str, tmp_path: Path) -> None:
    """It is odd and above 2^53: as a float it would be another number."""
    file = tmp_path / "pattern.csv"
    file.write_text(f"0,{text}\n1e0,0\n")
    assert matrix_of(read_pattern(file)).tolist() == [[0, 2**60 + 1], [1, 0]]


def test_sparse_arrays() -> None:
    assert (matrix_of(from_matrix(sparse.csr_array(MATRIX))) == MATRIX).all()


@given(st.integers(1, 12), st.data())
@settings(deadline=None, max_examples=50)
def test_what_is_written_is_read(ranks: int, data: st.DataObject) -> None:
    import tempfile  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415

    sizes = data.draw(st.lists(st.integers(0, 2**40), min_size=ranks**2, max_size=ranks**2))
    matrix = np.array(sizes).reshape(ranks, ranks)
    np.fill_diagonal(matrix, 0)
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ("csv", "npz", "mtx"):
            file = Path(folder) / f"pattern.{suffix}"
            write_pattern(from_matrix(matrix), file)
            assert (matrix_of(read_pattern(file)) == matrix).all()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("0,1\n-7,0\n", ", line 2, cell 1: -7 bytes: give whole numbers from 0 on"),
        ("0,1\n1.5,0\n", ", line 2, cell 1: '1.5' is no number of bytes"),
        ("0,1\n,0\n", ", line 2, cell 1: '' is no number of bytes"),
        ("0,x\n1,0\n", ", line 1, cell 2: 'x' is no number of bytes"),
        ("0,1_0\n1,0\n", ", line 1, cell 2: '1_0' is no number of bytes"),
        ("0,nan\n1,0\n", ", line 1, cell 2: 'nan' is no number of bytes"),
        ("0,1e300\n1,0\n", ", line 1, cell 2: more than 2^62 bytes"),
        ("0,1e999999999\n1,0\n", ", line 1, cell 2: more than 2^62 bytes"),
        ("0,4611686018427387905.0\n1,0\n", ", line 1, cell 2: more than 2^62 bytes"),
        ("0,-1e999999999\n1,0\n", ", line 1, cell 2: -1e999999999 bytes: give whole numbers from 0 on"),
        ("0,1e-999999999\n1,0\n", ", line 1, cell 2: '1e-999999999' is no number of bytes"),
        ("0,inf\n1,0\n", ", line 1, cell 2: 'inf' is no number of bytes"),
        ("0," + "9" * 5000 + "\n1,0\n", ", line 1, cell 2: "),
        ("0,1\n1\n", ", line 2: 1 cells where line 1 has 2"),
        ("0,1\n1,0\n0,0\n", ", line 3: a row more than there are columns"),
        ("0,1,2\n1,0,2\n", ": 2 rows of 3 columns are not square"),
        ("\n# nothing\n", ": no matrix: give numbers"),
        ("0,4611686018427387904,1\n0,0,0\n0,0,0\n", ": all messages together have more than 2^62 bytes"),
    ],
)
def test_csv_faults_name_the_place(text: str, fault: str, tmp_path: Path) -> None:
    refused(tmp_path / "pattern.csv", text.encode(), fault)


def refused(file: Path, content: bytes, fault: str) -> None:
    file.write_bytes(content)
    with pytest.raises(RotaError) as said:
        read_pattern(file)
    assert str(said.value).startswith(f"{file}{fault}"), said.value
    assert "\n" not in str(said.value)


def saved(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def archive_of(content: bytes) -> bytes:
    """Return an archive, as .npz files are, in which something else lies in the place of an array."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.npy", content)
    return file.getvalue()


def coo(**indices: list[int]) -> bytes:
    """Return a sparse matrix of 2 ranks with one value, and with these indices."""
    arrays = {name: np.array(values) for name, values in indices.items()}
    return saved(shape=np.array([2, 2]), data=np.ones(1), **arrays)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"0,1\n1,0\n", ": no .npz file that NumPy can read"),
        (archive_of(b"no array"), ": no .npz file that NumPy can read"),
        (saved(a=MATRIX, b=MATRIX), ": 2 arrays: save one matrix"),
        (saved(a=MATRIX[0]), ": 1 dimensions are no matrix"),
        (saved(a=MATRIX[:2]), ": 2 rows of 4 columns are not square"),
        (saved(a=-MATRIX), ", row 0, column 1: -3 is no number of bytes"),
        (saved(a=MATRIX / 2), ", row 0, column 1: 1.5 is no number of bytes"),
        (saved(a=MATRIX * 1j), ": cells of type complex128 are no numbers of bytes"),
        (saved(a=MATRIX.astype(str)), ": cells of type "),
        (coo(row=[2], col=[0]), ": a sparse matrix with an index"),
        (coo(row=[0, 1], col=[0]), ": a sparse matrix with indices"),
        (coo(indices=[1], indptr=[0, 5, 1]), ": a sparse matrix whose rows"),
        (coo(offsets=[1]), ": a sparse matrix of another kind"),
        (saved(shape=np.array([2**40, 2**40]), data=np.ones(1)), ": 1099511627776 ranks are out of range"),
    ],
)
def test_npz_faults(content: bytes, fault: str, tmp_path: Path) -> None:
    refused(tmp_path / "pattern.npz", content, fault)


HEAD = "%%MatrixMarket matrix coordinate integer general\n"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("0,1\n1,0\n", ", line 1: no Matrix Market file"),
        ("", ", line 1: no Matrix Market file"),
        (HEAD, ", line 1: 0 words where 3 numbers must be"),
        ("%%MatrixMarket matrix coordinate complex general\n", ", line 1: 'complex' is no matrix of bytes"),
        (HEAD + "2 3 0\n", ": 2 rows of 3 columns are not square"),
        (HEAD + "2 2 1\n1 2 -4\n", ", line 3: -4 bytes"),
        (HEAD + "2 2 1\n% comment\n1 2 4.5\n", ", line 4: '4.5' is no number of bytes"),
        (HEAD + "2 2 1\n1 3 4\n", ", line 3: there is no row or column 3: count from 1 to 2"),
        (HEAD + "2 2 1\n1 x 4\n", ", line 3, number 2: 'x' is no number"),
        (HEAD + "2 2 1\n1 2\n", ", line 3: 2 words where row, column and value must be"),
        (HEAD + "2 2 1\n1 2 4\n2 1 4\n", ", line 4: a cell more than the 1 announced"),
        (HEAD + "2 2 3\n1 2 4\n", ": 1 cells where 3 are announced"),
        (HEAD + "2 2 2\n1 2 4\n1 2 4\n", ": from rank 0 to rank 1: named twice"),
        (HEAD + "2 2 1000000000000\n1 2 4\n", ", line 2: 1000000000000 cells are announced"),
        (HEAD + "99999999 99999999 1\n1 2 4\n", ": 99999999 ranks are out of range"),
    ],
)
def test_matrix_market_faults(text: str, fault: str, tmp_path: Path) -> None:
    refused(tmp_path / "pattern.mtx", text.encode(), fault)


def test_only_ones_take_a_size(tmp_path: Path) -> None:
    file = tmp_path / "pattern.csv"
    file.write_text("0,2\n1,0\n")
    with pytest.raises(RotaError, match="row 0, column 1: 2 is neither 0 nor 1"):
        read_pattern(file, 8)


def test_broken_files_are_refused_in_one_line(tmp_path: Path) -> None:
    found = pattern_fuzz.run(2000, seed=1, folder=tmp_path)
    assert found["refused"] > 1000
    assert found["patterns"] > 10
