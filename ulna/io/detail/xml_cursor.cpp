// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/detail/xml_cursor.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>

#include "ulna/io/bounds.h"

namespace ulna::io::detail {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

// Words between white space.
std::vector<std::string_view> wordsOf(std::string_view text) {
    std::vector<std::string_view> out;
    std::size_t begin = text.find_first_not_of(kSpace);
    while (begin != std::string_view::npos) {
        const std::size_t end = std::min(text.find_first_of(kSpace, begin), text.size());
        out.push_back(text.substr(begin, end - begin));
        begin = text.find_first_not_of(kSpace, end);
    }
    return out;
}

}  // namespace

void XmlValue::fail(const std::string& what, const std::string& advice) const {
    if (errors_->first) return;
    errors_->first = Diagnostic{.what = "'" + excerpt(attribute_->name) + "' " + what,
                                .location = location(),
                                .text = excerpt(attribute_->value),
                                .advice = advice};
}

// A number or infinity; anything else is not a number, and recorded.
double XmlValue::parsed(std::string_view word) const {
    double value = 0.0;
    const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
    const char* end = digits.data() + digits.size();
    const auto [stop, status] = fast_float::from_chars(digits.data(), end, value);
    if (stop != end || status == std::errc::invalid_argument || std::isnan(value)) {
        fail("has something that is not a number");
        return 0.0;
    }
    return value;
}

double XmlValue::number() const {
    return numbers<1>()[0];
}

double XmlValue::bound() const {
    const std::vector<std::string_view> words = wordsOf(attribute_->value);
    if (words.size() == 1 && std::isinf(parsed(words[0]))) return parsed(words[0]);
    return number();
}

std::vector<double> XmlValue::numbers(std::size_t least, std::size_t most) const {
    const std::vector<std::string_view> words = wordsOf(attribute_->value);
    if (words.size() < least || words.size() > most) {
        const std::string range = least == most
                                      ? std::to_string(least)
                                      : std::to_string(least) + " to " + std::to_string(most);
        fail("has " + std::to_string(words.size()) + " numbers instead of " + range);
        return std::vector<double>(least, 0.0);
    }
    std::vector<double> out;
    for (const std::string_view word : words) {
        out.push_back(parsed(word));
        if (std::abs(out.back()) <= kLargestNumber) continue;
        fail("has a number beyond 1e100");
        out.back() = 0.0;
    }
    return out;
}

Vec3 XmlValue::vec3() const {
    const auto v = numbers<3>();
    return {v[0], v[1], v[2]};
}

Vec3 XmlValue::direction() const {
    const Vec3 v = vec3();
    const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    constexpr double kNone = 1e-12;  // as makeSkeleton has it
    if (!(largest > kNone)) {
        fail("is no direction");
        return {0, 0, 1};
    }
    const Vec3 scaled = v / largest;  // its square neither overflows nor vanishes
    const double len = length(scaled);
    return std::abs(length(v) - 1.0) <= 1e-15 ? v : scaled / len;
}

bool XmlValue::boolean() const {
    return oneOf({"false", "true"}) == "true";
}

std::string XmlValue::oneOf(std::initializer_list<std::string_view> words) const {
    const std::string read = text();
    std::string all;
    for (const std::string_view word : words) {
        if (read == word) return read;
        all += (all.empty() ? "" : ", ") + std::string(word);
    }
    fail("is none of " + all);
    return std::string(*words.begin());
}

void XmlCursor::fail(const std::string& what, const std::string& text,
                     const std::string& advice) const {
    if (errors_->first) return;
    errors_->first =
        Diagnostic{.what = what, .location = location(), .text = excerpt(text), .advice = advice};
}

std::optional<XmlValue> XmlCursor::find(std::string_view attribute) const {
    for (std::size_t i = 0; i < element().attribute_count; ++i) {
        const XmlAttribute& each = document_->attributes[element().first_attribute + i];
        if (each.name == attribute) return XmlValue(*document_, each, *errors_);
    }
    return std::nullopt;
}

std::optional<XmlValue> XmlCursor::at(std::string_view attribute) const {
    std::optional<XmlValue> value = find(attribute);
    if (!value) fail("<" + std::string(name()) + "> has no '" + std::string(attribute) + "'");
    return value;
}

std::string XmlCursor::text(std::string_view attribute) const {
    const std::optional<XmlValue> value = find(attribute);
    return value ? value->text() : std::string();
}

std::vector<std::pair<std::string_view, XmlValue>> XmlCursor::attributes() const {
    std::vector<std::pair<std::string_view, XmlValue>> out;
    for (std::size_t i = 0; i < element().attribute_count; ++i) {
        const XmlAttribute& each = document_->attributes[element().first_attribute + i];
        out.emplace_back(each.name, XmlValue(*document_, each, *errors_));
    }
    return out;
}

std::vector<XmlCursor> XmlCursor::children() const {
    std::vector<XmlCursor> out;
    for (std::size_t i = element().first_child; i != kNoElement;
         i = document_->elements[i].next_sibling)
        out.emplace_back(*document_, i, *errors_);
    return out;
}

std::optional<XmlCursor> XmlCursor::child(std::string_view name) const {
    for (std::size_t i = element().first_child; i != kNoElement;
         i = document_->elements[i].next_sibling)
        if (document_->elements[i].name == name) return XmlCursor(*document_, i, *errors_);
    return std::nullopt;
}

}  // namespace ulna::io::detail
