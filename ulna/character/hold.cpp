// SPDX-License-Identifier: Apache-2.0
//
// Newton's method on the held joints, with the smallest weighted step that meets them to first
// order: x = S Jt (J S Jt)^-1 e (the resolved rates of Whitney 1969, weighted). S has the squares
// of how easily each joint moves.
#include "ulna/character/hold.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ulna/core/assert.h"
#include "ulna/math/dense.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/size.h"

namespace ulna {
namespace {

constexpr int kMostIterations = 60;
constexpr double kTolerance = 1e-10;  // of the body's size; rotations are lengths of a lever
constexpr double kLever = 0.1;        // of the body's size: about a foot
constexpr double kLeastEase = 0.1;    // of a joint that carries everything
constexpr double kRootEase = 0.1;     // of a root's shift by the body's size
constexpr double kLargestStep = 0.5;  // radians, or sizes: further the first order says nothing
constexpr double kDamping = 1e-12;    // of the mean of the diagonal: directions that are not there

// One way to move: a rotation of a joint about an axis, or a shift of a root.
struct Freedom {
    JointId joint = JointId::None;
    Vec3 axis = {};  // in the joint's frame; of shifts in the model
    bool shift = false;
    double ease = 1.0;
};

class Holding {
  public:
    Holding(const Skeleton& skeleton, std::span<const JointHold> held, Pose& pose)
        : skeleton_(skeleton), held_(held), pose_(pose), size_(bodySize(skeleton)) {
        for (const JointHold& each : held) rows_ += each.orientation ? 6 : 3;
        findFreedoms();
    }

    double run() {
        for (int i = 0; i < kMostIterations; ++i) {
            computeModelPose(skeleton_, pose_, model_);
            orientations_ = computeOrientations(skeleton_, pose_);
            const double error = findErrors();
            if (error <= kTolerance * size_ || !step()) break;
        }
        computeModelPose(skeleton_, pose_, model_);
        double left = 0.0;
        for (const JointHold& each : held_)
            left = std::max(left, distance(model_.position(each.joint), each.position));
        return left;
    }

  private:
    void findFreedoms() {
        const auto count = static_cast<double>(skeleton_.jointCount());
        std::vector<double> carried(skeleton_.jointCount(), 1.0);
        for (std::size_t i = skeleton_.jointCount(); i-- > 0;) {
            const JointId parent = skeleton_.parents()[i];
            if (parent != JointId::None) carried[index(parent)] += carried[i];
        }
        for (const JointId j : skeleton_.joints()) {
            const bool carries =
                std::any_of(held_.begin(), held_.end(), [&](const JointHold& each) {
                    return each.joint == j || skeleton_.isAncestor(j, each.joint);
                });
            if (!carries) continue;
            const JointDef& def = skeleton_.joint(j);
            const double ease = std::max(kLeastEase, 1.0 - carried[index(j)] / count);
            if (def.kind == JointKind::Hinge) freedoms_.push_back({j, def.axes[0], false, ease});
            if (def.kind == JointKind::Ball || def.kind == JointKind::Free)
                for (const Vec3& axis : kAxes)
                    if (!skeleton_.planar() || axis.z != 0.0)
                        freedoms_.push_back({j, axis, false, ease});
            if (def.kind == JointKind::Free && skeleton_.parent(j) == JointId::None)
                for (const Vec3& axis : kAxes)
                    if (!skeleton_.planar() || axis.z == 0.0)
                        freedoms_.push_back({j, axis, true, kRootEase * size_});
        }
    }

    // Distances, and rotations at the end of a lever; returns the largest.
    double findErrors() {
        errors_.clear();
        double largest = 0.0;
        const auto add = [&](const Vec3& error) {
            errors_.insert(errors_.end(), {error.x, error.y, error.z});
            largest = std::max(largest, length(error));
        };
        for (const JointHold& each : held_) {
            add(each.position - model_.position(each.joint));
            if (!each.orientation) continue;
            const Quat off = *each.orientation * conjugate(orientations_[index(each.joint)]);
            add(quatLog(normalized(off)) * (kLever * size_));
        }
        return largest;
    }

    // How the held joints move with a freedom, times its ease.
    void fillColumn(const Freedom& freedom, double* column) const {
        const Vec3 axis = freedom.shift ? freedom.axis
                                        : rotate(orientations_[index(freedom.joint)], freedom.axis);
        const auto put = [&](const Vec3& v) {
            *column++ = v.x * freedom.ease;
            *column++ = v.y * freedom.ease;
            *column++ = v.z * freedom.ease;
        };
        for (const JointHold& each : held_) {
            const bool moves =
                each.joint == freedom.joint || skeleton_.isAncestor(freedom.joint, each.joint);
            const Vec3 arm = model_.position(each.joint) - model_.position(freedom.joint);
            put(!moves ? Vec3{} : freedom.shift ? axis : cross(axis, arm));
            if (!each.orientation) continue;
            put(!moves || freedom.shift ? Vec3{} : axis * (kLever * size_));
        }
    }

    bool step() {
        const std::size_t n = rows_, m = freedoms_.size();
        columns_.assign(n * m, 0.0);
        for (std::size_t k = 0; k < m; ++k) fillColumn(freedoms_[k], &columns_[k * n]);
        matrix_.assign(n * n, 0.0);
        for (std::size_t k = 0; k < m; ++k)
            for (std::size_t r = 0; r < n; ++r)
                for (std::size_t c = 0; c <= r; ++c)
                    matrix_[r * n + c] += columns_[k * n + r] * columns_[k * n + c];
        double trace = 0.0;
        for (std::size_t r = 0; r < n; ++r) trace += matrix_[r * n + r];
        if (!factorCholesky(matrix_, n, kDamping * trace / static_cast<double>(n))) return false;
        solveCholesky(matrix_, n, errors_);
        std::vector<double> by(m, 0.0);
        double largest = 0.0;
        for (std::size_t k = 0; k < m; ++k) {
            for (std::size_t r = 0; r < n; ++r) by[k] += columns_[k * n + r] * errors_[r];
            by[k] *= freedoms_[k].ease;
            largest = std::max(largest, std::abs(by[k]) / (freedoms_[k].shift ? size_ : 1.0));
        }
        const double shorter = largest > kLargestStep ? kLargestStep / largest : 1.0;
        for (std::size_t k = 0; k < m;) {
            // All axes of a joint at once: their order would matter otherwise.
            const Freedom& first = freedoms_[k];
            Vec3 sum;
            for (; k < m && freedoms_[k].joint == first.joint && freedoms_[k].shift == first.shift;
                 ++k)
                sum += freedoms_[k].axis * (by[k] * shorter);
            Trs& at = pose_[first.joint];
            if (first.shift)
                at.translation += sum;
            else
                at.rotation = normalized(at.rotation * quatExp(sum));
        }
        return true;
    }

    static constexpr Vec3 kAxes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

    const Skeleton& skeleton_;
    std::span<const JointHold> held_;
    Pose& pose_;
    double size_;
    std::size_t rows_ = 0;
    std::vector<Freedom> freedoms_;
    ModelPose model_;
    std::vector<Quat> orientations_;
    std::vector<double> errors_, columns_, matrix_;
};

}  // namespace

double holdJoints(const Skeleton& skeleton, std::span<const JointHold> held, Pose& pose) {
    ULNA_ASSERT(pose.parent_from_joint.size() == skeleton.jointCount(),
                "the pose needs one transform per joint");
    if (held.empty()) return 0.0;
    return Holding(skeleton, held, pose).run();
}

}  // namespace ulna
