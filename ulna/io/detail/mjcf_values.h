// SPDX-License-Identifier: Apache-2.0

// Values of a MuJoCo model: its compiler's options, its default classes, and the rotations that may
// be said in five ways.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ulna/io/detail/mjcf_files.h"
#include "ulna/math/transform.h"

namespace ulna::io::detail {

/// What the `compiler` elements say.
struct MjcfCompiler {
    bool degrees = true;
    bool autolimits = true;
    std::string euler_sequence = "xyz";  ///< small letters: rotating axes; capital: fixed ones

    void read(const XmlCursor& element);
    /// An angle of the file in radians.
    [[nodiscard]] double angle(double value) const;
};

/// The classes of `default` elements: values that elements of a kind have where they say none.
class MjcfDefaults {
  public:
    static constexpr std::size_t kMain = 0;

    /// An outermost `default` element, whose class is the main one.
    void read(const XmlCursor& element, MjcfFiles& files);
    /// The class that an attribute names; an error where there is none.
    [[nodiscard]] std::size_t find(const XmlValue& name) const;
    /// The value of an attribute for elements of a kind.
    [[nodiscard]] std::optional<XmlValue> value(std::string_view kind, std::string_view attribute,
                                                std::size_t of_class) const;

  private:
    struct Class {
        std::size_t parent;
        std::size_t depth;
        std::unordered_map<std::string, XmlValue> values;  // by kind and attribute
    };

    std::size_t addClass(const XmlCursor& element, std::size_t parent);
    void readValues(const XmlCursor& element, std::size_t into);

    std::vector<Class> classes_ = {{kMain, 0, {}}};
    std::unordered_map<std::string, std::size_t> by_name_ = {{"main", kMain}};
};

/// An element with the class that it belongs to: its own values first, then those of the class.
class MjcfElement {
  public:
    /// `active` is the class of elements that name none.
    MjcfElement(const XmlCursor& element, const MjcfDefaults& defaults, std::size_t active);

    [[nodiscard]] std::optional<XmlValue> find(std::string_view attribute) const;
    /// What the class says, whatever the element says itself.
    [[nodiscard]] std::optional<XmlValue> inherited(std::string_view attribute) const;
    [[nodiscard]] std::string text(std::string_view attribute) const;
    [[nodiscard]] Vec3 vec3(std::string_view attribute, const Vec3& otherwise) const;
    /// From `pos` and from quat, axisangle, euler, xyaxes or zaxis; what the element says itself
    /// counts before what its class says.
    [[nodiscard]] Rigid placement(const MjcfCompiler& compiler) const;
    [[nodiscard]] const XmlCursor& cursor() const { return element_; }

  private:
    XmlCursor element_;
    const MjcfDefaults* defaults_;
    std::size_t class_;
};

}  // namespace ulna::io::detail
