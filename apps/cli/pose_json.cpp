// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/pose_json.h"

#include <fmt/format.h>

#include <iterator>

#include "apps/cli/output.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::cli {

std::vector<Quat> printedOrientations(const Skeleton& skeleton, const Pose& pose) {
    std::vector<Quat> out = computeOrientations(skeleton, pose);
    for (Quat& q : out) {
        if (q.w < 0.0) q = -q;
    }
    return out;
}

void appendPoseJson(const Skeleton& skeleton, const Pose& pose, std::string& out) {
    const ModelPose model = computeModelPose(skeleton, pose);
    auto to = std::back_inserter(out);
    fmt::format_to(to, "\"positions\":[");
    for (std::size_t i = 0; i < skeleton.jointCount(); ++i) {
        const Vec3 p = model.position(jointId(i));
        fmt::format_to(to, "{}[{},{},{}]", i == 0 ? "" : ",", p.x, p.y, p.z);
    }
    fmt::format_to(to, "],\"rotations\":[");
    const std::vector<Quat> turned = printedOrientations(skeleton, pose);
    for (std::size_t i = 0; i < turned.size(); ++i) {
        const Quat& q = turned[i];
        fmt::format_to(to, "{}[{},{},{},{}]", i == 0 ? "" : ",", q.x, q.y, q.z, q.w);
    }
    fmt::format_to(to, "]");
}

std::string jointNamesJson(const Skeleton& skeleton) {
    std::string out = "[";
    for (const std::string& name : skeleton.names()) {
        if (out.size() > 1) out += ',';
        out += jsonString(name);
    }
    return out + ']';
}

}  // namespace ulna::cli
