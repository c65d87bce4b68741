# SPDX-License-Identifier: Apache-2.0
"""Random calls with wrong shapes, types, NaN, None, closed objects and threads: exceptions, and never a crash."""
import inspect
import os
import random
import re
import sys
import threading
import unittest

import numpy as np

import support
import ulna

CALLS = int(os.environ.get("ULNA_MISUSE_CALLS", "200"))
# What may be raised; anything else, above all the end of the process, is a fault.
EXPECTED = (ValueError, TypeError, IndexError, KeyError, RuntimeError, OverflowError, MemoryError, AttributeError)


def values(c):
    """Arguments of all kinds, right and wrong."""
    s, clip, mesh = c.skeleton, c.clip("run"), c.meshes[0]
    few = mesh.positions[:30]
    return [
        None, True, 0, -1, 1, 10**30, -(2**63), 0.5, float("nan"), float("inf"), -1e308, "", "LeftHand", "quat", "all",
        "\0", "\ud800", "ä" * 1000, b"x", [], [1, 2], [[1, 2, 3]], ["LeftHand"], {}, {"kind": "position"}, object(),
        lambda *a: None, np.zeros(3), np.full(3, np.nan), np.zeros((2, 3)), np.zeros((5, len(s), 4)),
        np.ones((5, len(s), 4)), np.full((5, len(s), 4), np.inf), np.ones((5, len(s), 4), np.float32)[:, ::-1],
        np.ones((2, len(s), 6)), np.zeros((0, len(s), 4)), np.zeros((0,)), np.zeros(s.dof_count), np.ones((4, s.dof_count)),
        np.zeros(s.dof_count, np.float32), np.zeros(2 * s.dof_count)[::2], np.array(["a"]), np.array([None]),
        np.zeros(3, complex), np.zeros((3, 3), bool), np.arange(9).reshape(3, 3), np.array([[0, 1, 10**12]]),
        np.array([[0, 1, -5]]), few, few[:, ::-1], np.lib.stride_tricks.as_strided(np.zeros(4), (4, 3), (0, 0)),
        np.frombuffer(b"\0" * 25, np.uint8)[1:].view(np.float64), np.zeros((1,) * 30), np.float64(2), np.datetime64("now"),
        s, clip, mesh, c, clip.frame(0), s.rest_pose(), "z", "y", "linear", "heat",
        "6d", "model", "glb", "bvh", "two-bone", "anatomical", ["Hips", 3], ["Hips", "Hips"],
        [{"kind": "position", "joint": "LeftHand", "target": [0, float("nan"), 0]}],
        [ulna.goals.position("LeftHand", [0.1, 1, 0.2])], [ulna.goals.pin("Hips"), None],
        [ulna.CustomGoal(["Head"], lambda bodies: [1, 2, 3, 4])], [ulna.CustomGoal(["Head"], lambda bodies: None)],
        [clip, clip], [mesh, None], [clip.frame(0)] * 2, {"hips": ["LeftHand", 999]}, {"nothing": []}, iter([1]),
    ]


def right(c):
    """An argument that is in order, by its name."""
    s, clip, mesh, pose = c.skeleton, c.clip("run"), c.meshes[0], c.clip("run").frame(3)
    return {
        "self": None, "skeleton": s, "character": c, "source": c, "target": c, "what": clip, "clip": clip, "next": clip,
        "clips": [clip], "mesh": mesh, "meshes": [mesh], "pose": pose, "other": pose, "poses": [pose], "rest": pose,
        "goals": [ulna.goals.position("LeftHand", [0.3, 1.2, 0.4])], "rotations": np.ones((3, len(s), 4)),
        "translations": np.zeros((3, 3)), "dofs": np.zeros(s.dof_count), "joint": "LeftHand", "start": "LeftArm",
        "mid": "LeftForeArm", "end": "LeftHand", "fps": 30.0, "name": "a", "form": "quat", "space": "local",
        "targets": np.ones((2, 3)), "points": np.zeros((2, 17, 3)), "shapes": mesh.positions[None], "weights": [1.0],
        "positions": mesh.positions, "triangles": mesh.triangles, "centre": [0, 1, 0], "radius": 0.1, "tolerance": 0.01,
        "times": 2, "time": 0.1, "index": 0, "factor": 2.0, "speed": 2.0, "width": 0.1, "amount": 0.5, "up": "y",
        "roles": {}, "format": "bvh", "goal": 0, "weight": 1.0, "enabled": True, "names": ["a"], "parents": [-1],
        "offsets": [[0, 0, 0]], "joints": ["LeftHand"], "data": b"", "residuals": lambda bodies: 0.0,
    }


def callables(c):
    """Every function of the module and every method of its objects, with the names of their arguments."""
    out = []
    for name in sorted(vars(ulna)):
        thing = getattr(ulna, name)
        if name.startswith("_") or name in NOT_CALLED or inspect.ismodule(thing):
            continue
        out.append((thing, names_of(thing.__init__ if inspect.isclass(thing) else thing)))
    solver = ulna.IkSolver(c.skeleton, [ulna.goals.position("LeftHand", [0.3, 1.2, 0.4])])
    objects = [c, c.skeleton, c.clip("run"), c.clip("run").frame(3), c.meshes[0], ulna.Deformer(c.meshes[0]), solver]
    for each in objects:
        for name in sorted(dir(each)):
            thing = getattr(each, name)
            if callable(thing) and not name.startswith("_"):
                out.append((thing, names_of(thing)))
    return out


# They write files, open browsers, or are called by the library alone.
NOT_CALLED = {"view", "View", "save", "example", "Diagnostic", "InputError"}
# These run for long where a number is large, which is no mistake.
LARGE = {"threads", "repeat", "restarts", "rounds", "progress", "max_iterations"}


def names_of(call):
    """Names of arguments, from the docstring's signature."""
    for line in (call.__doc__ or "").splitlines():
        match = re.fullmatch(r"(?:1\. )?\w+\((.*)\) -> .*", line)
        if match and "*args" not in line:
            return [name for name in re.findall(r"(?:^|, )(\w+): ", match.group(1)) if name != "self"]
    return []


class Misuse(unittest.TestCase):
    def test_random_calls_raise_and_never_crash(self):
        c = support.character()
        rng = random.Random(int(os.environ.get("ULNA_MISUSE_SEED", "1")))
        every, anything, in_order = callables(c), values(c), right(c)
        raised = done = 0
        for i in range(CALLS):
            call, names = every[i % len(every)]
            # Most arguments are right, so that the wrong ones come to where they do harm.
            given = {}
            for place, name in enumerate(names):
                if name in LARGE or (name not in in_order and rng.random() < 0.8):
                    continue
                wrong = rng.random() < 0.35 and not (name == "times" and "repeat" in str(call))
                given[name] = rng.choice(anything) if wrong else in_order.get(name, anything[0])
            try:
                call(**given)
                done += 1
            except EXPECTED:
                raised += 1
        print(f"{raised} calls raised, {done} were in order", file=sys.stderr)
        self.assertGreater(raised, CALLS // 3)

    def test_named_mistakes_say_what_is_wrong(self):
        c = support.character()
        s, clip = c.skeleton, c.clip("walk")
        q = np.ones((3, len(s), 4))
        for message, call in [
            ("shape", lambda: s.positions(q[:, :5])),
            ("no rotation", lambda: s.positions(q * np.nan)),
            ("no rotation", lambda: s.positions(q * 0)),
            ("real numbers", lambda: s.positions(q + 1j)),
            ("form is", lambda: s.positions(q, form="quaternion")),
            ("there is no joint 'LeftHnd'; did you mean", lambda: s.index("LeftHnd")),
            ("there is no joint 99999", lambda: s.index(99999)),
            ("there is no frame", lambda: clip.frame(1000)),
            ("finite", lambda: clip.sample(float("nan"))),
            ("above 0", lambda: ulna.Clip.from_rotations(s, q, fps=0)),
            ("one pose has", lambda: ulna.Pose.from_rotations(s, q)),
            ("cannot be written", lambda: s.positions(q, out=read_only(3, len(s), 3))),
            ("out has the shape", lambda: s.positions(q, out=np.zeros((3, 1, 3)))),
            ("C order", lambda: s.positions(q, out=np.zeros((3, len(s), 6))[..., ::2])),
            ("another skeleton", lambda: c.with_clips([other_clip()])),
            ("no weights", lambda: ulna.Deformer(ulna.Mesh([[0, 0, 0]] * 3, [[0, 1, 2]]))),
            ("index 3", lambda: ulna.Mesh([[0, 0, 0]] * 3, [[0, 1, 3]])),
            ("not negative", lambda: ulna.blend([clip, clip], [1, -1])),
            ("is above 0", lambda: ulna.blend([clip, clip], [0, 0])),
            ("start comes before end", lambda: clip.trim(1, 0)),
            ("unknown", lambda: ulna.save(clip, "a.xyz")),
            ("a character, a clip or a skeleton", lambda: ulna.save(None, "a.bvh")),
            ("dofs has one value", lambda: ulna.IkSolver(s, [ulna.goals.pin("Hips") | {"pin": False, "target": [0, 0, 0]}])
             .solve(np.zeros(2))),
            ("float64", lambda: ulna.IkSolver(s, [ulna.goals.position("Hips", [0, 0, 0])])
             .solve(np.zeros(s.dof_count, np.float32))),
        ]:
            with self.subTest(message), self.assertRaisesRegex(EXPECTED, message):
                call()

    def test_objects_outlive_what_they_came_from(self):
        c = support.character()
        clip, mesh, pose = c.clip("walk"), c.meshes[0], c.clip("walk").frame(0)
        view = mesh.positions
        expected = clip.positions()
        del c
        junk = [np.zeros(10**6) for _ in range(5)]
        self.assertTrue((clip.positions() == expected).all())
        self.assertEqual(len(pose.positions()), len(pose.skeleton))
        del mesh
        self.assertTrue(np.isfinite(view).all())
        self.assertTrue(junk)

    def test_threads_share_everything(self):
        c = support.character()
        expected = c.clip("walk").positions()
        deformer = ulna.Deformer(c.meshes[0])
        wrong = []

        def work(seed):
            rng = np.random.default_rng(seed)
            for _ in range(10):
                if not (c.clip("walk").positions(threads=2) == expected).all():
                    wrong.append("positions")
                deformer.deform(c.clip("run").sample(rng.uniform(0, 0.6)))
                ulna.solve_ik_batch(c.skeleton, [ulna.goals.position("LeftHand", [0, 0, 0])],
                                    rng.uniform(0, 1, (5, 3)), threads=2)
                try:
                    c.skeleton.positions(rng.normal(size=(2, 3)))
                    wrong.append("no exception")
                except ValueError:
                    pass

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_processes_that_fork_go_on(self):
        if not hasattr(os, "fork"):
            return
        c = support.character()
        expected = c.clip("walk").positions(threads=2)
        child = os.fork()
        if child == 0:
            same = (c.clip("walk").positions(threads=2) == expected).all()
            os._exit(0 if same else 1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)


def read_only(*shape):
    out = np.zeros(shape)
    out.flags.writeable = False
    return out


def other_clip():
    s = ulna.Skeleton([{"name": "a"}])
    return ulna.Clip.from_dofs(s, np.zeros((2, s.dof_count)))


if __name__ == "__main__":
    unittest.main()
