# SPDX-License-Identifier: Apache-2.0
"""The server of `ulna view` under bounded load: slow and idle connections, endless headers, readers that stop, and many
quick requests. All the while a request with the token is answered, and memory stays small."""
import os
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
from view_server import Server, status, wait_until_closed  # noqa: E402

MEMORY = 64 << 20  # far above what it needs, far below what was sent
SLOW, QUICK = 200, 2000


def require(condition, what):
    if not condition:
        raise SystemExit(f"check_load: {what}")


def served(server, content):
    return server.get(f"{server.base}/files/0/big.bvh").endswith(b"\r\n\r\n" + content)


def slow_requests(server, content):
    """Connections with half a request, or none, each a byte at a time: others are served, and they are closed."""
    slow = [server.connect() for _ in range(SLOW)]
    for i, connection in enumerate(slow):
        if i % 2:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: ")
    require(served(server, content), "200 slow connections keep others from being served")
    for round_ in range(3):
        time.sleep(0.3)
        for i, connection in enumerate(slow):
            if i % 2:
                connection.sendall(b"x")
        require(served(server, content), f"the slow connections stop it in round {round_}")
    begin = time.monotonic()
    require(wait_until_closed(slow) == 0, "slow connections are not closed")
    print(f"200 slow connections: all closed {time.monotonic() - begin:.1f} s later")
    for connection in slow:
        connection.close()


def crowd(server, content):
    """More connections than it keeps: the oldest that said nothing make room for the newest."""
    idle = [server.connect() for _ in range(600)]
    require(served(server, content), "600 idle connections keep others from being served")
    for connection in idle:
        connection.close()


def endless_headers(server):
    """Sent until the other side closes: it must, soon, and without keeping them."""
    for data in (b"X: " + b"a" * 65533, b"A: b\r\n" * 10000, b"a" * 65536):
        sent = 0
        with server.connect() as connection:
            try:
                connection.sendall(b"GET / HTTP/1.1\r\n")
                while sent < 400 << 20:
                    connection.sendall(data)
                    sent += len(data)
            except OSError:
                pass
        require(sent < 16 << 20, f"{sent} bytes of headers were taken")
    print(f"endless headers: {server.resident() >> 20} MiB resident")
    require(server.resident() < MEMORY, f"{server.resident() >> 20} MiB are resident after endless headers")


def stopped_readers(server, content):
    """Requests for a large file whose senders read nothing: it is not in memory for each of them."""
    readers = [server.connect() for _ in range(60)]
    for connection in readers:
        connection.sendall(f"GET {server.base}/files/0/big.bvh HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode())
    require(served(server, content), "readers that stop keep others from being served")
    print(f"60 readers that stopped: {server.resident() >> 20} MiB resident")
    require(server.resident() < MEMORY, f"{server.resident() >> 20} MiB are resident for readers that stopped")
    for connection in readers:
        connection.close()


def quick_requests(server):
    """With the token and without it, from four sides at once."""
    wrong = []

    def ask(first):
        for i in range(first, QUICK, 4):
            path, expected = (f"{server.base}/studio.js", 200) if i % 2 else ("/studio.js", 404)
            code = status(server.get(path))
            if code != expected:
                wrong.append((i, code))

    begin = time.monotonic()
    sides = [threading.Thread(target=ask, args=(first,)) for first in range(4)]
    for side in sides:
        side.start()
    for side in sides:
        side.join()
    print(f"{QUICK} quick requests: {time.monotonic() - begin:.1f} s")
    require(not wrong, f"{len(wrong)} of {QUICK} quick requests have another answer: {wrong[:5]}")


def main():
    with tempfile.TemporaryDirectory() as work:
        content = os.urandom(1 << 16) * 128  # 8 MiB, more than a socket keeps
        with open(f"{work}/big.bvh", "wb") as file:
            file.write(content)
        with Server([f"{work}/big.bvh"]) as server:
            require(served(server, content), "the file is not served")
            quick_requests(server)
            endless_headers(server)
            stopped_readers(server, content)
            crowd(server, content)
            slow_requests(server, content)
            require(served(server, content), "the file is not served after all this")
            require(server.resident() < MEMORY, f"{server.resident() >> 20} MiB are resident at the end")


main()
