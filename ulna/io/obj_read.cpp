// SPDX-License-Identifier: Apache-2.0

// Wavefront OBJ. Statements are lines; a backslash at the end of a line joins the next one.
#include <fast_float/fast_float.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>

#include "ulna/core/text.h"
#include "ulna/io/bounds.h"
#include "ulna/io/detail/mesh_numbers.h"
#include "ulna/io/detail/polygons.h"
#include "ulna/io/mesh_files.h"

namespace ulna::io {
namespace {

using Index = std::uint32_t;
using MaybeError = std::optional<Diagnostic>;
constexpr Index kNone = std::numeric_limits<Index>::max();

// The words of a text, line by line.
class ObjText {
  public:
    ObjText(std::string_view text, std::string_view source) : text_(text), source_(source) {
        if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    }

    /// Goes to the next line that is there; false at the end.
    bool nextLine() {
        if (started_) {
            while (!word().empty()) {
            }
            at_ = std::min(lineEnd(), text_.size());
            if (at_ < text_.size()) ++at_;  // CR LF is an empty line more
        }
        started_ = true;
        return at_ < text_.size();
    }

    /// The first word of the line, which warnings are about.
    std::string_view keyword() {
        const std::string_view out = word();
        keyword_at_ = word_at_;
        return out;
    }
    /// The next word of the line; empty at its end and at a comment.
    std::string_view word() {
        skipBlank();
        word_at_ = at_;
        if (at_ < text_.size() && text_[at_] == '#') return {};
        while (at_ < text_.size() && !isBlank(text_[at_]) && !isNewline(text_[at_]) &&
               continuation() == 0)
            ++at_;
        return text_.substr(word_at_, at_ - word_at_);
    }

    /// What is left of the line, without blanks around it.
    std::string_view rest() {
        skipBlank();
        std::string_view out = text_.substr(at_, lineEnd() - at_);
        while (!out.empty() && isBlank(out.back())) out.remove_suffix(1);
        return out;
    }

    [[nodiscard]] std::size_t wordAt() const { return word_at_; }
    [[nodiscard]] std::string_view source() const { return source_; }

    /// About the last word.
    [[nodiscard]] Diagnostic error(std::string what, std::string_view text,
                                   std::string advice = {}) const {
        return errorAt(word_at_, std::move(what), text, std::move(advice));
    }
    [[nodiscard]] Diagnostic errorAt(std::size_t offset, std::string what, std::string_view text,
                                     std::string advice = {}) const {
        return {.what = std::move(what),
                .location = locationAt(text_, offset, source_),
                .text = excerpt(text),
                .advice = std::move(advice)};
    }
    void warn(std::string_view what, std::string_view text, std::string advice = {}) {
        if (warnings_.isFirst(what))
            warnings_.keep({.what = std::string(what),
                            .location = lines_.locate(text_, keyword_at_, source_),
                            .text = excerpt(text),
                            .advice = std::move(advice)});
    }
    /// About the file as a whole.
    void warn(std::string_view what) {
        if (warnings_.isFirst(what))
            warnings_.keep({.what = std::string(what), .location = {.file = std::string(source_)}});
    }
    [[nodiscard]] Warnings takeWarnings() { return warnings_.take(); }

  private:
    static bool isNewline(char c) { return c == '\n' || c == '\r'; }
    static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

    // The length of a backslash and the line end it joins, or 0.
    [[nodiscard]] std::size_t continuation() const {
        if (text_[at_] != '\\') return 0;
        const std::string_view behind = text_.substr(at_ + 1, 2);
        if (behind == "\r\n") return 3;
        return !behind.empty() && isNewline(behind[0]) ? 2 : 0;
    }
    void skipBlank() {
        while (at_ < text_.size()) {
            if (const std::size_t joined = continuation(); joined > 0)
                at_ += joined;
            else if (isBlank(text_[at_]))
                ++at_;
            else
                return;
        }
    }
    [[nodiscard]] std::size_t lineEnd() const {
        return std::min(text_.find_first_of("\r\n", at_), text_.size());
    }

    std::string_view text_, source_;
    std::size_t at_ = 0;
    std::size_t word_at_ = 0;
    std::size_t keyword_at_ = 0;
    bool started_ = false;
    WarningCollector warnings_;
    LineCounter lines_;
};

// One corner of a face: positions in the lists of v, vt and vn.
struct Corner {
    Index v = kNone, vt = kNone, vn = kNone;

    friend bool operator<(const Corner& a, const Corner& b) {
        return std::tie(a.v, a.vt, a.vn) < std::tie(b.v, b.vt, b.vn);
    }
    friend bool operator==(const Corner&, const Corner&) = default;
};

// Corners may name what comes later in the file: the farthest such name, to be judged at the end.
struct Farthest {
    Index index = 0;
    std::size_t offset = 0;
    std::string_view text = {};
};

class ObjReader {
  public:
    ObjReader(std::string_view bytes, std::string_view source) : text_(bytes, source) {}

    MaybeError read(const MeshReadOptions& options) {
        while (text_.nextLine()) {
            const std::string_view keyword = text_.keyword();
            if (keyword.empty()) continue;
            if (MaybeError error = readStatement(keyword)) return error;
        }
        if (MaybeError error = checkFarthest()) return error;
        if (polygons_.size() > 0 || (options.points && !positions_.empty())) return std::nullopt;
        return Diagnostic{.what = "the file has no faces",
                          .location = {.file = std::string(text_.source())},
                          .advice = positions_.empty() ? "is this an OBJ file?" : ""};
    }

    MeshFile take() {
        MeshFile out;
        out.mesh.name = object_.empty() ? group_ : object_;
        out.position_count = positions_.size();
        buildVertices(out.mesh);
        out.mesh.indices = detail::triangulate(polygons_, out.mesh.positions);
        out.warnings = text_.takeWarnings();
        return out;
    }

  private:
    MaybeError readStatement(std::string_view keyword) {
        if (keyword == "v") return readPosition();
        if (keyword == "vt") return readTexcoord();
        if (keyword == "vn") return readNormal();
        if (keyword == "f") return readFace();
        if (keyword == "o") {
            if (!object_.empty()) text_.warn("several objects are read as one mesh", text_.rest());
            takeName(object_);
        } else if (keyword == "g") {
            takeName(group_);
        } else if (keyword == "usemtl" || keyword == "mtllib") {
            text_.warn("materials are left out", text_.rest());
        } else if (keyword == "s") {
            text_.warn("smoothing groups are left out", text_.rest(),
                       "normals are the file's own, or none");
        } else if (keyword == "l" || keyword == "p") {
            text_.warn("lines and points are left out", keyword);
        } else {
            text_.warn("statements other than v, vt, vn, f, o and g are left out", keyword);
        }
        return std::nullopt;
    }

    // The first name counts.
    void takeName(std::string& name) {
        if (!name.empty()) return;
        name = readableText(text_.rest());
        if (name.size() <= kLongestName) return;
        text_.warn("a name of over 255 bytes is left out", name);
        name.clear();
    }

    // The numbers of a line, as the nearest floats or doubles.
    template <class Number>
    MaybeError readNumbers(std::size_t most, std::size_t& count) {
        count = 0;
        for (std::string_view word = text_.word(); !word.empty(); word = text_.word()) {
            if (count == most) return text_.error("there are too many numbers", word);
            const std::string_view digits = word.front() == '+' ? word.substr(1) : word;
            const char* end = digits.data() + digits.size();
            Number value = 0;
            const auto [stop, status] = fast_float::from_chars(digits.data(), end, value);
            // Out of range are numbers too small for floats as well: these are zero.
            if (status == std::errc::invalid_argument || stop != end)
                return text_.error("a number was expected", word);
            numbers_[count] = static_cast<double>(value);
            floats_[count] = static_cast<float>(value);
            // The float nearest to a text is not always the one nearest to its double.
            if (sizeof(Number) > sizeof(float))
                fast_float::from_chars(digits.data(), end, floats_[count]);
            if (!(std::abs(numbers_[count++]) <= kLargestCoordinate))
                return text_.error("the number is not finite or too large", word);
        }
        return std::nullopt;
    }

    MaybeError tooFew(const char* what) { return text_.error(what, text_.rest()); }

    [[nodiscard]] float number(std::size_t i) const { return floats_[i]; }

    MaybeError readPosition() {
        std::size_t count = 0;
        if (MaybeError error = readNumbers<float>(7, count)) return error;
        if (count < 3) return tooFew("a position has three numbers");
        if (positions_.size() + 1 >= kNone) return tooFew("there are too many vertices");
        positions_.push_back({number(0), number(1), number(2)});
        if (count == 4 && numbers_[3] != 1.0)
            text_.warn("weights of positions are left out", {}, "they are meant for curves");
        if (count == 5 || count == 7)
            text_.warn("numbers behind positions and colours are left out", {});
        if (count < 6) return std::nullopt;
        for (std::size_t k = 3; k < 6; ++k) {
            if (numbers_[k] < 0.0 || numbers_[k] > 1.0)
                text_.warn("colours outside 0 to 1 are clamped", {});
        }
        colors_.resize(positions_.size() - 1);  // white where others have none
        colors_.push_back({detail::byteOf(numbers_[3]), detail::byteOf(numbers_[4]),
                           detail::byteOf(numbers_[5]), 255});
        return std::nullopt;
    }

    MaybeError readTexcoord() {
        std::size_t count = 0;
        // v is flipped, which takes more digits than a float has.
        if (MaybeError error = readNumbers<double>(3, count)) return error;
        if (count == 0) return tooFew("a texture coordinate has one to three numbers");
        const double v = count > 1 ? numbers_[1] : 0.0;
        texcoords_.push_back({number(0), static_cast<float>(detail::flippedV(v))});
        return std::nullopt;
    }

    MaybeError readNormal() {
        std::size_t count = 0;
        if (MaybeError error = readNumbers<float>(3, count)) return error;
        if (count != 3) return tooFew("a normal has three numbers");
        const Vec3f normal{number(0), number(1), number(2)};
        if (normal == Vec3f{}) text_.warn("normals of no length become 0 1 0", {});
        normals_.push_back(detail::unitNormal(normal));
        return std::nullopt;
    }

    // One of the numbers of a corner: from 1 up, or from the last one back.
    MaybeError resolve(std::string_view word, std::string_view digits, std::size_t count,
                       Farthest& farthest, Index& out) {
        const bool back = digits.front() == '-';
        if (back || digits.front() == '+') digits.remove_prefix(1);
        if (digits.empty()) return badCorner(word);
        std::uint64_t value = 0;
        for (const char c : digits) {
            if (c < '0' || c > '9') return badCorner(word);
            value =
                std::min<std::uint64_t>(10 * value + static_cast<std::uint64_t>(c - '0'), kNone);
        }
        if (value == 0) return text_.error("indices are counted from 1", word);
        if (back && value > count)
            return text_.error("the index reaches back behind the first", word,
                               "there are " + std::to_string(count) + " so far");
        out = static_cast<Index>(back ? count - value : value - 1);
        if (out >= count && out >= farthest.index) farthest = {out, text_.wordAt(), word};
        return std::nullopt;
    }

    Diagnostic badCorner(std::string_view word) {
        return text_.error("a corner was expected", word, "such as 7, 7/2, 7//3 or 7/2/3");
    }

    MaybeError readCorner(std::string_view word, Corner& out) {
        const std::size_t slash = std::min(word.find('/'), word.size());
        const std::string_view v = word.substr(0, slash);
        std::string_view vt, vn;
        if (slash < word.size()) {
            const std::string_view behind = word.substr(slash + 1);
            const std::size_t second = std::min(behind.find('/'), behind.size());
            vt = behind.substr(0, second);
            if (second < behind.size()) vn = behind.substr(second + 1);
        }
        if (v.empty()) return badCorner(word);
        MaybeError error = resolve(word, v, positions_.size(), farthest_[0], out.v);
        if (!error && !vt.empty())
            error = resolve(word, vt, texcoords_.size(), farthest_[1], out.vt);
        if (!error && !vn.empty()) error = resolve(word, vn, normals_.size(), farthest_[2], out.vn);
        return error;
    }

    MaybeError readFace() {
        std::vector<Index>& places = polygons_.corners;
        for (std::string_view word = text_.word(); !word.empty(); word = text_.word()) {
            if (corners_.size() + 1 >= kNone) return text_.error("there are too many faces", word);
            Corner corner;
            if (MaybeError error = readCorner(word, corner)) return error;
            corners_.push_back(corner);
            places.push_back(corner.v);
        }
        const std::size_t begin = polygons_.first.back();
        if (places.size() - begin < 3) {
            text_.warn("faces of fewer than three corners are left out", {});
            polygons_.drop();
            corners_.resize(begin);
            return std::nullopt;
        }
        for (std::size_t i = begin; i < corners_.size(); ++i) {
            without_texcoord_ = without_texcoord_ || corners_[i].vt == kNone;
            without_normal_ = without_normal_ || corners_[i].vn == kNone;
            with_texcoord_ = with_texcoord_ || corners_[i].vt != kNone;
            with_normal_ = with_normal_ || corners_[i].vn != kNone;
        }
        polygons_.close();
        return std::nullopt;
    }

    MaybeError checkFarthest() {
        const std::array<std::size_t, 3> counts = {positions_.size(), texcoords_.size(),
                                                   normals_.size()};
        constexpr const char* kNames[] = {"positions", "texture coordinates", "normals"};
        for (std::size_t k = 0; k < 3; ++k) {
            if (farthest_[k].text.empty() || farthest_[k].index < counts[k]) continue;
            return text_.errorAt(farthest_[k].offset, "the index is beyond the last",
                                 farthest_[k].text,
                                 "the file has " + std::to_string(counts[k]) + " " + kNames[k]);
        }
        return std::nullopt;
    }

    // Which vertex each corner is. The first corner of a position takes the position's own vertex,
    // other texture coordinates and normals get vertices behind all positions. `source` is the
    // corner that each vertex is made of.
    void joinCorners(std::vector<Corner>& source) {
        std::vector<Index> order(corners_.size());
        std::iota(order.begin(), order.end(), Index{0});
        std::sort(order.begin(), order.end(), [&](Index a, Index b) {
            return std::tie(corners_[a], a) < std::tie(corners_[b], b);
        });
        std::vector<Index> leader(corners_.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            const bool same = i > 0 && corners_[order[i]] == corners_[order[i - 1]];
            leader[order[i]] = same ? leader[order[i - 1]] : order[i];
        }
        for (Index i = 0; i < corners_.size(); ++i) {
            Index& vertex = polygons_.corners[i];
            if (leader[i] != i) {
                vertex = polygons_.corners[leader[i]];
            } else if (source[corners_[i].v].v == kNone) {
                source[corners_[i].v] = corners_[i];
            } else {
                vertex = static_cast<Index>(source.size());
                source.push_back(corners_[i]);
            }
        }
    }

    void buildVertices(Mesh& mesh) {
        const bool texcoords = with_texcoord_ && !without_texcoord_;
        const bool normals = with_normal_ && !without_normal_;
        if (with_texcoord_ && !texcoords)
            text_.warn("only a part of the corners has texture coordinates; they are left out");
        if (with_normal_ && !normals)
            text_.warn("only a part of the corners has normals; they are left out");
        mesh.positions = std::move(positions_);
        if (!colors_.empty()) colors_.resize(mesh.positions.size());
        mesh.colors = std::move(colors_);
        if (!texcoords && !normals) return;
        const std::size_t count = mesh.positions.size();
        for (Corner& corner : corners_) {
            if (!texcoords) corner.vt = kNone;
            if (!normals) corner.vn = kNone;
        }
        std::vector<Corner> source(count);
        joinCorners(source);
        for (Index v = 0; v < source.size(); ++v) {
            // What no face uses takes what has its number, where the lists run side by side.
            if (source[v].v == kNone) source[v] = {v, v, v};
            if (v >= count) {
                mesh.positions.push_back(mesh.positions[source[v].v]);
                if (!mesh.colors.empty()) mesh.colors.push_back(mesh.colors[source[v].v]);
            }
            if (texcoords)
                mesh.texcoords.push_back(source[v].vt < texcoords_.size() ? texcoords_[source[v].vt]
                                                                          : Vec2f{});
            if (normals)
                mesh.normals.push_back(source[v].vn < normals_.size() ? normals_[source[v].vn]
                                                                      : Vec3f{0, 1, 0});
        }
    }

    ObjText text_;
    std::array<double, 7> numbers_ = {};
    std::array<float, 7> floats_ = {};
    std::vector<Vec3f> positions_, normals_;
    std::vector<Vec2f> texcoords_;
    std::vector<Color> colors_;
    std::vector<Corner> corners_;  // of the polygons, one for one
    detail::Polygons polygons_;
    std::array<Farthest, 3> farthest_;
    bool with_texcoord_ = false, without_texcoord_ = false;
    bool with_normal_ = false, without_normal_ = false;
    std::string object_, group_;
};

}  // namespace

Result<MeshFile> readObj(std::string_view bytes, std::string_view source,
                         const MeshReadOptions& options) {
    ObjReader reader(bytes, source);
    if (MaybeError error = reader.read(options)) return *std::move(error);
    return reader.take();
}

}  // namespace ulna::io
