#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Clips of every source on every target body, judged by plain matrices.

    check_retarget.py ULNA SHARED_DATA [PART OF A PAIR'S NAME]

What a result has to show, in each frame: finite numbers; limits of joints to 1e-9; soles in contact that do not
slide, none below the floor; joints no faster than 1.5 times the fastest of the source; the height of the pelvis and
the way it goes in proportion to the legs; limbs that point as in the source. Contacts are found here, in the source,
by tighter bounds than the library's, so that easing is outside them. Then a body under another name, rest pose and
unit; there and back over another body; and clips that are cut elsewhere.
"""
import json
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import numpy as np

from bvh_clip import Clip, angle, between, rotation

CMU, GAMES = "bvh/cmu", "bvh/games105"
# Per family of names: hips, then of the left side thigh, shin, foot, toes, upper arm, forearm, hand.
PARTS = ["hips", "thigh", "shin", "foot", "toes", "upper_arm", "forearm", "hand"]
NAMES = {
    "mixamo": ["Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase", "LeftArm", "LeftForeArm", "LeftHand"],
    "games": ["RootJoint", "lHip", "lKnee", "lAnkle", "lToeJoint", "lShoulder", "lElbow", "lWrist"],
}
TARGETS = {  # name: file, parts, pairs of words for left and right
    "character": ("assets/ulna-character.glb", "mixamo", ""),
    "CesiumMan": ("gltf/CesiumMan/glTF-Binary/CesiumMan.glb",
                  ["Skeleton_torso_joint_1", "leg_joint_L_1", "leg_joint_L_2", "leg_joint_L_3", "leg_joint_L_5",
                   ("Skeleton_arm_joint_L__4_", "Skeleton_arm_joint_R"), ("Skeleton_arm_joint_L__3_", "Skeleton_arm_joint_R__2_"),
                   ("Skeleton_arm_joint_L__2_", "Skeleton_arm_joint_R__3_")], "_L_ _R_"),
    "RiggedFigure": ("gltf/RiggedFigure/glTF-Binary/RiggedFigure.glb",
                     ["torso_joint_1", "leg_joint_L_1", "leg_joint_L_2", "leg_joint_L_3", "leg_joint_L_5",
                      "arm_joint_L_1", "arm_joint_L_2", "arm_joint_L_3"], "_L_ _R_"),
}
# Robots: the joints that limbs begin with and those that carry them, and where the zero pose has limbs pointing (x
# forward, y left, z up): to the next joint, seen from the side, since hinges have their origins anywhere along their axes.
SIDE, LEFT = None, [0, 1.0, 0]
ROBOTS = {
    "G1": ("robots/unitree_g1/g1_mocap_29dof.xml", "pelvis", "left_ankle_roll_link", {
        "thigh": ("left_hip_pitch_joint", "left_hip_yaw_joint", SIDE), "shin": ("left_knee_joint", "left_knee_joint", SIDE),
        "foot": ("left_ankle_pitch_joint", "left_ankle_roll_joint", None),
        "upper_arm": ("left_shoulder_pitch_joint", "left_shoulder_yaw_joint", SIDE),
        "forearm": ("left_elbow_joint", "left_elbow_joint", SIDE), "hand": ("left_wrist_roll_joint", "left_wrist_yaw_joint", None)}),
    "T1": ("robots/booster_t1/t1_mocap.xml", "Waist", "left_foot_link", {
        "thigh": ("Left_Hip_Pitch", "Left_Hip_Yaw", SIDE), "shin": ("Left_Knee_Pitch", "Left_Knee_Pitch", SIDE),
        "foot": ("Left_Ankle_Pitch", "Left_Ankle_Roll", None),
        "upper_arm": ("Left_Shoulder_Pitch", "Left_Shoulder_Roll", LEFT),
        "forearm": ("Left_Elbow_Pitch", "Left_Elbow_Yaw", LEFT), "hand": ("left_hand_link", "left_hand_link", None)}),
    "ToddlerBot": ("robots/stanford_toddy/toddy_mocap.xml", "waist_roll", "ank_roll_link", {
        "thigh": ("left_hip_pitch", "left_hip_yaw", SIDE), "shin": ("left_knee", "left_knee", SIDE),
        "foot": ("left_ank_pitch", "left_ank_roll", None),
        "upper_arm": ("left_sho_pitch", "left_sho_yaw", SIDE),
        "forearm": ("left_elbow_roll", "left_elbow_roll", SIDE), "hand": ("hand", "hand", None)}),
}
# Limbs in degrees (median), and how far the path may be off in proportion to the legs. ToddlerBot's hips and ankles have
# their axes 2 cm apart on legs of 24 cm: what its leg is depends on whom one asks.
BOUNDS = {"character": (3.0, 0.05), "CesiumMan": (3.0, 0.05), "RiggedFigure": (3.0, 0.05), "G1": (6.0, 0.05), "T1": (6.0, 0.05),
          "ToddlerBot": (10.0, 0.095)}
LIMBS = [("thigh", "shin"), ("shin", "foot"), ("upper_arm", "forearm"), ("forearm", "hand")]
SIDES = ["left", "right"]


def quaternion(q):
    x, y, z, w = np.array(q) / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def about(axis, angles):
    """Matrices of rotations about an axis (Rodrigues)."""
    x, y, z = np.array(axis) / np.linalg.norm(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angles)[:, None, None] * k + (1 - np.cos(angles))[:, None, None] * (k @ k)


class Rig:
    """The clip of a rig file of a free root, hinges and fixed joints: as a Clip, from the coordinates alone."""

    def __init__(self, path):
        document = json.load(open(path))
        clip, children, order = document["clips"][0], {}, []
        values, self.frame_time = np.array(clip["frames"], float), clip["frame_time"]
        for joint in document["joints"]:
            children.setdefault(joint.get("parent"), []).append(joint)

        def walk(parent):
            for joint in children.get(parent, []):
                order.append(joint)
                walk(joint["name"])
        walk(None)
        self.names = [joint["name"] for joint in order]
        self.parents = [self.names.index(joint["parent"]) if joint.get("parent") else -1 for joint in order]
        frames, count, column = len(values), len(order), 0
        self.local, self.model, self.at = (np.empty((frames, count) + tail) for tail in ((3, 3), (3, 3), (3,)))
        self.rest, self.excess = np.empty((count, 3, 3)), 0.0
        self.offsets = np.array([joint.get("offset", [0, 0, 0]) for joint in order], float)
        for i, joint in enumerate(order):
            own, parent = quaternion(joint.get("rotation", [0, 0, 0, 1])), self.parents[i]
            offset, turn = np.tile(np.array(joint.get("offset", [0, 0, 0]), float), (frames, 1)), np.tile(own, (frames, 1, 1))
            if joint["kind"] == "free":
                offset += values[:, column:column + 3] @ own.T
                for k, axis in enumerate(joint["order"].upper()):
                    turn = turn @ rotation(axis, values[:, column + 3 + k])
                column += 6
            elif joint["kind"] == "hinge":
                angles = values[:, column]
                turn = turn @ about(joint.get("axis", [1, 0, 0]), np.radians(angles))
                low, high = joint.get("limits", [[-np.inf, np.inf]])[0]
                self.excess = max(self.excess, np.max(low - angles), np.max(angles - high))
                column += 1
            elif joint["kind"] != "fixed":
                raise Failed(f"{path}: {joint['name']} is {joint['kind']}")
            self.local[:, i] = turn
            self.rest[i] = own if parent < 0 else self.rest[parent] @ own
            self.model[:, i] = turn if parent < 0 else self.model[:, parent] @ turn
            self.at[:, i] = offset if parent < 0 else (
                self.at[:, parent] + np.einsum("fij,fj->fi", self.model[:, parent], offset))

    def __len__(self):
        return len(self.at)

    def joint(self, name):
        return self.names.index(name)


def mirrored(name):
    """The right joint of a left one."""
    for left, right in (("left", "right"), ("Left", "Right")):
        if left in name:
            return name.replace(left, right)
    return name + "_2"


class Robot:
    """The same of a robot, z up in its file: y up here."""
    UP = np.array([[0, 1.0, 0], [0, 0, 1], [1, 0, 0]])

    def __init__(self, rig, robot, xml):
        _, hips, foot, parts = ROBOTS[robot]
        self.clip, self.at, self.directions, self.excess = rig, {}, {}, rig.excess
        turned = lambda points: points @ self.UP.T
        place = lambda joint: turned(rig.at[:, rig.joint(joint)])
        zero = self.zero()
        for side in SIDES:
            named = (lambda n: n) if side == "left" else mirrored
            for part, (first, last, pointing) in parts.items():
                self.at[part, side] = place(self.exists(named(first)))
                below = dict(LIMBS).get(part)
                if below is None:
                    continue
                j = rig.joint(named(last))
                direction = (zero[rig.joint(named(parts[below][0]))] - zero[rig.joint(named(first))]) * [1, 0, 1]
                if pointing is not SIDE:
                    direction = np.array(pointing) * (1 if side == "left" else [1, -1, 1])
                self.directions[part, side] = turned(rig.model[:, j] @ (rig.rest[j].T @ direction))
        self.at["hips", "left"] = place(hips)
        self.leg = sum(np.linalg.norm((zero[rig.joint(parts[a][0])] - zero[rig.joint(parts[b][0])]) * [1, 0, 1])
                       for a, b in LIMBS[:2])
        self.soles = {}
        for side in SIDES:
            named = (lambda n: n) if side == "left" else mirrored
            corners = self.corners(xml, named(foot))
            j = rig.joint(named(parts["foot"][1]))
            rest = np.array([rig.rest[j] @ c for c in corners])
            bottom = rest[:, 2] < rest[:, 2].min() + 1e-3
            front = bottom & (rest[:, 0] > rest[bottom, 0].max() - 1e-3)
            self.soles[side] = np.stack([turned(rig.at[:, j] + rig.model[:, j] @ c) for c in np.array(corners)[bottom]], 1)
            self.at["toes", side] = turned(rig.at[:, j] + rig.model[:, j] @ np.array(corners)[front].mean(axis=0))

    def zero(self):
        """Positions of all joints, from the root, with all angles zero."""
        rig, out = self.clip, np.zeros((len(self.clip.names), 3))
        for i, p in enumerate(rig.parents):
            if p >= 0:
                out[i] = out[p] + rig.rest[p] @ rig.offsets[i]
        return out

    def exists(self, name):
        if name not in self.clip.names:
            raise Failed(f"there is no joint {name}")
        return name

    @staticmethod
    def corners(xml, body):
        """What a foot of boxes and spheres stands on, in the axes of the foot: the lowest in the zero pose comes
        later, so that these are all corners."""
        element = next(b for b in ElementTree.parse(xml).iter("body") if b.get("name") == body)
        out = []
        for geom in element.findall("geom"):
            if geom.get("type", "sphere") == "mesh":
                continue
            at, size = (np.array([float(x) for x in geom.get(k, "0 0 0").split()]) for k in ("pos", "size"))
            if geom.get("type", "sphere") == "box":
                out += [at + size * np.array([x, y, z]) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
            else:
                out += [at + size[0] * np.array(d) for d in ((0, 0, -1.0),)]
        return out

    def centre(self):
        return (self.at["thigh", "left"] + self.at["thigh", "right"]) / 2

    def limb(self, p, q, side):
        return self.directions[p, side]

    def lowest(self):
        return min(points[..., 1].min() for points in self.soles.values())


class Body:
    """The parts of a clip's body, by the names of its family."""

    def __init__(self, clip, family):
        self.clip, self.at = clip, {}
        self.excess = 0.0
        for part, name in zip(PARTS, NAMES.get(family, family) if isinstance(family, str) else family):
            for side in SIDES:
                own = name if isinstance(name, str) else name[SIDES.index(side)]
                if side == "right" and isinstance(name, str):
                    own = (name.replace("Left", "Right") if family == "mixamo" else
                           name.replace("_L_", "_R_") if isinstance(family, list) else name.replace("l", "r", 1))
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

    def limb(self, p, q, side):
        return self.at[q, side] - self.at[p, side]

    def lowest(self):
        return min(self.clip.at[:, j, 1].min() for s in SIDES for j in self.soles[s])

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

    def retarget(self, clip, to, name, *options, kind=".bvh"):
        out = os.path.join(self.work, name + kind)
        command = [self.ulna, "retarget", clip, "--to", to, "--out", out, "--force", "--json", *options]
        run = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if run.returncode != 0:
            raise Failed(f"{' '.join(command)}: {run.stderr}")
        self.report = json.loads(run.stdout)
        return out

    def expect(self, what, value, most):
        if not value <= most:
            self.failures.append(f"{what}: {value:.4g}, at most {most:.4g}")

    def judge(self, label, source, result, bounds, skip):
        """One pair; lengths of the result are metres, or as good as."""
        a, b = source.clip, result.clip
        if len(a) != len(b):
            raise Failed(f"{label}: {len(a)} frames became {len(b)}")
        if not np.isfinite(b.at).all():
            raise Failed(f"{label}: not finite")
        dt = a.frame_time
        limbs = np.array([between(source.limb(p, q, s), result.limb(p, q, s)) for s in SIDES for p, q in LIMBS])[:, skip:]
        stands = contacts(source)
        slides = [np.linalg.norm(np.diff(result.at["toes", s][:, [0, 2]], axis=0), axis=-1)[
            (stands[s][1:] & stands[s][:-1])][0:] / dt for s in SIDES]
        slide = np.concatenate(slides)
        low = result.lowest()
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
        self.expect(label + ": limbs, median", np.median(limbs), bounds[0])
        self.expect(label + ": outside limits", result.excess, 1e-9)
        # What the tool says of itself, where both measure the same: from frame 0, in which a captured clip may jump.
        told, path = self.report, lambda body: np.sum(np.linalg.norm(np.diff(body.centre()[:, [0, 2]], axis=0), axis=-1))
        if path(source) > 0.35 * source.leg:
            measured = path(result) / path(source) / told["scale"]
            self.expect(label + ": the path that is reported", abs(told["pelvis"]["path_ratio"] / measured - 1), 0.02)
        told_limbs = told["limbs"]
        self.expect(label + ": the limbs that are reported", abs(told_limbs["median_degrees"] - np.median(limbs)), bounds[0])
        self.expect(label + ": the order of limbs", 0.0, min(b - a for a, b in zip(
            [told_limbs["median_degrees"], told_limbs["percentile_95_degrees"]], [told_limbs["percentile_95_degrees"], told_limbs["most_degrees"]])))
        self.expect(label + ": the penetration that is reported", -low - told["feet"]["penetration"], 0.005)
        self.expect(label + ": floating", told["feet"]["floating_most"], 0.01)
        self.expect(label + ": slide, mean", slide.mean() if slide.size else 0.0, 0.01)
        self.expect(label + ": slide, most", slide.max() if slide.size else 0.0, 0.05)
        self.expect(label + ": below the floor", -low, 0.005)
        self.expect(label + ": fastest joint", fastest, 1.5 * fast_a)
        self.expect(label + ": way", ratio(way(result), way(source)), bounds[1])
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

    def cut(self, path, to, kind):
        """The same poses, to a millimetre at a leg of 0.8 m, wherever the clip begins."""
        whole = Clip(path)
        load = Rig if kind == ".rig.json" else Clip
        first = load(self.retarget(path, to, "whole", kind=kind))
        for begin in (0, 1, 25, 60):
            part = Clip(path)
            part.local, part.moved = part.local[begin:], part.moved[begin:]
            shorter = os.path.join(self.work, "part.bvh")
            part.write(shorter)
            later = load(self.retarget(shorter, to, "later", "--floor", repr(float(self.floor(path))), kind=kind))
            self.retarget(path, to, "whole", "--floor", repr(float(self.floor(path))), kind=kind)
            first = load(os.path.join(self.work, "whole" + kind))
            off = np.linalg.norm(first.at[begin + 10:] - later.at[10:], axis=-1).max()
            print(f"{os.path.basename(to)}, cut at {begin}: {1000 * off:.3f} mm")
            self.expect(f"{os.path.basename(to)}, cut at {begin}", off, 0.001)
        self.expect("frames", abs(len(whole) - len(first)), 0)

    @staticmethod
    def floor(path):
        """One floor for all parts of a clip: what a part has of it may be another percentile."""
        return Clip(path).at[..., 1].min()

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
    path_of = lambda file: file if file.startswith("assets") else os.path.join(shared, file)
    with tempfile.TemporaryDirectory() as work:
        checker = Checker(ulna, shared, work)
        for path, family, options, skip in cmu + games + own:
            source = None
            for label in [*TARGETS, *ROBOTS]:
                name = f"{os.path.basename(path)[:-4]}-{label}"
                if only not in name:
                    continue
                source = source or Body(Clip(path), family)
                try:
                    if label in ROBOTS:
                        xml = path_of(ROBOTS[label][0])
                        out = checker.retarget(path, xml, name, *options, kind=".rig.json")
                        result = Robot(Rig(out), label, xml)
                    else:
                        file, parts, _ = TARGETS[label]
                        result = Body(Clip(checker.retarget(path, path_of(file), name, *options)), parts)
                    checker.judge(name, source, result, BOUNDS[label], skip)
                except Failed as failed:
                    checker.failures.append(str(failed))
        if not only:
            checker.same_body(cmu[0][0], cmu[0][2])
            checker.cut(games[2][0], "assets/ulna-character.glb", ".bvh")
            checker.cut(games[2][0], path_of(ROBOTS["G1"][0]), ".rig.json")
            checker.there_and_back(cmu[0][0], "assets/ulna-character.glb", cmu[0][2])
        for failure in checker.failures:
            print("FAILED", failure)
        sys.exit(1 if checker.failures else 0)


if __name__ == "__main__":
    main()
