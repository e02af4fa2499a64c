"""What passes between a lab and the program that opened it: one JSON value a message."""

import json
import socket
from collections.abc import Sequence
from typing import Any, Final

_MAX_MESSAGE_BYTES: Final = 1 << 17


def channel() -> tuple[socket.socket, socket.socket]:
    """Return two ends that keep messages apart, and of which each hears when the other is gone."""
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def tell(end: socket.socket, message: object, files: Sequence[int] = ()) -> None:
    """Send a message, and open files with it; raise OSError if it is too long or nobody is there."""
    data = json.dumps(message).encode()
    if len(data) > _MAX_MESSAGE_BYTES:
        raise OSError(f"a message of {len(data)} bytes is too long: {_MAX_MESSAGE_BYTES} is the most")
    socket.send_fds(end, [data], files)


def hear(end: socket.socket) -> tuple[Any, list[int]]:
    """Wait for a message; return it with the files that came with it, (None, []) if the other end is gone."""
    data, files, _, _ = socket.recv_fds(end, _MAX_MESSAGE_BYTES, 3)
    return (json.loads(data) if data else None), files
