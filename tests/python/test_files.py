# SPDX-License-Identifier: Apache-2.0
"""Files: the bytes and the numbers are those of the tool, and errors have their fields."""
import glob
import json
import os
import pathlib
import signal
import threading
import time

import numpy as np

import support
import ulna
from support import run_tool
from ulna import goals

WALK = ulna.example("ulna-character.bvh")
BODY = ulna.example("ulna-character.glb")
WAVE = ulna.example("ulna-wave.bvh")


class SameBytesAsTheTool(support.Case):
    def check(self, arguments, save):
        """The tool writes one file, Python another of the same name in another folder."""
        name = arguments[-1]
        os.makedirs(self.path("tool"), exist_ok=True)
        run_tool(*arguments[:-1], os.path.join(self.folder, "tool", name), "--quiet", "--force")
        save(self.path(name))
        tool, own = self.bytes_of(os.path.join("tool", name)), self.bytes_of(name)
        self.assertTrue(tool == own, f"{arguments}: {len(tool)} and {len(own)} bytes differ")

    def test_convert_to_every_format(self):
        for source in (WALK, BODY):
            for name in ("a.bvh", "a.glb", "a.gltf", "a.rig.json", "a.csv", "a.robot.csv"):
                c = ulna.load(source)
                if not formats_hold(name, c):
                    c = c.with_clips(c.clips[:1])
                    self.check(["convert", source, "--clip", c.clips[0].name, name], lambda to, c=c: ulna.save(c, to))
                else:
                    self.check(["convert", source, name], lambda to, c=c: ulna.save(c, to))

    def test_convert_with_options(self):
        c = ulna.load(WALK)
        clip = c.clips[0]
        self.check(["convert", WALK, "--fps", "60", "a.glb"], lambda to: ulna.save(c.with_clips([clip.resample(60)]), to))
        self.check(["convert", WALK, "--mirror", "a.glb"], lambda to: ulna.save(c.with_clips([clip.mirror()]), to))
        self.check(["convert", WALK, "--trim", "0.1,0.6", "--position-channels", "replace", "a.bvh"],
                   lambda to: ulna.save(c.with_clips([clip.trim(0.1, 0.6)]), to))
        self.check(["convert", WALK, "--scale", "100", "a.glb"], lambda to: ulna.save(c.scale(100), to))
        self.check(["convert", WALK, "--up", "z", "a.glb"], lambda to: ulna.save(c.rotate_up("z"), to))
        self.check(["convert", BODY, "--clip", "run", "--order", "zxy", "a.bvh"],
                   lambda to: ulna.save(ulna.load(BODY).with_clips([ulna.load(BODY).clip("run")]), to, order="zxy"))

    def test_clip(self):
        walk, wave = ulna.load(WALK), ulna.load(WAVE)
        a, b = walk.clips[0], wave.clips[0]
        self.check(["clip", WALK, WAVE, "--join", "--carry-root", "--out", "a.glb"],
                   lambda to: ulna.save(walk.with_clips([a.join(b, carry_root=True)]), to))
        self.check(["clip", WALK, WAVE, "--mix=0.25,0.75", "--out", "a.glb"],
                   lambda to: ulna.save(walk.with_clips([ulna.blend([a, b], [0.25, 0.75])]), to))
        self.check(["clip", WALK, "--loop", "--repeat", "2", "--out", "a.bvh"],
                   lambda to: ulna.save(walk.with_clips([a.loop().repeat(2)]), to))
        self.check(["clip", WALK, "--in-place", "--out", "a.bvh"],
                   lambda to: ulna.save(walk.with_clips([a.in_place()]), to))
        self.check(["clip", WALK, "--speed", "2", "--reverse", "--name", "x", "--out", "a.bvh"],
                   lambda to: ulna.save(walk.with_clips([a.reverse().speed_up(2).rename("x")]), to))

    def test_key(self):
        c = ulna.load(WALK)
        self.check(["key", WALK, "--reduce", "0.002", "--out", "a.glb"],
                   lambda to: ulna.save(c.with_clips([c.clips[0].reduce(0.002).clip]), to))

    def test_ik(self):
        c = ulna.load(WALK)
        self.check(["ik", WALK, "--goal", "LeftHand=0.4,1.3,0.3", "--out", "a.bvh"], lambda to: ulna.save(
            c.with_clips([one_frame(c, [goals.position("LeftHand", [0.4, 1.3, 0.3])])]), to))
        self.check(["ik", WALK, "--limits", "anatomical", "--goal", "LeftHand=0.2,0.6,0.6", "--pin", "LeftFoot",
                    "--pin", "RightFoot", "--out", "a.bvh"], lambda to: ulna.save(c.with_clips([one_frame(
                        c, [goals.position("LeftHand", [0.2, 0.6, 0.6]), goals.pin("LeftFoot"), goals.pin("RightFoot")],
                        limits="anatomical")]), to))
        self.check(["ik", WALK, "--all", "--pin", "LeftFoot", "--aim", "Head=0,1.5,5", "--out", "a.bvh"],
                   lambda to: ulna.save(c.with_clips([ulna.solve_ik_clip(c, [
                       goals.aim("Head", [0, 1.5, 5]), goals.pin("LeftFoot")]).clip]), to))

    def test_retarget_and_clean(self):
        c, to_body = ulna.load(WAVE), ulna.load(BODY)
        self.check(["retarget", WAVE, "--to", BODY, "--out", "a.glb"],
                   lambda to: ulna.save(to_body.with_clips([ulna.retarget(c, to_body).clip]), to))
        walk = ulna.load(WALK)
        self.check(["clean", WALK, "--feet", "--floor", "--smooth", "6Hz", "--out", "a.bvh"], lambda to: ulna.save(
            walk.with_clips([ulna.clean(walk, feet=True, floor=0.0, smooth=6).clip]), to))

    def test_weights_and_skin(self):
        c = ulna.load(BODY)
        made = ulna.tie(ulna.Mesh(c.meshes[0].positions, c.meshes[0].triangles), c.skeleton)
        self.assertEqual(made.how, "rest")
        ulna.save(c.with_meshes([c.meshes[0].pose(c.clip("walk").sample(0.5))]), self.path("posed.ply"))
        run_tool("skin", BODY, "--time", "0.5", "--out", self.path("tool.ply"), "--quiet")
        self.assertTrue(self.bytes_of("posed.ply") == self.bytes_of("tool.ply"))

    def test_fit(self):
        c = ulna.load(BODY)
        run_tool("skin", BODY, "--frames", "3,4,5", "--out", self.path("s-#.ply"), "--quiet")
        shapes = [ulna.load(path).meshes[0].positions for path in sorted(glob.glob(self.path("s-*.ply")))]
        self.check(["fit", BODY, self.path("s-*.ply"), "--out", "a.glb"],
                   lambda to: ulna.save(c.with_clips([ulna.fit(c, shapes).clip]), to))

    def test_draw(self):
        c = ulna.load(WAVE)
        self.check(["draw", WAVE, "--strip", "6", "--height", "320", "--out", "a.svg"],
                   lambda to: pathlib.Path(to).write_text(strip(c)))


class SameNumbersAsTheTool(support.Case):
    def test_fk(self):
        for path in (WALK, BODY):
            answer = support.json_of_tool("fk", path, "--all")
            clip = ulna.load(path).clips[0]
            self.assertEqual(answer["joints"], clip.skeleton.joints)
            self.assertEqual(answer["parents"], clip.skeleton.parents.tolist())
            self.assertTrue((np.array([f["positions"] for f in answer["frames"]]) == clip.positions()).all())
            q = np.array([f["rotations"] for f in answer["frames"]])
            own = clip.rotations("quat", space="model")
            self.assertTrue((np.where(own[..., 3:] < 0, -own, own) == q).all())

    def test_clips_in_the_wild_read_alike(self):
        paths = sorted(glob.glob(os.path.join(support.SHARED, "bvh", "**", "*.bvh"), recursive=True))[:12]
        self.assertTrue(paths)
        for path in paths:
            answer = support.json_of_tool("fk", path, "--frame", "0")
            c = ulna.load(path)
            self.close(c.clips[0].positions()[0], answer["frames"][0]["positions"], 0)


class Errors(support.Case):
    def test_errors_have_fields(self):
        text = pathlib.Path(WALK).read_text().replace("CHANNELS 3", "CHANNELS three", 1)
        with self.assertRaises(ulna.InputError) as caught:
            ulna.load_bytes(text.encode(), "bad.bvh")
        error = caught.exception
        line = text.splitlines()[error.line - 1]
        self.assertEqual((error.file, error.text), ("bad.bvh", "three"))
        self.assertTrue(line[error.column - 1:].startswith("three"))
        self.assertIsInstance(error, ValueError)
        self.assertIn("bad.bvh:%d:%d" % (error.line, error.column), str(error))

    def test_a_file_that_is_not_there(self):
        with self.assertRaises(ulna.InputError) as caught:
            ulna.load(self.path("nothing.bvh"))
        self.assertIn("nothing.bvh", caught.exception.file)
        with self.assertRaises(ulna.InputError):
            ulna.save(support.character(), self.path("no/such/folder/a.glb"))

    def test_a_path_may_be_any(self):
        ulna.save(ulna.load(pathlib.Path(WALK)), pathlib.Path(self.path("ä b.bvh")))
        self.assertEqual(len(ulna.load(os.fsencode(self.path("ä b.bvh")).decode()).clips), 1)

    def test_an_index_of_goals_is_in_the_message(self):
        with self.assertRaises(ulna.InputError) as caught:
            ulna.solve_ik(support.character(), [{"kind": "position", "joint": "LeftHand", "targte": [0, 0, 0]}])
        self.assertIn("targte", str(caught.exception))
        with self.assertRaisesRegex(ulna.InputError, "LeftHand"):
            ulna.solve_ik(support.character(), [goals.position("LeftHnd", [0, 0, 0])])

    def test_warnings_are_values(self):
        warnings = ulna.load_bytes(b"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\n", "a.bvh").warnings
        self.assertTrue(warnings and all(w.what and w.file == "a.bvh" for w in warnings))


class LongCalls(support.Case):
    def slow(self, **more):
        c = support.character()
        return ulna.fit(c, np.repeat(c.meshes[0].positions[None], 400, axis=0), threads=1, **more)

    def test_progress_rises_to_one_and_false_cancels(self):
        seen = []
        support.character().clip("idle").reduce(0.002, progress=seen.append)
        self.assertEqual(seen, sorted(seen))
        self.assertLessEqual(seen[-1], 1.0)
        with self.assertRaisesRegex(ulna.InputError, "cancel"):
            self.slow(progress=lambda fraction: False)

    def test_an_exception_of_the_callback_comes_back(self):
        def fails(fraction):
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            self.slow(progress=fails)

    def test_ctrl_c_ends_a_call(self):
        began = threading.Event()
        pid, main = os.getpid(), threading.main_thread().ident

        def interrupt():
            began.wait()
            signal.pthread_kill(main, signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        with self.assertRaises(KeyboardInterrupt):
            self.slow(progress=lambda fraction: began.set())
            while True:  # the call was faster than the signal
                time.sleep(0.01)
        thread.join()
        self.assertTrue(pid)

    def test_other_threads_run_meanwhile(self):
        # A thread that needs the GIL gets it again and again during the call.
        turns, stop = [0], threading.Event()

        def count():
            while not stop.is_set():
                turns[0] += 1
                time.sleep(0.0005)

        thread = threading.Thread(target=count)
        thread.start()
        before = turns[0]
        support.character().clip("idle").reduce(0.0005, threads=1)
        after = turns[0]
        stop.set()
        thread.join()
        self.assertGreater(after - before, 5)


def formats_hold(name, c):
    return len(c.clips) < 2 or name.endswith((".glb", ".gltf", ".rig.json"))


def one_frame(c, wanted, **options):
    """A clip of one frame as `ulna ik --out` writes it."""
    answer = ulna.solve_ik(c, wanted, **options)
    return ulna.Clip.from_poses(c.skeleton, [answer.pose], fps=c.clips[0].fps, name=c.clips[0].name)


def strip(c):
    return c.clips[0].svg(6, height=320, title=os.path.basename(WAVE), up=c.up, unit=c.unit)


if __name__ == "__main__":
    import unittest
    unittest.main()
