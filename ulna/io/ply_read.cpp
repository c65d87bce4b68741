// SPDX-License-Identifier: Apache-2.0

// Stanford PLY. What the header claims is believed only as far as there are bytes for it.
#include <fast_float/fast_float.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include "ulna/io/bounds.h"
#include "ulna/io/detail/mesh_numbers.h"
#include "ulna/io/detail/ply_header.h"
#include "ulna/io/detail/polygons.h"
#include "ulna/io/mesh_files.h"

namespace ulna::io {
namespace {

using detail::PlyElement;
using detail::PlyEncoding;
using detail::PlyProperty;
using detail::PlyType;
using Index = std::uint32_t;

// The values behind the header, one after the other, in any encoding. Every value fits a double.
class PlyValues {
  public:
    PlyValues(std::string_view bytes, std::string_view source, const detail::PlyHeader& header)
        : bytes_(bytes), source_(source), encoding_(header.encoding), at_(header.size) {}

    std::optional<Diagnostic> error;  ///< the first

    /// The next value. False with an error recorded where there is none.
    bool read(PlyType type, double& out) {
        return encoding_ == PlyEncoding::Text ? readWord(type, out) : readBytes(type, out);
    }
    /// The next value as the length of a list, of which there are bytes left.
    bool readCount(const PlyProperty& list, std::size_t& out) {
        double count = 0.0;
        if (!read(*list.count_type, count)) return false;
        if (!(count >= 0.0 && count == std::floor(count)))
            return fail("a list has no such length", count);
        // A value takes a digit and a blank at least.
        const std::size_t least = encoding_ == PlyEncoding::Text ? 2 : detail::plySize(list.type);
        const std::size_t most = (bytes_.size() - at_) / least + 1;
        if (count > static_cast<double>(most)) return fail("a list is longer than the file", count);
        out = static_cast<std::size_t>(count);
        return true;
    }
    bool skip(const PlyElement& element) {
        if (element.properties.empty()) return true;
        std::size_t size = 0;
        bool lists = false;
        for (const PlyProperty& property : element.properties) {
            size += detail::plySize(property.type);
            lists = lists || property.count_type;
        }
        if (encoding_ != PlyEncoding::Text && !lists) {
            if (element.count > (bytes_.size() - at_) / size) return failEnd();
            at_ += element.count * size;
            return true;
        }
        for (std::size_t i = 0; i < element.count; ++i)
            for (const PlyProperty& property : element.properties)
                if (!skip(property)) return false;
        return true;
    }
    bool skip(const PlyProperty& property) {
        std::size_t count = 1;
        if (property.count_type && !readCount(property, count)) return false;
        double ignored = 0.0;
        for (std::size_t i = 0; i < count; ++i)
            if (!read(property.type, ignored)) return false;
        return true;
    }
    /// How many elements of `values` values there can be at most.
    [[nodiscard]] std::size_t mostElements(std::size_t values) const {
        return (bytes_.size() - at_) / std::max<std::size_t>(1, values);
    }

    /// Records an error about the value read last; false, for the caller to hand on.
    bool fail(std::string what, double value, std::string advice = {}) {
        if (encoding_ == PlyEncoding::Text) return failAt(std::move(what), std::move(advice));
        failAt(std::move(what), std::move(advice));
        // Shorter than the six decimals of to_string where it is whole.
        error->text = value == std::floor(value) && std::abs(value) < 1e15
                          ? std::to_string(static_cast<long long>(value))
                          : std::to_string(value);
        return false;
    }
    [[nodiscard]] bool atEnd() {
        if (encoding_ == PlyEncoding::Text) skipBlank();
        return at_ >= bytes_.size();
    }

  private:
    static bool isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
    }
    void skipBlank() {
        while (at_ < bytes_.size() && isBlank(bytes_[at_])) ++at_;
    }
    bool failAt(std::string what, std::string advice) {
        const std::string_view text = bytes_.substr(value_at_, at_ - value_at_);
        if (encoding_ == PlyEncoding::Text) {
            error = Diagnostic{.what = std::move(what),
                               .location = locationAt(bytes_, value_at_, source_),
                               .text = excerpt(text),
                               .advice = std::move(advice)};
        } else {
            error = Diagnostic{.what = std::move(what) + ", at byte " + std::to_string(value_at_),
                               .location = {.file = std::string(source_)},
                               .advice = std::move(advice)};
        }
        return false;
    }
    bool failEnd() {
        value_at_ = at_ = bytes_.size();
        return failAt("the file ends before all its elements", "it may be cut off");
    }

    bool readWord(PlyType type, double& out) {
        skipBlank();
        value_at_ = at_;
        if (at_ >= bytes_.size()) return failEnd();
        while (at_ < bytes_.size() && !isBlank(bytes_[at_])) ++at_;
        const char* begin = bytes_.data() + value_at_;
        const char* end = bytes_.data() + at_;
        if (*begin == '+') ++begin;
        // Texts of floats are the nearest float, never the float nearest to a double.
        const auto parse = [&](auto value) {
            const auto [stop, status] = fast_float::from_chars(begin, end, value);
            out = static_cast<double>(value);
            return status == std::errc() && stop == end;
        };
        if (type == PlyType::Float32 ? parse(0.0f) : parse(0.0)) return true;
        return failAt("a number was expected", {});
    }

    template <class T>
    double load() {
        std::array<char, sizeof(T)> raw;
        std::memcpy(raw.data(), bytes_.data() + at_, sizeof(T));
        if (encoding_ == PlyEncoding::BigEndian) std::reverse(raw.begin(), raw.end());
        T value;
        std::memcpy(&value, raw.data(), sizeof(T));  // little-endian, as are all our machines
        return static_cast<double>(value);
    }
    bool readBytes(PlyType type, double& out) {
        value_at_ = at_;
        const std::size_t size = detail::plySize(type);
        if (bytes_.size() - at_ < size) return failEnd();
        switch (type) {
            case PlyType::Int8:
                out = load<std::int8_t>();
                break;
            case PlyType::UInt8:
                out = load<std::uint8_t>();
                break;
            case PlyType::Int16:
                out = load<std::int16_t>();
                break;
            case PlyType::UInt16:
                out = load<std::uint16_t>();
                break;
            case PlyType::Int32:
                out = load<std::int32_t>();
                break;
            case PlyType::UInt32:
                out = load<std::uint32_t>();
                break;
            case PlyType::Float32:
                out = load<float>();
                break;
            case PlyType::Float64:
                out = load<double>();
                break;
        }
        at_ += size;
        return true;
    }

    std::string_view bytes_, source_;
    PlyEncoding encoding_;
    std::size_t at_ = 0;
    std::size_t value_at_ = 0;
};

// What a value of a vertex means.
enum class Role : std::uint8_t { X, Y, Z, Nx, Ny, Nz, U, V, Red, Green, Blue, Alpha, Other };
constexpr std::size_t kRoles = static_cast<std::size_t>(Role::Other) + 1;

Role roleOf(const PlyProperty& property) {
    if (property.count_type) return Role::Other;
    struct Known {
        std::string_view name;
        Role role;
    };
    constexpr Known kNames[] = {{"x", Role::X},
                                {"y", Role::Y},
                                {"z", Role::Z},
                                {"nx", Role::Nx},
                                {"ny", Role::Ny},
                                {"nz", Role::Nz},
                                {"s", Role::U},
                                {"t", Role::V},
                                {"u", Role::U},
                                {"v", Role::V},
                                {"texture_u", Role::U},
                                {"texture_v", Role::V},
                                {"red", Role::Red},
                                {"green", Role::Green},
                                {"blue", Role::Blue},
                                {"alpha", Role::Alpha},
                                {"r", Role::Red},
                                {"g", Role::Green},
                                {"b", Role::Blue},
                                {"a", Role::Alpha},
                                {"diffuse_red", Role::Red},
                                {"diffuse_green", Role::Green},
                                {"diffuse_blue", Role::Blue}};
    for (const Known& known : kNames)
        if (property.name == known.name) return known.role;
    return Role::Other;
}

// Colours are whole numbers up to the largest of their type, or shares of 1.
std::uint8_t colorByte(double value, PlyType type) {
    if (type == PlyType::Float32 || type == PlyType::Float64) return detail::byteOf(value);
    return detail::byteOf(value / (type == PlyType::UInt16 ? 65535.0 : 255.0));
}

class PlyReader {
  public:
    PlyReader(std::string_view bytes, std::string_view source, const detail::PlyHeader& header)
        : header_(header), source_(source), values_(bytes, source, header) {}

    bool read(const MeshReadOptions& options) {
        const PlyElement* vertices = find("vertex");
        if (vertices == nullptr) return failFile("the file has no vertices");
        vertex_count_ = vertices->count;
        if (vertex_count_ >= std::numeric_limits<Index>::max())
            return failFile("the file has over four thousand million vertices");
        const PlyElement* faces = find("face");
        const PlyElement* strips = find("tristrips");
        for (const PlyElement& element : header_.elements) {
            const bool read = &element == vertices ? readVertices(element)
                              : &element == faces  ? readFaces(element)
                              : &element == strips ? readStrips(element)
                                                   : skipElement(element);
            if (!read) return false;
        }
        if (!values_.atEnd()) warn("bytes behind the last element are left out", {});
        if (polygons_.size() > 0 || (options.points && !mesh_.positions.empty())) return true;
        return failFile("the file has no faces");
    }

    [[nodiscard]] const Diagnostic& error() const { return *values_.error; }

    MeshFile take() {
        mesh_.indices = detail::triangulate(polygons_, mesh_.positions);
        const std::size_t count = mesh_.positions.size();
        return {std::move(mesh_), warnings_.take(), count};
    }

  private:
    [[nodiscard]] const PlyElement* find(std::string_view name) const {
        for (const PlyElement& element : header_.elements)
            if (element.name == name) return &element;
        return nullptr;
    }
    bool failFile(const char* what) {
        values_.error = Diagnostic{.what = what, .location = {.file = std::string(source_)}};
        return false;
    }
    void warn(std::string_view what, std::string_view text) {
        if (warnings_.isFirst(what))
            warnings_.keep({.what = std::string(what),
                            .location = {.file = std::string(source_)},
                            .text = excerpt(text)});
    }
    void warnAboutProperty(const PlyProperty& property) {
        warn(
            "properties other than positions, normals, texture coordinates, colours and faces "
            "are left out",
            property.name);
    }

    bool skipElement(const PlyElement& element) {
        if (element.count > 0)
            warn("elements other than vertices, faces and strips are left out", element.name);
        return values_.skip(element);
    }

    bool readVertices(const PlyElement& element) {
        std::vector<Role> roles;
        std::array<bool, kRoles> has = {};
        std::array<PlyType, kRoles> types = {};
        for (const PlyProperty& property : element.properties) {
            roles.push_back(roleOf(property));
            if (roles.back() == Role::Other) warnAboutProperty(property);
            has[static_cast<std::size_t>(roles.back())] = true;
            types[static_cast<std::size_t>(roles.back())] = property.type;
        }
        const auto all = [&](Role first, std::size_t count) {
            const auto begin = has.begin() + static_cast<std::ptrdiff_t>(first);
            return std::all_of(begin, begin + static_cast<std::ptrdiff_t>(count),
                               [](bool there) { return there; });
        };
        if (!all(Role::X, 3)) return failFile("vertices have no x, y and z");
        const bool normals = all(Role::Nx, 3);
        const bool texcoords = all(Role::U, 2);
        const bool colors = all(Role::Red, 3);
        const bool alpha = has[static_cast<std::size_t>(Role::Alpha)];
        mesh_.positions.reserve(std::min(element.count, values_.mostElements(roles.size())));
        std::array<double, kRoles> here = {};
        const auto at = [&](Role role) { return here[static_cast<std::size_t>(role)]; };
        const auto color = [&](Role role) {
            return colorByte(at(role), types[static_cast<std::size_t>(role)]);
        };
        for (std::size_t i = 0; i < element.count; ++i) {
            if (!readVertex(element, roles, here)) return false;
            const auto vector = [&](Role x, Role y, Role z) {
                return Vec3f{static_cast<float>(at(x)), static_cast<float>(at(y)),
                             static_cast<float>(at(z))};
            };
            mesh_.positions.push_back(vector(Role::X, Role::Y, Role::Z));
            if (normals) addNormal(vector(Role::Nx, Role::Ny, Role::Nz));
            if (texcoords)
                mesh_.texcoords.push_back({static_cast<float>(at(Role::U)),
                                           static_cast<float>(detail::flippedV(at(Role::V)))});
            if (colors)
                mesh_.colors.push_back({color(Role::Red), color(Role::Green), color(Role::Blue),
                                        alpha ? color(Role::Alpha) : std::uint8_t{255}});
        }
        return true;
    }

    bool readVertex(const PlyElement& element, std::span<const Role> roles,
                    std::array<double, kRoles>& out) {
        for (std::size_t k = 0; k < roles.size(); ++k) {
            if (roles[k] == Role::Other) {
                if (!values_.skip(element.properties[k])) return false;
                continue;
            }
            double& value = out[static_cast<std::size_t>(roles[k])];
            if (!values_.read(element.properties[k].type, value)) return false;
            if (!(std::abs(value) <= kLargestCoordinate))
                return values_.fail("the number is not finite or too large", value);
        }
        return true;
    }

    void addNormal(const Vec3f& normal) {
        if (normal == Vec3f{}) warn("normals of no length become 0 1 0", {});
        mesh_.normals.push_back(detail::unitNormal(normal));
    }

    // Calls `take` with each list of vertices of an element; other properties are skipped.
    template <class Take>
    bool readLists(const PlyElement& element, Take take) {
        const auto list = std::find_if(
            element.properties.begin(), element.properties.end(), [](const PlyProperty& p) {
                return p.count_type && (p.name == "vertex_indices" || p.name == "vertex_index");
            });
        if (list == element.properties.end()) {
            if (element.count > 0) return failFile("faces have no list vertex_indices");
            return true;
        }
        for (const PlyProperty& property : element.properties)
            if (&property != &*list) warnAboutProperty(property);
        for (std::size_t i = 0; i < element.count; ++i) {
            for (const PlyProperty& property : element.properties) {
                const bool read = &property == &*list ? take(property) : values_.skip(property);
                if (!read) return false;
            }
        }
        return true;
    }

    // An index of a list; `ends_strip` where -1 may stand for the end of a strip.
    bool readIndex(PlyType type, bool* ends_strip, Index& out) {
        double value = 0.0;
        if (!values_.read(type, value)) return false;
        if (ends_strip != nullptr) {
            *ends_strip = value == -1.0;
            if (*ends_strip) return true;
        }
        if (!(value >= 0.0 && value == std::floor(value)))
            return values_.fail("the index of a vertex was expected", value);
        if (value >= static_cast<double>(vertex_count_))
            return values_.fail("there is no such vertex", value,
                                "the file has " + std::to_string(vertex_count_));
        out = static_cast<Index>(value);
        return true;
    }

    bool readFaces(const PlyElement& element) {
        return readLists(element, [&](const PlyProperty& list) {
            std::size_t count = 0;
            if (!values_.readCount(list, count)) return false;
            for (std::size_t i = 0; i < count; ++i) {
                Index corner = 0;
                if (!readIndex(list.type, nullptr, corner)) return false;
                polygons_.corners.push_back(corner);
            }
            if (count >= 3) {
                if (polygons_.corners.size() > std::numeric_limits<Index>::max())
                    return failFile("the file has too many faces");
                polygons_.close();
            } else {
                warn("faces of fewer than three corners are left out", {});
                polygons_.drop();
            }
            return true;
        });
    }

    // Each vertex of a strip makes a triangle with the two before it.
    bool readStrips(const PlyElement& element) {
        return readLists(element, [&](const PlyProperty& list) {
            std::size_t count = 0;
            if (!values_.readCount(list, count)) return false;
            std::array<Index, 3> last = {};
            std::size_t length = 0;
            for (std::size_t i = 0; i < count; ++i) {
                bool end = false;
                Index corner = 0;
                if (!readIndex(list.type, &end, corner)) return false;
                length = end ? 0 : length + 1;
                if (end) continue;
                last = {last[1], last[2], corner};
                // A corner twice is how strips are tied together, not a triangle.
                if (length < 3 || last[0] == last[1] || last[1] == last[2] || last[2] == last[0])
                    continue;
                // Every second one runs the other way round.
                const std::size_t odd = length % 2;
                polygons_.corners.insert(polygons_.corners.end(),
                                         {last[1 - odd], last[odd], last[2]});
                if (polygons_.corners.size() > std::numeric_limits<Index>::max())
                    return failFile("the file has too many faces");
                polygons_.close();
            }
            return true;
        });
    }

    const detail::PlyHeader& header_;
    std::string_view source_;
    PlyValues values_;
    std::size_t vertex_count_ = 0;
    Mesh mesh_;
    detail::Polygons polygons_;
    WarningCollector warnings_;
};

}  // namespace

Result<MeshFile> readPly(std::string_view bytes, std::string_view source,
                         const MeshReadOptions& options) {
    const Result<detail::PlyHeader> header = detail::readPlyHeader(bytes, source);
    if (!header) return header.error();
    PlyReader reader(bytes, source, *header);
    if (!reader.read(options)) return reader.error();
    return reader.take();
}

}  // namespace ulna::io
