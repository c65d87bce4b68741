// SPDX-License-Identifier: Apache-2.0

// XML text as a flat tree of elements and attributes: what URDF and MuJoCo files are made of.
//
// Comments, processing instructions and text between tags are skipped. A DOCTYPE is refused, so
// there are no entities but the five of XML and characters by number: no text grows when it is
// read. Nothing recurses, so no depth of elements exhausts the stack. To read values see
// io/detail/xml_cursor.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/core/result.h"

namespace ulna::io::detail {

struct XmlAttribute {
    std::string_view name;
    std::string_view value;  ///< as written; plainText replaces its entities
};

inline constexpr std::size_t kNoElement = static_cast<std::size_t>(-1);

/// Other elements are indices into XmlDocument::elements.
struct XmlElement {
    std::string_view name;  ///< begins after the `<`
    std::size_t first_attribute = 0;
    std::size_t attribute_count = 0;
    std::size_t parent = kNoElement;
    std::size_t first_child = kNoElement;
    std::size_t next_sibling = kNoElement;
};

/// Refers to the text that it was read from, which must outlive it.
struct XmlDocument {
    std::string source;  ///< the name of the file
    std::string_view text;
    std::vector<XmlElement> elements;  ///< in document order; the first is the outermost
    std::vector<XmlAttribute> attributes;
};

/// The most elements of a document: each takes more memory than the text of the shortest.
inline constexpr std::size_t kMostXmlElements = 1'000'000;

/// Errors have line and column: text that is not well-formed, a DOCTYPE, UTF-16, an attribute that
/// an element has twice, an unknown entity, and over kMostXmlElements elements.
[[nodiscard]] Result<XmlDocument> readXml(std::string_view text, std::string_view source);

/// Where a part of the document's text is.
[[nodiscard]] Location locate(const XmlDocument& document, std::string_view part);

/// The value of an attribute with its entities replaced, white space kept.
[[nodiscard]] std::string plainText(std::string_view value);

}  // namespace ulna::io::detail
