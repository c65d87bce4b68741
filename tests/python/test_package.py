# SPDX-License-Identifier: Apache-2.0
"""The package: its stubs, its docstrings, the studio in it, and pictures."""
import doctest
import http.client
import inspect
import json
import os
import pathlib
import subprocess
import sys
import unittest
import urllib.parse
import xml.etree.ElementTree

import numpy as np

import support
import ulna
from ulna import _core, goals

ROOT = pathlib.Path(__file__).resolve().parents[2]
USE = """
import numpy as np
import ulna

c = ulna.load("a.bvh")
positions = c.clips[0].positions(out=np.zeros((1, 2, 3)))
answer = ulna.solve_ik(c, [ulna.goals.position("a", [0, 1, 2])], pose=c.skeleton.rest_pose())
if not answer.report.reached:
    print(answer.errors[0] + 1.0)
clip = ulna.Clip.from_rotations(c.skeleton, np.zeros((1, 2, 6)), form="6d")
ulna.save(c.with_clips([clip.reduce(0.1).clip]), "b.glb")
ulna.solve_ik(c, 3)  # wrong
c.nothing  # wrong
clip.trim("a", 1)  # wrong
"""


def documented():
    """Every function and method with its docstring, by its name."""
    for name in dir(ulna):
        thing = getattr(ulna, name)
        if name.startswith("_") or inspect.ismodule(thing):
            continue
        yield name, thing
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if not member.startswith("_"):
                    yield f"{name}.{member}", value if isinstance(value, property) else getattr(thing, member)
    for name, thing in inspect.getmembers(goals, inspect.isfunction):
        if thing.__module__ == "ulna.goals" and not name.startswith("_"):
            yield f"goals.{name}", thing


class Documentation(unittest.TestCase):
    def test_every_example_is_true(self):
        c = support.character()
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        parser = doctest.DocTestParser()
        count = 0
        for name, thing in documented():
            doc = inspect.cleandoc(getattr(thing, "__doc__", None) or "")
            test = parser.get_doctest(doc, {"ulna": ulna, "np": np, "c": c}, name, None, 0)
            count += len(test.examples)
            runner.run(test)
        self.assertEqual(runner.failures, 0)
        self.assertGreater(count, 100)

    def test_every_function_has_an_example(self):
        for name, thing in documented():
            doc = getattr(thing, "__doc__", None) or ""
            self.assertTrue(doc.strip(), f"{name} has no docstring")
            if not isinstance(thing, property):
                self.assertIn(">>>", doc, f"{name} has no example")


class Stubs(support.Case):
    def test_stubs_are_those_of_the_module(self):
        subprocess.run([sys.executable, ROOT / "bindings/python/make-stubs", "--check"], check=True)

    def test_mypy_takes_the_package_strictly_and_finds_mistakes(self):
        package = pathlib.Path(ulna.__file__).parent
        environment = {**os.environ, "MYPYPATH": str(package.parent)}

        def mypy(*arguments):
            return subprocess.run(["/usr/bin/mypy", "--strict", "--cache-dir", self.folder, *arguments], check=False,
                                  stdout=subprocess.PIPE, text=True, cwd=self.folder, env=environment)

        whole = mypy("-p", "ulna")
        self.assertEqual(whole.returncode, 0, whole.stdout)
        pathlib.Path(self.path("use.py")).write_text(USE)
        found = [line for line in mypy("use.py").stdout.splitlines() if ": error:" in line]
        lines = {int(line.split(":")[1]) for line in found}
        self.assertEqual(lines, {i for i, line in enumerate(USE.splitlines(), 1) if "# wrong" in line}, found)


class Notebooks(support.Case):
    def setUp(self):
        super().setUp()
        self.c = support.character()

    def test_poses_and_clips_show_themselves_as_svg(self):
        for thing, least in ((self.c.clips[0].frame(0), 50), (self.c.clips[0], 400)):
            picture = xml.etree.ElementTree.fromstring(thing._repr_svg_())
            self.assertTrue(picture.tag.endswith("svg"))
            self.assertGreater(sum(1 for _ in picture.iter()), least)

    def test_meshes_show_their_weights_as_png(self):
        one, other = self.c.meshes[0]._repr_png_(), ulna.shade(self.c.meshes, joint="Head", height=200)
        self.assertEqual(one[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(other[:8], one[:8])
        self.assertNotEqual(other, ulna.shade(self.c.meshes, joint="LeftLeg", height=200))

    def request(self, url, path, **headers):
        parts = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        body = response.read()
        connection.close()
        return response.status, response.headers, body

    def test_the_studio_is_served_with_the_character(self):
        with ulna.view(self.c, ulna.example("ulna-run.bvh"), browser=False) as studio:
            parts = urllib.parse.urlsplit(studio.url)
            status, headers, body = self.request(studio.url, parts.path)
            self.assertEqual(status, 200)
            self.assertIn(b"<html", body.lower())
            self.assertIn("default-src 'self'", headers["Content-Security-Policy"])
            for name in ("studio.js", "engine.wasm", "studio.css"):
                self.assertEqual(self.request(studio.url, parts.path + name)[0], 200, name)
            files = json.loads(self.request(studio.url, parts.path + "files.json")[2])["files"]
            data = [self.request(studio.url, parts.path + each["url"])[2] for each in files]
            self.assertEqual(ulna.load_bytes(data[0], "a.glb").joints, self.c.joints)
            self.assertEqual(data[1], pathlib.Path(ulna.example("ulna-run.bvh")).read_bytes())
            self.assertIn(studio.url, studio._repr_html_())
        with self.assertRaises(OSError):
            self.request(studio.url, parts.path)

    def test_the_studio_gives_strangers_nothing(self):
        with ulna.view(self.c, browser=False) as studio:
            parts = urllib.parse.urlsplit(studio.url)
            for path in ("/", "/files.json", "/wrong/files.json", parts.path + "../__init__.py",
                         parts.path + "%2e%2e/__init__.py", parts.path + "studio/../../_view.py"):
                self.assertEqual(self.request(studio.url, path)[0], 404, path)
            self.assertEqual(self.request(studio.url, parts.path, Host="elsewhere.example")[0], 421)


class Names(unittest.TestCase):
    def test_the_package_names_all_of_the_module(self):
        own = {name for name in vars(_core) if not name.startswith("_")}
        self.assertEqual(own - set(vars(ulna)), set())

    def test_the_version_is_that_of_the_project(self):
        self.assertEqual(ulna.__version__, (ROOT / "VERSION").read_text().split()[0])


if __name__ == "__main__":
    unittest.main()
