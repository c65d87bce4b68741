// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/detail/mjcf_geom.h"

#include "ulna/io/detail/mesh_numbers.h"

namespace ulna::io::detail {
namespace {

// How many sizes a kind has, and what of them the two ends of `fromto` leave open.
struct Kind {
    std::string_view name;
    PrimitiveKind primitive;
    std::size_t sizes;
    bool has_ends;
};
constexpr Kind kKinds[] = {{"sphere", PrimitiveKind::Ellipsoid, 1, false},
                           {"capsule", PrimitiveKind::Capsule, 2, true},
                           {"cylinder", PrimitiveKind::Cylinder, 2, true},
                           {"ellipsoid", PrimitiveKind::Ellipsoid, 3, true},
                           {"box", PrimitiveKind::Box, 3, true}};

const Kind* kindOf(std::string_view name) {
    for (const Kind& kind : kKinds)
        if (kind.name == name) return &kind;
    return nullptr;
}

// The sizes in the order of a Primitive: two of a kind along z are a radius and half a length.
Vec3 sizeOf(const Kind& kind, const std::vector<double>& numbers) {
    if (kind.sizes == 1) return {numbers[0], numbers[0], numbers[0]};
    if (kind.sizes == 2) return {numbers[0], numbers[0], numbers[1]};
    return {numbers[0], numbers[1], numbers[2]};
}

// The numbers of `size`; those behind its own are the class's, as in MuJoCo.
std::vector<double> sizesOf(const MjcfElement& geom, const XmlValue& size) {
    std::vector<double> out = size.numbers(1, 3);
    const std::optional<XmlValue> inherited = geom.inherited("size");
    if (!inherited || out.size() == 3) return out;
    const std::vector<double> others = inherited->numbers(1, 3);
    for (std::size_t i = out.size(); i < others.size(); ++i) out.push_back(others[i]);
    return out;
}

// Between two points: along z from the second to the first, the sizes across from the first number.
void placeBetween(const XmlValue& ends, double across, RobotShape& out) {
    const auto v = ends.numbers<6>();
    const Vec3 from = {v[0], v[1], v[2]}, to = {v[3], v[4], v[5]};
    const double distance = length(from - to);
    if (!(distance > 0.0)) return ends.fail("has two ends in one position");
    out.primitive.size = {across, across, 0.5 * distance};
    out.joint_from_shape = {.translation = (from + to) * 0.5,
                            .rotation = quatBetween({0, 0, 1}, (from - to) / distance)};
}

}  // namespace

Color geomColor(const XmlValue& rgba) {
    const auto share = rgba.numbers<4>();
    return {byteOf(share[0]), byteOf(share[1]), byteOf(share[2]), 255};
}

std::optional<RobotShape> readGeom(const MjcfElement& geom, const MjcfCompiler& compiler,
                                   LeftOut& left_out) {
    const std::optional<XmlValue> type = geom.find("type");
    const std::string name = type ? type->oneOf({"sphere", "plane", "hfield", "capsule",
                                                 "ellipsoid", "cylinder", "box", "mesh", "sdf"})
                                  : "sphere";
    const Kind* kind = kindOf(name);
    if (kind == nullptr || geom.find("mesh")) {
        left_out.count(geom.find("mesh") ? "mesh geom" : name + " geom");
        return std::nullopt;
    }
    RobotShape out;
    out.name = geom.cursor().text("name");
    out.primitive.kind = kind->primitive;
    if (const std::optional<XmlValue> rgba = geom.find("rgba")) out.color = geomColor(*rgba);
    const std::optional<XmlValue> size = geom.find("size");
    if (!size) {
        geom.cursor().fail("the geom has no 'size'");
        return std::nullopt;
    }
    const std::optional<XmlValue> ends = geom.find("fromto");
    if (ends && !kind->has_ends) ends->fail("is for shapes that have two ends, not for a sphere");
    out.joint_from_shape = geom.placement(compiler);
    if (ends) {
        placeBetween(*ends, sizesOf(geom, *size)[0], out);
        return out;
    }
    const std::vector<double> numbers = sizesOf(geom, *size);
    if (numbers.size() < kind->sizes)
        size->fail("has " + std::to_string(numbers.size()) + " numbers; a " + name + " has " +
                   std::to_string(kind->sizes));
    else
        out.primitive.size = sizeOf(*kind, numbers);
    return out;
}

}  // namespace ulna::io::detail
