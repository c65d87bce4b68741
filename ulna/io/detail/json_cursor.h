// SPDX-License-Identifier: Apache-2.0

// A JSON value together with its path, and the first thing that was wrong with any of them.
#pragma once

#include <array>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ulna/core/result.h"
#include "ulna/math/quat.h"

namespace ulna::io::detail {

using Json = nlohmann::json;                 // reading: keys found quickly
using OrderedJson = nlohmann::ordered_json;  // writing: keys in the order they were set

/// Parses JSON text; the error has line and column.
[[nodiscard]] Result<Json> parseJson(std::string_view text, std::string_view source);

/// One line of JSON; bytes that are not UTF-8 are replaced.
[[nodiscard]] std::string dumpJson(const OrderedJson& value);

/// The first error met while reading a document; later ones are usually its consequences.
struct JsonErrors {
    std::string source;
    std::optional<Diagnostic> first;
};

/// Reads a value as what it should be. A wrong type records an error and gives a default, so that
/// reading code has no branches; check `errors.first` at the end.
class JsonCursor {
  public:
    JsonCursor(const Json& value, std::string path, JsonErrors& errors)
        : value_(&value), path_(std::move(path)), errors_(&errors) {}

    void fail(const std::string& what, const std::string& advice = {}) const;
    [[nodiscard]] Location location() const;

    /// Records an error unless the value is an object with no keys but these.
    void expectKeys(std::span<const std::string_view> keys) const;
    void expectKeys(std::initializer_list<std::string_view> keys) const {
        expectKeys(std::span(keys.begin(), keys.size()));
    }
    [[nodiscard]] bool has(std::string_view key) const;
    [[nodiscard]] bool isNull() const { return value_->is_null(); }
    [[nodiscard]] bool isArray() const { return value_->is_array(); }
    /// The member; a missing one records an error and is null.
    [[nodiscard]] JsonCursor at(std::string_view key) const;

    [[nodiscard]] std::size_t size() const;  ///< of an array; anything else records an error
    [[nodiscard]] JsonCursor operator[](std::size_t i) const;

    [[nodiscard]] double number() const;  ///< at most kLargestNumber
    [[nodiscard]] bool boolean() const;
    [[nodiscard]] std::string text() const;

    /// An array of exactly N numbers.
    template <std::size_t N>
    [[nodiscard]] std::array<double, N> numbers() const {
        std::array<double, N> out{};
        if (!expectSize(N)) return out;
        for (std::size_t i = 0; i < N; ++i) out[i] = (*this)[i].number();
        return out;
    }
    [[nodiscard]] bool expectSize(std::size_t size) const;
    [[nodiscard]] Vec3 vec3() const;
    [[nodiscard]] Quat quat() const;  ///< x, y, z, w, normalised; zero records an error
    /// A string that is one of these words; anything else records an error and is the first.
    [[nodiscard]] std::string oneOf(std::span<const std::string_view> words) const;
    [[nodiscard]] std::string oneOf(std::initializer_list<std::string_view> words) const {
        return oneOf(std::span(words.begin(), words.size()));
    }

  private:
    const Json* value_;
    std::string path_;
    JsonErrors* errors_;
};

}  // namespace ulna::io::detail
