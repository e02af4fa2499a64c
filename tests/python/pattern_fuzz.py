"""Broken pattern files by the thousand: each is read as a pattern or refused with a RotaError of one line.

In the suite as test_patterns.py calls it; by hand, for as many as there is time for:

    python tests/python/pattern_fuzz.py 1000000 [seed]
"""

from __future__ import annotations

import io
import sys
import tempfile
import time
import warnings
import zipfile
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

import numpy as np

from rota import Pattern
from rota.errors import RotaError
from rota.patterns import read_pattern

CPU_S = 20.0
"""More processor time for one small file counts as a hang."""

CELLS = np.array([[0, 3, 0, 70], [1, 0, 0, 0], [0, 0, 0, 5], [12, 0, 9, 0]])
ROWS, COLUMNS = np.nonzero(CELLS)
SPARSE = {"shape": np.array(CELLS.shape), "data": CELLS[ROWS, COLUMNS], "format": np.array(b"csr")}

TEXTS = {
    "comma.csv": "# a comment\n0,3,0,70\n1,0,0,0\n0,0,0,5\n12,0,9,0\n",
    "blank.csv": "0 3 0 7e1\n1.0 0 0 0\n\n0 0 0 5\n12 0 9 0.0",
    "cells.mtx": "%%MatrixMarket matrix coordinate integer general\n% comment\n4 4 3\n1 2 3\n1 4 70\n4 3 9\n",
    "half.mtx": "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 2\n2 1\n4 3\n",
    "array.mtx": "%%MatrixMarket matrix array real general\n2 2\n0.0\n1.0\n2e3\n0\n",
}
ARRAYS = {
    "dense.npz": {"arr_0": CELLS},
    "float.npz": {"arr_0": CELLS.astype(np.float32)},
    "rows.npz": {**SPARSE, "indices": COLUMNS, "indptr": np.array([0, 2, 3, 4, 6])},
    "cells.npz": {**SPARSE, "row": ROWS, "col": COLUMNS},
}

NASTY = [
    *("1e999999", "-1", "0", "NaN", "inf", "-0.0", "9" * 5000, "1e400", "", " ", "0x10", "1_0", "\u0661"),
    *("1.5", "1e18", "9223372036854775807", "18446744073709551616", "4" * 30, "\x00", "\ufeff", "\u2028"),
    *("\n", "\r", ",", ";", "\t", "%", "#", "%%MatrixMarket", "complex", "hermitian", "skew-symmetric"),
    *("coordinate", "array", "pattern", "0,", "0 0 0\n", "99999999 99999999 1\n", "<i8", "O", "V8", "|S3"),
    *("(4,)", "(4, 4)", "(-1,)", "(99999999999,)", "fortran_order", "True", "{", "}", "'descr'", ".npy"),
]

MEMBERS = (
    "data.npy",
    "shape.npy",
    "row.npy",
    "col.npy",
    "indices.npy",
    "format.npy",
    "x.npy",
    "x",
    "x/y.npy",
)


@cache
def packed(name: str) -> dict[str, bytes]:
    """Return the members of an .npz file."""
    members = {}
    for member, array in ARRAYS[name].items():
        file = io.BytesIO()
        np.save(file, array)
        members[f"{member}.npy"] = file.getvalue()
    return members


def zipped(members: dict[str, bytes], method: int) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def broken(random: Random) -> tuple[str, bytes]:
    """Return the end of a file's name and what is left of a good file after a few mutations."""
    name = random.choice([*TEXTS, *ARRAYS])
    suffix = name[-4:]
    if name in TEXTS:
        return _perhaps_another(suffix, random), _mutated(TEXTS[name].encode(), random)
    members = dict(packed(name))
    method = random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    if random.random() < 0.3:  # most of these fail a checksum
        return _perhaps_another(suffix, random), _mutated(zipped(members, method), random)
    member = random.choice(list(members))
    content = _mutated(members.pop(member), random)
    if random.random() < 0.9:
        members[member if random.random() < 0.9 else random.choice(MEMBERS)] = content
    return suffix, zipped(members, method)


def _perhaps_another(suffix: str, random: Random) -> str:
    """Return the suffix by which a file is read: now and then it lies."""
    return random.choice((".csv", ".npz", ".mtx")) if random.random() < 0.03 else suffix


def _mutated(content: bytes, random: Random) -> bytes:
    for _ in range(random.choice((1, 1, 1, 2, 3, 6))):
        content = _mutated_once(content, random)
    return content


def _mutated_once(content: bytes, random: Random) -> bytes:
    first, last = sorted(random.randrange(len(content) + 1) for _ in range(2))
    short = min(last, first + random.randrange(1, 20))
    middle = {
        "byte": bytes([random.randrange(256)]),
        "run": bytes([random.randrange(256)] * (short - first)),
        "hole": b"",
        "nasty": random.choice(NASTY).encode(),
        "twice": content[first:last] * 2,
    }
    match random.choice([*middle, "end", "number"]):
        case "end":
            return content[:first]
        case "number":
            return _with_number_replaced(content, random)
        case kind:
            rest = {"byte": first + 1, "nasty": first, "twice": last}.get(kind, short)
            return content[:first] + middle[kind] + content[rest:]


def _with_number_replaced(content: bytes, random: Random) -> bytes:
    places = [place for place, letter in enumerate(content) if letter in b"0123456789"]
    if not places:
        return content
    place = random.choice(places)
    return content[:place] + random.choice(NASTY).encode() + content[place + 1 :]


def run(count: int, seed: int, folder: Path) -> Counter[str]:
    """Read so many broken files; return how many were read as patterns and how many refused."""
    random = Random(seed)  # noqa: S311 - no secrets here
    found: Counter[str] = Counter()
    for number in range(count):
        suffix, content = broken(random)
        file = folder / f"broken{suffix}"
        file.write_bytes(content)
        before = time.process_time()
        try:
            assert isinstance(read_pattern(file), Pattern)
            message = ""
            found["patterns"] += 1
        except RotaError as fault:
            message = str(fault)
            found["refused"] += 1
        except Exception as fault:
            raise AssertionError(f"file {number} of seed {seed}: {suffix} {content[:3000]!r}") from fault
        assert "\n" not in message, (number, seed, message)
        assert len(message) < len(str(file)) + 400, (number, seed, message)
        assert time.process_time() - before < CPU_S, (number, seed, suffix, content)
    return found


if __name__ == "__main__":
    count = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    warnings.simplefilter("error")
    with tempfile.TemporaryDirectory() as folder:
        started_s = time.process_time()
        results = run(count, seed, Path(folder))
        print(f"{count} files in {time.process_time() - started_s:.0f} s of processor time:", dict(results))
