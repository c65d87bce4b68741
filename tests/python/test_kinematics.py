# SPDX-License-Identifier: Apache-2.0
"""Poses, clips and arrays, judged by products of plain matrices and by SciPy's rotations."""
import numpy as np
from scipy.spatial.transform import Rotation

import support
import ulna

RNG = np.random.default_rng(7)


class Kinematics(support.Case):
    def setUp(self):
        super().setUp()
        self.c = support.character()
        self.s = self.c.skeleton

    def oracle(self, clip, times=None):
        poses = clip.sample(clip.times if times is None else times)
        return support.model_matrices(self.s.parents, np.array([p.translations for p in poses]),
                                      np.array([p.quaternions for p in poses]), np.array([p.scales for p in poses]))

    def test_positions_of_every_clip_are_those_of_plain_matrices(self):
        for clip in self.c.clips:
            self.close(clip.positions(), self.oracle(clip)[..., :3, 3], 1e-9)

    def test_positions_between_frames_are_those_of_plain_matrices(self):
        clip = self.c.clip("walk")
        times = RNG.uniform(0, clip.duration, 50)
        self.close(clip.positions(times), self.oracle(clip, times)[..., :3, 3], 1e-9)

    def test_matrices_of_a_pose_are_products_of_plain_matrices(self):
        pose = self.c.clip("run").sample(0.3)
        expected = support.model_matrices(self.s.parents, pose.translations[None], pose.quaternions[None],
                                          pose.scales[None])[0]
        self.close(pose.matrices(), expected)

    def test_rotations_of_every_form_are_scipys(self):
        clip = self.c.clip("walk")
        expected = Rotation.from_quat(clip.rotations("quat").reshape(-1, 4))
        matrices = clip.rotations("matrix").reshape(-1, 3, 3)
        self.close(matrices, expected.as_matrix())
        six = clip.rotations("6d").reshape(-1, 6)
        self.close(six, np.concatenate([matrices[:, :, 0], matrices[:, :, 1]], -1))
        self.close(Rotation.from_rotvec(clip.rotations("rotation-vector").reshape(-1, 3)).as_matrix(), matrices)
        for order in ("xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"):
            angles = clip.rotations("euler-" + order).reshape(-1, 3)
            self.close(Rotation.from_euler(order.upper(), angles).as_matrix(), matrices, 1e-9)

    def test_rotations_in_the_model_are_products_along_the_chain(self):
        clip = self.c.clip("walk")
        expected = self.oracle(clip)[..., :3, :3]
        self.close(clip.rotations("matrix", space="model"), expected, 1e-9)

    def test_every_form_comes_back(self):
        q = support.random_quaternions(RNG, 20, len(self.s))
        start = ulna.Clip.from_rotations(self.s, q)
        for space in ("local", "model"):
            for form in ("quat", "matrix", "6d", "rotation-vector", "euler-zxy", "euler-xyx"):
                numbers = start.rotations(form, space=space)
                again = ulna.Clip.from_rotations(self.s, numbers, form=form, space=space)
                self.close(again.positions(), start.positions(), 1e-9)

    def test_tracks_have_no_jumps(self):
        turns = np.linspace(0, 6 * np.pi, 200)
        q = np.zeros((200, len(self.s), 4))
        q[..., 3] = 1
        q[:, 5] = Rotation.from_rotvec(np.outer(turns, [0, 0, 1])).as_quat()
        q[::3] *= -1
        clip = ulna.Clip.from_rotations(self.s, q)
        self.assertLess(np.abs(np.diff(clip.rotations("quat"), axis=0)).max(), 0.1)
        self.assertLess(np.abs(np.diff(clip.rotations("euler-xyz"), axis=0)).max(), 0.2)
        self.close(clip.rotations("euler-xyz")[-1, 5, 2], 6 * np.pi, 1e-9)

    def test_positions_from_rotations_of_every_dtype_and_stride(self):
        q = support.random_quaternions(RNG, 30, len(self.s))
        root = RNG.normal(size=(30, 3))
        offsets = np.broadcast_to(self.s.offsets, (30, len(self.s), 3)).copy()
        offsets[:, 0] = root
        rest = self.s.rest_pose()
        expected = support.model_matrices(self.s.parents, offsets, q, np.broadcast_to(rest.scales, offsets.shape))
        expected = expected[..., :3, 3]
        self.close(self.s.positions(q, root), expected)
        self.close(self.s.positions(np.asfortranarray(q), root[::1]), expected)
        self.close(self.s.positions(np.repeat(q, 2, axis=0)[::2], root.tolist()), expected)
        self.close(self.s.positions(q.astype(np.float32), root.astype(np.float32)), expected, 1e-5)
        self.close(self.s.positions(3 * q, root), expected)  # not normalised
        self.close(self.s.positions(q[4], root[4]), expected[4])

    def test_results_go_into_arrays_of_the_callers(self):
        q = support.random_quaternions(RNG, 10, len(self.s))
        for dtype, tolerance in ((np.float64, 0), (np.float32, 1e-5)):
            out = np.full((10, len(self.s), 3), np.nan, dtype)
            self.assertIs(self.s.positions(q, out=out), out)
            self.close(out, self.s.positions(q), tolerance)

    def test_threads_do_not_change_a_bit(self):
        q = support.random_quaternions(RNG, 500, len(self.s))
        one = self.s.positions(q, threads=1)
        self.assertTrue((self.s.positions(q, threads=4) == one).all())

    def test_end_sites_may_be_left_out(self):
        moving = [j for j in self.s.joints if j not in self.s.end_sites]
        q = support.random_quaternions(RNG, 4, len(moving))
        full = np.broadcast_to(self.s.rest_pose().quaternions, (4, len(self.s), 4)).copy()
        for k, joint in enumerate(moving):
            full[:, self.s.index(joint)] = q[:, k]
        self.close(self.s.positions(q), self.s.positions(full))
        self.close(self.s.positions(q, joints=moving), self.s.positions(full))

    def test_views_of_a_pose_cost_nothing_cannot_be_written_and_outlive_it(self):
        pose = self.s.rest_pose()
        view = pose.quaternions
        self.assertFalse(view.flags.owndata)
        with self.assertRaises(ValueError):
            view[0] = 0
        copy = view.copy()
        del pose
        self.assertTrue((view == copy).all())

    def test_coordinates_give_the_pose_back(self):
        for clip in self.c.clips:
            dofs = clip.dofs()
            again = ulna.Clip.from_dofs(self.s, dofs, fps=clip.fps)
            self.close(again.positions(), clip.positions(), 1e-6)
            self.assertLess(np.abs(np.diff(dofs, axis=0)).max(), 1.5)

    def test_the_jacobian_is_that_of_differences(self):
        pose = self.c.clip("run").sample(0.2)
        start, point, hand = pose.dofs(), np.array([0.1, 0.02, -0.05]), self.s.index("LeftHand")

        def place(dofs):
            m = ulna.Pose.from_dofs(self.s, dofs).matrices()[hand]
            return m[:3, :3] @ point + m[:3, 3]

        jacobian = pose.jacobian("LeftHand", point)
        step = 1e-6
        for d in range(self.s.dof_count):
            unit = np.zeros(self.s.dof_count)
            unit[d] = step
            self.close(jacobian[:, d], (place(start + unit) - place(start - unit)) / (2 * step), 1e-6)

    def test_a_skeleton_is_built_of_arrays_and_of_words(self):
        names = self.s.joints
        again = ulna.Skeleton.from_arrays(names, self.s.parents, self.s.offsets, self.s.rest_pose().quaternions)
        self.assertEqual(again.joints, names)
        self.assertEqual(again.parents.tolist(), self.s.parents.tolist())
        self.close(again.rest_pose().positions(), self.s.rest_pose().positions(), 1e-9)
        arm = ulna.Skeleton([{"name": "a", "kind": "hinge", "limits": [[-90, 45]]}])
        self.close(arm.dof_limits, np.radians([[-90, 45]]), 1e-12)


class Editing(support.Case):
    def setUp(self):
        super().setUp()
        self.c = support.character()
        self.walk = self.c.clip("walk")

    def test_a_mirrored_clip_has_mirrored_positions(self):
        mirrored = self.walk.mirror().positions()
        left, right = self.c.skeleton.index("LeftHand"), self.c.skeleton.index("RightHand")
        self.close(mirrored[:, left], self.walk.positions()[:, right] * [-1, 1, 1], 1e-3)

    def test_a_part_and_another_rate_are_samples(self):
        self.close(self.walk.trim(0.2, 0.7).positions(), self.walk.positions(0.2 + np.arange(16) / 30), 1e-9)
        self.close(self.walk.resample(60).positions(), self.walk.positions(np.arange(65) / 60), 1e-9)
        self.close(self.walk.reverse().positions(), self.walk.positions()[::-1], 1e-12)

    def test_few_keys_stay_within_the_tolerance(self):
        few = self.walk.reduce(0.004)
        self.assertTrue(few.clip.keyed)
        distance = np.linalg.norm(few.clip.positions(self.walk.times) - self.walk.positions(), axis=-1)
        self.assertLessEqual(distance.max(), 0.004 + 1e-9)
        self.assertLess(few.keys, 33 * len(self.c.joints) / 3)

    def test_a_blend_of_one_clip_with_itself_is_that_clip(self):
        self.close(ulna.blend([self.walk, self.walk], [1, 3]).positions(), self.walk.positions(), 1e-9)

    def test_a_clip_of_frames_and_its_file_are_the_same(self):
        for name in ("a.bvh", "a.glb", "a.rig.json"):
            ulna.save(self.walk, self.path(name))
            again = ulna.load(self.path(name))
            self.close(again.clips[0].positions(), self.walk.positions(), 1e-4)

    def test_a_networks_output_is_a_file_in_three_lines(self):
        rotations, root = self.walk.rotations("6d"), self.walk.translations()[:, 0]
        clip = ulna.Clip.from_rotations(self.c.skeleton, rotations, root, form="6d", fps=30, name="made")
        ulna.save(self.c.with_clips([clip]), self.path("made.glb"))
        again = ulna.load(self.path("made.glb"))
        self.assertEqual(again.clips[0].name, "made")
        self.close(again.clips[0].positions(), self.walk.positions(), 1e-4)

    def test_a_model_in_another_unit_and_with_another_up_axis(self):
        large = self.c.scale(100).rotate_up("z")
        expected = self.walk.positions()[..., [0, 2, 1]] * [100, -100, 100]
        self.close(large.clip("walk").positions(), expected, 1e-6)


if __name__ == "__main__":
    import unittest
    unittest.main()
