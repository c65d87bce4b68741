# SPDX-License-Identifier: Apache-2.0
"""Inverse kinematics, judged by forward kinematics and by SciPy's least squares."""
import threading

import numpy as np
from scipy.optimize import least_squares

import support
import ulna
from ulna import goals

RNG = np.random.default_rng(3)
ARM = ulna.Skeleton([
    {"name": "shoulder", "kind": "ball"},
    {"name": "elbow", "parent": "shoulder", "kind": "hinge", "axis": [0, 0, 1], "offset": [0.3, 0, 0],
     "limits": [[0, 150]]},
    {"name": "wrist", "parent": "elbow", "kind": "ball", "offset": [0.25, 0, 0]},
    {"name": "hand", "parent": "wrist", "kind": "fixed", "offset": [0.1, 0, 0]}])


def hand_at(dofs, skeleton=ARM, joint=-1):
    return ulna.Pose.from_dofs(skeleton, dofs).positions()[joint]


class Solving(support.Case):
    def setUp(self):
        super().setUp()
        self.c = support.character()

    def test_targets_within_reach_are_reached_as_scipy_reaches_them(self):
        solver = ulna.IkSolver(ARM, [goals.position("hand", [0, 0, 0])], tolerance=1e-8, restarts=8)
        for _ in range(30):
            start = np.zeros(ARM.dof_count)
            target = RNG.normal(size=3)
            target *= RNG.uniform(0.3, 0.6) / np.linalg.norm(target)
            solver.set_target(0, target)
            report = solver.solve(start)
            scipys = least_squares(lambda dofs: hand_at(dofs) - target, np.full(ARM.dof_count, 0.1))
            self.assertTrue(report.reached, f"{target} {report}; SciPy comes to {scipys.cost}")
            self.assertLess(np.linalg.norm(hand_at(start) - target), 1e-8)
            self.assertTrue((start >= ARM.dof_limits[:, 0] - 1e-9).all() and (start <= ARM.dof_limits[:, 1] + 1e-9).all())

    def test_out_of_reach_is_the_nearest_point(self):
        target = np.array([1.2, 0.9, 0.3])
        dofs = np.full(ARM.dof_count, 0.1)
        report = ulna.IkSolver(ARM, [goals.position("hand", target)]).solve(dofs)
        self.assertEqual(report.status, "out_of_reach")
        self.close(np.linalg.norm(hand_at(dofs) - target), np.linalg.norm(target) - 0.65, 1e-3)
        self.close(report.errors[0], np.linalg.norm(hand_at(dofs) - target), 1e-9)

    def test_a_gpu_that_is_not_there_is_an_error_that_names_the_processor(self):
        def solve():
            return ulna.solve_ik_batch(ARM, [goals.position("hand", [0, 0, 0])], [[0.5, 0.5, 0.5]], device="cuda")
        try:
            ulna.find_gpus()
        except ulna.InputError:
            with self.assertRaises(ulna.InputError) as caught:
                solve()
            self.assertIn('device="cpu"', str(caught.exception))
        else:
            self.assertEqual(solve().dofs.shape[0], 1)

    def test_a_batch_is_reached_and_does_not_depend_on_the_threads(self):
        targets = RNG.normal(size=(3000, 3))
        targets *= RNG.uniform(0.3, 0.6, (3000, 1)) / np.linalg.norm(targets, axis=1, keepdims=True)
        one = ulna.solve_ik_batch(ARM, [goals.position("hand", [0, 0, 0])], targets, threads=1)
        two = ulna.solve_ik_batch(ARM, [goals.position("hand", [0, 0, 0])], targets, threads=3)
        self.assertTrue((one.dofs == two.dofs).all())
        reached = np.linalg.norm([hand_at(d) - t for d, t in zip(one.dofs, targets)], axis=1) < 1e-3
        self.assertTrue((reached == one.reached).all())
        self.assertGreater(one.reached.mean(), 0.99)

    def test_a_body_reaches_with_pinned_feet(self):
        hand = [0.3, 1.0, 0.5]
        feet = ["LeftFoot", "RightFoot"]
        rest = self.c.clips[0].frame(0)
        answer = ulna.solve_ik(self.c, [goals.position("LeftHand", hand), *map(goals.pin, feet)], limits="anatomical")
        positions = answer.pose.positions()
        self.close(positions[self.c.skeleton.index("LeftHand")], hand, 1e-3)
        for foot in feet:
            self.close(positions[self.c.skeleton.index(foot)], rest.positions()[self.c.skeleton.index(foot)], 1e-3)
        self.assertEqual(answer.met, [True] * 3)

    def test_a_goal_of_ones_own_is_met_and_its_exception_comes_back(self):
        height = ulna.CustomGoal(["Head"], lambda bodies: bodies[0].position[1] - 1.4)
        answer = ulna.solve_ik(self.c, [height, goals.pin("LeftFoot"), goals.pin("RightFoot")], natural="off")
        self.close(answer.pose.positions()[self.c.skeleton.index("Head"), 1], 1.4, 1e-3)

        def fails(bodies):
            raise ZeroDivisionError("mine")

        with self.assertRaisesRegex(ZeroDivisionError, "mine"):
            ulna.solve_ik(self.c, [ulna.CustomGoal(["Head"], fails)])

    def test_two_bones_are_the_law_of_cosines(self):
        rest = self.c.skeleton.rest_pose()
        chain = [self.c.skeleton.index(j) for j in ("LeftArm", "LeftForeArm", "LeftHand")]
        a, b = (np.linalg.norm(rest.positions()[chain[i + 1]] - rest.positions()[chain[i]]) for i in (0, 1))
        target = rest.positions()[chain[0]] + [0.1, -0.3, 0.2]
        pose, reached, error = ulna.solve_two_bone(rest, *chain, target, pole=[0, 1, -5])
        shoulder, elbow, hand = pose.positions()[chain]
        self.assertTrue(reached and error < 1e-9)
        self.close(hand, target, 1e-9)
        cosine = (a * a + b * b - np.sum((target - shoulder) ** 2)) / (2 * a * b)
        self.close(np.dot(shoulder - elbow, hand - elbow) / (a * b), cosine, 1e-6)

    def test_a_clip_keeps_pinned_feet_and_follows_its_targets(self):
        idle = self.c.clip("idle").trim(0, 1)
        hand = self.c.skeleton.index("LeftHand")
        path = idle.positions()[:, hand] + np.linspace(0, 0.1, idle.frame_count)[:, None] * [0, 1, 1]
        answer = ulna.solve_ik_clip(self.c, [goals.positions("LeftHand", path), goals.pin("LeftFoot")], clip=idle)
        self.close(answer.clip.positions()[:, hand], path, 2e-3)

    def test_every_method_that_can_solves_and_unknown_ones_are_refused(self):
        hand = self.c.clips[0].frame(0).positions()[self.c.skeleton.index("LeftHand")] + [0, 0.02, 0]
        for method in ("auto", "two-bone", "ccd", "fabrik", "transpose", "gradient", "projected-gradient", "pinv", "dls"):
            answer = ulna.solve_ik(self.c, [goals.position("LeftHand", hand)], method=method, chain="LeftArm")
            self.assertLess(answer.errors[0], 0.02, method)
        with self.assertRaisesRegex(ValueError, "method is one of"):
            ulna.solve_ik(self.c, [goals.position("LeftHand", hand)], method="magic")

    def test_a_solver_is_for_one_thread_at_a_time(self):
        solver = ulna.IkSolver(self.c.skeleton, [goals.position("LeftHand", [0.3, 1.2, 0.4])], restarts=2000,
                               tolerance=1e-300)
        refused, done = [], []

        def solve():
            try:
                for _ in range(3):
                    solver.solve(np.zeros(self.c.skeleton.dof_count))
                done.append(1)
            except RuntimeError as error:
                refused.append(str(error))

        threads = [threading.Thread(target=solve) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertTrue(done)
        self.assertTrue(all("another thread" in each for each in refused))


if __name__ == "__main__":
    import unittest
    unittest.main()
