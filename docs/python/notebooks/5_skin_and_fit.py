# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Skin a surface, and find the motion behind shapes
# A surface without weights is bound to a skeleton; then shapes of it give the motion back.

# %%
import numpy as np

import ulna

c = ulna.load(ulna.example("ulna-character.glb"))
surface = ulna.Mesh(c.meshes[0].positions, c.meshes[0].triangles, name="body")
tied = ulna.tie(surface, c.skeleton)
print(f"bound in the pose '{tied.how}', at most {int((tied.mesh.weights > 0).sum(axis=1).max())} joints a vertex")
with open("weights.png", "wb") as file:
    file.write(ulna.shade([tied.mesh], joint="LeftForeArm"))

# %% [markdown]
# A deformer is prepared once; every pose is then a few milliseconds. Here its shapes stand for a scan.

# %%
body = c.with_meshes([tied.mesh])
deformer = ulna.Deformer(tied.mesh)
wave = c.clip("wave").trim(0, 0.5)
shapes = np.array([deformer.deform(pose) for pose in wave.sample(wave.times)])

# %%
found = ulna.fit(body, shapes, fps=wave.fps)
error = np.linalg.norm(found.clip.positions() - wave.positions(), axis=-1)
print(f"{len(found.reports)} shapes, at most {max(r.rms for r in found.reports):.1g} from their skin, "
      f"joints within {1000 * np.median(error):.2g} mm")
assert np.median(error) < 1e-3
ulna.save(body.with_clips([found.clip]), "found.glb")
