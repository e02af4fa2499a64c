"""What a link really carries: full load in both directions at once, counted where it arrives."""

import socket
import struct
import sys
import threading
import time
from contextlib import suppress
from typing import Final

UP: Final = 0
DOWN: Final = 1
"""Directions of a connection, seen from the link's host."""

_WARM_UP_S: Final = 0.25
_COUNTED_S: Final = 0.75
_CHUNK_BYTES: Final = 1 << 18
# What waits in a buffer while its reader waits for a processor is later counted at once: little may wait.
_BUFFER_BYTES: Final = 1 << 17
_HEADER: Final = struct.Struct("!HB")


def connect(server: tuple[str, int], link: int, direction: int) -> socket.socket:
    """Connect a host to a switch and say which link this is and which way its data will go."""
    connection = socket.create_connection(server)
    connection.sendall(_HEADER.pack(link, direction))
    return connection


def accept(server: socket.socket) -> tuple[tuple[int, int], socket.socket]:
    """Return the link and the direction of the next connection, and the connection."""
    connection, _ = server.accept()
    link, direction = _HEADER.unpack(connection.recv(_HEADER.size, socket.MSG_WAITALL))
    return (link, direction), connection


def send(connection: socket.socket) -> None:
    """Send as much as the link allows, until the receiver has seen enough."""
    chunk = bytes(_CHUNK_BYTES)
    with connection, suppress(OSError):
        while True:
            connection.sendall(chunk)


def receive(connection: socket.socket) -> float:
    """Receive for a second from the first byte on; return the bits per second that arrived.

    What comes first is not counted: it may have waited in a buffer, or run ahead of the link's rate.
    """
    buffer = bytearray(_CHUNK_BYTES)
    with connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER_BYTES)
        connection.recv_into(buffer)
        _receive_for(_WARM_UP_S, connection, buffer)
        start_s = time.monotonic()
        received_bytes = _receive_for(_COUNTED_S, connection, buffer)
        return received_bytes * 8 / (time.monotonic() - start_s)


def _receive_for(period_s: float, connection: socket.socket, buffer: bytearray) -> int:
    end_s = time.monotonic() + period_s
    received_bytes = 0
    while time.monotonic() < end_s:
        received_bytes += connection.recv_into(buffer)
    return received_bytes


def main() -> None:
    """Be a host: load one of its links both ways and print what arrived."""
    address, port, link = sys.argv[1:]
    up, down = (connect((address, int(port)), int(link), direction) for direction in (UP, DOWN))
    threading.Thread(target=send, args=(up,)).start()
    print(receive(down), flush=True)


if __name__ == "__main__":
    main()
