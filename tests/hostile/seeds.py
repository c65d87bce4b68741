# SPDX-License-Identifier: Apache-2.0
"""Small valid files of every format, which the hostile ones are made from: an arm of two bones in a tube."""
import json
import math
import os
import pathlib
import struct

from limits import run

CORPUS = pathlib.Path(__file__).resolve().parent.parent / "fuzz" / "corpus"

BVH = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Arm
  {
    OFFSET 1 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 1 0 0
    }
  }
}
MOTION
Frames: 4
Frame Time: 0.04
0 0 0 0 0 0 0 0 0
0 0.1 0 5 0 0 10 0 0
0 0.2 0 10 0 0 20 0 5
0 0.1 0 5 0 0 10 0 0
"""

GOALS = {"ulna": 1, "goals": [{"kind": "position", "joint": "Arm", "target": [0.9, 0.4, 0]},
                              {"kind": "orientation", "joint": "Arm", "target": [0, 0, 0, 1], "level": 2}]}

CONSTRAINTS = {"ulna": 1, "constraints": [{"kind": "pin", "joint": "Hips", "position": [0, 0, 0]},
                                          {"kind": "lock", "joint": "Arm"},
                                          {"kind": "mass", "vertices": [[0, 9], 12], "mass": 4}]}


def tube(rings=6, sides=5, radius=0.2, length=2.0):
    """Vertices and triangles around the x axis."""
    vertices = [(length * r / (rings - 1), radius * math.cos(2 * math.pi * s / sides), radius * math.sin(2 * math.pi * s / sides))
                for r in range(rings) for s in range(sides)]
    triangles = []
    for r in range(rings - 1):
        for s in range(sides):
            a, b = r * sides + s, r * sides + (s + 1) % sides
            triangles += [(a, a + sides, b), (b, a + sides, b + sides)]
    return vertices, triangles


def obj_text(vertices, triangles):
    return ("".join("v %.9g %.9g %.9g\n" % v for v in vertices)
            + "".join("f %d %d %d\n" % tuple(i + 1 for i in t) for t in triangles))


def split_glb(data):
    """The JSON text of a .glb file and its binary chunk."""
    size = struct.unpack_from("<I", data, 12)[0]
    rest = data[20 + size:]
    return data[20:20 + size], rest[8:] if len(rest) > 8 else b""


def join_glb(text, binary):
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x004E4942) + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def make(folder):
    """Writes them; the tool makes what only it can. Returns the folder."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True)

    def tool(*arguments):
        outcome = run([*arguments, "--quiet"], str(folder))
        if outcome.code != 0:
            raise SystemExit("a seed cannot be made: ulna %s\n%s" % (" ".join(arguments), outcome.text))

    (folder / "arm.bvh").write_text(BVH)
    (folder / "tube.obj").write_text(obj_text(*tube()))
    (folder / "goals.json").write_text(json.dumps(GOALS))
    (folder / "constraints.json").write_text(json.dumps(CONSTRAINTS))
    tool("weights", "arm.bvh", "--mesh", "tube.obj", "--out", "arm.glb")
    tool("convert", "arm.glb", "arm.gltf")
    tool("convert", "arm.bvh", "arm.rig.json")
    tool("convert", "arm.bvh", "arm.keys.json")
    tool("convert", "arm.bvh", "arm.csv", "--csv", "dofs")
    tool("pack", "arm.bvh", "--out", "arm.ulnaclip")
    tool("convert", "tube.obj", "tube.ply")
    tool("skin", "arm.glb", "--all", "--out", "arm.pc2")
    text, binary = split_glb((folder / "arm.glb").read_bytes())
    document = json.loads(text)
    document["buffers"][0]["uri"] = "arm.bin"
    (folder / "parts").mkdir()
    (folder / "parts" / "arm.gltf").write_text(json.dumps(document))
    (folder / "parts" / "arm.bin").write_bytes(binary)
    os.unlink(folder / "log")
    return folder


def corpus(kind, *endings):
    """The files of a fuzz corpus with these endings. Meshes have their format in a byte before them."""
    skipped = 1 if kind == "mesh" else 0
    return [p.read_bytes()[skipped:] for p in sorted((CORPUS / kind).iterdir()) if p.name.endswith(endings)]
