// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/json.h"

#include <utility>

#include "ulna/core/text.h"

namespace ulna::cli {

std::string jsonString(std::string_view text) {
    std::string out = "\"";
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t n = utf8Length(text, i);
        const char c = text[i];
        if (n == 0)
            out += "\xEF\xBF\xBD";
        else if (c == '"' || c == '\\')
            out += fmt::format("\\{}", c);
        else if (isControl(codePointAt(text, i, n)))
            out += fmt::format("\\u{:04x}", codePointAt(text, i, n));
        else
            out += text.substr(i, n);
        i += n == 0 ? 1 : n;
    }
    return out + '"';
}

void JsonWriter::separate() {
    if (!first_ && !after_key_) out_ += ',';
    if (new_line_) out_ += '\n';
    first_ = after_key_ = new_line_ = false;
}

JsonWriter& JsonWriter::key(std::string_view name) {
    separate();
    out_ += jsonString(name);
    out_ += ':';
    after_key_ = true;
    return *this;
}

JsonWriter& JsonWriter::open(char bracket) {
    out_ += bracket;
    first_ = true;
    return *this;
}

JsonWriter& JsonWriter::beginObject() {
    separate();
    return open('{');
}

JsonWriter& JsonWriter::beginArray() {
    separate();
    return open('[');
}

JsonWriter& JsonWriter::close(char bracket) {
    out_ += bracket;
    first_ = false;
    return *this;
}

JsonWriter& JsonWriter::null(std::string_view name) {
    key(name);
    separate();
    out_ += "null";
    return *this;
}

JsonWriter& JsonWriter::raw(std::string_view json) {
    if (json.empty()) return *this;
    separate();
    out_ += json;
    return *this;
}

JsonWriter& JsonWriter::onNewLine() {
    new_line_ = true;
    return *this;
}

std::string JsonWriter::take() {
    return std::exchange(out_, {});
}

void JsonWriter::put(const Diagnostic& warning) {
    open('{').member("message", warning.what);
    if (!warning.location.file.empty()) member("file", warning.location.file);
    if (warning.location.line > 0)
        member("line", warning.location.line).member("column", warning.location.column);
    if (!warning.text.empty()) member("text", warning.text);
    if (!warning.advice.empty()) member("advice", warning.advice);
    endObject();
}

JsonWriter beginDocument() {
    JsonWriter json;
    json.beginObject().member("ulna", 1);
    return json;
}

std::string endDocument(JsonWriter& json) {
    return json.endObject().take() + '\n';
}

std::optional<std::string_view> unlessEmpty(const std::string& text) {
    if (text.empty()) return std::nullopt;
    return std::string_view(text);
}

}  // namespace ulna::cli
