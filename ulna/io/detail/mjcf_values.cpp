// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/detail/mjcf_values.h"

#include <algorithm>

#include "ulna/math/euler.h"
#include "ulna/math/scalar.h"

namespace ulna::io::detail {
namespace {

constexpr std::string_view kRotations[] = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};

Quat eulerRotation(const XmlValue& value, const MjcfCompiler& compiler) {
    const auto angles = value.numbers<3>();
    Quat out;
    for (std::size_t i = 0; i < 3; ++i) {
        const char letter = compiler.euler_sequence[i];
        const bool fixed = letter < 'a';
        const Quat next =
            quatAboutAxis(fixed ? letter - 'X' : letter - 'x', compiler.angle(angles[i]));
        out = fixed ? next * out : out * next;
    }
    return out;
}

Quat axesRotation(const XmlValue& value) {
    const auto v = value.numbers<6>();
    const Vec3 x = normalizedOr(Vec3{v[0], v[1], v[2]}, Vec3{});
    const Vec3 given = normalizedOr(Vec3{v[3], v[4], v[5]}, Vec3{});
    const Vec3 y = normalizedOr(given - x * dot(x, given), Vec3{});
    const Vec3 z = cross(x, y);
    if (length(z) < 0.5) {
        value.fail("has axes that are no directions, or parallel");
        return {};
    }
    return quatFromMatrix(Mat3::fromColumns(x, y, z));
}

Quat rotationFrom(std::string_view kind, const XmlValue& value, const MjcfCompiler& compiler) {
    if (kind == "euler") return eulerRotation(value, compiler);
    if (kind == "xyaxes") return axesRotation(value);
    if (kind == "zaxis") return quatBetween({0, 0, 1}, value.direction());
    const auto v = value.numbers<4>();
    if (kind == "axisangle") {
        const Vec3 axis = normalizedOr(Vec3{v[0], v[1], v[2]}, Vec3{});
        if (length(axis) < 0.5) value.fail("has an axis that is no direction");
        return quatFromAxisAngle(axis, compiler.angle(v[3]));
    }
    const Quat q = {v[1], v[2], v[3], v[0]};
    const double largest = std::max({std::abs(q.x), std::abs(q.y), std::abs(q.z), std::abs(q.w)});
    if (!(largest > 1e-12)) {
        value.fail("is no rotation");
        return {};
    }
    return normalized(Quat{q.x / largest, q.y / largest, q.z / largest, q.w / largest});
}

}  // namespace

void MjcfCompiler::read(const XmlCursor& element) {
    if (const auto angle = element.find("angle"))
        degrees = angle->oneOf({"degree", "radian"}) == "degree";
    if (const auto limits = element.find("autolimits")) autolimits = limits->boolean();
    if (const auto coordinate = element.find("coordinate")) {
        if (coordinate->text() == "global")
            coordinate->fail(
                "is no longer read by MuJoCo either",
                "save the model with an older MuJoCo, which makes the coordinates local");
    }
    if (const auto sequence = element.find("eulerseq")) {
        const std::string letters = sequence->text();
        if (letters.size() == 3 && letters.find_first_not_of("xyzXYZ") == std::string::npos)
            euler_sequence = letters;
        else
            sequence->fail("is not three of the letters x, y and z");
    }
}

double MjcfCompiler::angle(double value) const {
    return degrees ? radians(value) : value;
}

void MjcfDefaults::read(const XmlCursor& element, MjcfFiles& files) {
    struct Visit {
        XmlCursor element;
        std::size_t to;
    };
    if (const auto name = element.find("class")) by_name_.emplace(name->text(), kMain);
    std::vector<Visit> open = {{element, kMain}};
    while (!open.empty()) {
        const Visit visit = open.back();
        open.pop_back();
        for (const XmlCursor& child : files.children(visit.element)) {
            if (child.name() == "default")
                open.push_back({child, addClass(child, visit.to)});
            else
                readValues(child, visit.to);
        }
    }
}

std::size_t MjcfDefaults::addClass(const XmlCursor& element, std::size_t parent) {
    constexpr std::size_t kDeepest = 64;  // each level is a look-up for each value
    const std::optional<XmlValue> name = element.at("class");
    if (classes_[parent].depth == kDeepest)
        element.fail("default classes are nested deeper than 64");
    else
        classes_.push_back({parent, classes_[parent].depth + 1, {}});
    if (name && !by_name_.emplace(name->text(), classes_.size() - 1).second)
        name->fail("is the name of two default classes");
    return classes_.size() - 1;
}

void MjcfDefaults::readValues(const XmlCursor& element, std::size_t into) {
    for (const auto& [name, value] : element.attributes())
        classes_[into].values.insert_or_assign(
            std::string(element.name()) + ' ' + std::string(name), value);
}

std::size_t MjcfDefaults::find(const XmlValue& name) const {
    const auto found = by_name_.find(name.text());
    if (found != by_name_.end()) return found->second;
    name.fail("is no default class of the model");
    return kMain;
}

std::optional<XmlValue> MjcfDefaults::value(std::string_view kind, std::string_view attribute,
                                            std::size_t of_class) const {
    const std::string key = std::string(kind) + ' ' + std::string(attribute);
    for (;;) {
        const Class& each = classes_[of_class];
        const auto found = each.values.find(key);
        if (found != each.values.end()) return found->second;
        if (of_class == kMain) return std::nullopt;
        of_class = each.parent;
    }
}

MjcfElement::MjcfElement(const XmlCursor& element, const MjcfDefaults& defaults, std::size_t active)
    : element_(element), defaults_(&defaults), class_(active) {
    if (const auto name = element.find("class")) class_ = defaults.find(*name);
}

std::optional<XmlValue> MjcfElement::find(std::string_view attribute) const {
    const std::optional<XmlValue> own = element_.find(attribute);
    return own ? own : inherited(attribute);
}

std::optional<XmlValue> MjcfElement::inherited(std::string_view attribute) const {
    return defaults_->value(element_.name(), attribute, class_);
}

std::string MjcfElement::text(std::string_view attribute) const {
    const std::optional<XmlValue> value = find(attribute);
    return value ? value->text() : std::string();
}

Vec3 MjcfElement::vec3(std::string_view attribute, const Vec3& otherwise) const {
    const std::optional<XmlValue> value = find(attribute);
    return value ? value->vec3() : otherwise;
}

Rigid MjcfElement::placement(const MjcfCompiler& compiler) const {
    Rigid out{.translation = vec3("pos", {})};
    std::optional<XmlValue> said;
    for (const std::string_view kind : kRotations) {
        const std::optional<XmlValue> value = element_.find(kind);
        if (!value) continue;
        if (said) value->fail("is a second rotation of one element");
        said = value;
        out.rotation = rotationFrom(kind, *value, compiler);
    }
    for (const std::string_view kind : kRotations) {
        if (said) break;
        said = inherited(kind);
        if (said) out.rotation = rotationFrom(kind, *said, compiler);
    }
    return out;
}

}  // namespace ulna::io::detail
