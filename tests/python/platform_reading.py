"""Platform files from texts: read, or refused in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rota.errors import RotaError
from rota.platforms import Platform, read_platform

if TYPE_CHECKING:
    from pathlib import Path


def read(text: str, tmp_path: Path, name: str) -> Platform:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return read_platform(file)


def refused(text: str, tmp_path: Path, name: str) -> str:
    with pytest.raises(RotaError) as fault:
        read(text, tmp_path, name)
    message = str(fault.value)
    assert message.startswith(str(tmp_path / name))
    assert "\n" not in message
    return message.removeprefix(str(tmp_path / name))
