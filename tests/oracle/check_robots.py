# SPDX-License-Identifier: Apache-2.0
"""Robots' kinematics against an oracle that shares nothing with the library: ElementTree, NumPy, the rules of URDF
and MuJoCo written as 4x4 matrices. Every joint of random poses, to 1e-9 of a metre and 1e-9 in the rotation.

The poses go in as a table of motion (.robot.csv), so what tables hold is checked too; and the tables that the tool
writes (.robot.csv, .npz) must say what went in.
"""
import csv
import json
import math
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import numpy

TOLERANCE = 1e-9
POSES = 12


def numbers(text):
    return numpy.array([float(word) for word in text.split()])


def translation(v):
    out = numpy.eye(4)
    out[:3, 3] = v
    return out


def about(axis, angle):
    """Rodrigues' formula."""
    x, y, z = numpy.asarray(axis, float) / numpy.linalg.norm(axis)
    k = numpy.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    out = numpy.eye(4)
    out[:3, :3] += math.sin(angle) * k + (1 - math.cos(angle)) * (k @ k)
    return out


def from_quaternion(w, x, y, z):
    length = math.sqrt(w * w + x * x + y * y + z * z)
    if length == w:
        return numpy.eye(4)
    return about((x, y, z), 2 * math.atan2(math.sqrt(x * x + y * y + z * z), w))


def from_columns(x, y, z):
    out = numpy.eye(4)
    out[:3, :3] = numpy.stack([x, y, z], axis=1)
    return out


# ---- MuJoCo

class Mujoco:
    """Bodies in order: name, parent, placement, joints as (name, type, axis, position, reference)."""

    def __init__(self, path):
        root = ElementTree.parse(path).getroot()
        self.folder = os.path.dirname(path)
        self.expand(root)
        self.degrees, self.sequence, self.classes = True, "xyz", {"main": {}}
        for compiler in root.iter("compiler"):
            self.degrees = compiler.get("angle", "degree" if self.degrees else "radian") == "degree"
            self.sequence = compiler.get("eulerseq", self.sequence)
        for default in root.findall("default"):
            self.read_class(default, "main", {})
        self.bodies = []
        for world in root.findall("worldbody"):
            self.walk(world, -1, numpy.eye(4), "main")

    def expand(self, element):
        for at, child in reversed(list(enumerate(element))):
            if child.tag == "include":
                element.remove(child)
                inner = ElementTree.parse(os.path.join(self.folder, child.get("file"))).getroot()
                self.expand(inner)
                for each in reversed(list(inner)):
                    element.insert(at, each)
            else:
                self.expand(child)

    def read_class(self, element, name, above):
        values = dict(above)
        for joint in element.findall("joint"):
            values.update(joint.attrib)
        self.classes[name] = values
        for child in element.findall("default"):
            self.read_class(child, child.get("class"), values)

    def angle(self, value):
        return math.radians(value) if self.degrees else value

    def placement(self, element):
        rotation = numpy.eye(4)
        if element.get("quat"):
            rotation = from_quaternion(*numbers(element.get("quat")))
        if element.get("axisangle"):
            *axis, angle = numbers(element.get("axisangle"))
            rotation = about(axis, self.angle(angle))
        if element.get("euler"):
            for letter, angle in zip(self.sequence, numbers(element.get("euler"))):
                step = about(numpy.eye(3)["xyz".index(letter.lower())], self.angle(angle))
                rotation = rotation @ step if letter.islower() else step @ rotation
        if element.get("xyaxes"):
            v = numbers(element.get("xyaxes"))
            x = v[:3] / numpy.linalg.norm(v[:3])
            y = v[3:] - x * (x @ v[3:])
            y /= numpy.linalg.norm(y)
            rotation = from_columns(x, y, numpy.cross(x, y))
        if element.get("zaxis"):
            z = numbers(element.get("zaxis"))
            z /= numpy.linalg.norm(z)
            rotation = about(numpy.cross((0, 0, 1), z), math.acos(z[2]))
        return translation(numbers(element.get("pos", "0 0 0"))) @ rotation

    def walk(self, element, body, frame, active):
        for child in element:
            if child.tag == "frame":
                self.walk(child, body, frame @ self.placement(child), child.get("childclass", active))
            elif child.tag == "body":
                self.bodies.append([child.get("name"), body, frame @ self.placement(child), []])
                self.walk(child, len(self.bodies) - 1, numpy.eye(4), child.get("childclass", active))
            elif child.tag == "freejoint" or (child.tag == "joint" and child.get("type") == "free"):
                self.bodies[body][3].append((self.bodies[body][0], "free", None, None, 0.0))
            elif child.tag == "joint":
                values = {**self.classes[child.get("class", active)], **child.attrib}
                kind = values.get("type", "hinge")
                reference = float(values.get("ref", 0))
                self.bodies[body][3].append((
                    child.get("name"), kind, numbers(values.get("axis", "0 0 1")), numbers(values.get("pos", "0 0 0")),
                    self.angle(reference) if kind == "hinge" else reference))

    def columns(self):
        return [joint[0] for body in self.bodies for joint in body[3] if joint[1] != "free"]

    def pose(self, base, values):
        """Where each joint's anchor is, and how its body is oriented once it has moved."""
        out, placed = {}, []
        for name, parent, placement, joints in self.bodies:
            at = placement if parent < 0 else placed[parent] @ placement
            if not joints:
                out[name] = at
            for joint, kind, axis, position, reference in joints:
                if kind == "free":
                    at = out[joint] = base
                    continue
                moved = values[joint] - reference
                if kind == "slide":
                    before = out[previous] if joint != joints[0][0] else at
                    step = at[:3, :3] @ axis / numpy.linalg.norm(axis) * moved
                    at = translation(step) @ at
                    out[joint] = translation(step) @ before
                else:
                    anchor = at @ translation(position)
                    at = anchor @ about(axis, moved) @ translation(-position)
                    out[joint] = anchor @ about(axis, moved)
                previous = joint
            placed.append(at)
        return out


# ---- URDF

class Urdf:
    def __init__(self, path):
        root = ElementTree.parse(path).getroot()
        self.joints = [(j.get("name"), j.get("type"), j.find("parent").get("link"), j.find("child").get("link"),
                        self.origin(j), numbers(j.find("axis").get("xyz")) if j.find("axis") is not None else (1, 0, 0))
                       for j in root.findall("joint")]
        children = {joint[3] for joint in self.joints}
        self.base = [link.get("name") for link in root.findall("link") if link.get("name") not in children][0]

    @staticmethod
    def origin(joint):
        origin = joint.find("origin")
        if origin is None:
            return numpy.eye(4)
        roll, pitch, yaw = numbers(origin.get("rpy", "0 0 0"))
        return (translation(numbers(origin.get("xyz", "0 0 0"))) @ about((0, 0, 1), yaw) @ about((0, 1, 0), pitch)
                @ about((1, 0, 0), roll))

    def columns(self):
        return [joint[0] for joint in self.joints if joint[1] != "fixed"]

    def pose(self, base, values):
        links = {self.base: numpy.eye(4) if self.base == "world" else base}
        out = {} if self.base == "world" else {self.base: base}
        waiting = list(self.joints)
        while waiting:
            joint = next(j for j in waiting if j[2] in links)
            waiting.remove(joint)
            name, kind, parent, child, origin, axis = joint
            at = links[parent] @ origin
            if kind == "prismatic":
                at = at @ translation(numpy.asarray(axis) / numpy.linalg.norm(axis) * values[name])
            elif kind != "fixed":
                at = at @ about(axis, values[name])
            links[child] = at
            out[child if kind == "fixed" else name] = at
        return out


# ---- the comparison

def tool(*arguments):
    return subprocess.run([os.environ["ULNA"], *arguments, "--quiet"], capture_output=True, text=True, check=True).stdout


def check(path, folder):
    oracle = Urdf(path) if path.endswith(".urdf") else Mujoco(path)
    chance = numpy.random.default_rng(3)
    columns = oracle.columns()
    rows = chance.uniform(-1.2, 1.2, (POSES, 7 + len(columns)))
    rows[:, 3:7] /= numpy.linalg.norm(rows[:, 3:7], axis=1, keepdims=True)
    rows[:, 3:7] *= numpy.sign(rows[:, 6:7])
    for i in range(1, POSES):  # the tool keeps neighbours in one half of the sphere
        rows[i, 3:7] *= 1 if rows[i - 1, 3:7] @ rows[i, 3:7] >= 0 else -1
    table = os.path.join(folder, "in.robot.csv")
    with open(table, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([[repr(float(v)) for v in row] for row in rows])

    rig = os.path.join(folder, "out.rig.json")
    tool("convert", path, rig, "--motion", table, "--force")
    ours = json.loads(tool("fk", rig, "--all", "--json"))
    worst = 0.0
    for row, frame in zip(rows, ours["frames"]):
        base = translation(row[:3]) @ from_quaternion(row[6], *row[3:6])
        expected = oracle.pose(base, dict(zip(columns, row[7:])))
        assert sorted(expected) == sorted(ours["joints"]), (path, set(expected) ^ set(ours["joints"]))
        for name, position, (x, y, z, w) in zip(ours["joints"], frame["positions"], frame["rotations"]):
            worst = max(worst, numpy.abs(expected[name][:3, 3] - position).max())
            worst = max(worst, numpy.abs(expected[name] - from_quaternion(w, x, y, z))[:3, :3].max())

    out = os.path.join(folder, "out.npz")
    tool("convert", path, out, "--motion", table, "--motion-fps", "50", "--force")
    again = os.path.join(folder, "again.robot.csv")
    tool("convert", path, again, "--motion", table, "--header", "--quaternion", "xyzw", "--force")
    arrays = numpy.load(out)
    assert abs(arrays["fps"] - 50) < 1e-9 and list(arrays["joint_names"]) == columns, path
    moves = any(numpy.abs(arrays["root_pos"][0] - arrays["root_pos"][-1]) > 0)
    differences = [arrays["dof_pos"] - rows[:, 7:], numpy.loadtxt(again, delimiter=",", skiprows=1)[:, 7:] - rows[:, 7:]]
    if moves:
        differences += [arrays["root_pos"] - rows[:, :3], arrays["root_rot"] - rows[:, 3:7]]
    tables = max(numpy.abs(d).max() for d in differences)
    with open(again) as file:
        assert next(csv.reader(file))[7:] == columns, path
    print(f"{os.path.basename(path)}: {len(ours['joints'])} joints, {len(columns)} columns, worst {worst:.2e}, tables {tables:.2e}")
    return worst <= TOLERANCE and tables <= TOLERANCE


def main():
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "robots")
    shared = os.path.join(os.environ["ULNA_SHARED_DATA"], "robots")
    paths = [os.path.join(here, name) for name in ("features.xml", "features.urdf")]
    paths += [os.path.join(shared, name) for name in (
        "unitree_g1/g1_mocap_29dof.xml", "unitree_g1/g1_custom_collision_29dof.urdf", "booster_t1/t1_mocap.xml",
        "stanford_toddy/toddy_mocap.xml", "stanford_toddy/assemblies/toddlerbot/toddlerbot.urdf")]
    with tempfile.TemporaryDirectory() as folder:
        results = [check(path, folder) for path in paths]
    sys.exit(0 if all(results) else 1)


main()
