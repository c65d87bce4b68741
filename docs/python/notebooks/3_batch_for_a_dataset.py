# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Ten thousand poses for a dataset
# The same goals, each problem with targets of its own, solved together on all cores.

# %%
import numpy as np

import ulna
from ulna import goals

arm = ulna.Skeleton([
    {"name": "shoulder", "kind": "ball", "cone": {"axis": [1, 0, 0], "swing": 110, "twist": [-80, 80]}},
    {"name": "elbow", "parent": "shoulder", "kind": "hinge", "axis": [0, -1, 0], "offset": [0.3, 0, 0],
     "limits": [[0, 150]]},
    {"name": "hand", "parent": "elbow", "kind": "fixed", "offset": [0.27, 0, 0]}])

rng = np.random.default_rng(0)
targets = rng.normal(size=(10_000, 3))
targets *= rng.uniform(0.2, 0.5, (10_000, 1)) / np.linalg.norm(targets, axis=1, keepdims=True)
batch = ulna.solve_ik_batch(arm, [goals.position("hand", [0, 0, 0])], targets)
print(f"{batch.reached.mean():.1%} of the targets are reached, {batch.iterations.mean():.1f} iterations on average")

# %% [markdown]
# What is not reached is behind the limits. The answers are coordinates; poses, positions and files come from them.

# %%
good = batch.dofs[batch.reached]
clip = ulna.Clip.from_dofs(arm, good, name="reaches")
hands = clip.positions()[:, arm.index("hand")]
error = np.linalg.norm(hands - targets[batch.reached], axis=1).max()
print(f"the largest error is {error:.1g}")
assert batch.reached.mean() > 0.5 and error < 1e-3
np.savez("reaches.npz", targets=targets[batch.reached], dofs=good, positions=clip.positions())
