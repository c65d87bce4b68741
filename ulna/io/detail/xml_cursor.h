// SPDX-License-Identifier: Apache-2.0

// Elements of XML and values of their attributes, and the first thing that was wrong with any.
#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ulna/io/detail/xml.h"
#include "ulna/math/quat.h"

namespace ulna::io::detail {

/// The first error met while reading a file; later ones are usually its consequences.
struct XmlErrors {
    std::optional<Diagnostic> first;
};

/// The value of an attribute, read as what it should be. Text that is something else records an
/// error and gives a default, so that reading code has few branches; check `errors.first`.
class XmlValue {
  public:
    XmlValue(const XmlDocument& document, const XmlAttribute& attribute, XmlErrors& errors)
        : document_(&document), attribute_(&attribute), errors_(&errors) {}

    void fail(const std::string& what, const std::string& advice = {}) const;
    [[nodiscard]] Location location() const { return locate(*document_, attribute_->name); }

    [[nodiscard]] std::string text() const { return plainText(attribute_->value); }
    /// Finite, and at most kLargestNumber.
    [[nodiscard]] double number() const;
    /// The same, or infinite.
    [[nodiscard]] double bound() const;
    /// From `least` to `most` numbers with white space between.
    [[nodiscard]] std::vector<double> numbers(std::size_t least, std::size_t most) const;
    template <std::size_t N>
    [[nodiscard]] std::array<double, N> numbers() const {
        std::array<double, N> out{};
        const std::vector<double> read = numbers(N, N);
        for (std::size_t i = 0; i < read.size(); ++i) out[i] = read[i];
        return out;
    }
    [[nodiscard]] Vec3 vec3() const;
    /// The same as a unit vector; zero records an error.
    [[nodiscard]] Vec3 direction() const;
    [[nodiscard]] bool boolean() const;  ///< true or false
    /// One of these words; anything else records an error and is the first.
    [[nodiscard]] std::string oneOf(std::initializer_list<std::string_view> words) const;

  private:
    [[nodiscard]] double parsed(std::string_view word) const;

    const XmlDocument* document_;
    const XmlAttribute* attribute_;
    XmlErrors* errors_;
};

/// An element. A plain value; the document outlives it.
class XmlCursor {
  public:
    XmlCursor(const XmlDocument& document, std::size_t element, XmlErrors& errors)
        : document_(&document), element_(element), errors_(&errors) {}

    [[nodiscard]] std::string_view name() const { return element().name; }
    [[nodiscard]] Location location() const { return locate(*document_, element().name); }
    /// Records an error at the element; `text` is what of it is wrong.
    void fail(const std::string& what, const std::string& text = {},
              const std::string& advice = {}) const;

    [[nodiscard]] std::optional<XmlValue> find(std::string_view attribute) const;
    /// The value; where there is none, an error and nothing.
    [[nodiscard]] std::optional<XmlValue> at(std::string_view attribute) const;
    /// The text of an attribute; empty where there is none.
    [[nodiscard]] std::string text(std::string_view attribute) const;

    /// All attributes by name.
    [[nodiscard]] std::vector<std::pair<std::string_view, XmlValue>> attributes() const;

    [[nodiscard]] std::vector<XmlCursor> children() const;
    /// The first child of that name.
    [[nodiscard]] std::optional<XmlCursor> child(std::string_view name) const;

    /// What tells elements apart: no two have the same.
    [[nodiscard]] const XmlElement* identity() const { return &element(); }

  private:
    [[nodiscard]] const XmlElement& element() const { return document_->elements[element_]; }

    const XmlDocument* document_;
    std::size_t element_;
    XmlErrors* errors_;
};

}  // namespace ulna::io::detail
