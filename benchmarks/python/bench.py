# SPDX-License-Identifier: Apache-2.0
"""The table of the Python package: the same work on the same data by Python, by C++, by NumPy alone and by SciPy.

    bench.py BENCH_PYTHON    (./bench python runs it)

One thread, CPU time, the best of several rounds in which Python and C++ take turns."""
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
from scipy.optimize import least_squares

import ulna
from ulna import goals

NATIVE = sys.argv[1]
ROUNDS = 3
POSES, JOINTS, TARGETS = 10_000, 65, 10_000


def best(work, rounds=7):
    least = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        work()
        least = min(least, time.process_time() - start)
    return least


def make_data(folder):
    """A body of 65 joints in limbs, an arm of seven degrees of freedom, and problems for both."""
    rng = np.random.default_rng(1)
    parents = [-1] + [j if j % 13 else 0 for j in range(JOINTS - 1)]
    names = [f"j{j}" for j in range(JOINTS)]
    body = ulna.Skeleton.from_arrays(names, parents, rng.normal(scale=0.1, size=(JOINTS, 3)))
    arm = ulna.Skeleton([
        {"name": "shoulder", "kind": "ball"},
        {"name": "elbow", "parent": "shoulder", "kind": "hinge", "axis": [0, -1, 0], "offset": [0.3, 0, 0],
         "limits": [[0, 150]]},
        {"name": "wrist", "parent": "elbow", "kind": "ball", "offset": [0.2, 0, 0]},
        {"name": "hand", "parent": "wrist", "kind": "fixed", "offset": [0.07, 0, 0]}])
    rotations = rng.normal(size=(POSES, JOINTS, 4))
    rotations /= np.linalg.norm(rotations, axis=-1, keepdims=True)
    targets = rng.normal(size=(TARGETS, 3))
    targets *= rng.uniform(0.2, 0.5, (TARGETS, 1)) / np.linalg.norm(targets, axis=1, keepdims=True)
    ulna.save(body, os.path.join(folder, "body.rig.json"))
    ulna.save(arm, os.path.join(folder, "arm.rig.json"))
    rotations.tofile(os.path.join(folder, "rotations.f64"))
    targets.tofile(os.path.join(folder, "targets.f64"))
    return body, arm, rotations, targets


def textbook_fk(skeleton, rotations):
    """Forward kinematics as NumPy does it well: joint by joint, all poses at once."""
    x, y, z, w = np.moveaxis(rotations, -1, 0)
    matrices = np.stack([
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1).reshape(*x.shape, 3, 3)
    positions = np.empty((*x.shape, 3))
    model = np.empty_like(matrices)
    offsets = skeleton.offsets
    for j, parent in enumerate(skeleton.parents):
        if parent < 0:
            model[:, j], positions[:, j] = matrices[:, j], offsets[j]
        else:
            model[:, j] = model[:, parent] @ matrices[:, j]
            positions[:, j] = positions[:, parent] + model[:, parent] @ offsets[j]
    return positions


def native(*arguments):
    out = subprocess.run([NATIVE, *arguments], stdout=subprocess.PIPE, text=True, check=True).stdout
    return {name: float(value) for name, value in (line.split() for line in out.splitlines())}


READ = """
import sys
import ulna
def memory(name):
    return 1024 * int(next(line for line in open("/proc/self/status") if line.startswith(name)).split()[1])
before = memory("VmRSS:")
open("/proc/self/clear_refs", "w").write("5")  # the peak begins anew
c = ulna.load(sys.argv[1], threads=1)
print(memory("VmHWM:") - before)
"""


def make_bvh(path, megabytes):
    """A long clip of the bundled character."""
    c = ulna.load(ulna.example("ulna-wave.bvh"))
    one = ulna.to_bytes(c, "bvh").decode()
    head, _, rows = one.partition("Frame Time:")
    period, _, rows = rows.partition("\n")
    times = int(megabytes * 1e6 / len(rows)) + 1
    frames = int(head.split("Frames:")[1]) * times
    with open(path, "w", encoding="utf-8") as file:
        file.write(head.split("Frames:")[0] + f"Frames: {frames}\nFrame Time:{period}\n")
        for _ in range(times):
            file.write(rows)


def row(name, python, cpp, unit, scale, other=""):
    print(f"{name:<46} {python * scale:>9.3g} {unit:<3} {cpp * scale:>9.3g} {unit:<3} {python / cpp:>6.2f}   {other}")


def main():
    print(f"ulna {ulna.__version__} in Python {sys.version.split()[0]}, NumPy {np.__version__}; one thread")
    print(f"{'':<46} {'Python':>13} {'C++':>13} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as folder:
        body, arm, rotations, targets = make_data(folder)
        out = np.empty((POSES, JOINTS, 3))
        reach = [goals.position("hand", [0, 0, 0])]
        solver = ulna.IkSolver(arm, reach)
        solver.set_target(0, [0.57, 0, 0])
        dofs = np.zeros(arm.dof_count)

        def calls():
            solve = solver.solve
            for _ in range(100_000):
                dofs.fill(0)
                solve(dofs)

        def nothing():
            for _ in range(100_000):
                dofs.fill(0)

        own, cpp = {}, {}
        for _ in range(ROUNDS):
            measured = {
                "fk": best(lambda: body.positions(rotations, out=out, threads=1)),
                "call": best(calls, 3) - best(nothing, 3),
                "batch": best(lambda: ulna.solve_ik_batch(arm, reach, targets, threads=1)),
            }
            for mine, now in ((own, measured), (cpp, native(folder))):
                for name, value in now.items():
                    mine[name] = min(mine.get(name, value), value)

        textbook = best(lambda: textbook_fk(body, rotations), 3)
        assert np.allclose(textbook_fk(body, rotations[:50]), body.positions(rotations[:50]))
        row(f"FK of {POSES} poses of {JOINTS} joints", own["fk"], cpp["fk"], "ms", 1e3, f"NumPy alone {textbook * 1e3:.3g} ms")
        row("a solve of a target that is met", own["call"], cpp["call"], "µs", 1e6 / 100_000,
            f"the call costs {(own['call'] - cpp['call']) * 10:.2f} µs")
        few = targets[:100]

        def scipy_ik():
            for target in few:
                least_squares(lambda x: ulna.Pose.from_dofs(arm, x).positions()[-1] - target, np.full(arm.dof_count, 0.1),
                              bounds=np.clip(arm.dof_limits, -10, 10).T)

        scipys = best(scipy_ik, 1) / len(few)
        row(f"{TARGETS} targets of an arm", own["batch"], cpp["batch"], "ms", 1e3,
            f"one: {own['batch'] / TARGETS * 1e6:.2f} µs; SciPy's least squares {scipys * 1e6:.3g} µs")

        bvh = os.path.join(folder, "long.bvh")
        make_bvh(bvh, 100)
        seconds = {"Python": [], "C++": []}
        for _ in range(3):
            start = time.process_time()
            c = ulna.load(bvh, threads=1)
            seconds["Python"].append(time.process_time() - start)
            del c
            seconds["C++"].append(native("read", bvh)["read"])
        row(f"reading {os.path.getsize(bvh) / 1e6:.0f} MB of BVH", min(seconds["Python"]), min(seconds["C++"]), "s", 1)
        memory = float(subprocess.run([sys.executable, "-c", READ, bvh], stdout=subprocess.PIPE, check=True).stdout)
        row("  and the memory that it takes", memory, native("read", bvh)["memory"], "MB", 1e-6)


main()
