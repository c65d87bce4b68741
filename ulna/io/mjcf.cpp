// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/mjcf.h"

#include <algorithm>
#include <unordered_set>

#include "ulna/core/text.h"
#include "ulna/io/detail/mjcf_geom.h"
#include "ulna/io/detail/mjcf_values.h"
#include "ulna/io/detail/robot_builder.h"
#include "ulna/math/euler.h"

namespace ulna::io {
namespace {

using detail::MjcfCompiler;
using detail::MjcfDefaults;
using detail::MjcfElement;
using detail::MjcfFiles;
using detail::RobotBuilder;
using detail::XmlCursor;
using detail::XmlDocument;
using detail::XmlErrors;
using detail::XmlValue;

// What a file holds besides that is neither a joint nor a shape, and what one of it is called.
constexpr std::pair<std::string_view, const char*> kLeftOutSections[] = {
    {"actuator", "actuator"}, {"sensor", "sensor"},         {"tendon", "tendon"},
    {"contact", "contact"},   {"deformable", "deformable"}, {"extension", "plugin"}};
// Elements that MuJoCo makes bodies of.
constexpr std::string_view kMacros[] = {"composite", "flexcomp", "replicate", "attach"};

// An element of a body, out of the frames that it is in.
struct Item {
    XmlCursor element;
    Rigid body_from_item;
    std::size_t of_class;
};

// A body to be read: where it hangs.
struct Visit {
    Item item;           // in its parent body
    std::size_t parent;  // the joint that carries that body
    Vec3 origin;         // of the parent body in the frame of that joint
};

class MjcfReader {
  public:
    MjcfReader(const XmlDocument& document, const MjcfOptions& options, XmlErrors& errors)
        : model_(document, 0, errors),
          errors_(errors),
          files_(options.folder, errors),
          builder_(document.source) {}

    Result<RobotFile> read() {
        if (model_.name() != "mujoco")
            model_.fail("this is no MuJoCo model: its outermost element is not <mujoco>",
                        std::string(model_.name()));
        if (!errors_.first) sections_ = files_.children(model_);
        readSettings();
        if (!errors_.first) readWorld();
        if (!errors_.first) readRest();
        if (errors_.first) return *errors_.first;
        Result<RobotFile> out = builder_.finish(model_.text("model"));
        if (out) out->poses = readKeys(out->skeleton);
        if (errors_.first) return *errors_.first;
        return out;
    }

  private:
    // What has its meaning for the whole model, wherever in the file it is.
    void readSettings() {
        for (const XmlCursor& section : sections_) {
            if (section.name() == "compiler") compiler_.read(section);
        }
        for (const XmlCursor& section : sections_) {
            if (section.name() == "default") defaults_.read(section, files_);
            if (section.name() == "asset") readMaterials(section);
        }
    }

    void readMaterials(const XmlCursor& section) {
        for (const XmlCursor& asset : files_.children(section)) {
            if (asset.name() != "material") continue;
            if (const std::optional<XmlValue> rgba = asset.find("rgba"))
                materials_.emplace(asset.text("name"), detail::geomColor(*rgba));
        }
    }

    // Bodies depth first, as MuJoCo numbers them.
    void readWorld() {
        std::vector<Visit> open;
        for (const XmlCursor& section : sections_) {
            if (section.name() != "worldbody") continue;
            for (const Item& item : itemsOf(section, MjcfDefaults::kMain)) {
                readShape(item, RobotBuilder::kRoot, {});
                if (item.element.name() == "body") open.push_back({item, RobotBuilder::kRoot, {}});
            }
        }
        std::reverse(open.begin(), open.end());
        while (!open.empty() && !errors_.first) {
            const Visit visit = open.back();
            open.pop_back();
            readBody(visit, open);
        }
        if (builder_.size() == 0) model_.fail("the model has no body");
    }

    // The elements in a body, frames and includes resolved.
    std::vector<Item> itemsOf(const XmlCursor& body, std::size_t of_class) {
        std::vector<Item> out, open;
        const auto push = [&](const XmlCursor& element, const Rigid& placement, std::size_t c) {
            const std::vector<XmlCursor> all = files_.children(element);
            for (auto i = all.rbegin(); i != all.rend(); ++i) open.push_back({*i, placement, c});
        };
        push(body, {}, of_class);
        while (!open.empty() && !errors_.first) {
            const Item next = open.back();
            open.pop_back();
            if (next.element.name() != "frame") {
                out.push_back(next);
                continue;
            }
            const MjcfElement frame(next.element, defaults_, next.of_class);
            push(next.element, next.body_from_item * frame.placement(compiler_),
                 childClass(next.element, next.of_class));
        }
        return out;
    }

    [[nodiscard]] std::size_t childClass(const XmlCursor& element, std::size_t otherwise) const {
        const std::optional<XmlValue> name = element.find("childclass");
        return name ? defaults_.find(*name) : otherwise;
    }

    void readBody(const Visit& visit, std::vector<Visit>& open) {
        const XmlCursor& body = visit.item.element;
        const std::string name = body.text("name");
        if (!name.empty() && !body_names_.insert(name).second)
            return body.find("name")->fail("is the name of two bodies");
        const MjcfElement element(body, defaults_, visit.item.of_class);
        const Rigid parent_from_body = visit.item.body_from_item * element.placement(compiler_);
        const std::vector<Item> items = itemsOf(body, childClass(body, visit.item.of_class));
        Trs rest = {.translation = visit.origin + parent_from_body.translation,
                    .rotation = parent_from_body.rotation};
        const auto [joint, origin] = readJoints(body, items, rest, visit.parent);
        const std::size_t before = open.size();
        for (const Item& item : items) {
            readShape(item, joint, origin);
            if (item.element.name() == "body") open.push_back({item, joint, origin});
            for (const std::string_view macro : kMacros) {
                if (item.element.name() == macro)
                    builder_.leftOut().count("<" + std::string(macro) + "> element");
            }
        }
        std::reverse(open.begin() + static_cast<std::ptrdiff_t>(before), open.end());
    }

    // The last of a body's joints, and the body's origin in its frame.
    struct Carrier {
        std::size_t joint;
        Vec3 origin;
    };

    Carrier readJoints(const XmlCursor& body, const std::vector<Item>& items, Trs rest,
                       std::size_t parent) {
        std::vector<MjcfElement> joints;
        std::vector<Rigid> frames;
        for (const Item& item : items) {
            if (item.element.name() != "joint" && item.element.name() != "freejoint") continue;
            joints.emplace_back(item.element, defaults_, item.of_class);
            frames.push_back(item.body_from_item);
        }
        const std::string name = body.text("name");
        if (joints.empty())
            return {builder_.add({.name = name, .kind = JointKind::Fixed, .rest = rest}, parent),
                    {}};
        Carrier out{parent, {}};
        for (std::size_t i = 0; i < joints.size(); ++i) {
            if (kindOf(joints[i]) == JointKind::Free) {
                checkFree(joints[i], joints.size(), parent);
                return {builder_.add({.name = name,
                                      .kind = JointKind::Free,
                                      .rest = rest,
                                      .order = EulerOrder::Zyx},
                                     parent),
                        {}};
            }
            // The joint's origin is its anchor, the first one's in the frame of the parent.
            const bool slides = kindOf(joints[i]) == JointKind::Prismatic;
            const Vec3 anchor = slides ? -out.origin : frames[i] * joints[i].vec3("pos", {});
            const Vec3 step = anchor + out.origin;
            rest = i == 0 ? Trs{.translation = rest.translation + rotate(rest.rotation, step),
                                .rotation = rest.rotation}
                          : Trs{.translation = step};
            out.joint = addJoint(joints[i], frames[i].rotation, rest, out.joint, name);
            out.origin = -anchor;
        }
        return out;
    }

    void checkFree(const MjcfElement& joint, std::size_t count, std::size_t parent) {
        if (parent != RobotBuilder::kRoot)
            joint.cursor().fail("a free joint is in a body that is not at the top",
                                joint.text("name"));
        if (count > 1)
            joint.cursor().fail("a body has a free joint and another one", joint.text("name"));
    }

    [[nodiscard]] static JointKind kindOf(const MjcfElement& joint) {
        if (joint.cursor().name() == "freejoint") return JointKind::Free;
        const std::optional<XmlValue> type = joint.find("type");
        const std::string name = type ? type->oneOf({"hinge", "slide", "ball", "free"}) : "hinge";
        if (name == "slide") return JointKind::Prismatic;
        if (name == "ball") return JointKind::Ball;
        return name == "free" ? JointKind::Free : JointKind::Hinge;
    }

    std::size_t addJoint(const MjcfElement& joint, const Quat& body_from_frame, const Trs& rest,
                         std::size_t parent, const std::string& body) {
        const std::optional<XmlValue> axis = joint.find("axis");
        const std::string name = joint.cursor().text("name");
        if (!name.empty() && builder_.findMoving(name))
            joint.cursor().find("name")->fail("is the name of two joints");
        JointDef def{.name = name.empty() ? body : name, .kind = kindOf(joint), .rest = rest};
        if (axis && def.kind != JointKind::Ball)
            def.axes[0] = rotate(body_from_frame, axis->direction());
        else
            def.axes[0] = rotate(body_from_frame, Vec3{0, 0, 1});
        const bool angle = def.kind != JointKind::Prismatic;
        const std::optional<XmlValue> ref = joint.find("ref");
        double reference = 0.0;
        if (ref && def.kind != JointKind::Ball)
            reference = angle ? compiler_.angle(ref->number()) : ref->number();
        readRange(joint, reference, def);
        const std::size_t out = builder_.add(std::move(def), parent);
        builder_.setReference(out, reference);
        return out;
    }

    void readRange(const MjcfElement& joint, double reference, JointDef& def) {
        const std::optional<XmlValue> range = joint.find("range");
        const std::optional<XmlValue> limited = joint.find("limited");
        const std::string limits = limited ? limited->oneOf({"auto", "true", "false"}) : "auto";
        if (limits == "false" || (limits == "auto" && (!range || !compiler_.autolimits))) return;
        if (!range) return joint.cursor().fail("the joint is limited and has no 'range'", def.name);
        const auto bounds = range->numbers<2>();
        const auto inside = [&](double value) {
            return def.kind == JointKind::Prismatic ? value : compiler_.angle(value);
        };
        if (def.kind == JointKind::Ball) return readBallRange(*range, inside(bounds[1]), def);
        if (bounds[0] > bounds[1]) return range->fail("has its minimum above its maximum");
        def.limits[0] = {inside(bounds[0]) - reference, inside(bounds[1]) - reference};
    }

    // One bound on the angle about whatever axis; the cone has one for the swing and one for the
    // twist.
    void readBallRange(const XmlValue& range, double largest, JointDef& def) {
        if (!(largest >= 0.0)) return range.fail("has a largest angle below 0");
        const double most = std::min(largest, kPi);
        def.cone =
            ConeLimit{.axis = {0, 0, 1}, .swing_max = most, .twist_min = -most, .twist_max = most};
        if (!builder_.warnings().isFirst("ball")) return;
        builder_.warnings().keep({.what = "the bound of a ball joint's angle is read as one of its "
                                          "swing and one of its twist, which allow more",
                                  .location = range.location(),
                                  .text = def.name});
    }

    void readShape(const Item& item, std::size_t joint, const Vec3& origin) {
        if (item.element.name() != "geom") return;
        const MjcfElement geom(item.element, defaults_, item.of_class);
        std::optional<RobotShape> shape = detail::readGeom(geom, compiler_, builder_.leftOut());
        if (!shape) return;
        if (const auto known = materials_.find(geom.text("material"));
            known != materials_.end() && !item.element.find("rgba"))
            shape->color = known->second;
        shape->joint_from_shape = item.body_from_item * shape->joint_from_shape;
        shape->joint_from_shape.translation += origin;
        builder_.addShape(*std::move(shape), joint);
    }

    // Equalities, which may be couplings, and what is left out.
    void readRest() {
        for (const XmlCursor& section : sections_) {
            if (section.name() == "equality") {
                for (const XmlCursor& element : files_.children(section)) readEquality(element);
            }
            for (const auto& [name, thing] : kLeftOutSections) {
                if (section.name() == name)
                    builder_.leftOut().count(thing, files_.children(section).size());
            }
        }
    }

    // joint1 - ref1 = p0 + p1 (joint2 - ref2) + ...; without joint2 it is held at p0.
    void readEquality(const XmlCursor& element) {
        if (const auto active = element.find("active"); active && !active->boolean()) return;
        if (element.name() != "joint") return builder_.leftOut().count("equality constraint");
        std::vector<double> p = {0, 1};
        if (const auto given = element.find("polycoef")) p = given->numbers(1, 5);
        p.resize(5, 0.0);
        const std::optional<XmlValue> first = element.at("joint1");
        const std::optional<std::size_t> follower = jointOf(first);
        const std::optional<XmlValue> second = element.find("joint2");
        const std::optional<std::size_t> leader = jointOf(second);
        if (errors_.first || !follower) return;
        const bool curved = second && (p[2] != 0.0 || p[3] != 0.0 || p[4] != 0.0);
        if (builder_.def(*follower).kind == JointKind::Ball || curved) {
            builder_.leftOut().count("equality constraint");
        } else if (!second) {
            builder_.def(*follower).limits[0] = {p[0], p[0]};
        } else {
            builder_.follow({.follower = *follower,
                             .leader = *leader,
                             .factor = p[1],
                             .offset = p[0],
                             .element = element});
        }
    }

    std::optional<std::size_t> jointOf(const std::optional<XmlValue>& name) {
        if (!name) return std::nullopt;
        const std::optional<std::size_t> joint = builder_.findMoving(name->text());
        if (!joint) {
            std::vector<std::string> names;
            for (std::size_t i = 0; i < builder_.size(); ++i) names.push_back(builder_.def(i).name);
            name->fail("is no joint of the model", suggestNames(name->text(), names));
        }
        return joint;
    }

    // Keyframes that say where the joints are. Joints were added depth first, so they have the same
    // index in the skeleton.
    std::vector<DofClip> readKeys(const Skeleton& skeleton) {
        std::vector<DofClip> out;
        for (const XmlCursor& section : sections_) {
            if (section.name() != "keyframe") continue;
            for (const XmlCursor& key : files_.children(section)) {
                const std::optional<XmlValue> qpos = key.find("qpos");
                if (key.name() != "key" || !qpos) continue;
                const std::string name = readableText(key.text("name"));
                out.push_back({.name = name.empty() ? "key " + std::to_string(out.size()) : name,
                               .frames = {readPose(*qpos, skeleton)}});
            }
        }
        return out;
    }

    // Positions and quaternions (w first) of free joints, quaternions of balls, otherwise values.
    DofVector readPose(const XmlValue& qpos, const Skeleton& skeleton) {
        std::size_t size = 0;
        for (const JointId j : skeleton.joints())
            size += skeleton.dofCount(j) + (skeleton.dofCount(j) >= 3 ? 1 : 0);
        const std::vector<double> q = qpos.numbers(size, size);
        DofVector out(skeleton.dofCount(), 0.0);
        std::size_t at = 0;
        for (const JointId j : skeleton.joints()) {
            const std::span<double> dofs = jointDofs(skeleton, j, std::span<double>(out));
            if (dofs.size() == 1) dofs[0] = q[at++] - builder_.reference(index(j));
            if (dofs.size() < 3) continue;
            Trs placed = skeleton.rest(j);
            const bool free = dofs.size() == 6;
            if (free) placed.translation = {q[at], q[at + 1], q[at + 2]};
            at += free ? 3 : 0;
            const Quat rotation = normalized(Quat{q[at + 1], q[at + 2], q[at + 3], q[at]});
            at += 4;
            placed.rotation = free ? rotation : placed.rotation * rotation;
            computeJointDofs(skeleton, j, placed, dofs);
        }
        return out;
    }

    XmlCursor model_;
    XmlErrors& errors_;
    MjcfFiles files_;
    MjcfCompiler compiler_;
    MjcfDefaults defaults_;
    RobotBuilder builder_;
    std::vector<XmlCursor> sections_;
    std::unordered_map<std::string, Color> materials_;
    std::unordered_set<std::string> body_names_;
};

}  // namespace

Result<RobotFile> readMjcf(std::string_view text, std::string_view source,
                           const MjcfOptions& options) {
    const Result<XmlDocument> document = detail::readXml(text, source);
    if (!document) return document.error();
    XmlErrors errors;
    return MjcfReader(*document, options, errors).read();
}

}  // namespace ulna::io
