// SPDX-License-Identifier: Apache-2.0
#include "support/skins.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/skeletons.h"

namespace ulna::test {
namespace {

Vec3 inBox(Random& random) {
    const double x = random.between(-1.0, 1.0);
    const double y = random.between(-1.0, 1.0);
    return {x, y, random.between(-1.0, 1.0)};
}

void addVertex(Mesh& mesh, std::size_t joints, std::size_t influences, Random& random) {
    mesh.positions.push_back(cast<float>(inBox(random)));
    mesh.normals.push_back(cast<float>(random.direction()));
    mesh.tangents.push_back({cast<float>(random.direction()), random.unit() < 0.5 ? -1.0f : 1.0f});
    mesh.weights.addRow(randomRow(joints, influences, random));
}

}  // namespace

Skeleton randomTree(std::size_t joints, Random& random) {
    std::vector<JointDef> defs;
    for (std::size_t i = 0; i < joints; ++i) {
        const std::string parent = i == 0 ? "" : "j" + std::to_string(random.below(i));
        JointDef def = joint("j" + std::to_string(i), parent, JointKind::Ball, inBox(random) * 0.4);
        def.rest.rotation = random.rotation();
        defs.push_back(std::move(def));
    }
    return build(std::move(defs));
}

Pose turnedPose(const Skeleton& skeleton, Random& random) {
    Pose pose = restPose(skeleton);
    for (Trs& t : pose.parent_from_joint) t.rotation = random.rotation();
    for (const JointId root : skeleton.roots()) pose[root].translation += inBox(random);
    return pose;
}

Pose shearedPose(const Skeleton& skeleton, Random& random) {
    Pose pose = turnedPose(skeleton, random);
    for (Trs& t : pose.parent_from_joint) {
        t.translation += inBox(random) * 0.1;
        t.scale = Vec3{1, 1, 1} + inBox(random) * 0.15;
    }
    return pose;
}

std::vector<Influence> randomRow(std::size_t joints, std::size_t influences, Random& random) {
    std::vector<std::size_t> left(joints);
    std::iota(left.begin(), left.end(), 0U);
    std::vector<Influence> row;
    double sum = 0.0;
    for (std::size_t i = 0; i < influences; ++i) {
        std::swap(left[i], left[i + random.below(joints - i)]);
        row.push_back({jointId(left[i]), static_cast<float>(random.between(0.05, 1.0))});
        sum += row.back().weight;
    }
    for (Influence& influence : row) influence.weight = static_cast<float>(influence.weight / sum);
    std::sort(row.begin(), row.end(),
              [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
    return row;
}

Mesh randomMesh(std::size_t vertices, std::size_t joints, std::size_t influences, Random& random) {
    Mesh mesh;
    mesh.weights.first.push_back(0);
    for (std::size_t v = 0; v < vertices; ++v) addVertex(mesh, joints, influences, random);
    return mesh;
}

Mesh mixedMesh(std::size_t vertices, std::size_t joints, std::size_t most, Random& random) {
    Mesh mesh;
    mesh.weights.first.push_back(0);
    std::size_t influences = 0;
    for (std::size_t v = 0; v < vertices; ++v) {
        // Now and then many in a row have the same number, as in real meshes.
        if (random.unit() < 0.2) influences = random.below(most + 1);
        addVertex(mesh, joints, influences, random);
    }
    return mesh;
}

Skeleton tubeSkeleton() {
    return build({joint("lower", "", JointKind::Ball, {0, 0, 0}),
                  joint("upper", "lower", JointKind::Ball, {0, 1, 0})});
}

Mesh tube() {
    constexpr int kRings = 21, kAround = 24;
    Mesh mesh;
    for (int ring = 0; ring < kRings; ++ring) {
        const double y = 2.0 * ring / (kRings - 1);
        const double upper = std::clamp(y - 0.5, 0.0, 1.0);
        std::vector<Influence> row;
        if (upper < 1.0) row.push_back({jointId(0), static_cast<float>(1.0 - upper)});
        if (upper > 0.0) row.push_back({jointId(1), static_cast<float>(upper)});
        for (int i = 0; i < kAround; ++i) {
            const double angle = 2.0 * kPi * i / kAround;
            mesh.normals.push_back(cast<float>(Vec3{std::cos(angle), 0.0, std::sin(angle)}));
            mesh.positions.push_back(cast<float>(Vec3{std::cos(angle), y, std::sin(angle)}));
            mesh.weights.addRow(row);
        }
    }
    return mesh;
}

double sizeOf(const std::vector<Vec3>& points) {
    if (points.empty()) return 0.0;
    Vec3 low = points[0], high = points[0];
    for (const Vec3& p : points) {
        for (std::size_t i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], p[i]);
            high[i] = std::max(high[i], p[i]);
        }
    }
    return distance(low, high);
}

}  // namespace ulna::test
