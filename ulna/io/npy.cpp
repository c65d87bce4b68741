// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/npy.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "ulna/io/detail/npy_bytes.h"

namespace ulna::io {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kMostDimensions = 8;

std::size_t littleEndian(std::string_view bytes) {
    std::size_t out = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        out = (out << 8U) | static_cast<unsigned char>(bytes[i]);
    return out;
}

// What the header states: a dictionary in Python's notation.
struct Header {
    std::string type = {};
    std::optional<bool> fortran = {};
    std::optional<std::vector<std::size_t>> shape = {};
};

class HeaderParser {
  public:
    explicit HeaderParser(std::string_view text) : text_(text) {}

    // Nothing where the text is no such dictionary.
    [[nodiscard]] std::optional<Header> parse() {
        Header out;
        if (!take('{')) return std::nullopt;
        while (!take('}')) {
            const std::optional<std::string_view> key = quoted();
            if (!key || !take(':')) return std::nullopt;
            if (*key == "descr") {
                const std::optional<std::string_view> type = quoted();
                if (!type) return std::nullopt;
                out.type = *type;
            } else if (*key == "fortran_order") {
                out.fortran = truth();
                if (!out.fortran) return std::nullopt;
            } else if (*key == "shape") {
                out.shape = tuple();
                if (!out.shape) return std::nullopt;
            } else {
                return std::nullopt;
            }
            if (take(',')) continue;
            if (!take('}')) return std::nullopt;
            break;
        }
        if (!out.fortran || !out.shape) return std::nullopt;
        return out;
    }

  private:
    void skipBlanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    }
    bool take(char c) {
        skipBlanks();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    std::optional<std::string_view> quoted() {
        skipBlanks();
        if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) return std::nullopt;
        const std::size_t end = text_.find(text_[at_], at_ + 1);
        if (end == std::string_view::npos) return std::nullopt;
        const std::string_view out = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        return out;
    }
    std::optional<bool> truth() {
        skipBlanks();
        for (const bool value : {false, true}) {
            const std::string_view word = value ? "True" : "False";
            if (text_.substr(at_, word.size()) != word) continue;
            at_ += word.size();
            return value;
        }
        return std::nullopt;
    }
    std::optional<std::vector<std::size_t>> tuple() {
        std::vector<std::size_t> out;
        if (!take('(')) return std::nullopt;
        while (!take(')')) {
            skipBlanks();
            const std::size_t begin = at_;
            std::size_t value = 0;
            while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9' && at_ - begin < 18)
                value = value * 10 + static_cast<std::size_t>(text_[at_++] - '0');
            if (at_ == begin || out.size() == kMostDimensions) return std::nullopt;
            out.push_back(value);
            if (take(',')) continue;
            if (!take(')')) return std::nullopt;
            break;
        }
        return out;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

template <class T>
double valueAt(std::string_view bytes, std::size_t i) {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
    return static_cast<double>(value);
}

// From the first index varying fastest to the last one.
std::vector<double> inRowOrder(const std::vector<double>& columns,
                               const std::vector<std::size_t>& shape) {
    std::vector<double> out(columns.size());
    std::vector<std::size_t> stride(shape.size(), 1), at(shape.size(), 0);
    for (std::size_t k = 1; k < shape.size(); ++k) stride[k] = stride[k - 1] * shape[k - 1];
    for (double& value : out) {
        std::size_t from = 0;
        for (std::size_t k = 0; k < shape.size(); ++k) from += at[k] * stride[k];
        value = columns[from];
        for (std::size_t k = shape.size(); k-- > 0;) {
            if (++at[k] < shape[k]) break;
            at[k] = 0;
        }
    }
    return out;
}

}  // namespace

Result<NpyArray> readNpy(std::string_view bytes, std::string_view source) {
    const auto error = [&](std::string what, std::string text = {}, std::string advice = {}) {
        return Diagnostic{.what = std::move(what),
                          .location = {.file = std::string(source)},
                          .text = std::move(text),
                          .advice = std::move(advice)};
    };
    if (!bytes.starts_with(kMagic))
        return error("this is not a NumPy array", excerpt(bytes.substr(0, kMagic.size())),
                     "such a file begins with \\x93NUMPY; an .npz archive holds several: save one "
                     "with numpy.save");
    if (bytes.size() < 12) return error("the file ends inside its header");
    const unsigned version = static_cast<unsigned char>(bytes[6]);
    if (version < 1 || version > 3)
        return error("this version of the format is unknown", std::to_string(version),
                     "versions 1 to 3 can be read");
    const std::size_t width = version == 1 ? 2 : 4;
    const std::size_t size = littleEndian(bytes.substr(8, width));
    if (bytes.size() - 8 - width < size) return error("the file ends inside its header");
    const std::string_view text = bytes.substr(8 + width, size);
    const std::optional<Header> header = HeaderParser(text).parse();
    if (!header) return error("the header is no description of an array", excerpt(text));
    if (header->type != "<f4" && header->type != "<f8")
        return error("the values are neither floats nor doubles", excerpt(header->type),
                     "convert them: array.astype('<f4')");
    const std::size_t each = header->type == "<f4" ? 4 : 8;
    const std::string_view data = bytes.substr(8 + width + size);
    std::size_t count = 1;
    for (const std::size_t n : *header->shape) {
        if (n != 0 && count > std::numeric_limits<std::size_t>::max() / each / n)
            return error("the shape is larger than any memory");
        count *= n;
    }
    if (data.size() / each < count)
        return error("the file ends early", std::to_string(data.size() / each) + " of " +
                                                std::to_string(count) + " values");
    NpyArray out{.shape = *header->shape};
    if (data.size() != count * each)
        out.warnings.push_back(error("bytes behind the array were left out",
                                     std::to_string(data.size() - count * each)));
    out.values.resize(count);
    for (std::size_t i = 0; i < count; ++i)
        out.values[i] = each == 4 ? valueAt<float>(data, i) : valueAt<double>(data, i);
    if (*header->fortran && out.shape.size() > 1) out.values = inRowOrder(out.values, out.shape);
    return out;
}

std::string detail::npyBytes(std::string_view type, std::span<const std::size_t> shape,
                             std::string_view data) {
    std::string numbers;
    for (const std::size_t n : shape) numbers += (numbers.empty() ? "" : ", ") + std::to_string(n);
    if (shape.size() == 1) numbers += ',';
    std::string header = "{'descr': '" + std::string(type) +
                         "', 'fortran_order': False, 'shape': (" + numbers + "), }";
    constexpr std::size_t kBefore = 10;  // the magic word, the version and the length
    header.append(63 - (kBefore + header.size()) % 64, ' ');
    header += '\n';
    std::string out(kMagic);
    out += {'\x01', '\x00', static_cast<char>(header.size() & 0xFFU),
            static_cast<char>(header.size() >> 8U)};
    out.reserve(out.size() + header.size() + data.size());
    out += header;
    out += data;
    return out;
}

std::string writeNpy(std::span<const std::size_t> shape, std::span<const double> values) {
    std::string data;
    data.reserve(8 * values.size());
    for (const double value : values) {
        std::uint64_t bits = 0;
        static_assert(sizeof bits == sizeof value);
        std::memcpy(&bits, &value, sizeof bits);
        for (unsigned i = 0; i < 8; ++i) data += static_cast<char>((bits >> (8U * i)) & 0xFFU);
    }
    return detail::npyBytes("<f8", shape, data);
}

}  // namespace ulna::io
