// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/detail/json_cursor.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ulna/core/text.h"
#include "ulna/io/bounds.h"

namespace ulna::io::detail {
namespace {

const Json kNull;

// Accepts everything and notes where the parser stopped. Only run when parsing has failed.
struct ErrorFinder : nlohmann::json_sax<Json> {
    std::size_t position = 0;

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return true; }
    bool key(string_t&) override { return true; }
    bool end_object() override { return true; }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(std::size_t at, const std::string&,
                     const nlohmann::detail::exception&) override {
        position = at;
        return false;
    }
};

}  // namespace

Result<Json> parseJson(std::string_view text, std::string_view source) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    Json out = Json::parse(text.begin(), text.end(), nullptr, false);
    if (!out.is_discarded()) return out;
    ErrorFinder finder;
    Json::sax_parse(text.begin(), text.end(), &finder);
    // The parser reports how many bytes it has read, the offending one included.
    const std::size_t at = finder.position > 0 ? finder.position - 1 : 0;
    const std::string_view rest = text.substr(std::min(at, text.size()));
    return Diagnostic{.what = "the text is not JSON from here on",
                      .location = locationAt(text, at, source),
                      .text = excerpt(rest.substr(0, 20))};
}

std::string dumpJson(const OrderedJson& value) {
    return value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

Location JsonCursor::location() const {
    return {.file = errors_->source, .json_path = path_};
}

void JsonCursor::fail(const std::string& what, const std::string& advice) const {
    if (errors_->first) return;
    errors_->first = Diagnostic{.what = what, .location = location(), .advice = advice};
}

void JsonCursor::expectKeys(std::span<const std::string_view> keys) const {
    if (!value_->is_object()) return fail("an object was expected");
    for (const auto& item : value_->items()) {
        if (std::find(keys.begin(), keys.end(), item.key()) != keys.end()) continue;
        const std::vector<std::string> known(keys.begin(), keys.end());
        return fail("the key '" + excerpt(item.key()) + "' is unknown",
                    suggestNames(item.key(), known));
    }
}

bool JsonCursor::has(std::string_view key) const {
    return value_->is_object() && value_->find(key) != value_->end();
}

JsonCursor JsonCursor::at(std::string_view key) const {
    const std::string path = path_.empty() ? std::string(key) : path_ + '.' + std::string(key);
    if (!has(key)) {
        fail("the key '" + std::string(key) + "' is missing");
        return {kNull, path, *errors_};
    }
    return {*value_->find(key), path, *errors_};
}

std::size_t JsonCursor::size() const {
    if (value_->is_array()) return value_->size();
    fail("an array was expected");
    return 0;
}

JsonCursor JsonCursor::operator[](std::size_t i) const {
    return {(*value_)[i], path_ + '[' + std::to_string(i) + ']', *errors_};
}

double JsonCursor::number() const {
    if (value_->is_number()) {
        const double out = value_->get<double>();
        if (std::abs(out) <= kLargestNumber) return out;
        fail("the number is too large");
    }
    fail("a number was expected");
    return 0.0;
}

bool JsonCursor::boolean() const {
    if (value_->is_boolean()) return value_->get<bool>();
    fail("true or false was expected");
    return false;
}

std::string JsonCursor::text() const {
    if (value_->is_string()) return value_->get<std::string>();
    fail("a string was expected");
    return {};
}

bool JsonCursor::expectSize(std::size_t wanted) const {
    if (!value_->is_array() || value_->size() != wanted) {
        fail("an array of " + std::to_string(wanted) + " was expected");
        return false;
    }
    return true;
}

Vec3 JsonCursor::vec3() const {
    const auto v = numbers<3>();
    return {v[0], v[1], v[2]};
}

Quat JsonCursor::quat() const {
    constexpr double kShortest = 1e-12;
    const auto v = numbers<4>();
    const Quat q{v[0], v[1], v[2], v[3]};
    if (dot(q, q) < kShortest * kShortest) fail("a quaternion cannot be zero");
    return normalized(q);
}

std::string JsonCursor::oneOf(std::span<const std::string_view> words) const {
    const std::string word = text();
    std::string all;
    for (const std::string_view known : words) {
        if (word == known) return word;
        all += (all.empty() ? "one of " : " ") + std::string(known);
    }
    fail("'" + excerpt(word) + "' is not known here", all);
    return std::string(*words.begin());
}

}  // namespace ulna::io::detail
