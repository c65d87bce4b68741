// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/urdf.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "ulna/core/text.h"
#include "ulna/io/detail/mesh_numbers.h"
#include "ulna/io/detail/robot_builder.h"
#include "ulna/io/detail/xml_cursor.h"
#include "ulna/math/euler.h"

namespace ulna::io {
namespace {

using detail::RobotBuilder;
using detail::XmlCursor;
using detail::XmlDocument;
using detail::XmlErrors;
using detail::XmlValue;

constexpr std::string_view kWorld = "world";

// `<origin xyz="..." rpy="..."/>` of an element: roll, pitch and yaw are about fixed axes, x first.
Rigid originOf(const XmlCursor& element) {
    Rigid out;
    const std::optional<XmlCursor> origin = element.child("origin");
    if (!origin) return out;
    if (const auto xyz = origin->find("xyz")) out.translation = xyz->vec3();
    if (const auto rpy = origin->find("rpy")) {
        const Vec3 angles = rpy->vec3();
        out.rotation = quatFromEuler(EulerOrder::Zyx, Vec3{angles.z, angles.y, angles.x});
    }
    return out;
}

Trs restOf(const Rigid& parent_from_joint) {
    return {.translation = parent_from_joint.translation, .rotation = parent_from_joint.rotation};
}

// One joint of the file and the links that it joins.
struct Edge {
    XmlCursor element;
    std::string name, type, parent, child;
};

class UrdfReader {
  public:
    UrdfReader(const XmlDocument& document, XmlErrors& errors)
        : robot_(document, 0, errors), errors_(errors), builder_(document.source) {}

    Result<RobotFile> read() {
        if (robot_.name() != "robot")
            robot_.fail("this is no URDF file: its outermost element is not <robot>",
                        std::string(robot_.name()));
        readElements();
        if (!errors_.first) joinLinks();
        if (!errors_.first) addJoints();
        if (!errors_.first) follow();
        if (errors_.first) return *errors_.first;
        builder_.setOrder(order_);
        return builder_.finish(robot_.text("name"));
    }

  private:
    void readElements() {
        for (const XmlCursor& element : robot_.children()) {
            const std::string_view name = element.name();
            if (name.starts_with("xacro:"))
                return element.fail("the file is a source of xacro", std::string(name),
                                    "make a URDF of it: xacro robot.urdf.xacro > robot.urdf");
            if (name == "link") {
                readLink(element);
            } else if (name == "joint") {
                readEdge(element);
            } else if (name == "material") {
                readMaterial(element);
            } else {
                builder_.leftOut().count("<" + excerpt(name) + "> element");
            }
        }
        if (links_.empty()) robot_.fail("the robot has no link");
    }

    void readLink(const XmlCursor& element) {
        const std::optional<XmlValue> name = element.at("name");
        if (!name) return;
        if (!links_.emplace(name->text(), link_elements_.size()).second)
            return name->fail("is the name of two links");
        link_names_.push_back(name->text());
        link_elements_.push_back(element);
    }

    void readEdge(const XmlCursor& element) {
        const auto linkOf = [&](std::string_view role) {
            const std::optional<XmlCursor> end = element.child(role);
            if (!end)
                element.fail("the joint has no <" + std::string(role) + ">", element.text("name"));
            const std::optional<XmlValue> link = end ? end->at("link") : std::nullopt;
            return link ? link->text() : std::string();
        };
        const std::optional<XmlValue> name = element.at("name");
        const std::optional<XmlValue> type = element.at("type");
        if (!name || !type) return;
        if (!edge_names_.emplace(name->text(), edges_.size()).second)
            return name->fail("is the name of two joints");
        const std::string kind =
            type->oneOf({"fixed", "revolute", "continuous", "prismatic", "floating", "planar"});
        edges_.push_back({element, name->text(), kind, linkOf("parent"), linkOf("child")});
    }

    void readMaterial(const XmlCursor& element) {
        if (const std::optional<Color> color = colorOf(element))
            materials_.emplace(element.text("name"), *color);
    }

    static std::optional<Color> colorOf(const XmlCursor& material) {
        const std::optional<XmlCursor> element = material.child("color");
        const std::optional<XmlValue> rgba = element ? element->find("rgba") : std::nullopt;
        if (!rgba) return std::nullopt;
        const auto share = rgba->numbers<4>();
        return Color{detail::byteOf(share[0]), detail::byteOf(share[1]), detail::byteOf(share[2]),
                     255};
    }

    // The edges below each link, and the edge that carries it.
    void joinLinks() {
        const std::size_t none = edges_.size();
        carried_by_.assign(link_elements_.size(), none);
        below_.resize(link_elements_.size());
        for (std::size_t i = 0; i < edges_.size(); ++i) {
            const Edge& edge = edges_[i];
            for (const std::string* link : {&edge.parent, &edge.child}) {
                if (links_.contains(*link)) continue;
                return edge.element.fail(
                    "the joint '" + excerpt(edge.name) + "' joins a link that is not there", *link,
                    suggestNames(*link, link_names_));
            }
            std::size_t& carrier = carried_by_[links_[edge.child]];
            if (carrier != none)
                return edge.element.fail("two joints carry the link '" + excerpt(edge.child) + "'",
                                         edge.name, "a link has one parent");
            carrier = i;
            below_[links_[edge.parent]].push_back(i);
        }
        const auto isBase = [&](std::size_t carrier) { return carrier == none; };
        const auto bases = std::count_if(carried_by_.begin(), carried_by_.end(), isBase);
        if (bases == 0)
            return robot_.fail("the links hang together in a circle", {},
                               "one of them is the base, which no joint carries");
        base_ = static_cast<std::size_t>(
            std::find_if(carried_by_.begin(), carried_by_.end(), isBase) - carried_by_.begin());
        if (bases == 1) return;
        const auto second =
            std::find_if(carried_by_.begin() + static_cast<std::ptrdiff_t>(base_) + 1,
                         carried_by_.end(), isBase);
        const auto other = static_cast<std::size_t>(second - carried_by_.begin());
        link_elements_[other].fail(
            "two links are carried by no joint: '" + excerpt(link_names_[base_]) + "' and another",
            link_names_[other], "a robot has one base");
    }

    // Depth first from the base, siblings in the order of the file.
    void addJoints() {
        struct Visit {
            std::size_t link, parent;
        };
        std::vector<Visit> open = {{base_, RobotBuilder::kRoot}};
        std::size_t visited = 0;
        joints_of_edge_.resize(edges_.size());
        while (!open.empty() && !errors_.first) {
            const Visit visit = open.back();
            open.pop_back();
            ++visited;
            const std::size_t joint = addLink(visit.link, visit.parent);
            readShapes(link_elements_[visit.link], joint);
            const std::vector<std::size_t>& below = below_[visit.link];
            for (auto i = below.rbegin(); i != below.rend(); ++i)
                open.push_back({links_[edges_[*i].child], joint});
        }
        if (errors_.first) return;
        for (const std::vector<std::size_t>& joints : joints_of_edge_)
            order_.insert(order_.end(), joints.begin(), joints.end());
        if (builder_.size() == 0) robot_.fail("the robot has no link but the world");
        if (visited < link_elements_.size())
            robot_.fail("some links hang together in a circle, apart from the base '" +
                        excerpt(link_names_[base_]) + "'");
    }

    // The joint that stands for a link; kRoot of the world.
    std::size_t addLink(std::size_t link, std::size_t parent) {
        const std::size_t carrier = carried_by_[link];
        if (carrier == edges_.size()) {
            if (link_names_[link] == kWorld) return RobotBuilder::kRoot;
            return addFree(link_names_[link], parent, {});
        }
        const std::size_t joint = addEdge(carrier, link_names_[link], parent);
        joints_of_edge_[carrier].push_back(joint);
        return joint;
    }

    std::size_t addFree(const std::string& name, std::size_t parent, const Trs& rest) {
        // Yaw, pitch, roll: the order in which only a base that stands on its side is singular.
        return builder_.add(
            {.name = name, .kind = JointKind::Free, .rest = rest, .order = EulerOrder::Zyx},
            parent);
    }

    std::size_t addEdge(std::size_t index, const std::string& link, std::size_t parent) {
        const Edge& edge = edges_[index];
        const Trs rest = restOf(originOf(edge.element));
        if (edge.type == "floating") return addFree(link, parent, rest);
        if (edge.type == "fixed")
            return builder_.add({.name = link, .kind = JointKind::Fixed, .rest = rest}, parent);
        const Vec3 axis = axisOf(edge.element);
        if (edge.type == "planar")
            return addPlanar(edge, rest, axis, parent, joints_of_edge_[index]);
        JointDef def{.name = edge.name,
                     .kind = edge.type == "prismatic" ? JointKind::Prismatic : JointKind::Hinge,
                     .rest = rest,
                     .axes = {axis, Vec3{0, 0, 1}}};
        if (edge.type != "continuous") def.limits[0] = rangeOf(edge);
        const std::size_t joint = builder_.add(std::move(def), parent);
        builder_.setSpeedLimit(joint, speedLimitOf(edge));
        return joint;
    }

    // Two joints that slide in the plane, then one that rotates about its normal.
    std::size_t addPlanar(const Edge& edge, const Trs& rest, const Vec3& normal, std::size_t parent,
                          std::vector<std::size_t>& sliding) {
        const Quat plane_from_xyz = quatBetween({0, 0, 1}, normal);
        std::size_t joint = parent;
        for (const auto& [suffix, axis] : {std::pair{"_x", Vec3{1, 0, 0}}, {"_y", Vec3{0, 1, 0}}}) {
            joint = builder_.add({.name = edge.name + suffix,
                                  .kind = JointKind::Prismatic,
                                  .rest = suffix[1] == 'x' ? rest : Trs{},
                                  .axes = {rotate(plane_from_xyz, axis), Vec3{0, 0, 1}}},
                                 joint);
            sliding.push_back(joint);
        }
        return builder_.add(
            {.name = edge.name, .kind = JointKind::Hinge, .axes = {normal, Vec3{0, 0, 1}}}, joint);
    }

    static Vec3 axisOf(const XmlCursor& element) {
        const std::optional<XmlCursor> axis = element.child("axis");
        const std::optional<XmlValue> xyz = axis ? axis->at("xyz") : std::nullopt;
        return xyz ? xyz->direction() : Vec3{1, 0, 0};
    }

    static DofLimit rangeOf(const Edge& edge) {
        const std::optional<XmlCursor> limit = edge.element.child("limit");
        if (!limit) {
            edge.element.fail("the " + edge.type + " joint has no <limit>", edge.name,
                              "a joint without limits is of type continuous");
            return {};
        }
        DofLimit out{0.0, 0.0};
        const std::optional<XmlValue> lower = limit->find("lower"), upper = limit->find("upper");
        if (lower) out.min = lower->bound();
        if (upper) out.max = upper->bound();
        if (out.min > out.max) {
            (lower ? *lower : *upper).fail("is above the upper limit");
            return {};
        }
        return out;
    }

    static double speedLimitOf(const Edge& edge) {
        constexpr double kNone = std::numeric_limits<double>::infinity();
        const std::optional<XmlCursor> limit = edge.element.child("limit");
        const std::optional<XmlValue> velocity = limit ? limit->find("velocity") : std::nullopt;
        if (!velocity) return kNone;
        const double out = velocity->bound();
        if (out < 0.0) velocity->fail("is below 0");
        return out;
    }

    void readShapes(const XmlCursor& link, std::size_t joint) {
        std::vector<RobotShape> seen, colliding;
        for (const XmlCursor& part : link.children()) {
            const bool visual = part.name() == "visual";
            if (!visual && part.name() != "collision") continue;
            if (std::optional<RobotShape> shape = readShape(part))
                (visual ? seen : colliding).push_back(*std::move(shape));
        }
        for (RobotShape& shape : seen.empty() ? colliding : seen)
            builder_.addShape(std::move(shape), joint);
    }

    std::optional<RobotShape> readShape(const XmlCursor& part) {
        const std::optional<XmlCursor> geometry = part.child("geometry");
        if (!geometry) return std::nullopt;
        RobotShape out;
        out.name = part.text("name");
        out.joint_from_shape = originOf(part);
        if (const std::optional<XmlCursor> material = part.child("material")) {
            const auto known = materials_.find(material->text("name"));
            if (known != materials_.end()) out.color = known->second;
            if (const std::optional<Color> color = colorOf(*material)) out.color = *color;
        }
        const auto number = [](const XmlCursor& element, const char* attribute) {
            const std::optional<XmlValue> value = element.at(attribute);
            return value ? value->number() : 0.0;
        };
        for (const XmlCursor& solid : geometry->children()) {
            if (solid.name() == "mesh") {
                builder_.leftOut().count("mesh reference");
                return std::nullopt;
            }
            if (solid.name() == "box") {
                const std::optional<XmlValue> size = solid.at("size");
                out.primitive = {PrimitiveKind::Box, size ? size->vec3() * 0.5 : Vec3{}};
                return out;
            }
            if (solid.name() == "sphere") {
                const double r = number(solid, "radius");
                out.primitive = {PrimitiveKind::Ellipsoid, {r, r, r}};
                return out;
            }
            if (solid.name() == "cylinder" || solid.name() == "capsule") {
                const double r = number(solid, "radius"), l = number(solid, "length");
                out.primitive = {
                    solid.name() == "capsule" ? PrimitiveKind::Capsule : PrimitiveKind::Cylinder,
                    {r, r, 0.5 * l}};
                return out;
            }
            builder_.leftOut().count("<" + excerpt(solid.name()) + "> shape");
        }
        return std::nullopt;
    }

    void follow() {
        for (std::size_t i = 0; i < edges_.size(); ++i) {
            const std::optional<XmlCursor> mimic = edges_[i].element.child("mimic");
            if (!mimic) continue;
            const std::optional<XmlValue> leader = mimic->at("joint");
            if (!leader) return;
            if (!edge_names_.contains(leader->text()))
                return leader->fail("is no joint of the robot",
                                    suggestNames(leader->text(), edgeNames()));
            const std::optional<std::size_t> follower = builder_.findMoving(edges_[i].name);
            const std::optional<std::size_t> leading = builder_.findMoving(leader->text());
            if (!follower || !leading) {
                builder_.leftOut().count("fixed mimic joint");
                continue;
            }
            const auto factor = mimic->find("multiplier"), offset = mimic->find("offset");
            builder_.follow({.follower = *follower,
                             .leader = *leading,
                             .factor = factor ? factor->number() : 1.0,
                             .offset = offset ? offset->number() : 0.0,
                             .element = *mimic});
        }
    }

    [[nodiscard]] std::vector<std::string> edgeNames() const {
        std::vector<std::string> out;
        for (const Edge& edge : edges_) out.push_back(edge.name);
        return out;
    }

    XmlCursor robot_;
    XmlErrors& errors_;
    RobotBuilder builder_;
    std::unordered_map<std::string, std::size_t> links_, edge_names_;
    std::vector<std::string> link_names_;
    std::vector<XmlCursor> link_elements_;
    std::vector<Edge> edges_;
    std::map<std::string, Color> materials_;
    std::vector<std::size_t> carried_by_;          // the edge above each link
    std::vector<std::vector<std::size_t>> below_;  // the edges below each link
    std::vector<std::size_t> order_;
    std::vector<std::vector<std::size_t>> joints_of_edge_;
    std::size_t base_ = 0;
};

}  // namespace

Result<RobotFile> readUrdf(std::string_view text, std::string_view source) {
    const Result<XmlDocument> document = detail::readXml(text, source);
    if (!document) return document.error();
    XmlErrors errors;
    return UrdfReader(*document, errors).read();
}

}  // namespace ulna::io
