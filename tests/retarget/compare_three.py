#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""three.js's SkeletonUtils.retargetClip by the measures of check_retarget.py, on the pairs that it can do.

    compare_three.py SHARED_DATA

It copies rotations by name, so the pairs are CMU's clips and the bundled character, whose joints have the same names. It does
not scale the path; here it is scaled by the legs before feet are judged. Needs the packages of tests/gltf.
"""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

from bvh_clip import Clip, between
from check_retarget import LIMBS, NAMES, PARTS, SIDES, Body, contacts


def main():
    shared, here = sys.argv[1], os.path.dirname(os.path.abspath(__file__))
    root, names = os.path.join(here, "..", ".."), dict(zip(PARTS, NAMES["mixamo"]))
    for clip in ("02_01", "07_01", "09_01", "16_01", "49_06"):
        path = os.path.abspath(os.path.join(shared, "bvh/cmu", clip + ".bvh"))
        with tempfile.TemporaryDirectory() as work:
            out = os.path.join(work, "three.json")
            subprocess.run(["node", os.path.join(here, "three_retarget.mjs"), path,
                            os.path.abspath(os.path.join(root, "assets/ulna-character.glb")), "Hips", "120", out],
                           cwd=os.path.join(root, "tests/gltf"), check=True)
            made = json.load(open(out))
        points, source = np.array(made["frames"]), Body(Clip(path), "mixamo")
        count = min(len(points), len(source.clip))

        def at(part, side):
            name = names[part] if side == "left" else names[part].replace("Left", "Right")
            return points[:count, made["names"].index(name)]
        off = np.array([between(source.limb(p, q, s)[:count], at(q, s) - at(p, s))[1:] for s in SIDES for p, q in LIMBS])
        leg = 2 * np.median([np.median(np.linalg.norm(at(p, s) - at(q, s), axis=-1)) for s in SIDES for p, q in LIMBS[:2]])
        hips = at("hips", "left")[:, None]
        points = points[:count] - hips + hips * (leg / source.leg)
        stands, slides = contacts(source), [np.zeros(0)]
        for side in SIDES:
            speed = np.linalg.norm(np.diff(at("toes", side)[:, [0, 2]], axis=0), axis=-1) / source.clip.frame_time
            slides.append(speed[(stands[side][1:] & stands[side][:-1])[:count - 1]])
        slide = np.concatenate(slides)
        feet = f"{100 * slide.mean():6.1f} cm/s, most {100 * slide.max():7.1f}" if slide.size else "no contacts"
        print(f"{clip}: limbs median {np.median(off):5.1f}, most {off.max():5.1f} degrees; soles in contact {feet}; "
              f"{len(points) / made['seconds']:.0f} frames/s")


if __name__ == "__main__":
    main()
