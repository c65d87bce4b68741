# SPDX-License-Identifier: Apache-2.0
"""The studio in a notebook or a browser, served from the package itself to this machine alone."""
from __future__ import annotations

import hmac
import html
import http.server
import json
import os
import pathlib
import secrets
import threading
import typing
import urllib.parse
import webbrowser

from . import _core

_PACKAGE = pathlib.Path(__file__).resolve().parent
_PAGE = _PACKAGE / "studio"
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".wasm": "application/wasm",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".glb": "model/gltf-binary",
    ".txt": "text/plain; charset=utf-8",
}
# The page takes nothing from elsewhere; notebooks of this machine may show it in a frame.
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' blob: data:; media-src blob:; connect-src 'self'; worker-src 'self' blob:; object-src 'none'; "
    "base-uri 'none'; frame-ancestors 'self' http://127.0.0.1:* http://localhost:*",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
_open: list[View] = []


def example(name: str = "") -> str:
    """The path of a file of the bundled character; without a name, of the folder with all of them.

    >>> ulna.load(ulna.example("ulna-run.bvh")).clips[0].name
    'ulna-run'
    """
    folder = _PACKAGE / "data"
    if not name:
        return str(folder)
    names = sorted(path.name for path in folder.iterdir())
    if name not in names:
        raise KeyError(f"there is no example '{name}'; there are {', '.join(names)}")
    return str(folder / name)


class View:
    """A studio that is open: shown in a notebook's cell, and at `url` until it is closed.

    >>> with ulna.view(c, browser=False) as studio:
    ...     studio.url.startswith("http://127.0.0.1:")
    True
    """

    def __init__(self, files: list[tuple[str, bytes]]) -> None:
        if not (_PAGE / "index.html").is_file():
            raise RuntimeError("this build of ulna has no studio")
        # Every user of a machine can connect to its ports: without the token there is nothing.
        token = secrets.token_urlsafe(16)
        names = [{"name": name, "url": f"files/{i}/{urllib.parse.quote(name)}"} for i, (name, _) in enumerate(files)]
        made = {"files.json": json.dumps({"files": names}).encode()}
        for entry, (_, data) in zip(names, files):
            made[entry["url"]] = data
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _handler(token, made))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/{token}/"
        self._thread: threading.Thread | None = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the server; the page that is shown stays, without its files.

        >>> ulna.view(c, browser=False).close()
        """
        if self._thread is None:
            return
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        self._thread = None
        if self in _open:
            _open.remove(self)

    def __enter__(self) -> View:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<ulna.View at {self.url}>" if self._thread else "<ulna.View, closed>"

    def _repr_html_(self) -> str:
        return f'<iframe src="{html.escape(self.url)}" width="100%" height="600" style="border:0"></iframe>'


def view(*what: _core.Character | _core.Clip | str | os.PathLike[str], browser: bool | None = None) -> View:
    """Opens the studio on characters, clips or files: in a notebook's cell, else in the browser.

    >>> studio = ulna.view(ulna.example("ulna-wave.bvh"), browser=False)
    >>> studio.close()
    """
    files = [_named(each, i) for i, each in enumerate(what or (example("ulna-character.glb"),))]
    out = View(files)
    _open.append(out)
    if browser is None:
        browser = not _in_notebook()
    if browser:
        webbrowser.open(out.url)
    return out


def _in_notebook() -> bool:
    try:
        from IPython import get_ipython  # type: ignore[import]
    except ImportError:
        return False
    return get_ipython() is not None and hasattr(get_ipython(), "kernel")


def _named(what: object, i: int) -> tuple[str, bytes]:
    if isinstance(what, (_core.Character, _core.Clip)):
        name = what.path if isinstance(what, _core.Character) else what.name
        stem = os.path.basename(name).split(".")[0] or f"character-{i}"
        return f"{stem}.glb", _core.to_bytes(what, "glb")
    if isinstance(what, (str, os.PathLike)):
        path = pathlib.Path(os.fspath(what))
        return path.name, path.read_bytes()
    raise TypeError(f"a character, a clip or the name of a file is shown, not {type(what).__name__}")


def _handler(token: str, made: dict[str, bytes]) -> typing.Type[http.server.BaseHTTPRequestHandler]:
    page = {path.relative_to(_PAGE).as_posix(): path for path in _PAGE.rglob("*") if path.is_file()}

    class Handler(http.server.BaseHTTPRequestHandler):
        server_version = "ulna"
        sys_version = ""
        timeout = 30

        def do_GET(self) -> None:
            self._answer(True)

        def do_HEAD(self) -> None:
            self._answer(False)

        def _answer(self, with_body: bool) -> None:
            port = self.connection.getsockname()[1]
            # A page elsewhere can have its own name lead to 127.0.0.1; its requests still say that name.
            if self.headers.get("Host", "").lower() not in (f"127.0.0.1:{port}", f"localhost:{port}"):
                return self._send(421, b"This server is not for that host.\n", ".txt", with_body)
            first, _, rest = self.path.split("?")[0].removeprefix("/").partition("/")
            if not hmac.compare_digest(first.encode(), token.encode()):
                return self._send(404, b"There is nothing of that name.\n", ".txt", with_body)
            rest = rest or "index.html"
            if rest in made:
                return self._send(200, made[rest], os.path.splitext(rest)[1], with_body)
            # Names are only ever compared, never turned into a path.
            if rest in page:
                return self._send(200, page[rest].read_bytes(), os.path.splitext(rest)[1], with_body)
            self._send(404, b"There is nothing of that name.\n", ".txt", with_body)

        def _send(self, status: int, body: bytes, ending: str, with_body: bool) -> None:
            self.send_response(status)
            for name, value in _HEADERS.items():
                self.send_header(name, value)
            self.send_header("Content-Type", _TYPES.get(ending, "application/octet-stream"))
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if with_body:
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler
