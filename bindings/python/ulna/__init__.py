# SPDX-License-Identifier: Apache-2.0
"""Articulated characters on NumPy arrays: motion files, kinematics, inverse kinematics, skins, fits, retargeting.

    import ulna

    c = ulna.load("walk.bvh")                    # skeleton, clips, meshes, warnings
    positions = c.clips[0].positions()           # (frames, joints, 3)
    clip = ulna.Clip.from_rotations(c.skeleton, rotations, translations, form="6d", fps=30)
    ulna.save(c.with_clips([clip]), "out.glb")

Radians, seconds, right-handed axes, quaternions x y z w; a file's units and axes stay as they are. Objects never
change: what changes one returns another. Mistakes of the calling code raise ValueError, TypeError, IndexError or
KeyError; what is wrong with a file or with data raises InputError, which says where. An unreachable target is an
answer, and the report says so."""
from . import goals as goals
from ._core import (
    Body as Body,
    Character as Character,
    Cleaned as Cleaned,
    Clip as Clip,
    CustomGoal as CustomGoal,
    Deformer as Deformer,
    Diagnostic as Diagnostic,
    FitReport as FitReport,
    Fitted as Fitted,
    Gpu as Gpu,
    GpuArray as GpuArray,
    IkBatch as IkBatch,
    IkClipSolution as IkClipSolution,
    IkReport as IkReport,
    IkSolution as IkSolution,
    IkSolver as IkSolver,
    Mesh as Mesh,
    PackedClip as PackedClip,
    Pose as Pose,
    PosedPoints as PosedPoints,
    Reduction as Reduction,
    Retargeted as Retargeted,
    Skeleton as Skeleton,
    TiedMesh as TiedMesh,
    __version__ as __version__,
    blend as blend,
    clean as clean,
    find_gpus as find_gpus,
    fit as fit,
    load as load,
    load_bytes as load_bytes,
    pose_points as pose_points,
    read_packed as read_packed,
    retarget as retarget,
    save as save,
    shade as shade,
    solve_ik as solve_ik,
    solve_ik_batch as solve_ik_batch,
    solve_ik_clip as solve_ik_clip,
    solve_two_bone as solve_two_bone,
    tie as tie,
    to_bytes as to_bytes,
)
from ._errors import InputError as InputError
from ._view import View as View, example as example, view as view
