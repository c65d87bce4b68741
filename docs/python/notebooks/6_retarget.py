# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Play a motion on another body
# Other names, axes, proportions and units: parts of the body are found by names and shape; feet that stand stay.

# %%
import numpy as np

import ulna

source = ulna.load(ulna.example("ulna-run.bvh"))
target = ulna.load(ulna.example("ulna-character.glb")).scale(50).rotate_up("z")  # half as tall, in centimetres, z up
print(source.roles()["left.knee"], "->", target.roles()["left.knee"])

# %%
run = ulna.retarget(source, target)
print(f"the path is scaled by {run.scale:.2f}; soles slide at {run.slide_most:.2g} cm/s at most")
for warning in run.warnings:
    print(warning)
ulna.save(target.with_clips([run.clip]), "run.glb")
assert 45 < run.scale < 55
assert np.degrees(run.limb_angle_mean) < 5

# %% [markdown]
# Or from points alone: positions of joints, as pose estimators give them, move the character.

# %%
names = ["Hips", "Neck", "Head", "LeftArm", "LeftForeArm", "LeftHand", "RightArm", "RightForeArm", "RightHand",
         "LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase", "RightUpLeg", "RightLeg", "RightFoot", "RightToeBase"]
points = source.clips[0].positions()[:, [source.skeleton.index(name) for name in names]]
posed = ulna.pose_points(source, points, names=names, fps=source.clips[0].fps)
print(f"points are met within {1000 * posed.mean_error:.0f} mm on average")
assert posed.mean_error < 0.03
