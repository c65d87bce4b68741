#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Clips of every source on every target body, judged by plain matrices.

    check_retarget.py ULNA SHARED_DATA [PART OF A CLIP'S NAME]

What a result has to show, in each frame: finite numbers; soles in contact that do not slide, none below the
floor; joints no faster than 1.5 times the fastest of the source; the height of the pelvis and the way it goes in
proportion to the legs; limbs that point as in the source. Contacts are found here, in the source, by tighter
bounds than the library's, so that easing is outside them. Then a body under another name, rest pose and unit,
and there and back over another body.
"""
import os
import subprocess
import sys
import tempfile

import numpy as np

CMU, GAMES = "bvh/cmu", "bvh/games105"
# Per family of names: hips, then of the left side thigh, shin, foot, toes, upper arm, forearm, hand.
PARTS = ["hips", "thigh", "shin", "foot", "toes", "upper_arm", "forearm", "hand"]
NAMES = {
    "mixamo": ["Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase", "LeftArm", "LeftForeArm", "LeftHand"],
    "games": ["RootJoint", "lHip", "lKnee", "lAnkle", "lToeJoint", "lShoulder", "lElbow", "lWrist"],
}
LIMBS = [("thigh", "shin"), ("shin", "foot"), ("upper_arm", "forearm"), ("forearm", "hand")]
SIDES = ["left", "right"]


def rotation(axis, degrees):
    """Matrices of many angles about one axis."""
    a, zero = np.radians(degrees), np.zeros_like(degrees)
    c, s, one = np.cos(a), np.sin(a), np.ones_like(degrees)
    rows = {"X": [[one, zero, zero], [zero, c, -s], [zero, s, c]],
            "Y": [[c, zero, s], [zero, one, zero], [-s, zero, c]],
            "Z": [[c, -s, zero], [s, c, zero], [zero, zero, one]]}[axis]
    return np.moveaxis(np.array(rows), -1, 0)


def angle(a, b):
    """Degrees between the rotations of two stacks of matrices."""
    d = np.swapaxes(a, -1, -2) @ b
    skew = np.stack([d[..., 2, 1] - d[..., 1, 2], d[..., 0, 2] - d[..., 2, 0], d[..., 1, 0] - d[..., 0, 1]], -1)
    return np.degrees(np.arctan2(np.linalg.norm(skew, axis=-1), np.trace(d, axis1=-2, axis2=-1) - 1))


def between(a, b):
    """Degrees between directions."""
    return np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), np.sum(a * b, axis=-1)))


class Clip:
    """A BVH file: names, parents, offsets, and per frame local rotations and the positions of all joints."""

    def __init__(self, path):
        hierarchy, motion = open(path).read().split("MOTION")
        lines = motion.strip().splitlines()
        self.frame_time = float(lines[1].split()[2])
        values = np.array([[float(x) for x in line.split()] for line in lines[2:]])
        self.names, self.parents, self.offsets, self.channels, stack, end = [], [], [], [], [], False
        for words in (line.split() for line in hierarchy.splitlines()):
            if words[:1] == ["}"]:
                stack.pop()
            elif words[:1] in (["ROOT"], ["JOINT"], ["End"]):
                end = words[0] == "End"
                self.names.append("" if end else words[1])
                self.parents.append(stack[-1] if stack else -1)
                self.channels.append([])
                stack.append(len(self.names) - 1)
            elif words[:1] == ["OFFSET"]:
                self.offsets.append([float(x) for x in words[1:]])
            elif words[:1] == ["CHANNELS"]:
                self.channels[-1] = words[2:]
        self.offsets = np.array(self.offsets)
        frames, joints, column = len(values), len(self.names), 0
        self.local = np.tile(np.eye(3), (frames, joints, 1, 1))
        self.moved = np.tile(self.offsets, (frames, 1, 1))
        for j, channels in enumerate(self.channels):
            for channel in channels:
                if channel.endswith("rotation"):
                    self.local[:, j] = self.local[:, j] @ rotation(channel[0], values[:, column])
                else:
                    self.moved[:, j, "XYZ".index(channel[0])] = values[:, column]
                column += 1
        self.place()

    def place(self):
        self.model, self.at = np.empty_like(self.local), np.empty_like(self.moved)
        for j, p in enumerate(self.parents):
            if p < 0:
                self.model[:, j], self.at[:, j] = self.local[:, j], self.moved[:, j]
                continue
            self.model[:, j] = self.model[:, p] @ self.local[:, j]
            self.at[:, j] = self.at[:, p] + np.einsum("fij,fj->fi", self.model[:, p], self.moved[:, j])

    def __len__(self):
        return len(self.local)

    def joint(self, name):
        return self.names.index(name)

    def write(self, path):
        """With channels Z, Y, X for every joint."""
        out, order = ["HIERARCHY"], []

        def put(j, depth):
            pad = "  " * depth
            end = not self.names[j]
            out.append(pad + ("End Site" if end else ("ROOT " if self.parents[j] < 0 else "JOINT ") + self.names[j]))
            out.append(pad + "{\n" + pad + "  OFFSET " + " ".join(repr(float(x)) for x in self.offsets[j]))
            if not end:
                order.append(j)
                where = "6 Xposition Yposition Zposition " if self.parents[j] < 0 else "3 "
                out.append(pad + "  CHANNELS " + where + "Zrotation Yrotation Xrotation")
                for k, p in enumerate(self.parents):
                    if p == j:
                        put(k, depth + 1)
            out.append(pad + "}")
        put(0, 0)
        r = self.local
        angles = np.degrees(np.stack([np.arctan2(r[..., 1, 0], r[..., 0, 0]), np.arcsin(np.clip(-r[..., 2, 0], -1, 1)),
                                      np.arctan2(r[..., 2, 1], r[..., 2, 2])], -1))
        out += ["MOTION", f"Frames: {len(self)}", f"Frame Time: {self.frame_time!r}"]
        for f in range(len(self)):
            row = list(self.moved[f, 0]) + [x for j in order for x in angles[f, j]]
            out.append(" ".join(repr(float(x)) for x in row))
        open(path, "w").write("\n".join(out) + "\n")


class Body:
    """The parts of a clip's body, by the names of its family."""

    def __init__(self, clip, family):
        self.clip, self.at = clip, {}
        for part, name in zip(PARTS, NAMES[family]):
            for side in SIDES:
                own = name
                if side == "right":
                    own = name.replace("Left", "Right") if family == "mixamo" else name.replace("l", "r", 1)
                if own in clip.names:
                    self.at[part, side] = clip.at[:, clip.joint(own)]
        first = 0 if len(clip) == 1 else 1  # frame 0 of a captured clip may be a T-pose
        self.leg = np.mean([np.median(np.linalg.norm(self.at[a, s] - self.at[b, s], axis=-1)[first:])
                            for s in SIDES for a, b in LIMBS[:2]]) * 2
        self.soles = {}
        for side in SIDES:
            foot = clip.joint([n for n in clip.names if n and np.array_equal(clip.at[:, clip.joint(n)], self.at["foot", side])][0])
            below = [j for j in range(len(clip.names)) if self.under(j, foot) and j != foot]
            self.soles[side] = below

    def under(self, j, top):
        while j >= 0 and j != top:
            j = self.clip.parents[j]
        return j == top

    def centre(self):
        return (self.at["thigh", "left"] + self.at["thigh", "right"]) / 2


def speed(points, frame_time):
    return np.linalg.norm(np.gradient(points, frame_time, axis=0), axis=-1)


def shrunk(mask, by):
    out = mask.copy()
    for k in range(1, by + 1):
        out[k:] &= mask[:-k]
        out[:-k] &= mask[k:]
    return out


def contacts(body):
    """Frames in which the ball of each foot surely stands, by the source alone."""
    dt, out = body.clip.frame_time, {}
    low = min(np.percentile(body.at["toes", s][..., 1], 20) for s in SIDES)
    for side in SIDES:
        ball = body.at["toes", side]
        slow = speed(ball, dt) < 0.25 * body.leg
        near = ball[:, 1] < low + 0.04 * body.leg
        out[side] = shrunk(slow & near, max(1, round(0.03 / dt)))
    return out


class Failed(Exception):
    pass


class Checker:
    def __init__(self, ulna, shared, work):
        self.ulna, self.shared, self.work, self.failures = ulna, shared, work, []

    def retarget(self, clip, to, name, *options):
        out = os.path.join(self.work, name + ".bvh")
        command = [self.ulna, "retarget", clip, "--to", to, "--out", out, *options]
        run = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if run.returncode != 0:
            raise Failed(f"{' '.join(command)}: {run.stderr}")
        return out

    def expect(self, what, value, most):
        if not value <= most:
            self.failures.append(f"{what}: {value:.4g}, at most {most:.4g}")

    def judge(self, label, source, result, bounds, skip):
        """One pair; lengths of the result are metres."""
        a, b = source.clip, result.clip
        if len(a) != len(b):
            raise Failed(f"{label}: {len(a)} frames became {len(b)}")
        if not np.isfinite(b.at).all():
            raise Failed(f"{label}: not finite")
        dt = a.frame_time
        limbs = np.array([between(source.at[q, s] - source.at[p, s], result.at[q, s] - result.at[p, s])
                          for s in SIDES for p, q in LIMBS])[:, skip:]
        stands = contacts(source)
        slides = [np.linalg.norm(np.diff(result.at["toes", s][:, [0, 2]], axis=0), axis=-1)[
            (stands[s][1:] & stands[s][:-1])][0:] / dt for s in SIDES]
        slide = np.concatenate(slides)
        low = min(b.at[:, j, 1].min() for s in SIDES for j in result.soles[s])
        turned = lambda clip: angle(clip.local[skip:-1], clip.local[skip + 1:]) / dt
        fast_a, fast_b = turned(a).max(), turned(b)
        fastest = fast_b.max()
        joint = b.names[np.unravel_index(fast_b.argmax(), fast_b.shape)[1]]
        way = lambda body: np.sum(np.linalg.norm(np.diff(body.centre()[skip:, [0, 2]], axis=0), axis=-1)) / body.leg
        height = lambda body, floor: np.mean(body.centre()[skip:, 1] - floor) / body.leg
        floor = min(np.percentile(source.at["foot", s][skip:, 1], 20) for s in SIDES)
        own = min(np.percentile(result.at["foot", s][skip:, 1], 20) for s in SIDES)
        ratio = lambda x, y: abs(x / y - 1) if abs(y) > 0.3 else 0.0
        print(f"{label:34} limbs {np.median(limbs):5.2f} {np.mean(limbs):5.2f} {limbs.max():6.1f}   slide "
              f"{slide.mean() if slide.size else 0:8.5f} {slide.max() if slide.size else 0:8.5f}   lowest {low:8.4f}   "
              f"speed {fastest:6.0f} of {fast_a:6.0f} {joint:14} way {ratio(way(result), way(source)):6.3f}  "
              f"pelvis {ratio(height(result, own), height(source, floor)):6.3f}")
        self.expect(label + ": limbs, median", np.median(limbs), bounds)
        self.expect(label + ": slide, mean", slide.mean() if slide.size else 0.0, 0.01)
        self.expect(label + ": slide, most", slide.max() if slide.size else 0.0, 0.05)
        self.expect(label + ": below the floor", -low, 0.005)
        self.expect(label + ": fastest joint", fastest, 1.5 * fast_a)
        self.expect(label + ": way", ratio(way(result), way(source)), 0.05)
        self.expect(label + ": pelvis", ratio(height(result, own), height(source, floor)), 0.05)

    def same_body(self, path, options):
        """The same body under other names, with another rest pose, in another unit."""
        source = Clip(path)
        other = Clip(path)
        rest = source.model[0].copy()
        # An A-pose instead of the T-pose of frame 0, by a turn about where the body looks.
        left = sum(source.at[0, source.joint("Left" + n)] - source.at[0, source.joint("Right" + n)] for n in ("UpLeg", "Arm", "Shoulder"))
        facing = rotation("Y", np.degrees([np.arctan2(-left[2], left[0])]))[0]
        for side, sign in (("Left", -1), ("Right", 1)):
            top = other.joint(side + "Arm")
            for j in range(top, len(other.names)):
                k = j
                while k >= 0 and k != top:
                    k = other.parents[k]
                if k == top:
                    rest[j] = facing @ rotation("Z", np.array([50.0 * sign]))[0] @ facing.T @ rest[j]
        other.offsets = np.array([(rest[p] if p >= 0 else np.eye(3)) @ o for p, o in zip(other.parents, other.offsets)])
        other.offsets *= 100
        other.moved = np.tile(other.offsets, (1, 1, 1))
        other.local = np.tile(np.eye(3), (1, len(other.names), 1, 1))
        for old, new in (("Hips", "pelvis"), ("LeftUpLeg", "LeftThigh"), ("RightUpLeg", "RightThigh"), ("LeftLeg", "LeftShin"),
                         ("RightLeg", "RightShin"), ("LeftArm", "LeftUpperArm"), ("RightArm", "RightUpperArm")):
            other.names[other.joint(old)] = new
        body = os.path.join(self.work, "other.bvh")
        other.write(body)
        back = Clip(self.retarget(path, body, "same", *options))
        found = back.model @ rest
        off = angle(source.model, found)[:, [j for j, n in enumerate(source.names) if n]]
        where = np.abs(back.at[:, 0] / 100 - source.at[:, 0]).max()
        print(f"same body, other rest and names: median {np.median(off):.4f}, most {off.max():.4f} degrees; hips {where:.2g}")
        self.expect("same body: median", np.median(off), 0.05)
        self.expect("same body: most", off.max(), 0.5)

    def there_and_back(self, path, to, options):
        source = Clip(path)
        there = self.retarget(path, to, "there", *options)
        back = Clip(self.retarget(there, path, "back", "--to-rest-frame", "0"))
        off = angle(source.model[1:], back.model[1:])[:, [j for j, n in enumerate(source.names) if n]]
        print(f"there and back over {os.path.basename(to)}: median {np.median(off):.2f}, mean {np.mean(off):.2f} degrees")
        self.expect("there and back: median", np.median(off), 3.0)


def main():
    ulna, shared = sys.argv[1:3]
    only = sys.argv[3] if len(sys.argv) > 3 else ""
    cmu = [(os.path.join(shared, CMU, n + ".bvh"), "mixamo", ["--rest-frame", "0"], 1)
           for n in ("02_01", "07_01", "09_01", "16_01", "49_06")]
    games = [(os.path.join(shared, GAMES, n + ".bvh"), "games", [], 0)
             for n in ("idle", "run_forward", "walk60", "walk_and_ture_right", "walk_and_turn_left", "walk_forward")]
    own = [(f"assets/ulna-{n}.bvh", "mixamo", [], 0) for n in ("idle", "run", "wave")]
    targets = [("character", "assets/ulna-character.glb", "mixamo", [], 3.0)]
    with tempfile.TemporaryDirectory() as work:
        checker = Checker(ulna, shared, work)
        for path, family, options, skip in cmu + games + own:
            if only not in path:
                continue
            source = Body(Clip(path), family)
            for label, to, to_family, more, bound in targets:
                name = f"{os.path.basename(path)[:-4]}-{label}"
                try:
                    result = Body(Clip(checker.retarget(path, to, name, *options, *more)), to_family)
                    checker.judge(name, source, result, bound, skip)
                except Failed as failed:
                    checker.failures.append(str(failed))
        if not only:
            checker.same_body(cmu[0][0], cmu[0][2])
            checker.there_and_back(cmu[0][0], "assets/ulna-character.glb", cmu[0][2])
        for failure in checker.failures:
            print("FAILED", failure)
        sys.exit(1 if checker.failures else 0)


if __name__ == "__main__":
    main()
