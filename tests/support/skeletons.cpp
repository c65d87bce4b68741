// SPDX-License-Identifier: Apache-2.0
#include "support/skeletons.h"

#include <cstdio>
#include <cstdlib>

namespace ulna::test {

Skeleton build(std::vector<JointDef> joints, SkeletonOptions options) {
    Result<Skeleton> made = makeSkeleton(std::move(joints), options);
    if (!made) {
        std::fprintf(stderr, "%s\n", describe(made.error()).c_str());
        std::abort();
    }
    return *std::move(made);
}

JointDef joint(std::string name, std::string parent, JointKind kind, Vec3 offset) {
    JointDef out;
    out.name = std::move(name);
    out.parent = std::move(parent);
    out.kind = kind;
    out.rest.translation = offset;
    return out;
}

Skeleton everyKind() {
    Random random(11);
    std::vector<JointDef> joints;
    const auto add = [&](std::string name, std::string parent, JointKind kind) -> JointDef& {
        joints.push_back(joint(std::move(name), std::move(parent), kind,
                               random.direction() * random.between(0.1, 1.0)));
        joints.back().rest.rotation = random.rotation();
        joints.back().axes[0] = random.direction();
        joints.back().axes[1] = random.direction();
        return joints.back();
    };
    add("root", "", JointKind::Free).order = EulerOrder::Zxy;
    add("hinge", "root", JointKind::Hinge);
    add("universal", "hinge", JointKind::Universal);
    add("slider", "universal", JointKind::Prismatic);
    add("fixed", "slider", JointKind::Fixed);
    std::string parent = "fixed";
    for (const EulerOrder order : kAllEulerOrders) {
        const std::string name = "ball_" + std::string(eulerOrderName(order));
        add(name, parent, JointKind::Ball).order = order;
        if (order == EulerOrder::Zyx)
            parent = "universal";  // a branch
        else
            parent = name;
    }
    add("vector", "ball_xyz", JointKind::Ball).coordinates = BallCoordinates::RotationVector;
    add("second_root", "", JointKind::Free).coordinates = BallCoordinates::RotationVector;
    add("second_child", "second_root", JointKind::Hinge);
    return build(std::move(joints));
}

Skeleton planarChain(std::span<const double> lengths) {
    std::vector<JointDef> joints;
    Vec3 offset;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        const std::string parent = i == 0 ? "" : "J" + std::to_string(i - 1);
        joints.push_back(joint("J" + std::to_string(i), parent, JointKind::Hinge, offset));
        joints.back().axes[0] = {0, 0, 1};
        offset = {lengths[i], 0, 0};
    }
    joints.push_back(
        joint("Tip", "J" + std::to_string(lengths.size() - 1), JointKind::Fixed, offset));
    return build(std::move(joints), {.planar = true});
}

DofVector randomDofs(const Skeleton& skeleton, Random& random, double range) {
    DofVector out(skeleton.dofCount());
    for (double& value : out) value = random.between(-range, range);
    return out;
}

}  // namespace ulna::test
