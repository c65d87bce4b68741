// SPDX-License-Identifier: Apache-2.0
#include "ulna/gpu/detail/steps.h"

#include <algorithm>

namespace ulna::gpu::detail {
namespace {

using kernel::Move;
using kernel::Step;

// A joint as steps. What is constant between two that depend on coordinates becomes one step, or
// none where it is the identity.
class StepWriter {
  public:
    StepWriter(std::vector<Step>& out, int coordinate) : out_(out), next_(coordinate) {}

    void place(const Affine& by) { constant_ = constant_ * by; }
    void rotate(const Vec3& axis) {
        for (int k = 0; k < 3; ++k) {
            for (const double sign : {1.0, -1.0}) {
                if (axis != unitAxis<double>(k) * sign) continue;
                about(k, sign);
                return;
            }
        }
        const Quat to_axis = quatBetween({0, 0, 1}, axis);
        place(toAffine(Rigid{{}, to_axis}));
        about(2, 1.0);
        place(toAffine(Rigid{{}, conjugate(to_axis)}));
    }
    void about(int axis, double sign) {
        flush();
        Step& step = add(static_cast<Move>(static_cast<int>(Move::RotateX) + axis));
        step.factor = static_cast<float>(sign);
        ++next_;
    }
    void slide(const Vec3& along) {
        flush();
        put(along, add(Move::Slide).constant);
        ++next_;
    }
    void ball(const JointDef& joint) {
        if (joint.coordinates == BallCoordinates::RotationVector) {
            flush();
            add(Move::Vector);
            next_ += 3;
            return;
        }
        for (const int axis : eulerAxes(joint.order)) about(axis, 1.0);
    }
    void flush() {
        const Affine identity;
        bool turned = false;
        for (std::size_t k = 0; k < 3; ++k)
            turned = turned || constant_.column(k) != identity.column(k);
        if (turned) {
            float* to = add(Move::Place).constant;
            for (std::size_t k = 0; k < 4; ++k) put(constant_.column(k), to + 3 * k);
        } else if (constant_.translation() != Vec3{}) {
            put(constant_.translation(), add(Move::Shift).constant);
        }
        constant_ = identity;
    }

  private:
    Step& add(Move move) {
        Step step = {};
        step.move = move;
        step.coordinate = next_;
        out_.push_back(step);
        return out_.back();
    }
    static void put(const Vec3& v, float* to) {
        for (std::size_t k = 0; k < 3; ++k) to[k] = static_cast<float>(v[k]);
    }

    std::vector<Step>& out_;
    int next_;
    Affine constant_;
};

// What makes a turn of each of `count` coordinates: those of rotations about an axis are angles.
// The steps count coordinates from `first` on.
void takeAngles(std::span<const Step> steps, int count, int first, std::vector<float>& out) {
    const std::size_t begin = out.size();
    out.resize(begin + static_cast<std::size_t>(count), 0.0f);
    for (const Step& step : steps) {
        if (step.move == Move::RotateX || step.move == Move::RotateY || step.move == Move::RotateZ)
            out[begin + static_cast<std::size_t>(step.coordinate - first)] = step.factor;
    }
}

// An offset and up to three rotations are in a joint's record, if that is all there is.
void foldSteps(kernel::Joint& joint, std::vector<Step>& steps) {
    const auto own = std::span(steps).subspan(static_cast<std::size_t>(joint.step));
    const std::size_t offset = !own.empty() && own[0].move == Move::Shift ? 1 : 0;
    if (own.size() > offset + 3) return;
    int flags = joint.flags;
    for (std::size_t k = offset; k < own.size(); ++k) {
        const int axis = static_cast<int>(own[k].move) - static_cast<int>(Move::RotateX) + 1;
        if (axis < 1 || axis > 3) return;
        flags |= axis << (4 + 2 * (k - offset));
    }
    if (offset == 1) std::copy_n(own[0].constant, 3, joint.offset);
    if (own.size() > offset) joint.coordinate = own[offset].coordinate;
    joint.flags = flags;
    steps.resize(static_cast<std::size_t>(joint.step));
}

// parent_from_joint of one joint; `coordinate` is the index of its first one in its portion.
void addJoint(const Skeleton& skeleton, JointId id, int coordinate, std::vector<Step>& out) {
    const JointDef& joint = skeleton.joint(id);
    StepWriter writer(out, coordinate);
    writer.place(toAffine(Rigid{joint.rest.translation, joint.rest.rotation}));
    switch (joint.kind) {
        case JointKind::Fixed:
            break;
        case JointKind::Hinge:
            writer.rotate(joint.axes[0]);
            break;
        case JointKind::Universal:
            writer.rotate(joint.axes[0]);
            writer.rotate(joint.axes[1]);
            break;
        case JointKind::Ball:
            writer.ball(joint);
            break;
        case JointKind::Free:
            writer.slide({1, 0, 0});
            writer.slide({0, 1, 0});
            if (skeleton.planar()) {
                writer.about(2, 1.0);
            } else {
                writer.slide({0, 0, 1});
                writer.ball(joint);
            }
            break;
        case JointKind::Prismatic:
            writer.slide(joint.axes[0]);
            break;
    }
    writer.place(toAffine(Trs{{}, joint.rest.scale, {}}));
    writer.flush();
}

}  // namespace

TransformSteps makeTransformSteps(const Skeleton& skeleton) {
    TransformSteps out;
    for (const JointId id : skeleton.joints()) {
        const int own = static_cast<int>(index(id));
        const int first = static_cast<int>(skeleton.firstDof(id));
        const int count = static_cast<int>(skeleton.dofCount(id));
        if (out.portions.empty() || out.portions.back().joints == kernel::kPortionJoints ||
            out.portions.back().coordinates + count > kernel::kPortionCoordinates)
            out.portions.push_back({own, 0, first, 0});
        kernel::Portion& portion = out.portions.back();
        kernel::Joint joint = {};
        joint.parent = static_cast<int>(skeleton.parent(id));
        const int place = joint.parent >= portion.joint ? joint.parent - portion.joint : -1;
        joint.flags = (place + 1) * 2 + (joint.parent >= 0 && joint.parent == own - 1 ? 1 : 0);
        joint.step = static_cast<int>(out.steps.size());
        addJoint(skeleton, id, first - portion.coordinate, out.steps);
        takeAngles(std::span(out.steps).subspan(static_cast<std::size_t>(joint.step)), count,
                   first - portion.coordinate, out.angles);
        foldSteps(joint, out.steps);
        joint.steps = static_cast<int>(out.steps.size()) - joint.step;
        out.joints.push_back(joint);
        ++portion.joints;
        portion.coordinates += count;
    }
    return out;
}

PointSteps makePointSteps(const Skeleton& skeleton, std::span<const JointPoint> points) {
    PointSteps out;
    for (const JointPoint& point : points) {
        kernel::Way way = {};
        for (std::size_t k = 0; k < 3; ++k) way.point[k] = static_cast<float>(point.point[k]);
        way.stretch = static_cast<int>(out.stretches.size());
        way.idle = static_cast<int>(out.idle.size());
        std::vector<JointId> joints = skeleton.ancestors(point.joint);
        std::reverse(joints.begin(), joints.end());
        joints.push_back(point.joint);
        std::vector<bool> used(skeleton.dofCount(), false);
        for (const JointId id : joints) {
            const int count = static_cast<int>(skeleton.dofCount(id));
            const bool more = static_cast<int>(out.stretches.size()) > way.stretch;
            if (!more || out.stretches.back().columns + count > kernel::kLinkColumns)
                out.stretches.push_back({static_cast<int>(out.steps.size()), 0,
                                         static_cast<int>(out.columns.size()), 0});
            kernel::Stretch& stretch = out.stretches.back();
            const std::size_t begin = out.steps.size();
            addJoint(skeleton, id, stretch.columns, out.steps);
            stretch.steps = static_cast<int>(out.steps.size()) - stretch.step;
            std::vector<float> angles;
            takeAngles(std::span(out.steps).subspan(begin), count, stretch.columns, angles);
            stretch.columns += count;
            for (int k = 0; k < count; ++k) {
                const std::size_t dof = skeleton.firstDof(id) + static_cast<std::size_t>(k);
                out.columns.push_back({static_cast<int>(dof), !skeleton.isAngle(dof),
                                       angles[static_cast<std::size_t>(k)]});
                used[dof] = true;
            }
        }
        way.stretches = static_cast<int>(out.stretches.size()) - way.stretch;
        for (std::size_t d = 0; d < used.size(); ++d) {
            if (!used[d]) out.idle.push_back(static_cast<int>(d));
        }
        way.idles = static_cast<int>(out.idle.size()) - way.idle;
        out.ways.push_back(way);
    }
    return out;
}

}  // namespace ulna::gpu::detail
