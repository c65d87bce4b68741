# SPDX-License-Identifier: Apache-2.0
"""What the tests of the Python package share: files, the tool, and oracles of plain matrices."""
import json
import os
import subprocess
import tempfile
import unittest

import numpy as np

import ulna

TOOL = os.environ["ULNA"]
SHARED = os.environ["ULNA_SHARED_DATA"]


def character():
    return ulna.load(ulna.example("ulna-character.glb"))


def run_tool(*arguments):
    """What the tool prints; fails where it does."""
    done = subprocess.run([TOOL, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{arguments}: {done.stderr.decode()}")
    return done.stdout


def json_of_tool(*arguments):
    return json.loads(run_tool(*arguments, "--json"))


def matrix_of(q):
    """The rotation matrix of a unit quaternion x y z w, by its textbook formula."""
    x, y, z, w = np.moveaxis(np.asarray(q, float), -1, 0)
    return np.stack([
        np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], -1),
        np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], -1),
        np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1),
    ], -2)


def model_matrices(parents, translations, rotations, scales=None):
    """Forward kinematics by products of plain matrices: (poses, joints, 4, 4)."""
    frames, joints = translations.shape[:2]
    local = np.zeros((frames, joints, 4, 4))
    local[..., :3, :3] = matrix_of(rotations)
    if scales is not None:
        local[..., :3, :3] = local[..., :3, :3] * scales[..., None, :]
    local[..., :3, 3] = translations
    local[..., 3, 3] = 1
    out = np.empty_like(local)
    for j, parent in enumerate(parents):
        out[:, j] = local[:, j] if parent < 0 else out[:, parent] @ local[:, j]
    return out


def random_quaternions(rng, *shape):
    q = rng.normal(size=(*shape, 4))
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


class Case(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def bytes_of(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def close(self, a, b, tolerance=1e-9):
        np.testing.assert_allclose(a, b, rtol=0, atol=tolerance)
