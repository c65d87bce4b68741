#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The Python package and the tool with a GPU, or with the stand-in for its driver (LD_LIBRARY_PATH): batches of arrays of
NumPy, and of arrays that lie on the device, in and out by DLPack and __cuda_array_interface__.

    ULNA=.../ulna PYTHONPATH=... tests/gpu/check_python.py"""
import ctypes
import gc
import json
import os
import subprocess
import tempfile
import unittest

import numpy as np

import ulna

driver = ctypes.CDLL("libcuda.so.1")
ARM = ulna.Skeleton([
    {"name": "base", "kind": "hinge", "axis": [0, 1, 0], "limits": [[-170, 170]]},
    {"name": "upper", "parent": "base", "kind": "hinge", "axis": [1, 0, 0], "offset": [0, 0.2, 0], "limits": [[-120, 120]]},
    {"name": "lower", "parent": "upper", "kind": "hinge", "axis": [1, 0, 0], "offset": [0, 0.4, 0], "limits": [[-140, 140]]},
    {"name": "hand", "parent": "lower", "kind": "fixed", "offset": [0, 0.4, 0]}])
BODY = ulna.Skeleton([
    {"name": "hips", "kind": "free"},
    {"name": "chest", "parent": "hips", "kind": "ball", "offset": [0, 0.4, 0]},
    {"name": "arm", "parent": "chest", "kind": "ball", "offset": [0.2, 0.1, 0], "cone": {"axis": [1, 0, 0], "swing": 80}},
    {"name": "hand", "parent": "arm", "kind": "hinge", "axis": [0, 0, 1], "offset": [0.3, 0, 0]},
    {"name": "tip", "parent": "hand", "kind": "fixed", "offset": [0.3, 0, 0]}])
HAND = [ulna.goals.position("hand", [0, 0, 0])]


def positions(skeleton, dofs, joint):
    """Where a joint is, by products of matrices in NumPy: for hinges and fixed joints."""
    def rotation(axis, angle):
        x, y, z = axis
        k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k
    out = []
    for row in dofs:
        frame, at = np.eye(3), np.zeros(3)
        for axis, offset, angle in zip([(0, 1, 0), (1, 0, 0), (1, 0, 0)], [(0, 0, 0), (0, 0.2, 0), (0, 0.4, 0)], row):
            at = at + frame @ np.array(offset)
            frame = frame @ rotation(axis, angle)
        out.append(at + frame @ np.array([0, 0.4, 0]))
    return np.array(out)


def targets(count, seed=1):
    return positions(ARM, np.random.default_rng(seed).uniform(-1.5, 1.5, (count, 3)), "hand")


class Foreign:
    """An array of another library's on the device: its memory is a GpuArray's."""

    def __init__(self, array, **changes):
        self.array, self.changes = array, changes

    @property
    def __cuda_array_interface__(self):
        return {**self.array.__cuda_array_interface__, **self.changes}


class Dlpack:
    """The same for DLPack alone, and how often it was asked."""
    asked = 0
    stream = None

    def __init__(self, array, device=(2, 0)):
        self.array, self.device = array, device

    def __dlpack__(self, *, stream=None):
        self.asked += 1
        self.stream = stream
        return self.array.__dlpack__(stream=stream)

    def __dlpack_device__(self):
        return self.device


class Batches(unittest.TestCase):
    def check(self, batch, wanted):
        self.assertTrue(np.all(np.asarray(batch.reached)))
        found = positions(ARM, np.asarray(batch.dofs), "hand")
        self.assertLessEqual(np.abs(found - wanted).max(), 1.1e-5)

    def solve(self, points, **options):
        return ulna.solve_ik_batch(ARM, HAND, points, tolerance=1e-5, restarts=20, **options)

    def test_arrays_of_numpy(self):
        wanted = targets(200)
        batch = self.solve(wanted, device="cuda")
        self.assertIsInstance(batch.dofs, np.ndarray)
        self.check(batch, wanted)
        again = self.solve(wanted, device="cuda:0")
        np.testing.assert_array_equal(again.dofs, batch.dofs)
        told = []
        self.solve(wanted, device="cuda", progress=told.append)
        self.assertEqual(told[-1:], [1.0])

    def test_arrays_of_the_device_stay_there(self):
        wanted = targets(100)
        host = self.solve(wanted, device="cuda")
        for points in (ulna.GpuArray(wanted), Foreign(ulna.GpuArray(wanted)),
                       Foreign(ulna.GpuArray(wanted), strides=(24, 8), stream=1), Dlpack(ulna.GpuArray(wanted))):
            batch = self.solve(points)
            for each, kind, shape in ((batch.dofs, "<f8", (100, 3)), (batch.reached, "|b1", (100,)),
                                      (batch.errors, "<f8", (100,)), (batch.iterations, "<i4", (100,))):
                self.assertIsInstance(each, ulna.GpuArray)
                self.assertEqual(each.__cuda_array_interface__["typestr"], kind)
                self.assertEqual(each.shape, shape)
            self.check(batch, wanted)
            np.testing.assert_array_equal(batch.dofs.numpy(), host.dofs)
            np.testing.assert_array_equal(batch.iterations.numpy(), host.iterations)
            np.testing.assert_array_equal(batch.errors.numpy(), host.errors)

    def test_dlpack_asks_for_the_default_stream_and_lets_go(self):
        array = ulna.GpuArray(targets(20))
        points = Dlpack(array)
        self.solve(points)
        self.assertEqual((points.asked, points.stream), (1, 1))
        address = array.__cuda_array_interface__["data"][0]
        capsule = array.__dlpack__()
        del array, points
        gc.collect()
        # The capsule still holds the memory; so it is the only one that has this address.
        self.assertNotEqual(ulna.GpuArray(targets(20)).__cuda_array_interface__["data"][0], address)
        del capsule

    def test_starts_and_weights_of_the_device(self):
        wanted = targets(50)
        starts = np.random.default_rng(3).uniform(-1, 1, (50, 3))
        host = self.solve(wanted, starts=starts, weights=np.ones((50, 1)), device="cuda")
        there = self.solve(ulna.GpuArray(wanted), starts=ulna.GpuArray(starts), weights=ulna.GpuArray(np.ones((50, 1))))
        mixed = self.solve(wanted, starts=ulna.GpuArray(starts), weights=np.ones((50, 1)))
        self.check(there, wanted)
        np.testing.assert_array_equal(there.dofs.numpy(), host.dofs)
        np.testing.assert_array_equal(mixed.dofs.numpy(), host.dofs)

    def test_bodies_with_balls(self):
        goals = [ulna.goals.position("tip", [0, 0, 0])]
        wanted = np.random.default_rng(5).uniform([0.3, 0.2, -0.2], [0.6, 0.7, 0.2], (40, 3))
        options = {"tolerance": 1e-5, "restarts": 20}
        host = ulna.solve_ik_batch(BODY, goals, wanted, device="cuda", **options)
        there = ulna.solve_ik_batch(BODY, goals, ulna.GpuArray(wanted), **options)
        self.assertTrue(host.reached.all() and there.reached.numpy().all())
        processor = ulna.solve_ik_batch(BODY, goals, wanted, starts=there.dofs.numpy(), max_iterations=1, **options)
        self.assertTrue(processor.reached.all())

    def test_what_is_refused(self):
        array = ulna.GpuArray(targets(4))
        for error, message, call in (
                (ValueError, "device is 'cpu'", lambda: self.solve(array, device="cpu")),
                (ValueError, "'cuda:1', not 'gpu'", lambda: self.solve(targets(4), device="gpu")),
                (ValueError, "lies on cuda:3", lambda: self.solve(Dlpack(array, (2, 3)), device="cuda")),
                (ValueError, "neither the processor", lambda: self.solve(Dlpack(array, (10, 0)))),
                (ValueError, "has the shape (4, 3)",
                 lambda: ulna.solve_ik_batch(ARM, HAND + HAND, array)),
                (ValueError, "has the shape (2, 3), not (4, 3)",
                 lambda: self.solve(array, starts=ulna.GpuArray(np.zeros((2, 3))))),
                (TypeError, "are float64, not '<f4'", lambda: self.solve(Foreign(array, typestr="<f4"))),
                (ValueError, "are contiguous", lambda: self.solve(Foreign(array, strides=(48, 8)))),
                (ulna.InputError, "there is no GPU 77", lambda: self.solve(targets(4), device="cuda:77")),
                (ValueError, "'cuda' or 'cuda:1'", lambda: ulna.GpuArray([1.0], device="cpu"))):
            with self.assertRaises(error) as caught:
                call()
            self.assertIn(message, str(caught.exception))

    def test_arrays_go_to_numpy_and_back(self):
        values = np.arange(24.0).reshape(2, 3, 4)
        array = ulna.GpuArray(values)
        np.testing.assert_array_equal(array.numpy(), values)
        np.testing.assert_array_equal(np.asarray(array, dtype=np.float32), values)
        self.assertEqual((len(array), array.dtype, array.device), (2, np.float64, "cuda:0"))
        self.assertEqual(array.__dlpack_device__(), (2, 0))
        self.assertEqual(ulna.GpuArray(np.zeros((0, 3))).numpy().shape, (0, 3))
        self.assertIn("(2, 3, 4)", repr(array))

    def test_the_gpus_are_listed(self):
        gpus = ulna.find_gpus()
        self.assertGreaterEqual(len(gpus), 1)
        self.assertEqual(gpus[0].index, 0)


class Tool(unittest.TestCase):
    def run_tool(self, *arguments):
        out = subprocess.run([os.environ["ULNA"], *arguments], capture_output=True, text=True)
        self.assertEqual(out.returncode, 0, out.stderr)
        return json.loads(out.stdout)

    def test_batches_on_the_gpu(self):
        name = ulna.find_gpus()[0].name
        self.assertEqual(self.run_tool("info", "--gpu", "--json")["gpus"][0]["name"], name)
        with tempfile.TemporaryDirectory() as folder:
            rig, rows, out = (os.path.join(folder, each) for each in ("arm.rig.json", "rows.npy", "out.npy"))
            with open(rig, "w") as file:
                json.dump({"ulna": 1, "joints": [
                    {"name": "base", "kind": "hinge", "axis": [0, 1, 0], "limits": [[-170, 170]]},
                    {"name": "upper", "parent": "base", "kind": "hinge", "axis": [1, 0, 0], "offset": [0, 0.2, 0]},
                    {"name": "lower", "parent": "upper", "kind": "hinge", "axis": [1, 0, 0], "offset": [0, 0.4, 0]},
                    {"name": "hand", "parent": "lower", "kind": "fixed", "offset": [0, 0.4, 0]}]}, file)
            np.save(rows, targets(60).astype(np.float32))
            said = self.run_tool("ik", rig, "--goal", "hand", "--batch", rows, "--gpu", "--tolerance", "1e-5", "--free-root",
                                 "--out", out, "--json")
            self.assertEqual((said["device"], said["reached"], said["problems"]), (name, 60, 60))
            found = positions(ARM, np.load(out), "hand")
            self.assertLessEqual(np.abs(found - targets(60).astype(np.float32)).max(), 1.1e-5)


if __name__ == "__main__":
    unittest.main()
