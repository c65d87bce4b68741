# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Load a motion and look at it
# Any BVH, glTF or rig file; here the bundled character waves. Run this cell by cell in a notebook, or as a script.

# %%
import pathlib

import numpy as np

import ulna

c = ulna.load(ulna.example("ulna-wave.bvh"))
print(c)
for warning in c.warnings:
    print(warning)

# %% [markdown]
# The skeleton is names, parents and offsets; the clip is arrays.

# %%
clip = c.clips[0]
positions = clip.positions()  # (frames, joints, 3)
print(clip, positions.shape, f"{clip.fps:.0f} fps, up is {c.up}, unit {c.unit}")
angles = np.degrees(clip.rotations("euler-zxy"))  # (frames, joints, 3), without jumps

# %% [markdown]
# A clip shows itself as a strip, a pose as a figure; outside of notebooks the same pictures are text.

# %%
pathlib.Path("strip.svg").write_text(clip.svg(8, unit=c.unit))
pathlib.Path("pose.svg").write_text(clip.sample(1.2).svg(names=True, unit=c.unit))
pathlib.Path("curves.svg").write_text(clip.curves_svg("RightArm"))

# %% [markdown]
# How fast is the hand? Differences of positions are arrays as any.

# %%
hand = positions[:, c.skeleton.index("RightHand")]
speed = np.linalg.norm(np.diff(hand, axis=0), axis=1) * clip.fps
print(f"the right hand moves at up to {speed.max():.2f} {c.unit}/s, at {clip.times[speed.argmax()]:.2f} s")
assert 0.1 < speed.max() < 20
