// SPDX-License-Identifier: Apache-2.0

// Derivatives by a skeleton's coordinates, what is below a joint turning with it, against
// differences of the skin itself.
#include <gtest/gtest.h>

#include <cmath>

#include "support/fit.h"
#include "support/skeletons.h"
#include "support/skins.h"
#include "ulna/fit/detail/layout.h"
#include "ulna/fit/detail/skeleton_system.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/deform.h"

namespace ulna::fit::detail {
namespace {

class SkeletonProblem {
  public:
    SkeletonProblem(const Skeleton& skeleton, SkeletonMoves::Options options, Random& random)
        : skeleton_(skeleton), mesh_(test::randomMesh(300, skeleton.jointCount(), 3, random)) {
        if (skeleton.planar())
            for (Vec3f& v : mesh_.positions) v.z = 0.0f;
        const FitRig rig = *makeFitRig(skeleton, mesh_);
        const FitLayout layout = makeLayout(rig);
        origin_ = layout.origin;
        pack_ = makeVertexPack(rig.vertices, rig.weights, rig.points.size(), origin_);
        moves_.build(skeleton, {}, options);
        targets_ = rig.vertices;
        for (Vec3& v : targets_) {
            v += random.direction() * 0.2;
            if (skeleton.planar()) v.z = 0.0;
        }
        DofVector dofs = test::randomDofs(skeleton, random, 0.5);
        if (options.limits) clampToLimits(skeleton, dofs);
        moves_.load(computePose(skeleton, dofs), state_);

        const std::vector<double> masses(rig.vertices.size(), 1.0);
        std::vector<double> point_masses(pack_.point.size());
        weighPoints(pack_, masses, point_masses);
        std::vector<Row4> centred(targets_.size());
        EXPECT_EQ(centreTargets(pack_, targets_, masses, centred), targets_.size());
        std::vector<Rows4> moments(pack_.points);
        computePointMoments(pack_, point_masses, centred, moments);
        system_.build(skeleton, pack_);
        system_.weigh(pack_, masses);
        system_.setFrame(moments);
    }

    [[nodiscard]] std::vector<Vec3> vertices(const MoveState& state) const {
        const Pose pose{state.parent_from_joint};
        return deformReference(skeleton_, mesh_, computeModelPose(skeleton_, pose)).positions;
    }
    [[nodiscard]] MoveState moved(std::size_t k, double by) const {
        std::vector<double> step(moves_.moves().size(), 0.0);
        step[k] = by;
        MoveState to = state_;
        moves_.retract(state_, step, to);
        return to;
    }
    [[nodiscard]] double cost(const MoveState& state) const {
        const std::vector<Vec3> at = vertices(state);
        double sum = 0.0;
        for (std::size_t i = 0; i < at.size(); ++i)
            sum += 0.5 * dot(targets_[i] - at[i], targets_[i] - at[i]);
        return sum;
    }

    void expectDifferences(const char* what) {
        const std::size_t joints = skeleton_.jointCount(), n = moves_.moves().size();
        std::vector<Affine> model(joints);
        composeModelTransforms<double>(skeleton_, state_.parent_from_joint, model);
        const std::vector<Quat> orientations =
            computeOrientations(skeleton_, Pose{state_.parent_from_joint});
        const std::vector<Affine> joint_from_bind = bindMatrices(skeleton_, mesh_);
        std::vector<Columns4> matrices(joints), residual(joints);
        for (std::size_t j = 0; j < joints; ++j) {
            const Affine posed = model[j] * joint_from_bind[j];
            const Vec3 place = posed * origin_ - origin_;
            for (std::size_t c = 0; c < 3; ++c) {
                const Vec3 column = posed.column(c);
                matrices[j][c] = {column.x, column.y, column.z, 0.0};
            }
            matrices[j][3] = {place.x, place.y, place.z, 0.0};
        }
        std::vector<Twist> twists(n);
        moves_.computeTwists(state_, model, orientations, origin_, twists);
        system_.computeResidual(matrices, residual);
        std::vector<double> descent(n), matrix(n * n);
        system_.computeDescent(matrices, residual, moves_.moves(), twists, descent);
        system_.computeMatrix(matrices, moves_.moves(), twists, matrix);
        std::vector<double> bent = matrix;
        system_.addCurvature(skeleton_, moves_.moves(), twists, bent);

        constexpr double kStep = 1e-5;
        std::vector<std::vector<Vec3>> columns;
        double scale = 1.0;
        for (const double d : descent) scale = std::max(scale, std::abs(d));
        for (const double d : matrix) scale = std::max(scale, std::abs(d));
        for (std::size_t k = 0; k < n; ++k) {
            const std::vector<Vec3> up = vertices(moved(k, kStep)),
                                    down = vertices(moved(k, -kStep));
            std::vector<Vec3> column;
            for (std::size_t i = 0; i < up.size(); ++i)
                column.push_back((up[i] - down[i]) / (2.0 * kStep));
            columns.push_back(column);
            const double slope = (cost(moved(k, kStep)) - cost(moved(k, -kStep))) / (2.0 * kStep);
            EXPECT_NEAR(-descent[k], slope, 1e-7 * scale) << what << ", coordinate " << k;
            // The curvature along one coordinate, by a wider step: rounding goes with its square.
            constexpr double kWide = 1e-3;
            const double bend =
                (cost(moved(k, kWide)) - 2.0 * cost(state_) + cost(moved(k, -kWide))) /
                (kWide * kWide);
            EXPECT_NEAR(bent[k * n + k], bend, 1e-4 * scale) << what << ", coordinate " << k;
        }
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t k = 0; k <= i; ++k) {
                double sum = 0.0;
                for (std::size_t v = 0; v < columns[i].size(); ++v)
                    sum += dot(columns[i][v], columns[k][v]);
                EXPECT_NEAR(matrix[i * n + k], sum, 1e-6 * scale) << what << " " << i << " " << k;
            }
        }
    }

  private:
    const Skeleton& skeleton_;
    Mesh mesh_;
    VertexPack pack_;
    SkeletonMoves moves_;
    SkeletonSystem system_;
    MoveState state_;
    std::vector<Vec3> targets_;
    Vec3 origin_;
};

TEST(SkeletonSystem, OfEveryKindOfJointHasTheDerivativesOfTheSkin) {
    Random random(1);
    const Skeleton skeleton = test::everyKind();
    SkeletonProblem(skeleton, {.limits = false, .move_roots = false}, random)
        .expectDifferences("every kind");
    SkeletonProblem(skeleton, {.limits = false, .move_roots = true}, random)
        .expectDifferences("roots set free");
}

TEST(SkeletonSystem, BelowAScaledJointHasTheDerivativesOfTheSkin) {
    Random random(4);
    JointDef root = test::joint("root", "", JointKind::Free, {0, 0, 0});
    root.rest.scale = {1.5, 1.5, 1.5};
    JointDef slider = test::joint("slider", "root", JointKind::Prismatic, {0.3, 0, 0});
    slider.axes[0] = {0.6, 0.8, 0};
    const JointDef ball = test::joint("ball", "slider", JointKind::Ball, {0.3, 0.1, 0});
    const Skeleton skeleton = test::build({root, slider, ball});
    SkeletonProblem(skeleton, {.limits = false, .move_roots = true}, random)
        .expectDifferences("a slide in a scaled frame");
}

TEST(SkeletonSystem, InThePlaneHasTheDerivativesOfTheSkin) {
    Random random(2);
    const double lengths[] = {0.5, 0.4, 0.3};
    const Skeleton chain = test::planarChain(lengths);
    SkeletonProblem(chain, {.limits = false, .move_roots = true}, random)
        .expectDifferences("chain");
}

TEST(SkeletonSystem, BoundedAnglesAndConesHaveTheDerivativesOfTheSkin) {
    Random random(3);
    JointDef root = test::joint("root", "", JointKind::Free, {0, 0, 0});
    JointDef cone = test::joint("cone", "root", JointKind::Ball, {0.3, 0.1, 0});
    cone.cone = ConeLimit{{1, 0, 0}, 2.5, -3.0, 3.0};
    JointDef box = test::joint("box", "cone", JointKind::Ball, {0.3, 0, 0});
    for (std::size_t k = 0; k < 3; ++k) box.limits[k] = {-2.0, 2.0};
    const Skeleton skeleton = test::build({root, cone, box});
    SkeletonProblem(skeleton, {.limits = true, .move_roots = true}, random)
        .expectDifferences("cone and box");
}

}  // namespace
}  // namespace ulna::fit::detail
