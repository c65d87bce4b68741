# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Inverse kinematics
# Goals in, a pose inside the joint limits out, and a report. Human bodies use the freedom that is left as people do.

# %%
import pathlib

import numpy as np

import ulna
from ulna import goals

c = ulna.load(ulna.example("ulna-character.glb"))
start = c.clip("idle").frame(0)

# %% [markdown]
# The left hand goes low, the feet stay where they are, the head looks at the hand.

# %%
cup = [0.25, 0.5, 0.45]
answer = ulna.solve_ik(c, [goals.position("LeftHand", cup), goals.aim("Head", cup), goals.pin("LeftFoot"),
                           goals.pin("RightFoot")], pose=start, limits="anatomical")
print(answer.report)
for error, met in zip(answer.errors, answer.met):
    print(f"error {error:.2g}, {'met' if met else 'missed'}")
assert np.linalg.norm(answer.pose.positions()[c.skeleton.index("LeftHand")] - cup) < 0.01
pathlib.Path("reach.svg").write_text(answer.pose.svg(unit="m"))

# %% [markdown]
# Out of reach is an answer too: the nearest pose, and the report says so.

# %%
far = ulna.solve_ik(c, [goals.position("LeftHand", [3, 1, 0]), goals.pin("LeftFoot"), goals.pin("RightFoot")], pose=start)
print(far.report.status, f"short of the target by {far.errors[0]:.2f} m")
assert far.report.status == "out_of_reach"

# %% [markdown]
# A solver is set up once and follows a target from frame to frame, in place.

# %%
solver = ulna.IkSolver(c.skeleton, [goals.position("LeftHand", [0, 0, 0])], locked=["Hips"], continuity=True)
dofs = start.dofs()
centre = start.positions()[c.skeleton.index("LeftHand")]
worst = 0.0
for t in np.linspace(0, 2 * np.pi, 60):
    target = centre + 0.1 * np.array([np.sin(t), 1 - np.cos(t), 0.5])
    solver.set_target(0, target)
    worst = max(worst, solver.solve(dofs).errors[0])
print(f"the largest error of 60 frames is {worst:.2g} m")
assert worst < 0.01
