# SPDX-License-Identifier: Apache-2.0
"""BVH files by plain matrices: what the checks of retargeting judge by."""
import numpy as np


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
