#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`ulna clean --feet --floor` over clips, judged by plain matrices.

    check_clean.py ULNA SHARED_DATA [PART OF A CLIP'S NAME]

In each frame of each clip: soles in contact do not slide, no sole is below the floor, joints that are no part of a leg
are rotated as before, the root moves up or down alone, and no joint gets much faster than the clip's fastest. Lengths
are those of a leg of 0.85 m. Cleaning the result again in the same contacts changes next to nothing. The table states
what was changed most.
"""
import glob
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

from bvh_clip import Clip, angle

LEG = 0.85
SLIDE_MEAN, SLIDE_MOST, DEPTH = 0.01, 0.05, 0.005  # metres, a second
FASTER = 1.5  # than the fastest joint of the clip
SAME = 1e-5  # degrees, and metres: files have so many digits


class Cleaned:
    """A clip before and after, and what the tool says of contacts and soles."""

    def __init__(self, ulna, path, folder, *options):
        self.out = os.path.join(folder, os.path.basename(path))
        self.contacts = self.out + ".contacts.json"
        command = [ulna, "clean", path, "--out", self.out, "--contacts-out", self.contacts, "--force", "--json", "--quiet"]
        result = subprocess.run([*command, *options], capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"{path}: {result.stderr}")
        self.said = json.loads(result.stdout)
        self.before, self.after = Clip(path), Clip(self.out)
        self.spans = json.load(open(self.contacts))
        foot = self.after.joint(self.said["feet"]["soles"][0]["foot"])
        shin = self.after.parents[foot]
        self.metre = LEG / (np.linalg.norm(self.after.offsets[foot]) + np.linalg.norm(self.after.offsets[shin]))

    def soles(self, clip):
        """Per side: heel, ball and tip, frame by frame."""
        for sole in self.said["feet"]["soles"]:
            foot, toes = clip.joint(sole["foot"]), clip.joint(sole["toes"])
            heel, ball = (clip.at[:, foot] + clip.model[:, foot] @ np.array(sole[part]) for part in ("heel", "ball"))
            tip = (clip.at[:, foot] if toes == foot else ball) + clip.model[:, toes] @ np.array(sole["tip"])
            yield {"heel": heel, "ball": ball - [0, sole["lift"], 0], "tip": tip}

    def legs(self):
        """The joints of both legs: from the thigh down."""
        clip, out = self.after, set()
        for sole in self.said["feet"]["soles"]:
            thigh = clip.parents[clip.parents[clip.joint(sole["foot"])]]
            out |= {thigh} | {j for j in range(len(clip.names)) if self.hangs(j, thigh)}
        return sorted(out)

    def hangs(self, joint, above):
        while joint >= 0 and joint != above:
            joint = self.after.parents[joint]
        return joint == above

    def slides(self):
        """Horizontal speeds of what is in contact, metres a second."""
        out, soles = [], dict(zip(["left", "right"], self.soles(self.after)))
        for span in self.spans["contacts"]:
            points = soles[span["side"]][span["part"]][span["first"]:span["last"] + 1]
            out.append(np.linalg.norm(np.diff(points[:, [0, 2]], axis=0), axis=1))
        return np.concatenate(out) * self.metre / self.after.frame_time

    def fastest(self, clip):
        return angle(clip.local[1:-1], clip.local[2:]).max() / clip.frame_time  # frame 0 may be a T-pose


def check(cleaned, again):
    """What is wrong, and a line of the table."""
    problems = []

    def expect(good, what):
        if not good:
            problems.append(what)
    before, after, metre = cleaned.before, cleaned.after, cleaned.metre
    expect(np.isfinite(after.at).all(), "numbers are not finite")
    expect(len(cleaned.spans["contacts"]) >= 2, "there are next to no contacts")
    slides = cleaned.slides()
    expect(slides.mean() <= SLIDE_MEAN, f"soles slide {slides.mean():.4f} m/s on average")
    expect(slides.max() <= SLIDE_MOST, f"a sole slides {slides.max():.4f} m/s")
    floor = cleaned.spans["floor"]
    depth = max((floor - point[:, 1]).max() for sole in cleaned.soles(after) for point in sole.values()) * metre
    expect(depth <= DEPTH, f"a sole is {1000 * depth:.1f} mm below the floor")
    legs = cleaned.legs()
    others = [j for j in range(len(after.names)) if j not in legs]
    strayed = angle(before.local[:, others], after.local[:, others]).max()
    expect(strayed <= SAME, f"a joint outside the legs is rotated by {strayed:.2e} degrees")
    moved = (after.at[:, 0] - before.at[:, 0]) * metre
    expect(np.abs(moved[:, [0, 2]]).max() <= SAME, "the root is moved sideways")
    lowered = -(moved[:, 1] - moved[:, 1].max()).min()
    speeds = cleaned.fastest(before), cleaned.fastest(after)
    expect(speeds[1] <= FASTER * speeds[0], f"a joint moves at {speeds[1]:.0f} degrees/s, before at {speeds[0]:.0f}")
    changed = angle(before.local[:, legs], after.local[:, legs])
    twice = angle(after.local, again.after.local).max() if again else 0.0
    expect(twice <= 0.01, f"cleaning again rotates a joint by {twice:.2f} degrees")
    row = (f"{slides.mean():8.4f} {slides.max():8.4f} {1000 * depth:6.2f} {changed.max():8.1f} {100 * lowered:8.1f} "
           f"{speeds[0]:8.0f} {speeds[1]:8.0f} {twice:8.3f}")
    return problems, row


def main():
    ulna, shared = sys.argv[1:3]
    wanted = sys.argv[3] if len(sys.argv) > 3 else ""
    clips = [path for path in sorted(glob.glob(shared + "/bvh/*/*.bvh")) + sorted(glob.glob("assets/*.bvh"))
             if wanted in path]
    if not clips:
        sys.exit(f"no clip has '{wanted}' in its name")
    failed = False
    print(f"{'clip':24} {'slide':>8} {'most':>8} {'depth':>6} {'changed':>8} {'lowered':>8} {'fastest':>8} {'after':>8}"
          f" {'again':>8}\n{'':24} {'m/s':>8} {'m/s':>8} {'mm':>6} {'degrees':>8} {'cm':>8} {'deg/s':>8} {'deg/s':>8}"
          f" {'degrees':>8}")
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + "/again")
        for path in clips:
            options = ["--rest-frame", "0"] if "/cmu/" in path else []
            cleaned = Cleaned(ulna, path, folder, "--feet", "--floor", *options)
            # A T-pose in a frame is cleaned too, and is none then.
            again = None if options else Cleaned(ulna, cleaned.out, folder + "/again", "--feet", "--contacts",
                                                 cleaned.contacts)
            problems, row = check(cleaned, again)
            print(f"{os.path.basename(path):24} {row}")
            for problem in problems:
                print("    " + problem)
            failed = failed or bool(problems)
    sys.exit(failed)


main()
