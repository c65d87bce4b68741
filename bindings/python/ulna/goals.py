# SPDX-License-Identifier: Apache-2.0
"""Goals of inverse kinematics, in the words of goals files: every function returns a plain dictionary.

A file of goals, read by json.load, is goals too. `weight` is that of the squared error, `level` 1 or 2 (level 2 is met
as far as level 1 allows), `span` when a goal holds over a clip: {"seconds": [1.2, 1.8]}, {"frames": [36, 54]}."""
from __future__ import annotations

import typing

import numpy.typing as npt

Goal = typing.Dict[str, typing.Any]


def _goal(kind: str, **values: typing.Any) -> Goal:
    return {"kind": kind, **{name: value for name, value in values.items() if value is not None}}


def position(joint: str, target: npt.ArrayLike, *, point: npt.ArrayLike | None = None, **more: typing.Any) -> Goal:
    """A joint, or a point in its coordinates, should be at a target in the model.

    >>> ulna.goals.position("LeftHand", [0.4, 1.3, 0.3], weight=2)
    {'kind': 'position', 'joint': 'LeftHand', 'target': [0.4, 1.3, 0.3], 'weight': 2}
    """
    return _goal("position", joint=joint, target=target, point=point, **more)


def positions(joint: str, targets: npt.ArrayLike, **more: typing.Any) -> Goal:
    """The same with a target for every frame of a clip: (frames, 3).

    >>> ulna.goals.positions("LeftHand", np.zeros((2, 3)))["kind"]
    'position'
    """
    return _goal("position", joint=joint, targets=targets, **more)


def pin(joint: str, *, kind: str = "position", **more: typing.Any) -> Goal:
    """A joint stays where each frame has it; with kind "orientation" it keeps its rotation.

    >>> ulna.goals.pin("LeftFoot")
    {'kind': 'position', 'joint': 'LeftFoot', 'pin': True}
    """
    return _goal(kind, joint=joint, pin=True, **more)


def orientation(joint: str, target: npt.ArrayLike, **more: typing.Any) -> Goal:
    """A joint should be oriented in the model by a quaternion x y z w.

    >>> ulna.goals.orientation("LeftHand", [0, 0, 0, 1])["target"]
    [0, 0, 0, 1]
    """
    return _goal("orientation", joint=joint, target=target, **more)


def aim(joint: str, target: npt.ArrayLike, *, axis: npt.ArrayLike | None = None,
        eye: npt.ArrayLike | None = None, **more: typing.Any) -> Goal:
    """An axis of a joint should point at a target; by default the one that faces forward at rest.

    >>> ulna.goals.aim("Head", [0, 1.5, 5])["kind"]
    'aim'
    """
    return _goal("aim", joint=joint, target=target, axis=axis, eye=eye, **more)


def pole(joints: typing.Sequence[str], target: npt.ArrayLike, **more: typing.Any) -> Goal:
    """A limb (its start, middle and end) should bend towards a point.

    >>> ulna.goals.pole(["LeftArm", "LeftForeArm", "LeftHand"], [1, 1, -1])["kind"]
    'pole'
    """
    return _goal("pole", joints=list(joints), target=target, **more)


def plane(joint: str, *, normal: npt.ArrayLike = (0, 1, 0), offset: float = 0.0, side: str = "above",
          point: npt.ArrayLike | None = None, **more: typing.Any) -> Goal:
    """A joint should be above a plane, or "on" it: the plane is where normal . x = offset.

    >>> ulna.goals.plane("RightFoot", offset=0.05)["offset"]
    0.05
    """
    return _goal("plane", joint=joint, normal=normal, offset=offset, side=side, point=point, **more)


def distance(joints: typing.Sequence[str], length: float, *, bound: str = "exactly", **more: typing.Any) -> Goal:
    """Two joints should be a length apart; bound "at_least" or "at_most" for less.

    >>> ulna.goals.distance(["LeftHand", "RightHand"], 0.3)["distance"]
    0.3
    """
    return _goal("distance", joints=list(joints), distance=length, bound=bound, **more)


def relative_position(joints: typing.Sequence[str], target: npt.ArrayLike, **more: typing.Any) -> Goal:
    """A joint should be at a target in the coordinates of another one.

    >>> ulna.goals.relative_position(["RightHand", "Hips"], [-0.2, 0.1, 0.1])["joints"]
    ['RightHand', 'Hips']
    """
    return _goal("relative_position", joints=list(joints), target=target, **more)


def relative_orientation(joints: typing.Sequence[str], target: npt.ArrayLike, **more: typing.Any) -> Goal:
    """A joint should be oriented against another one by a quaternion.

    >>> ulna.goals.relative_orientation(["RightHand", "LeftHand"], [0, 0, 0, 1])["kind"]
    'relative_orientation'
    """
    return _goal("relative_orientation", joints=list(joints), target=target, **more)


def keep_apart(joints: typing.Sequence[str], radii: typing.Sequence[float], *, margin: float = 0.0,
               starts: npt.ArrayLike | None = None, ends: npt.ArrayLike | None = None, **more: typing.Any) -> Goal:
    """Two capsules, fixed to two joints, should not meet.

    >>> ulna.goals.keep_apart(["LeftForeArm", "Head"], [0.04, 0.1])["radii"]
    [0.04, 0.1]
    """
    return _goal("keep_apart", joints=list(joints), radii=list(radii), margin=margin, starts=starts, ends=ends, **more)


def balance(contacts: typing.Sequence[str], *, margin: float = 0.0, **more: typing.Any) -> Goal:
    """The centre of mass of a human body should be over the joints that touch the ground.

    >>> ulna.goals.balance(["LeftFoot", "RightFoot"])["contacts"]
    [{'joint': 'LeftFoot'}, {'joint': 'RightFoot'}]
    """
    return _goal("balance", contacts=[{"joint": joint} for joint in contacts], margin=margin, **more)


def posture(weight: float, *, near: str = "start", joints: typing.Sequence[str] | None = None) -> Goal:
    """Joints should stay near the pose they start from, or near "rest".

    >>> ulna.goals.posture(1e-5)
    {'kind': 'posture', 'near': 'start', 'weight': 1e-05}
    """
    return _goal("posture", near=near, joints=None if joints is None else list(joints), weight=weight)
