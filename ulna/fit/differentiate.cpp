// SPDX-License-Identifier: Apache-2.0
#include "ulna/fit/differentiate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "ulna/fit/detail/skeleton_setup.h"
#include "ulna/math/dense.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using fit::detail::SkeletonSetup;

constexpr std::size_t kMostColumns = 300;

// A fitted skeleton with its cost, half the sum of masses times squared distances, vertex by
// vertex: the moments that fits use are for speed.
class FittedSkeleton {
  public:
    FittedSkeleton(const SkeletonSetup& setup, const FitTargets& targets, const Pose& pose)
        : setup_(setup),
          targets_(targets),
          mechanism_(setup.mechanism),
          columns_(setup.columns.size()),
          pose_(pose) {
        for (Trs& own : pose_.parent_from_joint) own.rotation = normalized(own.rotation);
        mechanism_.refresh(pose_);
        mechanism_.load(pose_, now_);
        moved_ = now_;
        model_.resize(pose_.parent_from_joint.size());
        forces_.resize(model_.size());
        moments_.resize(model_.size());
        twists_.resize(columns_);
        step_.assign(columns_, 0.0);
        findFree();
        factor();
    }

    // How the free coordinates follow one component of the target of a vertex, which pulls along
    // `pull`: the change of the gradient.
    void follow(std::size_t vertex, std::size_t k, std::vector<double>& out) {
        rhs_.assign(free_.size(), 0.0);
        for (std::size_t i = 0; i < free_.size(); ++i)
            rhs_[i] = massOf(vertex) * jacobian_[(vertex * 3 + k) * free_.size() + i];
        out.resize(free_.size());
        // What is below this part of the largest curvature is free: differences find no less.
        constexpr double kCutoff = 1e-8;
        eigen_.applyPseudoInverse(rhs_, kCutoff, out);
        for (std::size_t i = 0; i < out.size(); ++i) out[i] *= unitOf(free_[i]);
    }

    // How its joint rotates and slides with a free coordinate.
    [[nodiscard]] std::array<double, 6> motionOf(std::size_t i) {
        const JointId joint = jointOf(free_[i]);
        std::array<Trs, 2> sides;
        for (std::size_t side = 0; side < 2; ++side) {
            moveAlong(i, side == 0 ? -1.0 : 1.0);
            Pose at = pose_;
            mechanism_.store(moved_, at);
            sides[side] = at[joint];
        }
        const double apart = 2.0 * stepOf(i);
        const Vec3 turn = quatLog(sides[1].rotation * conjugate(sides[0].rotation)) / apart;
        const Vec3 slide = (sides[1].translation - sides[0].translation) / apart;
        return {turn.x, turn.y, turn.z, slide.x, slide.y, slide.z};
    }

    [[nodiscard]] std::size_t freeCount() const { return free_.size(); }
    [[nodiscard]] JointId jointOfFree(std::size_t i) const { return jointOf(free_[i]); }

  private:
    [[nodiscard]] JointId jointOf(std::size_t column) const {
        return mechanism_.links()[mechanism_.columns()[column].link].joint;
    }
    [[nodiscard]] double unitOf(std::size_t column) const {
        return mechanism_.columns()[column].angle ? 1.0 : setup_.size;
    }
    [[nodiscard]] double stepOf(std::size_t i) const { return 1e-5 * unitOf(free_[i]); }
    [[nodiscard]] double massOf(std::size_t vertex) const {
        return setup_.masses[vertex] * (targets_.mask.empty() ? 1.0 : targets_.mask[vertex]);
    }

    void findFree() {
        constexpr double kFar = std::numeric_limits<double>::infinity();
        std::vector<double> down(columns_, -kFar), up(columns_, kFar);
        mechanism_.computeRoom(now_, down, up);
        for (std::size_t c = 0; c < columns_; ++c)
            if (up[c] > 0.0 && down[c] < 0.0) free_.push_back(c);
    }

    void moveAlong(std::size_t i, double side) {
        step_[free_[i]] = side * stepOf(i);
        mechanism_.retract(now_, step_, moved_);
        step_[free_[i]] = 0.0;
    }

    void place(const MechanismState& state) {
        mechanism_.computeFrames(state, frames_);
        mechanism_.computeTwists(state, frames_, twists_);
        Pose at = pose_;
        mechanism_.store(state, at);
        composeModelTransforms<double>(*setup_.skeleton, at.parent_from_joint, model_);
    }

    // Where an influence puts its vertex, and its weight.
    template <class Visit>
    void forInfluences(std::size_t vertex, Visit&& visit) const {
        for (std::size_t i = setup_.pack.first[vertex]; i < setup_.pack.first[vertex + 1]; ++i) {
            const std::size_t j = setup_.pack.point[i];
            visit(j, setup_.pack.weight[i],
                  model_[j] * (setup_.joint_from_bind[j] * setup_.rig.vertices[vertex]));
        }
    }

    // By the free coordinates, in their units. A coordinate moves all joints below its own by one
    // twist, so it is a wrench that is summed towards the root.
    void computeGradient(const MechanismState& state, std::span<double> out) {
        place(state);
        std::fill(forces_.begin(), forces_.end(), Vec3{});
        std::fill(moments_.begin(), moments_.end(), Vec3{});
        for (std::size_t v = 0; v < setup_.vertexCount(); ++v) {
            const double mass = massOf(v);
            if (mass == 0.0) continue;
            Vec3 left = -targets_.positions[v];
            forInfluences(v, [&](std::size_t, double w, const Vec3& y) { left += y * w; });
            forInfluences(v, [&](std::size_t j, double w, const Vec3& y) {
                forces_[j] += left * (mass * w);
                moments_[j] += cross(y - mechanism_.origin(), left) * (mass * w);
            });
        }
        for (std::size_t j = model_.size(); j-- > 0;) {
            const JointId parent = setup_.skeleton->parent(jointId(j));
            if (parent == JointId::None) continue;
            forces_[index(parent)] += forces_[j];
            moments_[index(parent)] += moments_[j];
        }
        for (std::size_t i = 0; i < free_.size(); ++i) {
            const std::size_t j = index(jointOf(free_[i]));
            out[i] = (dot(moments_[j], angular(free_[i])) + dot(forces_[j], linear(free_[i]))) *
                     unitOf(free_[i]);
        }
    }
    [[nodiscard]] Vec3 angular(std::size_t c) const {
        return {twists_.ax[c], twists_.ay[c], twists_.az[c]};
    }
    [[nodiscard]] Vec3 linear(std::size_t c) const {
        return {twists_.bx[c], twists_.by[c], twists_.bz[c]};
    }

    // How vertices move with the free coordinates, in their units.
    void computeJacobian() {
        const std::size_t n = free_.size();
        place(now_);
        jacobian_.assign(3 * setup_.vertexCount() * n, 0.0);
        for (std::size_t v = 0; v < setup_.vertexCount(); ++v) {
            forInfluences(v, [&](std::size_t j, double w, const Vec3& y) {
                for (std::size_t i = 0; i < n; ++i) {
                    if (!setup_.skeleton->subtree(jointOf(free_[i])).contains(jointId(j))) continue;
                    const Vec3 move =
                        cross(angular(free_[i]), y - mechanism_.origin()) + linear(free_[i]);
                    for (std::size_t k = 0; k < 3; ++k)
                        jacobian_[(v * 3 + k) * n + i] += move[k] * (w * unitOf(free_[i]));
                }
            });
        }
    }

    // The second derivatives, by differences of the gradient along the paths of the coordinates.
    void factor() {
        computeJacobian();
        const std::size_t n = free_.size();
        std::vector<double> rates(n * n), up(n), down(n), matrix(n * n);
        for (std::size_t i = 0; i < n; ++i) {
            moveAlong(i, 1.0);
            computeGradient(moved_, up);
            moveAlong(i, -1.0);
            computeGradient(moved_, down);
            const double apart = 2.0 * stepOf(i) / unitOf(free_[i]);
            for (std::size_t k = 0; k < n; ++k) rates[i * n + k] = (up[k] - down[k]) / apart;
        }
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t k = 0; k < n; ++k)
                matrix[i * n + k] = 0.5 * (rates[i * n + k] + rates[k * n + i]);
        }
        eigen_.compute(matrix, n);
    }

    const SkeletonSetup& setup_;
    const FitTargets& targets_;
    Mechanism mechanism_;
    std::size_t columns_ = 0;
    Pose pose_;
    MechanismState now_, moved_;
    std::vector<std::size_t> free_;
    std::vector<RigidFrame> frames_;
    Mechanism::Twists twists_;
    std::vector<Affine> model_;
    std::vector<Vec3> forces_, moments_;  // per joint
    std::vector<double> jacobian_;        // 3 vertices x free coordinates
    SymmetricEigen eigen_;
    std::vector<double> step_, rhs_;
};

Status checkOptions(const SkeletonFitOptions& options) {
    if (options.loss != FitLoss::Squares)
        return Diagnostic{.what = "a fit with a robust loss has no derivative here",
                          .advice = "use FitLoss::Squares, with masses instead"};
    if (!options.pinned.empty())
        return Diagnostic{.what = "a fit with pinned joints has no derivative here",
                          .advice = "give heavy vertices at the joints instead"};
    if (options.smoothness > 0.0)
        return Diagnostic{.what = "a fit with smoothness depends on its start",
                          .advice = "leave smoothness at 0"};
    return Done{};
}

}  // namespace

std::vector<double> FitDerivatives::pullBack(std::span<const double> gradient) const {
    ULNA_ASSERT(gradient.size() == 6 * joints, "six values per joint are needed");
    std::vector<double> out(3 * vertices, 0.0);
    for (std::size_t r = 0; r < gradient.size(); ++r) {
        for (std::size_t t = 0; t < out.size(); ++t)
            out[t] += gradient[r] * by_target[r * out.size() + t];
    }
    return out;
}

Result<FitDerivatives> differentiateFit(const Skeleton& skeleton, const Mesh& mesh,
                                        const FitTargets& targets, const Pose& pose,
                                        const SkeletonFitOptions& options) {
    if (const Status status = checkOptions(options); !status) return status.error();
    const Result<SkeletonSetup> setup = fit::detail::makeSkeletonSetup(skeleton, mesh, options);
    if (!setup) return setup.error();
    const std::size_t vertices = setup->vertexCount();
    ULNA_ASSERT(targets.positions.size() == vertices, "a fit needs a target per vertex");
    ULNA_ASSERT(targets.mask.empty() || targets.mask.size() == vertices,
                "a mask needs a factor per vertex");
    ULNA_ASSERT(pose.parent_from_joint.size() == skeleton.jointCount(),
                "the pose needs one transform per joint");
    if (setup->columns.size() > kMostColumns)
        return Diagnostic{.what = "the fit has " + std::to_string(setup->columns.size()) +
                                  " coordinates that move; derivatives are for 300 or fewer",
                          .advice = "lock joints"};
    for (std::size_t v = 0; v < vertices; ++v) {
        const double mass = setup->masses[v] * (targets.mask.empty() ? 1.0 : targets.mask[v]);
        if (mass != 0.0 && !isFinite(targets.positions[v]))
            return Diagnostic{.what =
                                  "the target of vertex " + std::to_string(v) + " is not finite"};
    }
    FittedSkeleton fitted(*setup, targets, pose);
    FitDerivatives out{.joints = skeleton.jointCount(), .vertices = vertices, .by_target = {}};
    out.by_target.assign(6 * out.joints * 3 * vertices, 0.0);
    std::vector<std::array<double, 6>> motions;
    for (std::size_t i = 0; i < fitted.freeCount(); ++i) motions.push_back(fitted.motionOf(i));
    std::vector<double> rates;
    for (std::size_t t = 0; t < 3 * vertices; ++t) {
        fitted.follow(t / 3, t % 3, rates);
        for (std::size_t i = 0; i < rates.size(); ++i) {
            const std::size_t first = 6 * index(fitted.jointOfFree(i));
            for (std::size_t r = 0; r < 6; ++r)
                out.by_target[(first + r) * 3 * vertices + t] += motions[i][r] * rates[i];
        }
    }
    return out;
}

}  // namespace ulna
