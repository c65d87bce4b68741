// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/masses.h"

#include <array>

#include "ulna/skeleton/detail/named_body.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using skeleton::detail::BodyPart;

// A segment of a limb, at the joint where it begins: its share of the body's mass, the joint where
// it ends, and how far along it its centre of mass is. The centre of a hand or foot without an end
// is at its joint.
struct Segment {
    BodyPart begin = BodyPart::None;
    BodyPart end = BodyPart::None;
    double mass = 0.0;
    double centre = 0.0;
};
constexpr std::array kArm = {
    Segment{BodyPart::Shoulder, BodyPart::Elbow, 0.027, 0.58},
    Segment{BodyPart::Elbow, BodyPart::Wrist, 0.016, 0.46},
    Segment{BodyPart::Wrist, BodyPart::MiddleFinger, 0.006, 0.79},
};
constexpr std::array kLeg = {
    Segment{BodyPart::Hip, BodyPart::Knee, 0.142, 0.41},
    Segment{BodyPart::Knee, BodyPart::Ankle, 0.043, 0.44},
    Segment{BodyPart::Ankle, BodyPart::Toes, 0.014, 0.44},
};
constexpr double kHead = 0.069;
constexpr double kTrunk = 0.435;

class Body {
  public:
    Body(const Skeleton& skeleton, const ModelPose& model, JointId root, const BodyMap* map)
        : skeleton_(skeleton),
          model_(model),
          named_(skeleton::detail::nameBody(skeleton, model, root, map)),
          hips_(named_.find(BodyPart::Hips, BodySide::Centre)) {}

    [[nodiscard]] bool isHuman() const {
        return hips_ != JointId::None && named_.kind == BodyKind::Human &&
               (named_.hasBoth(BodyPart::Hip) || named_.hasBoth(BodyPart::Shoulder));
    }

    void addMasses(std::vector<JointMass>& out) const {
        addTrunk(out);
        JointId head = named_.find(BodyPart::Head, BodySide::Centre);
        if (head == JointId::None) head = named_.find(BodyPart::Neck, BodySide::Centre);
        if (head == JointId::None) head = spine().back();
        out.push_back({head, kHead, skeleton_.tip(head) * 0.5});
        for (const BodySide side : {BodySide::Left, BodySide::Right}) {
            addLimb(kArm, side, spine().back(), out);
            addLimb(kLeg, side, hips_, out);
        }
    }

  private:
    // The hips and the joints of the spine, parents first.
    [[nodiscard]] std::vector<JointId> spine() const {
        std::vector<JointId> out = {hips_};
        for (const JointId j : named_.range) {
            if (named_.part(j).part == BodyPart::Spine && skeleton_.isAncestor(out.back(), j))
                out.push_back(j);
        }
        return out;
    }

    void addTrunk(std::vector<JointMass>& out) const {
        const std::vector<JointId> joints = spine();
        const JointId neck = named_.find(BodyPart::Neck, BodySide::Centre);
        std::vector<Vec3> bones;
        double sum = 0.0;
        for (std::size_t i = 0; i < joints.size(); ++i) {
            const JointId next = i + 1 < joints.size() ? joints[i + 1] : neck;
            bones.push_back(next != JointId::None && skeleton_.isAncestor(joints[i], next)
                                ? offset(joints[i], next)
                                : skeleton_.tip(joints[i]));
            sum += length(bones.back());
        }
        for (std::size_t i = 0; i < joints.size(); ++i) {
            const double share =
                sum > 0.0 ? length(bones[i]) / sum : 1.0 / static_cast<double>(joints.size());
            out.push_back({joints[i], kTrunk * share, bones[i] * 0.5});
        }
    }

    // What a limb lacks is carried by the last joint that it has, at its end.
    void addLimb(std::span<const Segment> segments, BodySide side, JointId carrier,
                 std::vector<JointMass>& out) const {
        for (const Segment& segment : segments) {
            const JointId own = named_.find(segment.begin, side);
            const JointId end = named_.find(segment.end, side);
            if (own == JointId::None) {
                out.push_back({carrier, segment.mass, skeleton_.tip(carrier)});
                continue;
            }
            carrier = own;
            const Vec3 bone = end != JointId::None && skeleton_.isAncestor(own, end)
                                  ? offset(own, end)
                                  : skeleton_.tip(own);
            out.push_back({own, segment.mass, bone * segment.centre});
        }
    }

    // Where a joint is at rest, in the coordinates of one above it.
    [[nodiscard]] Vec3 offset(JointId from, JointId to) const {
        return inverse(model_[from]) * model_.position(to);
    }

    const Skeleton& skeleton_;
    const ModelPose& model_;
    skeleton::detail::NamedBody named_;
    JointId hips_;
};

}  // namespace

Result<std::vector<JointMass>> humanMasses(const Skeleton& skeleton, const BodyMap* map) {
    const ModelPose model = computeModelPose(skeleton, restPose(skeleton));
    std::vector<JointMass> out;
    double bodies = 0.0;
    for (const JointId root : skeleton.roots()) {
        const Body body(skeleton, model, root, map);
        if (!body.isHuman()) continue;
        body.addMasses(out);
        bodies += 1.0;
    }
    if (out.empty())
        return Diagnostic{
            .what = "no human body is recognised by the names or the shape of the joints",
            .advice = "hips and both legs or both arms are needed; or give masses"};
    for (JointMass& each : out) each.mass /= bodies;
    return out;
}

Vec3 centreOfMass(std::span<const JointMass> masses, const ModelPose& pose) {
    Vec3 sum;
    double mass = 0.0;
    for (const JointMass& each : masses) {
        sum += pose[each.joint] * each.centre * each.mass;
        mass += each.mass;
    }
    ULNA_ASSERT(mass > 0.0, "the masses must have a sum above zero");
    return sum / mass;
}

}  // namespace ulna
