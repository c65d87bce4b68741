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
#include "ulna/solve/mechanism.h"

namespace ulna::fit::detail {
namespace {

class SkeletonProblem {
  public:
    SkeletonProblem(const Skeleton& skeleton, MechanismOptions options, Random& random)
        : skeleton_(skeleton), mesh_(test::randomMesh(300, skeleton.jointCount(), 3, random)) {
        if (skeleton.planar())
            for (Vec3f& v : mesh_.positions) v.z = 0.0f;
        const FitRig rig = *makeFitRig(skeleton, mesh_);
        const FitLayout layout = makeLayout(rig);
        origin_ = layout.origin;
        pack_ = makeVertexPack(rig.vertices, rig.weights, rig.points.size(), origin_);
        std::vector<JointId> bodies;
        for (const JointId j : skeleton.joints()) bodies.push_back(j);
        mechanism_.build(skeleton, bodies, options);
        for (const Mechanism::Column& column : mechanism_.columns()) {
            const Mechanism::Link& link = mechanism_.links()[column.link];
            columns_.push_back({static_cast<std::uint32_t>(index(link.joint)),
                                link.kind == LinkKind::Ball ? ColumnKind::Ball
                                : column.angle              ? ColumnKind::Angle
                                                            : ColumnKind::Slide});
        }
        targets_ = rig.vertices;
        for (Vec3& v : targets_) {
            v += random.direction() * 0.2;
            if (skeleton.planar()) v.z = 0.0;
        }
        DofVector dofs = test::randomDofs(skeleton, random, 0.5);
        if (options.limits) clampToLimits(skeleton, dofs);
        base_ = computePose(skeleton, dofs);
        mechanism_.refresh(base_);
        mechanism_.load(base_, state_);
        mechanism_.clamp(state_);

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

    [[nodiscard]] Pose poseAt(const MechanismState& state) const {
        Pose pose = base_;
        mechanism_.store(state, pose);
        return pose;
    }
    [[nodiscard]] std::vector<Vec3> vertices(const MechanismState& state) const {
        return deformReference(skeleton_, mesh_, computeModelPose(skeleton_, poseAt(state)))
            .positions;
    }
    [[nodiscard]] MechanismState moved(std::size_t k, double by, std::size_t other = 0,
                                       double other_by = 0.0) const {
        std::vector<double> step(columns_.size(), 0.0);
        step[k] += by;
        step[other] += other_by;
        MechanismState to = state_;
        mechanism_.retract(state_, step, to);
        return to;
    }
    [[nodiscard]] double cost(const MechanismState& state) const {
        const std::vector<Vec3> at = vertices(state);
        double sum = 0.0;
        for (std::size_t i = 0; i < at.size(); ++i)
            sum += 0.5 * dot(targets_[i] - at[i], targets_[i] - at[i]);
        return sum;
    }

    void expectDifferences(const char* what) {
        const std::size_t n = columns_.size();
        std::vector<Columns4> matrices = jointMatrices(), residual(matrices.size());
        const std::vector<Twist> twists = twistsAboutOrigin();
        system_.computeResidual(matrices, residual);
        std::vector<double> descent(n), matrix(n * n);
        system_.computeDescent(matrices, residual, columns_, twists, descent);
        system_.computeMatrix(matrices, columns_, twists, matrix);
        std::vector<double> bent = matrix;
        system_.addCurvature(skeleton_, columns_, twists, bent);
        for (const std::uint32_t i : mechanism_.coneLinks()) {
            const std::size_t c = mechanism_.links()[i].column;
            const Mechanism::ConeBend bend = mechanism_.coneBend(
                mechanism_.links()[i], state_.rotations[i], std::span(descent).subspan(c, 3));
            bends_ = bends_ || bend.around_around != 0.0;
            bent[(c + 1) * n + c] += bend.swing_around;
            bent[(c + 1) * n + c + 1] += bend.around_around;
            bent[(c + 2) * n + c] += bend.swing_twist;
            bent[(c + 2) * n + c + 1] += bend.around_twist;
        }

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
            for (std::size_t other = 0; other < k; ++other) {
                const double mixed =
                    (cost(moved(k, kWide, other, kWide)) - cost(moved(k, kWide, other, -kWide)) -
                     cost(moved(k, -kWide, other, kWide)) + cost(moved(k, -kWide, other, -kWide))) /
                    (4.0 * kWide * kWide);
                EXPECT_NEAR(bent[k * n + other], mixed, 1e-4 * scale)
                    << what << ", coordinates " << k << " and " << other;
            }
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

    // Whether coordinates of a cone bent in the state that was judged.
    [[nodiscard]] bool bends() const { return bends_; }

  private:
    [[nodiscard]] std::vector<Columns4> jointMatrices() const {
        const ModelPose model = computeModelPose(skeleton_, poseAt(state_));
        const std::vector<Affine> joint_from_bind = bindMatrices(skeleton_, mesh_);
        std::vector<Columns4> out(joint_from_bind.size());
        for (std::size_t j = 0; j < out.size(); ++j) {
            const Affine posed = model.model_from_joint[j] * joint_from_bind[j];
            const Vec3 moved_origin = posed * origin_ - origin_;
            for (std::size_t c = 0; c < 3; ++c) {
                const Vec3 column = posed.column(c);
                out[j][c] = {column.x, column.y, column.z, 0.0};
            }
            out[j][3] = {moved_origin.x, moved_origin.y, moved_origin.z, 0.0};
        }
        return out;
    }
    [[nodiscard]] std::vector<Twist> twistsAboutOrigin() const {
        std::vector<RigidFrame> frames;
        mechanism_.computeFrames(state_, frames);
        Mechanism::Twists t;
        t.resize(columns_.size());
        mechanism_.computeTwists(state_, frames, t);
        std::vector<Twist> out;
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const Vec3 angular{t.ax[c], t.ay[c], t.az[c]};
            const Vec3 linear{t.bx[c], t.by[c], t.bz[c]};
            out.push_back({angular, linear + cross(angular, origin_ - mechanism_.origin())});
        }
        return out;
    }

    const Skeleton& skeleton_;
    Mesh mesh_;
    VertexPack pack_;
    Mechanism mechanism_;
    std::vector<SystemColumn> columns_;
    SkeletonSystem system_;
    Pose base_;
    MechanismState state_;
    bool bends_ = false;
    std::vector<Vec3> targets_;
    Vec3 origin_;
};

TEST(SkeletonSystem, OfEveryKindOfJointHasTheDerivativesOfTheSkin) {
    Random random(1);
    const Skeleton skeleton = test::everyKind();
    SkeletonProblem(skeleton, {.limits = false, .free_roots = false}, random)
        .expectDifferences("every kind");
    SkeletonProblem(skeleton, {.limits = false, .free_roots = true}, random)
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
    SkeletonProblem(skeleton, {.limits = false, .free_roots = true}, random)
        .expectDifferences("a slide in a scaled frame");
}

TEST(SkeletonSystem, InThePlaneHasTheDerivativesOfTheSkin) {
    Random random(2);
    const double lengths[] = {0.5, 0.4, 0.3};
    const Skeleton chain = test::planarChain(lengths);
    SkeletonProblem(chain, {.limits = false, .free_roots = true}, random)
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
    SkeletonProblem(skeleton, {.limits = true, .free_roots = true}, random)
        .expectDifferences("cone and box");
}

// Away from its axis a ball in a cone moves along the cone, and its coordinates bend.
TEST(SkeletonSystem, CoordinatesAlongAConeHaveTheSecondDerivativesOfTheSkin) {
    JointDef root = test::joint("root", "", JointKind::Free, {0, 0, 0});
    JointDef cone = test::joint("cone", "root", JointKind::Ball, {0.3, 0.1, 0});
    cone.cone = ConeLimit{{0.6, 0, 0.8}, 1.0, -3.0, 3.0};
    const JointDef ball = test::joint("ball", "cone", JointKind::Ball, {0.3, 0, 0});
    const Skeleton skeleton = test::build({root, cone, ball});
    int bent = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        Random random(seed);
        SkeletonProblem problem(skeleton, {.limits = true, .free_roots = true}, random);
        problem.expectDifferences("along a cone");
        bent += problem.bends() ? 1 : 0;
    }
    EXPECT_GE(bent, 3);
}

}  // namespace
}  // namespace ulna::fit::detail
