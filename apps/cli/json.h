// SPDX-License-Identifier: Apache-2.0

// The tool's JSON, written piece by piece in the order it is told.
//
// Commas, quotes and escapes are put in here and nowhere else. Numbers have as many digits as bring
// back the same value. There are no spaces, and no line breaks but those asked for with onNewLine.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "ulna/core/diagnostic.h"
#include "ulna/math/quat.h"
#include "ulna/math/vec.h"

namespace ulna::cli {

/// Text as a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string jsonString(std::string_view text);

/// Writes one JSON value. Whoever calls it begins and ends objects and arrays in pairs, and gives
/// every value inside an object a key.
///
///     JsonWriter json;
///     json.beginObject().member("ulna", 1).beginArray("clips");
///     for (const Motion& m : motions) json.value(m.name);
///     json.endArray().endObject();
///     print(json.take());
///
/// Values are text, numbers, truth values, vectors `[x,y,z]`, quaternions `[x,y,z,w]`, warnings,
/// optionals of these (null where there is none) and lists of these. A number that is not finite
/// is null, because JSON has no word for it.
class JsonWriter {
  public:
    JsonWriter& beginObject();
    JsonWriter& beginObject(std::string_view name) { return key(name).beginObject(); }
    JsonWriter& endObject() { return close('}'); }
    JsonWriter& beginArray();
    JsonWriter& beginArray(std::string_view name) { return key(name).beginArray(); }
    JsonWriter& endArray() { return close(']'); }

    template <class T>
    JsonWriter& value(const T& each) {
        separate();
        put(each);
        return *this;
    }
    template <class T>
    JsonWriter& member(std::string_view name, const T& each) {
        return key(name).value(each);
    }
    JsonWriter& null(std::string_view name);

    /// JSON that is already written: a value, or members of the object that is open.
    JsonWriter& raw(std::string_view json);
    JsonWriter& raw(std::string_view name, std::string_view json) { return key(name).raw(json); }

    /// The next value, with its key, begins a line.
    JsonWriter& onNewLine();

    /// What was written since the last call; the writer goes on where it is.
    [[nodiscard]] std::string take();

  private:
    JsonWriter& key(std::string_view name);
    JsonWriter& open(char bracket);
    JsonWriter& close(char bracket);
    void separate();  // from what is before the next value

    void put(std::string_view text) { out_ += jsonString(text); }
    void put(const char* text) { out_ += jsonString(text); }
    void put(const std::string& text) { out_ += jsonString(text); }
    void put(const Vec3& v) { put(std::array{v.x, v.y, v.z}); }
    void put(const Quat& q) { put(std::array{q.x, q.y, q.z, q.w}); }
    void put(const Diagnostic& warning);
    template <class T>
    void put(const std::optional<T>& maybe) {
        if (maybe)
            put(*maybe);
        else
            out_ += "null";
    }
    template <class T>
    void put(const T& any) {
        if constexpr (std::is_floating_point_v<T>) {
            if (!std::isfinite(any)) {
                out_ += "null";
                return;
            }
        }
        if constexpr (std::is_arithmetic_v<T>) {
            fmt::format_to(std::back_inserter(out_), "{}", any);
        } else {
            open('[');
            for (const auto& each : any) value(each);
            endArray();
        }
    }

    std::string out_;
    bool first_ = true;       // nothing is before the next value in its object or array
    bool after_key_ = false;  // the next value belongs to a key
    bool new_line_ = false;
};

/// The document that every verb prints: an object whose first member is `"ulna":1`.
[[nodiscard]] JsonWriter beginDocument();
/// Ends it with a line break.
[[nodiscard]] std::string endDocument(JsonWriter& json);

/// The text, or none where it is empty: such as the path of a file that nobody asked for.
[[nodiscard]] std::optional<std::string_view> unlessEmpty(const std::string& text);

}  // namespace ulna::cli
