// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/rig_json.h"

#include <cmath>
#include <unordered_map>

#include "ulna/core/text.h"
#include "ulna/io/bounds.h"
#include "ulna/io/detail/json_cursor.h"
#include "ulna/io/file.h"
#include "ulna/skeleton/bone.h"

namespace ulna::io {
namespace {

using detail::Json;
using detail::JsonCursor;
using detail::JsonErrors;
using detail::OrderedJson;

constexpr double kFormatVersion = 1;

// ---- reading

// Degrees become radians, lengths stay.
double fromFile(double value, bool angle) {
    return angle ? radians(value) : value;
}

// [[min, max], ...], one pair per degree of freedom; null for no bound, or for no pair at all.
void readLimits(const JsonCursor& json, bool planar, JointDef& joint) {
    const std::size_t dofs = dofCountOf(joint.kind, planar);
    if (!json.expectSize(dofs)) return;
    for (std::size_t i = 0; i < dofs; ++i) {
        const JsonCursor pair = json[i];
        if (pair.isNull() || !pair.expectSize(2)) continue;
        const bool angle = isAngle(joint.kind, planar, i);
        if (!pair[0].isNull()) joint.limits[i].min = fromFile(pair[0].number(), angle);
        if (!pair[1].isNull()) joint.limits[i].max = fromFile(pair[1].number(), angle);
    }
}

ConeLimit readCone(const JsonCursor& json) {
    json.expectKeys({"axis", "swing", "twist"});
    ConeLimit cone;
    if (json.has("axis")) cone.axis = json.at("axis").vec3();
    if (json.has("swing")) cone.swing_max = radians(json.at("swing").number());
    if (json.has("twist")) {
        const auto twist = json.at("twist").numbers<2>();
        cone.twist_min = radians(twist[0]);
        cone.twist_max = radians(twist[1]);
    }
    return cone;
}

void readOrder(const JsonCursor& json, JointDef& joint) {
    const std::string name = json.text();
    if (name == "rotation-vector") {
        joint.coordinates = BallCoordinates::RotationVector;
        return;
    }
    const std::optional<EulerOrder> order = eulerOrderFromName(name);
    if (!order) {
        json.fail("'" + excerpt(name) + "' is no rotation order",
                  "one of xyz xzy yxz yzx zxy zyx xyx xzx yxy yzy zxz zyz rotation-vector");
    }
    joint.order = order.value_or(EulerOrder::Xyz);
}

void readAxes(const JsonCursor& json, JointDef& joint) {
    const bool one = joint.kind == JointKind::Hinge || joint.kind == JointKind::Prismatic;
    const bool two = joint.kind == JointKind::Universal;
    if (json.has("axes") && !two) json.at("axes").fail("only universal joints have two axes");
    if (json.has("axis")) {
        if (!one) json.at("axis").fail("only hinges and prismatic joints have an axis");
        joint.axes[0] = json.at("axis").vec3();
    }
    if (json.has("axes") && json.at("axes").expectSize(2)) {
        for (std::size_t i = 0; i < 2; ++i) joint.axes[i] = json.at("axes")[i].vec3();
    }
}

// In the file's units: see fromFileUnits.
JointCoupling readCoupling(const JsonCursor& json) {
    json.expectKeys({"leader", "factor", "offset"});
    JointCoupling coupling;
    coupling.leader = json.at("leader").text();
    if (json.has("factor")) coupling.factor = json.at("factor").number();
    if (json.has("offset")) coupling.offset = json.at("offset").number();
    return coupling;
}

// How many of a joint's own units are one of the file's, which has angles in degrees.
double unitOf(JointKind kind) {
    return kind == JointKind::Prismatic ? 1.0 : radians(1.0);
}

// Couplings from the file's units, once every joint's kind is known.
void fromFileUnits(std::vector<JointDef>& joints) {
    std::unordered_map<std::string_view, JointKind> kinds;
    for (const JointDef& joint : joints) kinds.emplace(joint.name, joint.kind);
    for (JointDef& joint : joints) {
        if (!joint.coupling) continue;
        joint.coupling->offset =
            fromFile(joint.coupling->offset, joint.kind != JointKind::Prismatic);
        const auto leader = kinds.find(joint.coupling->leader);
        // makeSkeleton will say that there is none.
        if (leader != kinds.end() && unitOf(leader->second) != unitOf(joint.kind))
            joint.coupling->factor *= unitOf(joint.kind) / unitOf(leader->second);
    }
}

JointDef readJoint(const JsonCursor& json, bool planar) {
    json.expectKeys({"name", "parent", "kind", "offset", "rotation", "scale", "roll", "axis",
                     "axes", "order", "limits", "cone", "tip", "radius", "end_site", "locked",
                     "stiffness", "coupling"});
    JointDef joint;
    joint.name = json.at("name").text();
    if (joint.name.empty()) json.fail("the name is empty");
    if (joint.name.size() > kLongestName) json.at("name").fail("the name has over 255 bytes");
    if (json.has("parent") && !json.at("parent").isNull()) joint.parent = json.at("parent").text();
    if (json.has("kind")) {
        const std::string name = json.at("kind").text();
        const std::optional<JointKind> kind = jointKindFromName(name);
        if (!kind) {
            json.at("kind").fail("'" + excerpt(name) + "' is no kind of joint",
                                 "one of fixed hinge universal ball free prismatic");
        }
        joint.kind = kind.value_or(JointKind::Ball);
    }
    // In the plane a hinge can only rotate about z, and need not say so.
    if (planar && joint.kind == JointKind::Hinge) joint.axes[0] = {0, 0, 1};
    if (json.has("offset")) joint.rest.translation = json.at("offset").vec3();
    if (json.has("scale")) joint.rest.scale = json.at("scale").vec3();
    if (json.has("tip")) joint.tip = json.at("tip").vec3();
    if (json.has("rotation")) {
        const auto q = json.at("rotation").numbers<4>();
        joint.rest.rotation = {q[0], q[1], q[2], q[3]};
    }
    readAxes(json, joint);
    if (json.has("order")) {
        if (joint.kind != JointKind::Ball && joint.kind != JointKind::Free) {
            json.at("order").fail("only ball and free joints have a rotation order");
        }
        readOrder(json.at("order"), joint);
    }
    if (json.has("limits")) readLimits(json.at("limits"), planar, joint);
    if (json.has("cone")) joint.cone = readCone(json.at("cone"));
    if (json.has("coupling")) joint.coupling = readCoupling(json.at("coupling"));
    if (json.has("radius")) joint.radius = json.at("radius").number();
    if (json.has("end_site")) joint.end_site = json.at("end_site").boolean();
    if (json.has("locked")) joint.locked = json.at("locked").boolean();
    if (json.has("stiffness")) joint.stiffness = json.at("stiffness").number();
    if (json.has("roll")) {
        // A rest rotation in other words: the bone's axes from its direction, stated in the
        // parent's frame, and a roll. The tip then lies along the joint's y.
        if (json.has("rotation")) json.fail("'roll' and 'rotation' both state the rest rotation");
        if (!joint.tip) json.fail("'roll' needs a 'tip', in the parent's axes");
        const Vec3 direction = joint.tip.value_or(Vec3{0, 1, 0});
        joint.rest.rotation =
            quatFromMatrix(boneAxes(direction, radians(json.at("roll").number())));
        joint.tip = Vec3{0, length(direction), 0};
    }
    return joint;
}

DofClip readClip(const JsonCursor& json, const Skeleton& skeleton) {
    json.expectKeys({"name", "frame_time", "frames"});
    DofClip clip;
    if (json.has("name")) clip.name = json.at("name").text();
    clip.frame_time = json.at("frame_time").number();
    if (!(clip.frame_time >= kShortestFrameTime && clip.frame_time <= kLongestFrameTime)) {
        json.at("frame_time").fail("the frame time is not usable");
        clip.frame_time = 1.0;
    }
    const JsonCursor frames = json.at("frames");
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const JsonCursor row = frames[i];
        DofVector dofs(skeleton.dofCount());
        if (!row.expectSize(dofs.size())) break;
        for (std::size_t d = 0; d < dofs.size(); ++d)
            dofs[d] = fromFile(row[d].number(), skeleton.isAngle(d));
        clip.frames.push_back(std::move(dofs));
    }
    return clip;
}

// ---- writing

// The shortest degrees that read back as these radians, where there are such.
double toFile(double value, bool angle) {
    if (!angle) return value;
    const double exact = degrees(value);
    const double rounded = std::round(exact * 1e9) / 1e9;
    return radians(rounded) == value ? rounded : exact;
}

OrderedJson toJson(const Vec3& v) {
    return OrderedJson::array({v.x, v.y, v.z});
}

// One pair per degree of freedom, or null where there is no bound; null when nothing is bounded.
OrderedJson limitsToJson(const JointDef& joint, bool planar) {
    OrderedJson out = OrderedJson::array();
    bool bounded = false;
    for (std::size_t i = 0; i < dofCountOf(joint.kind, planar); ++i) {
        const DofLimit& limit = joint.limits[i];
        const auto bound = [&](double value) {
            return std::isfinite(value) ? OrderedJson(toFile(value, isAngle(joint.kind, planar, i)))
                                        : OrderedJson();
        };
        out.push_back(limit.bounded() ? OrderedJson::array({bound(limit.min), bound(limit.max)})
                                      : OrderedJson());
        bounded = bounded || limit.bounded();
    }
    return bounded ? out : OrderedJson();
}

OrderedJson couplingToJson(const Skeleton& skeleton, const JointDef& joint) {
    const JointCoupling& coupling = *joint.coupling;
    const JointKind leader = skeleton.kind(skeleton.find(coupling.leader));
    double factor = coupling.factor;
    if (unitOf(leader) != unitOf(joint.kind)) factor *= unitOf(leader) / unitOf(joint.kind);
    return {{"leader", coupling.leader},
            {"factor", factor},
            {"offset", toFile(coupling.offset, joint.kind != JointKind::Prismatic)}};
}

OrderedJson jointToJson(const Skeleton& skeleton, JointId j) {
    const JointDef& joint = skeleton.joint(j);
    const bool planar = skeleton.planar();
    const bool has_children = skeleton.subtree(j).size() > 1;
    const JointDef defaults;
    OrderedJson out;
    out["name"] = joint.name;
    if (!joint.parent.empty()) out["parent"] = joint.parent;
    out["kind"] = jointKindName(joint.kind);
    out["offset"] = toJson(joint.rest.translation);
    const Quat& q = joint.rest.rotation;
    if (q != Quat{}) out["rotation"] = OrderedJson::array({q.x, q.y, q.z, q.w});
    if (joint.rest.scale != defaults.rest.scale) out["scale"] = toJson(joint.rest.scale);
    if (joint.kind == JointKind::Hinge || joint.kind == JointKind::Prismatic) {
        out["axis"] = toJson(joint.axes[0]);
    } else if (joint.kind == JointKind::Universal) {
        out["axes"] = OrderedJson::array({toJson(joint.axes[0]), toJson(joint.axes[1])});
    } else if (joint.kind == JointKind::Ball || (joint.kind == JointKind::Free && !planar)) {
        out["order"] = joint.coordinates == BallCoordinates::RotationVector
                           ? "rotation-vector"
                           : eulerOrderName(joint.order);
    }
    if (OrderedJson limits = limitsToJson(joint, planar); !limits.is_null())
        out["limits"] = std::move(limits);
    if (joint.cone) {
        out["cone"] = {{"axis", toJson(joint.cone->axis)},
                       {"swing", toFile(joint.cone->swing_max, true)},
                       {"twist", OrderedJson::array({toFile(joint.cone->twist_min, true),
                                                     toFile(joint.cone->twist_max, true)})}};
    }
    if (joint.coupling) out["coupling"] = couplingToJson(skeleton, joint);
    // A tip at the children is what a reader derives anyway, but a stated one must survive.
    if (joint.tip && (has_children || *joint.tip != Vec3{})) out["tip"] = toJson(*joint.tip);
    if (joint.radius > 0.0) out["radius"] = joint.radius;
    if (joint.end_site) out["end_site"] = true;
    if (joint.locked) out["locked"] = true;
    if (joint.stiffness > 0.0) out["stiffness"] = joint.stiffness;
    return out;
}

// The path of the joint that a message of makeSkeleton is about: it starts with "joint 'NAME'". Of
// two joints with one name, the second is the culprit.
std::string pathOf(const std::string& message, const std::vector<std::string>& names) {
    for (std::size_t i = names.size(); i-- > 0;) {
        if (message.starts_with("joint '" + names[i] + "':"))
            return "joints[" + std::to_string(i) + "]";
    }
    return "joints";
}

}  // namespace

Result<RigFile> readRig(std::string_view text, std::string_view source) {
    const Result<Json> document = detail::parseJson(text, source);
    if (!document) return document.error();
    JsonErrors errors{std::string(source), {}};
    const JsonCursor json(*document, "", errors);
    json.expectKeys({"ulna", "name", "planar", "joints", "clips"});
    if (json.at("ulna").number() != kFormatVersion) {
        json.at("ulna").fail("this version of the format is unknown",
                             "this program reads version 1");
    }
    RigFile rig;
    SkeletonOptions options;
    if (json.has("name")) rig.name = json.at("name").text();
    if (json.has("planar")) options.planar = json.at("planar").boolean();
    std::vector<JointDef> joints;
    std::vector<std::string> names;  // as they stand in the file
    const JsonCursor list = json.at("joints");
    for (std::size_t i = 0; i < list.size() && !errors.first; ++i) {
        joints.push_back(readJoint(list[i], options.planar));
        names.push_back(joints.back().name);
    }
    if (errors.first) return *std::move(errors.first);
    fromFileUnits(joints);
    Result<Skeleton> skeleton = makeSkeleton(std::move(joints), options);
    if (!skeleton) {
        Diagnostic error = skeleton.error();
        error.location = {.file = std::string(source), .json_path = pathOf(error.what, names)};
        return error;
    }
    rig.skeleton = *std::move(skeleton);
    if (json.has("clips")) {
        const JsonCursor clips = json.at("clips");
        for (std::size_t i = 0; i < clips.size() && !errors.first; ++i) {
            rig.clips.push_back(readClip(clips[i], rig.skeleton));
        }
    }
    if (errors.first) return *std::move(errors.first);
    return rig;
}

Result<RigFile> loadRig(const std::string& path) {
    const Result<FileBytes> bytes = readFile(path);
    if (!bytes) return bytes.error();
    return readRig(bytes->view(), path);
}

std::string writeRig(const RigFile& rig) {
    // Laid out by hand so that a joint or a frame is one line.
    std::string out = "{\n  \"ulna\": 1,\n";
    if (!rig.name.empty()) out += "  \"name\": " + detail::dumpJson(rig.name) + ",\n";
    if (rig.skeleton.planar()) out += "  \"planar\": true,\n";
    out += "  \"joints\": [";
    for (std::size_t i = 0; i < rig.skeleton.jointCount(); ++i) {
        out += i == 0 ? "\n    " : ",\n    ";
        out += detail::dumpJson(jointToJson(rig.skeleton, jointId(i)));
    }
    out += "\n  ]";
    for (std::size_t c = 0; c < rig.clips.size(); ++c) {
        const DofClip& clip = rig.clips[c];
        out += c == 0 ? ",\n  \"clips\": [\n    {" : ",\n    {";
        out += "\"name\": " + detail::dumpJson(clip.name);
        out += ", \"frame_time\": " + detail::dumpJson(clip.frame_time) + ", \"frames\": [";
        for (std::size_t f = 0; f < clip.frames.size(); ++f) {
            OrderedJson row = OrderedJson::array();
            for (std::size_t d = 0; d < rig.skeleton.dofCount(); ++d) {
                row.push_back(toFile(clip.frames[f][d], rig.skeleton.isAngle(d)));
            }
            out += (f == 0 ? "\n      " : ",\n      ") + detail::dumpJson(row);
        }
        out += "\n    ]}";
    }
    if (!rig.clips.empty()) out += "\n  ]";
    return out + "\n}\n";
}

Status saveRig(const RigFile& rig, const std::string& path) {
    return writeFile(path, writeRig(rig));
}

}  // namespace ulna::io
