# SPDX-License-Identifier: Apache-2.0
"""`ulna view` as a process, and connections to it byte by byte: a library would tidy requests up."""
import os
import re
import select
import signal
import socket
import subprocess
import time

TOOL = os.environ["ULNA_VIEW_TOOL"]
PATIENCE = 15.0


class Server:
    """Ended on leaving the `with`; it must end with exit code 0 then."""

    def __init__(self, files=(), folder="."):
        self.process = subprocess.Popen([TOOL, "view", "--no-open", *files], cwd=folder, stdout=subprocess.PIPE)
        line = self.process.stdout.readline().decode()
        match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/[0-9a-f]{32})/\n", line)
        if not match:
            raise SystemExit(f"ulna view prints no URL: {line!r}")
        self.port, self.base = int(match[1]), match[2]
        self.host = f"127.0.0.1:{self.port}"

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        alive = self.process.poll() is None
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(PATIENCE)
        if kind is None and not (alive and code == 0):
            raise SystemExit(f"the server ended by itself or with {code}")

    def connect(self):
        out = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        out.settimeout(PATIENCE)
        return out

    def exchange(self, data):
        """What comes back for these bytes, until the other side closes."""
        with self.connect() as connection:
            try:
                connection.sendall(data)
            except OSError:
                pass  # it closed before it had everything
            return read_all(connection)

    def get(self, path, method="GET", headers=""):
        return self.exchange(f"{method} {path} HTTP/1.1\r\nHost: {self.host}\r\n{headers}\r\n".encode("latin-1"))

    def resident(self):
        """Bytes of memory."""
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def read_all(connection):
    out = b""
    try:
        while piece := connection.recv(65536):
            out += piece
    except ConnectionResetError:
        pass
    return out


def status(answer):
    """0 where there is no answer."""
    match = re.match(rb"HTTP/1\.1 (\d{3}) [A-Za-z ]+\r\n", answer)
    return int(match[1]) if match else 0


def wait_until_closed(connections):
    """How many of these the other side has not closed in time."""
    end = time.monotonic() + PATIENCE
    left = set(connections)
    while left and time.monotonic() < end:
        ready, _, _ = select.select(list(left), [], [], 0.5)
        for connection in ready:
            try:
                data = connection.recv(65536)
            except OSError:
                data = b""
            if not data:
                left.discard(connection)
    return len(left)
