# SPDX-License-Identifier: Apache-2.0
"""Tricks on the server of `ulna view`: paths, encodings, methods, headers, hosts, tokens, links, half requests and
pipelines. None may bring back a byte of a file that was not named, or of a named one without the token; none may stop
the server. What comes back is judged by bytes that only certain files have."""
import os
import socket
import sys
import tempfile

sys.dont_write_bytecode = True
from view_server import Server, read_all, status  # noqa: E402

SECRET = b"a secret of the disk"
NAMED = b"the file that was named"
PAGE = b"document.title"  # of the page's script

count = 0
failures = []


def check(name, good, answer=b""):
    global count
    count += 1
    if not good:
        failures.append(f"{name}: {answer[:200]!r}")


def refused(server, name, answer, allowed=(400, 404)):
    """Whatever it was, it is refused with the headers of every answer, and nothing is told."""
    code = status(answer)
    silent = not any(text in answer for text in (SECRET, NAMED, PAGE, server.base[1:].encode()))
    strict = b"Content-Security-Policy: default-src 'self'" in answer and b"nosniff" in answer
    check(name, code in allowed and silent and strict, answer)


def paths(server):
    for path in [
        "/", "//", "/.", "/..", "/../", "/index.html", "/studio.js", "/files.json", "/files/0/named.bvh", "/named.bvh",
        "/etc/passwd", "/../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/favicon.ico", "*",
        "/robots.txt", "/?", "/#", "/;", "/:", "/@", "/~root", "/.git/config", "/proc/self/environ", "/%00", "http://x/",
    ]:
        refused(server, f"without a token {path}", server.get(path))
    for path in [
        "/..", "/../", "/../secret.txt", "/../../../../etc/passwd", "/%2e%2e/secret.txt", "/..%2fsecret.txt",
        "/%252e%252e%252fsecret.txt", "/..\\secret.txt", "/.\\..\\secret.txt", "//secret.txt", "/./index.html",
        "/index.html/", "/index.html%00", "/index.html%20", "/index.html.", "/INDEX.HTML", "/index%2ehtml", "/deep",
        "/deep/", "/deep/..", "/deep/../studio.js", "/files", "/files/", "/files/0", "/files/0/", "/files/00/named.bvh",
        "/files/+0/named.bvh", "/files/-1/named.bvh", "/files/1/named.bvh", "/files/0x0/named.bvh",
        "/files/99999999999999999999/named.bvh", "/files/0/named%2ebvh", "/files/0/NAMED.bvh", "/files/0/../secret.txt",
        "/files/0/secret.txt", "/files/0/link.bvh", "/files/0/parts/0", "/files/0/parts/", "/files/0/parts/-1",
        "/secret.txt", "/named.bvh", "/.", "/;/index.html", "/index.html;x", "/index.html:80", "/%ff%fe",
        "/\xc0\xae\xc0\xae/secret.txt", "/files.json/", "/files.json/0", "/files/0/named.bvh/", "/~root", "/.env",
        "/proc/self/environ", "/dev/zero", "/studio.js.gz", "/engine.wasm/../studio.js",
    ]:
        refused(server, f"below the token {path}", server.get(server.base + path))


def tokens(server, other):
    token = server.base[1:]
    changed = [token[:i] + ("0" if token[i] != "0" else "1") + token[i + 1:] for i in (0, 1, 15, 16, 30, 31)]
    for wrong in [
        "", "0", "0" * 32, token[:-1], token[1:], token + "0", "0" + token, token * 2, token[::-1], other.base[1:],
        "%" + format(ord(token[0]), "02x") + token[1:], token + "%00", "." + token, token + ".", token + "%2f",
        "/" + token, "./" + token, "x/../" + token, "*", "%", "a" * 8000, *changed,
    ]:
        refused(server, f"the token {wrong[:40]}", server.get(f"/{wrong}/files/0/named.bvh"))
    for headers in [
        f"Authorization: Bearer {token}\r\n", f"Cookie: token={token}\r\n", f"X-Original-URL: /{token}/studio.js\r\n",
        f"X-Rewrite-URL: /{token}/studio.js\r\n", f"Referer: http://{server.host}/{token}/\r\n",
        f"X-HTTP-Method-Override: GET\r\nX-Forwarded-Prefix: /{token}\r\n",
    ]:
        refused(server, f"the token in {headers}", server.get("/studio.js", headers=headers))
    refused(server, "the token as a query", server.get(f"/?token={token}"))
    refused(server, "the token as a fragment", server.get(f"/#/{token}/"))
    for target in (f"/files.json?/{token}/", f"http://{server.host}/{token}/", f"http://{server.host}/{token}/studio.js"):
        refused(server, f"the target {target}", server.get(target))


def methods(server):
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "BREW", "get", "GETT", "G"]:
        answer = server.get(f"{server.base}/studio.js", method=method)
        refused(server, f"the method {method}", answer, (400, 405))
        refused(server, f"the method {method} without a token", server.get("/studio.js", method=method), (400, 404))


def hosts(server):
    port = server.port
    for host in [
        "evil.example", f"evil.example:{port}", "127.0.0.1", "localhost", f"127.0.0.1:{port}0", f"127.0.0.1:0{port}",
        f"127.1:{port}", f"2130706433:{port}", f"0x7f000001:{port}", f"0.0.0.0:{port}", f"[::1]:{port}",
        f"localhost.evil.example:{port}", f"evil.example@127.0.0.1:{port}", f"127.0.0.1:{port}@evil.example",
        f"127.0.0.1:{port}, evil.example", f"127.0.0.1:{port}/", f"localhost.:{port}", "", f"127.0.0.1 :{port}",
    ]:
        head = f"GET {server.base}/studio.js HTTP/1.1\r\nHost: {host}\r\n\r\n"
        refused(server, f"the host {host}", server.exchange(head.encode()), (421,))
    line = f"GET {server.base}/studio.js HTTP/1.1\r\n"
    for name, headers in [
        ("no host", ""), ("two hosts", f"Host: {server.host}\r\nHost: {server.host}\r\n"),
        ("another host after ours", f"Host: {server.host}\r\nHost: evil.example\r\n"),
        ("a host of another header", f"X-Forwarded-Host: {server.host}\r\n"),
    ]:
        refused(server, name, server.exchange(f"{line}{headers}\r\n".encode()), (421,))
    for name, headers in [
        ("a space before the colon", f"Host : {server.host}\r\n"), ("a folded host", f"Host:\r\n evil.example\r\n"),
        ("a header without a name", f": x\r\nHost: {server.host}\r\n"), ("a NUL", f"Host: {server.host}\0\r\n"),
        ("a bare line feed", f"Host: {server.host}\nX: y\r\n"), ("a bare return", f"Host: {server.host}\rX: y\r\n"),
        ("a header without a colon", f"Host: {server.host}\r\nnonsense\r\n"),
    ]:
        refused(server, name, server.exchange(f"{line}{headers}\r\n".encode()), (400, 421))


def nonsense(server):
    host = f"Host: {server.host}\r\n"
    path = f"{server.base}/studio.js"
    for name, data in [
        ("an empty line", "\r\n\r\n"), ("a method alone", "GET\r\n\r\n"), ("no version", f"GET {path}\r\n\r\n"),
        ("HTTP/9.9", f"GET {path} HTTP/9.9\r\n{host}\r\n"), ("HTTP/2.0", f"GET {path} HTTP/2.0\r\n{host}\r\n"),
        ("two spaces", f"GET  {path} HTTP/1.1\r\n{host}\r\n"), ("a tab", f"GET\t{path}\tHTTP/1.1\r\n{host}\r\n"),
        ("line feeds alone", f"GET {path} HTTP/1.1\n{host}\n\n\r\n\r\n"), ("a space in front", f" GET {path} HTTP/1.1\r\n{host}\r\n"),
        ("a preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), ("TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"),
        ("NULs", "\0" * 100 + "\r\n\r\n"), ("a proxy's line", f"PROXY TCP4 1.1.1.1 2.2.2.2 1 2\r\nGET {path} HTTP/1.1\r\n{host}\r\n"),
        ("SSH", "SSH-2.0-OpenSSH_9.2\r\n\r\n"), ("a control in the target", f"GET {path}\x01 HTTP/1.1\r\n{host}\r\n"),
        ("two lengths", f"GET /x HTTP/1.1\r\n{host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n"),
        ("a length that is none", f"GET /x HTTP/1.1\r\n{host}Content-Length: -1\r\n\r\n"),
    ]:
        refused(server, name, server.exchange(data.encode("latin-1")))


def sizes(server):
    for size in (1000, 8000, 15000, 17000, 100_000, 1_000_000):
        refused(server, f"a path of {size} bytes", server.get("/" + "a" * size), (404, 431))
        answer = server.get("/", headers=f"X-Long: {'b' * size}\r\n")
        refused(server, f"a header of {size} bytes", answer, (404, 431))
        check(f"a header of {size} bytes is judged by its size", status(answer) == (404 if size < 16000 else 431), answer)
    refused(server, "many headers", server.get("/", headers="A: b\r\n" * 5000), (431,))
    refused(server, "no end of headers", server.exchange(b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 5000), (431,))
    refused(server, "a method without end", server.exchange(b"G" * 50_000), (400, 431))


def several_at_once(server):
    one = f"GET {server.base}/studio.js HTTP/1.1\r\nHost: {server.host}\r\n\r\n"
    answer = server.exchange(one.encode() * 10)
    check("ten requests in a row have one answer", answer.count(b"HTTP/1.1 ") == 1 and status(answer) == 200, answer)
    for name, headers in [
        ("a length", f"Content-Length: {len(one)}\r\n"), ("chunks", "Transfer-Encoding: chunked\r\n"),
        ("both", f"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n"), ("a promise", "Expect: 100-continue\r\n"),
        ("an upgrade", "Connection: Upgrade\r\nUpgrade: h2c\r\n"), ("a socket", "Connection: Upgrade\r\nUpgrade: websocket\r\n"),
    ]:
        head = f"GET /none HTTP/1.1\r\nHost: {server.host}\r\n{headers}\r\n"
        refused(server, f"a request in the body after {name}", server.exchange((head + one).encode()), (400, 404))
    for name, headers in [
        ("Range: bytes=0-3", "Range: bytes=0-3\r\n"), ("many ranges", "Range: bytes=" + ",".join(["0-1"] * 1000) + "\r\n"),
        ("If-None-Match: *", "If-None-Match: *\r\n"), ("If-Modified-Since", "If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT\r\n"),
        ("Accept: nothing", "Accept: \r\n"), ("Origin", "Origin: http://evil.example\r\n"),
    ]:
        answer = server.get(f"{server.base}/files/0/named.bvh", headers=headers)
        good = status(answer) == 200 and answer.endswith(b"\r\n\r\n" + NAMED) and b"Access-Control" not in answer
        check(f"{name} changes nothing", good, answer)


def pieces(server):
    one = f"GET {server.base}/files/0/named.bvh HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode()
    with server.connect() as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for i in range(len(one)):
            connection.sendall(one[i:i + 1])
        check("a request byte by byte", read_all(connection).endswith(NAMED))
    with server.connect() as connection:
        connection.sendall(one[:20])
        connection.shutdown(socket.SHUT_WR)
        check("half a request has no answer", read_all(connection) == b"")
    with server.connect() as connection:
        connection.sendall(one)
        connection.shutdown(socket.SHUT_WR)
        check("a request whose sender hears but says no more", read_all(connection).endswith(NAMED))
    for data in (b"", one[:5], one):
        connection = server.connect()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        connection.sendall(data)
        connection.close()  # with a reset
        check(f"a reset after {len(data)} bytes", status(server.get(f"{server.base}/")) == 200)


def swaps(server, folder):
    """What takes the position of a named file after the start."""
    path, target = f"{folder}/named.bvh", f"{server.base}/files/0/named.bvh"

    def swapped(name, make):
        os.rename(path, f"{folder}/kept")
        make()
        refused(server, name, server.get(target), (404,))
        if os.path.isdir(path) and not os.path.islink(path):
            os.rmdir(path)
        elif os.path.lexists(path):
            os.unlink(path)
        os.rename(f"{folder}/kept", path)
        check(f"after {name} the file is served again", server.get(target).endswith(NAMED))

    swapped("a link to a secret", lambda: os.symlink("secret.txt", path))
    swapped("a link to /etc/passwd", lambda: os.symlink("/etc/passwd", path))
    swapped("a link to itself", lambda: os.symlink("named.bvh", path))
    swapped("a link to nothing", lambda: os.symlink("nothing", path))
    swapped("a link to the kept file", lambda: os.symlink("kept", path))
    swapped("a link to /dev/zero", lambda: os.symlink("/dev/zero", path))
    swapped("a pipe", lambda: os.mkfifo(path))
    swapped("a folder", lambda: os.mkdir(path))
    swapped("nothing", lambda: None)

    def socket_file():
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path)

    swapped("a socket", socket_file)
    os.rename(folder, folder + "-moved")
    os.mkdir(folder)
    with open(path, "wb") as file:
        file.write(SECRET)
    check("another folder of the same path is not the one that was opened", server.get(target).endswith(NAMED))
    os.unlink(path)
    os.rmdir(folder)
    os.rename(folder + "-moved", folder)


def main():
    with tempfile.TemporaryDirectory() as work:
        folder = f"{work}/folder"
        os.mkdir(folder)
        for name, content in (("secret.txt", SECRET), ("named.bvh", NAMED), (".env", SECRET)):
            with open(f"{folder}/{name}", "wb") as file:
                file.write(content)
        os.symlink("secret.txt", f"{folder}/link.bvh")
        with Server([f"{folder}/named.bvh"]) as server, Server() as other:
            check("the file itself", server.get(f"{server.base}/files/0/named.bvh").endswith(NAMED))
            check("the page's script", PAGE in server.get(f"{server.base}/studio.js"))
            paths(server)
            tokens(server, other)
            methods(server)
            hosts(server)
            nonsense(server)
            sizes(server)
            several_at_once(server)
            pieces(server)
            swaps(server, folder)
            check("at the end it serves as at the start", server.get(f"{server.base}/files/0/named.bvh").endswith(NAMED))
    print(f"{count} checks, {len(failures)} failed")
    print("\n".join(failures))
    sys.exit(1 if failures or count < 120 else 0)


main()
