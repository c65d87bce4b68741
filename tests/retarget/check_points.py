#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Motion from points, judged by plain matrices.

    check_points.py [all | PART OF A CLIP'S NAME]

The positions of all joints of a clip, by forward kinematics of our own, become points; `ulna pose` makes a motion of
them on the clip's own body, and our forward kinematics says where that has everything. Lengths are brought to metres
by legs of 0.85 m. Positions have to come back to 1 mm on average, and rotations to 3 degrees in the median, as far as
positions determine them: of a joint with several bones the rotation, of one with a single bone its direction, and of
upper arms and thighs the rotation too while elbow or knee is bent by 30 to 150 degrees, which is printed. Then with noise of 2 cm in
each coordinate and a tenth of the positions missing: 2 cm on average, and no joint faster than 1.5 times the fastest of
the source plus a third of how fast the noise itself moves them.

ULNA and ULNA_SHARED_DATA name the tool and the folder of clips. Without an argument three clips are looked at."""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

sys.dont_write_bytecode = True
from bvh_clip import Clip, angle, between  # noqa: E402

LEG = 0.85
LEGS = {"RootJoint": ("lHip", "lKnee", "lAnkle"), "Hips": ("LeftUpLeg", "LeftLeg", "LeftFoot")}
HINGES = {"Hips": [(s + a, s + b, s + c) for s in ("Left", "Right") for a, b, c in
                   (("UpLeg", "Leg", "Foot"), ("Arm", "ForeArm", "Hand"))],
          "RootJoint": [(s + a, s + b, s + c) for s in ("l", "r") for a, b, c in
                        (("Hip", "Knee", "Ankle"), ("Shoulder", "Elbow", "Wrist"))]}
FEW = ("02_01", "49_06", "walk60")


class Source:
    """A clip, its joints with names, and a metre in its own unit."""

    def __init__(self, path):
        self.path, self.clip = path, Clip(path)
        self.joints = [j for j, n in enumerate(self.clip.names) if n]
        self.family = self.clip.names[0]
        hip, knee, ankle = (self.clip.joint(n) for n in LEGS[self.family])
        at = self.clip.at
        self.metre = np.median(np.linalg.norm(at[:, hip] - at[:, knee], axis=-1)
                               + np.linalg.norm(at[:, knee] - at[:, ankle], axis=-1)) / LEG
        self.options = []
        if "cmu" in path:  # frame 0 is a T-pose, and no part of the motion
            self.options = ["--rest-frame", "0"]
            for name in ("local", "moved", "model", "at"):
                setattr(self.clip, name, getattr(self.clip, name)[1:])

    def points(self):
        return self.clip.at[:, self.joints]


class Failed(Exception):
    pass


def pose(source, points, work, *options):
    """The clip that `ulna pose` makes of points, and its report."""
    points_path, map_path, out = (os.path.join(work, n) for n in ("points.npy", "map.points.json", "out.bvh"))
    np.save(points_path, points)
    names = [source.clip.names[j] for j in source.joints]
    json.dump({"points": [{"name": n, "of": [str(i)], "joint": n} for i, n in enumerate(names)]}, open(map_path, "w"))
    command = [os.environ["ULNA"], "pose", points_path, "--map", map_path, "--to", source.path, "--out", out, "--json",
               "--quiet", "--force", "--up", "y", "--scale", "1", "--fps", repr(1 / source.clip.frame_time),
               *source.options, *options]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if run.returncode != 0:
        raise Failed(f"{' '.join(command)}: {run.stderr}")
    return Clip(out), json.loads(run.stdout)


def errors(source, result):
    """Metres between the joints of two clips."""
    return np.linalg.norm(source.points() - result.at[:, source.joints], axis=-1) / source.metre


def rotations(source, result):
    """Degrees, as far as positions determine them; and of upper limbs whose hinge is bent."""
    a, b = source.clip, result
    out, hinges = [], []
    for j in source.joints:
        bones = [a.offsets[k] for k in source.joints if a.parents[k] == j and np.linalg.norm(a.offsets[k]) > 0.01 * source.metre]
        if not bones:
            continue
        unit = np.array(bones) / np.linalg.norm(bones, axis=-1)[:, None]
        if np.linalg.matrix_rank(unit, tol=0.2) >= 2:
            out.append(angle(a.model[:, j], b.model[:, j]))
        else:
            out.append(between(a.model[:, j] @ unit[0], b.model[:, j] @ unit[0]))
    for top, hinge, end in HINGES[source.family]:
        t, h, e = (a.joint(n) for n in (top, hinge, end))
        bend = between(a.at[:, h] - a.at[:, t], a.at[:, e] - a.at[:, h])
        bent = (bend > 30) & (bend < 150)
        hinges.append(angle(a.model[:, t], b.model[:, t])[bent])
    return np.concatenate(out), np.concatenate(hinges)


def fastest(clip, joints, metre):
    return np.linalg.norm(np.diff(clip.at[:, joints], axis=0), axis=-1).max(initial=0.0) / clip.frame_time / metre


class Checker:
    def __init__(self):
        self.failures = []

    def expect(self, what, value, most):
        if not value <= most:
            self.failures.append(f"{what}: {value:.4g}, at most {most:.4g}")

    def exact(self, source, name, work, lengths):
        result, _ = pose(source, source.points(), work, "--lengths", lengths)
        off = errors(source, result) * 1000
        turned, hinges = rotations(source, result)
        limb = np.median(hinges) if hinges.size else 0.0
        print(f"{name:24} {lengths:5} exact   mean {off.mean():7.3f} mm  most {off.max():7.2f}   rotations median "
              f"{np.median(turned):6.3f}  mean {turned.mean():6.3f}   bent limbs {limb:6.2f}")
        self.expect(f"{name}, {lengths}: positions, mean", off.mean(), 1.0)
        self.expect(f"{name}, {lengths}: rotations, median", np.median(turned), 3.0)

    def noisy(self, source, name, work):
        random = np.random.default_rng(7)
        points = source.points() + random.normal(0.0, 0.02 * source.metre, source.points().shape)
        points[random.random(points.shape[:2]) < 0.1] = np.nan
        result, report = pose(source, points, work, "--lengths", "fit")
        off = errors(source, result) * 1000
        of_noise = np.nanmax(np.linalg.norm(np.diff(points - source.points(), axis=0), axis=-1)) / source.clip.frame_time / source.metre
        of_source = fastest(source.clip, source.joints, source.metre)
        of_result = fastest(result, source.joints, source.metre)
        print(f"{'':24} {'fit':5} noisy   mean {off.mean():7.3f} mm  most {off.max():7.2f}   fastest {of_result:5.2f} m/s of "
              f"{of_source:5.2f}   noise found {report['noise'] / source.metre * 1000:5.1f} mm")
        self.expect(f"{name}: noisy positions, mean", off.mean(), 20.0)
        self.expect(f"{name}: noisy, fastest joint", of_result, 1.5 * of_source + of_noise / 3)


def main():
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    shared = os.environ["ULNA_SHARED_DATA"]
    folders = [os.path.join(shared, "bvh/cmu"), os.path.join(shared, "bvh/games105"), "assets"]
    paths = [os.path.join(f, n) for f in folders for n in sorted(os.listdir(f)) if n.endswith(".bvh")]
    checker = Checker()
    with tempfile.TemporaryDirectory() as work:
        for path in paths:
            if only != "all" and not (only in path if only else any(n in path for n in FEW)):
                continue
            source, name = Source(path), os.path.basename(path)[:-4]
            checker.exact(source, name, work, "fit")
            checker.exact(source, name, work, "keep")
            checker.noisy(source, name, work)
    for failure in checker.failures:
        print("FAILED", failure)
    sys.exit(1 if checker.failures else 0)


main()
