"""What a link really carries: full load in both directions at once, counted where it arrives."""

import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

_WARM_UP_S: Final = 0.25
_COUNTED_S: Final = 0.75
_CHUNK_BYTES: Final = 1 << 18
# A deep buffer would only be data that nobody waits for at the end.
_BUFFER_BYTES: Final = 1 << 19


def exchange(connection: socket.socket) -> float:
    """Send and receive as much as the link allows, for a second; return the bits per second that arrived."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER_BYTES)
    connection.settimeout(_WARM_UP_S + _COUNTED_S)
    threading.Thread(target=_send, args=(connection,), daemon=True).start()
    start_s = time.monotonic()
    _receive(connection, lambda: time.monotonic() < start_s + _WARM_UP_S)
    counted_from_s = time.monotonic()
    received_bytes = _receive(connection, lambda: time.monotonic() < start_s + _WARM_UP_S + _COUNTED_S)
    return received_bytes * 8 / (time.monotonic() - counted_from_s)


def _receive(connection: socket.socket, goes_on: Callable[[], bool]) -> int:
    buffer = bytearray(_CHUNK_BYTES)
    received_bytes = 0
    with suppress(OSError):
        while goes_on() and (count := connection.recv_into(buffer)):
            received_bytes += count
    return received_bytes


def _send(connection: socket.socket) -> None:
    chunk = bytes(_CHUNK_BYTES)
    # It ends when the receiver has seen enough and closes.
    with suppress(OSError):
        while True:
            connection.sendall(chunk)


def main() -> None:
    """Be the host's end: say which host this is, wait for the start, print what arrived."""
    address, port, host = sys.argv[1:]
    with socket.create_connection((address, int(port))) as connection:
        connection.sendall(bytes((int(host) // 256, int(host) % 256)))
        connection.recv(1)
        print(exchange(connection), flush=True)


if __name__ == "__main__":
    main()
