// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/body_map_json.h"

#include <algorithm>
#include <map>

#include "ulna/core/text.h"
#include "ulna/io/detail/json_cursor.h"
#include "ulna/io/file.h"

namespace ulna::io {
namespace {

using detail::Json;
using detail::JsonCursor;
using detail::JsonErrors;
using detail::OrderedJson;

// What the last part of a role's name says of its value.
std::string_view lastWord(std::string_view role) {
    return role.substr(role.rfind('.') + 1);
}
// These follow from the spine, the wrist and the ankle, and are stated only to correct them.
bool isDerived(std::string_view role) {
    const std::string_view word = lastWord(role);
    return word == "chest" || word == "hand" || word == "foot";
}
bool isOneJoint(std::string_view role) {
    return isDerived(role) || role == "hips";
}

// The keys of an object of roles: what stands before the next dot behind `prefix`, in order.
std::vector<std::string_view> keysBehind(std::string_view prefix) {
    std::vector<std::string_view> out;
    for (const std::string& name : bodyRoleNames()) {
        if (!name.starts_with(prefix)) continue;
        std::string_view key = std::string_view(name).substr(prefix.size());
        key = key.substr(0, key.find('.'));
        if (out.empty() || out.back() != key) out.push_back(key);
    }
    return out;
}

bool isRole(const std::string& name) {
    const std::vector<std::string>& all = bodyRoleNames();
    return std::find(all.begin(), all.end(), name) != all.end();
}

void readRole(const JsonCursor& json, const std::string& role, BodyMapFile& out) {
    BodyMapEntry entry{.role = role, .location = json.location()};
    if (json.isNull()) {
        if (isDerived(role))
            json.fail("a body has a " + std::string(lastWord(role)) + " wherever it is",
                      "leave the key out, or write null for what it follows from");
    } else if (json.isArray()) {
        for (std::size_t i = 0; i < json.size(); ++i) entry.joints.push_back(json[i].text());
        if (entry.joints.empty())
            json.fail("the list is empty", "null says that the body has no such part");
        if (entry.joints.size() > 1 && isOneJoint(role))
            json.fail("'" + role + "' is one joint", "write its name alone");
    } else {
        entry.joints.push_back(json.text());
    }
    out.entries.push_back(std::move(entry));
}

// An object of roles whose names begin with `prefix`: "", "left." or "left.fingers.".
void readRoles(const JsonCursor& json, const std::string& prefix, BodyMapFile& out) {
    const std::vector<std::string_view> keys = keysBehind(prefix);
    json.expectKeys(keys);
    for (const std::string_view key : keys) {
        if (!json.has(key)) continue;
        const std::string name = prefix + std::string(key);
        if (isRole(name))
            readRole(json.at(key), name, out);
        else
            readRoles(json.at(key), name + ".", out);
    }
}

}  // namespace

Result<BodyMapFile> readBodyMap(std::string_view text, std::string_view source) {
    const Result<Json> json = detail::parseJson(text, source);
    if (!json) return json.error();
    JsonErrors errors{.source = std::string(source), .first = {}};
    const JsonCursor top(*json, "", errors);
    BodyMapFile out;
    top.expectKeys({"ulna_map", "kind", "roles"});
    if (top.at("ulna_map").number() != 1.0)
        top.at("ulna_map").fail("the version of this map is unknown", "version 1 is read");
    if (top.has("kind")) out.kind = bodyKindFromName(top.at("kind").oneOf({"human", "quadruped"}));
    readRoles(top.at("roles"), "", out);
    if (errors.first) return *errors.first;
    return out;
}

Result<BodyMapFile> loadBodyMap(const std::string& path) {
    const Result<FileBytes> bytes = readFile(path);
    if (!bytes) return bytes.error();
    return readBodyMap(bytes->view(), path);
}

Result<BodyMap> bindBodyMap(const BodyMapFile& file, const Skeleton& skeleton) {
    BodyMap out{.kind = file.kind};
    std::map<JointId, std::string> roles;
    for (const BodyMapEntry& entry : file.entries) {
        BodyMap::Entry bound{.role = entry.role};
        for (const std::string& name : entry.joints) {
            const JointId joint = skeleton.find(name);
            if (joint == JointId::None)
                return Diagnostic{.what = "there is no joint '" + excerpt(name) + "'",
                                  .location = entry.location,
                                  .advice = suggestNames(name, skeleton.names())};
            bound.joints.push_back(joint);
            if (isDerived(entry.role)) continue;
            const auto [other, fresh] = roles.emplace(joint, entry.role);
            if (!fresh)
                return Diagnostic{.what = "the joint '" + excerpt(name) + "' has two roles: '" +
                                          other->second + "' and '" + entry.role + "'",
                                  .location = entry.location,
                                  .advice = "a joint is one part of a body"};
        }
        std::sort(bound.joints.begin(), bound.joints.end());
        out.entries.push_back(std::move(bound));
    }
    return out;
}

std::string writeBodyMap(const BodyMap& map, const Skeleton& skeleton) {
    OrderedJson roles = OrderedJson::object();
    for (const std::string& name : bodyRoleNames()) {
        for (const BodyMap::Entry& entry : map.entries) {
            if (entry.role != name) continue;
            OrderedJson* at = &roles;
            std::string_view rest = name;
            for (std::size_t dot = rest.find('.'); dot != std::string_view::npos;
                 dot = rest.find('.')) {
                at = &(*at)[std::string(rest.substr(0, dot))];
                rest.remove_prefix(dot + 1);
            }
            OrderedJson& value = (*at)[std::string(rest)];
            for (const JointId j : entry.joints) {
                if (entry.joints.size() == 1)
                    value = skeleton.name(j);
                else
                    value.push_back(skeleton.name(j));
            }
        }
    }
    OrderedJson out = {{"ulna_map", 1}};
    if (map.kind) out["kind"] = std::string(bodyKindName(*map.kind));
    out["roles"] = std::move(roles);
    return out.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace ulna::io
