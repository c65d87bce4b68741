# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # From a network's output to a file
# A network gives six numbers a joint and a position of the root. Three lines make a file that Blender opens.

# %%
import numpy as np

import ulna

c = ulna.load(ulna.example("ulna-character.glb"))
moving = [joint for joint in c.joints if joint not in c.skeleton.end_sites]

# In place of a network: a walk with noise.
walk = c.clip("walk")
rng = np.random.default_rng(0)
columns = [c.skeleton.index(joint) for joint in moving]
rotations = walk.rotations("6d")[:, columns] + rng.normal(scale=0.02, size=(walk.frame_count, len(moving), 6))
root = walk.translations()[:, 0]

# %%
clip = ulna.Clip.from_rotations(c.skeleton, rotations, root, form="6d", joints=moving, fps=walk.fps, name="generated")
ulna.save(c.with_clips([clip]), "generated.glb")

# %% [markdown]
# Feet that slide and shakes are common in such motion; cleaning takes them out, and says what it found.

# %%
clean = ulna.clean(c, clip=clip, smooth=6, feet=True, floor=0.0)
ulna.save(c.with_clips([clean.clip]), "clean.glb")
before, after = (np.linalg.norm(np.diff(each.positions(), 2, axis=0), axis=-1).mean() for each in (clip, clean.clip))
print(f"the mean acceleration falls from {before * clip.fps ** 2:.1f} to {after * clip.fps ** 2:.1f} m/s²")
assert after < 0.7 * before
