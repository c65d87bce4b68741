# SPDX-License-Identifier: Apache-2.0
"""Forward kinematics against an oracle that shares nothing with the library: its own tiny BVH reader
and plain 4x4 matrix products. Every joint of every frame of every clip, to 1e-12 of its size."""
import glob
import json
import math
import os
import subprocess
import sys

TOLERANCE = 1e-12


def read_bvh(path):
    """Joints as (name, parent, offset, channels) and rows of numbers, for well-formed files."""
    tokens = open(path).read().replace("Frame Time:", "FrameTime").replace("Frames:", "Frames").split()
    joints, stack, at = [], [], 0
    while tokens[at] != "MOTION":
        word = tokens[at]
        if word in ("ROOT", "JOINT"):
            joints.append([tokens[at + 1], stack[-1] if stack else -1, None, []])
            at += 2
        elif word == "End":
            parent = stack[-1]
            joints.append([joints[parent][0] + "_end", parent, None, []])
            at += 2
        elif word == "{":
            stack.append(len(joints) - 1)
            at += 1
        elif word == "}":
            stack.pop()
            at += 1
        elif word == "OFFSET":
            joints[stack[-1]][2] = [float(t) for t in tokens[at + 1:at + 4]]
            at += 4
        elif word == "CHANNELS":
            count = int(tokens[at + 1])
            joints[stack[-1]][3] = tokens[at + 2:at + 2 + count]
            at += 2 + count
        else:
            at += 1
    frames = int(tokens[tokens.index("Frames") + 1])
    values = [float(t) for t in tokens[tokens.index("FrameTime") + 2:]]
    width = sum(len(j[3]) for j in joints)
    return joints, [values[f * width:(f + 1) * width] for f in range(frames)]


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def translation(x, y, z):
    return [[1, 0, 0, x], [0, 1, 0, y], [0, 0, 1, z], [0, 0, 0, 1]]


def rotation(axis, degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return {"X": [[1, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1]],
            "Y": [[c, 0, s, 0], [0, 1, 0, 0], [-s, 0, c, 0], [0, 0, 0, 1]],
            "Z": [[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}[axis]


def pose(joints, row):
    out, at = [], 0
    for _, parent, offset, channels in joints:
        place, turn = list(offset), translation(0, 0, 0)
        for channel in channels:
            if channel.endswith("position"):
                place["XYZ".index(channel[0])] = row[at]
            else:
                turn = product(turn, rotation(channel[0], row[at]))
            at += 1
        local = product(translation(*place), turn)
        out.append(local if parent < 0 else product(out[parent], local))
    return out


def quaternion_matrix(q):
    x, y, z, w = q
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]


def check(path):
    joints, rows = read_bvh(path)
    tool = subprocess.run([os.environ["ULNA"], "fk", path, "--all", "--json"], capture_output=True, text=True, check=True)
    ours = json.loads(tool.stdout)
    assert ours["joints"] == [j[0] for j in joints], path
    assert ours["parents"] == [j[1] for j in joints], path
    assert len(ours["frames"]) == len(rows), path
    worst = 0.0
    for row, frame in zip(rows, ours["frames"]):
        expected = pose(joints, row)
        size = max(1e-300, max(abs(m[i][3]) for m in expected for i in range(3)))
        for matrix, p, q in zip(expected, frame["positions"], frame["rotations"]):
            turned = quaternion_matrix(q)
            for i in range(3):
                worst = max(worst, abs(matrix[i][3] - p[i]) / size)
                for k in range(3):
                    worst = max(worst, abs(matrix[i][k] - turned[i][k]))
    print(f"{os.path.basename(path)}: {len(rows)} frames, {len(joints)} joints, worst {worst:.2e}")
    return worst <= TOLERANCE


def main():
    paths = sorted(glob.glob("assets/*.bvh"))
    paths += sorted(glob.glob(os.environ["ULNA_SHARED_DATA"] + "/**/*.bvh", recursive=True))
    results = [check(path) for path in paths]
    sys.exit(0 if all(results) else 1)


main()
