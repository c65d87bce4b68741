// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/info/body.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace ulna::cli {
namespace {

std::vector<std::string> jointNames(const Skeleton& skeleton, const BodyRole& role) {
    std::vector<std::string> out;
    for (const JointId j : role.joints) out.push_back(skeleton.name(j));
    return out;
}

}  // namespace

std::string bodyText(const Result<BodyRoles>& body) {
    if (!body) return "  body      none is recognised\n";
    return fmt::format("  body      {}, {:.0f} % sure; {} roles\n",
                       body->kind == BodyKind::Human ? "human" : "four-legged",
                       100.0 * body->confidence, body->roles.size());
}

std::string rolesText(const Skeleton& skeleton, const Result<BodyRoles>& body) {
    if (!body) return {};
    constexpr std::size_t kWidest = 40;
    std::vector<std::string> joints;
    std::size_t role_width = 0, joint_width = 0;
    for (const BodyRole& role : body->roles) {
        joints.push_back(fmt::format("{}", fmt::join(jointNames(skeleton, role), ", ")));
        role_width = std::max(role_width, role.name.size());
        joint_width = std::max(joint_width, std::min(joints.back().size(), kWidest));
    }
    std::string out = fmt::format("\n  {:<{}}  {:<{}}  sure   because\n", "role", role_width,
                                  "joints", joint_width);
    for (std::size_t i = 0; i < body->roles.size(); ++i) {
        const BodyRole& role = body->roles[i];
        fmt::format_to(std::back_inserter(out), "  {:<{}}  {:<{}}  {:>3.0f} %  {}\n", role.name,
                       role_width, joints[i], joint_width, 100.0 * role.confidence, role.reason);
    }
    return out;
}

void writeBody(const Skeleton& skeleton, const Result<BodyRoles>& body, JsonWriter& json) {
    if (!body) {
        json.null("body");
        return;
    }
    json.beginObject("body")
        .member("kind", bodyKindName(body->kind))
        .member("confidence", body->confidence)
        .member("left", body->model_from_body * Vec3{1, 0, 0})
        .member("up", body->model_from_body * Vec3{0, 1, 0})
        .member("forward", body->model_from_body * Vec3{0, 0, 1})
        .beginArray("roles");
    for (const BodyRole& role : body->roles)
        json.beginObject()
            .member("role", role.name)
            .member("joints", jointNames(skeleton, role))
            .member("confidence", role.confidence)
            .member("reason", role.reason)
            .endObject();
    json.endArray().endObject();
}

}  // namespace ulna::cli
