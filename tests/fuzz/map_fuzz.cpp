// SPDX-License-Identifier: Apache-2.0

// Any bytes as a body map: must be refused with a sentence, or bound to a small body, whose roles
// are then found or not. What was found and written as a map finds the same again.
#include <cstdint>
#include <cstdlib>

#include "ulna/io/body_map_json.h"

namespace {

using namespace ulna;

void require(bool condition) {
    if (!condition) std::abort();
}

Skeleton makeBody() {
    struct Row {
        const char* name;
        const char* parent;
        Vec3 offset;
    };
    const Row rows[] = {
        {"a", "", {0, 1, 0}},         {"b", "a", {0, 0.3, 0}},      {"c", "b", {0, 0.25, 0}},
        {"d", "a", {0.1, -0.05, 0}},  {"e", "d", {0, -0.43, 0.01}}, {"f", "e", {0, -0.42, -0.01}},
        {"g", "a", {-0.1, -0.05, 0}}, {"h", "g", {0, -0.43, 0.01}}, {"i", "h", {0, -0.42, -0.01}},
        {"j", "b", {0.17, 0.1, 0}},   {"k", "j", {0.28, 0, 0}},     {"l", "k", {0.25, 0, 0}},
        {"m", "b", {-0.17, 0.1, 0}},  {"n", "m", {-0.28, 0, 0}},    {"o", "n", {-0.25, 0, 0}},
    };
    std::vector<JointDef> joints;
    for (const Row& row : rows) {
        joints.emplace_back();
        joints.back().name = row.name;
        joints.back().parent = row.parent;
        joints.back().rest.translation = row.offset;
    }
    return *makeSkeleton(std::move(joints));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Skeleton body = makeBody();
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const Result<io::BodyMapFile> file = io::readBodyMap(text, "fuzz.map.json");
    if (!file) {
        require(!describe(file.error()).empty());
        return 0;
    }
    const Result<BodyMap> map = io::bindBodyMap(*file, body);
    if (!map) {
        require(!describe(map.error()).empty());
        return 0;
    }
    const Result<BodyRoles> roles = findBodyRoles(body, restPose(body), &*map);
    if (!roles) {
        require(!describe(roles.error()).empty());
        return 0;
    }
    const Result<io::BodyMapFile> again =
        io::readBodyMap(io::writeBodyMap(mapOf(*roles), body), "again.map.json");
    require(again.ok());
    const Result<BodyMap> same = io::bindBodyMap(*again, body);
    require(same.ok());
    const Result<BodyRoles> found = findBodyRoles(body, restPose(body), &*same);
    require(found.ok() && found->kind == roles->kind);
    for (const BodyRole& role : roles->roles) require(found->find(role.name) == role.joints);
    return 0;
}
