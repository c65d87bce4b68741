// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/detail/packed_skin.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "ulna/skin/detail/points.h"

namespace ulna::skin::detail {
namespace {

// How a vertex is put where it is packed: as it is, or where it stays at rest.
struct Placement {
    Affine points = {};
    Mat3 normals = {};

    Placement() = default;
    explicit Placement(const Affine& rest) : points(rest) {
        const Vec3 x = rest.column(0), y = rest.column(1), z = rest.column(2);
        normals = Mat3::fromColumns(cross(y, z), cross(z, x), cross(x, y));
    }
};

// A number of a vertex among `width` of each.
float& at(AlignedVector<float>& numbers, std::size_t width, std::size_t vertex, std::size_t i) {
    const std::size_t lane = vertex % kSkinBlock;
    return numbers[(vertex - lane) * width + i * kSkinBlock + lane];
}

void packVertices(const Mesh& mesh, const Affine& rest, PackedSkin& out) {
    const Placement moved, unmoved(rest);
    out.vertices = mesh.positions.size();
    const std::size_t padded = (out.vertices + kSkinBlock - 1) / kSkinBlock * kSkinBlock;
    out.positions.resize(3 * padded);
    if (!mesh.normals.empty()) out.normals.resize(3 * padded);
    if (!mesh.tangents.empty()) out.tangents.resize(4 * padded);
    for (std::size_t v = 0; v < out.vertices; ++v) {
        const bool moves = mesh.weights.empty() || !mesh.weights[v].empty();
        const Placement& placement = moves ? moved : unmoved;
        const Vec3f position = cast<float>(placement.points * widened(mesh.positions[v]));
        for (std::size_t i = 0; i < 3; ++i) at(out.positions, 3, v, i) = position[i];
        if (!mesh.normals.empty()) {
            const Vec3 bind = normalizedOr(widened(mesh.normals[v]), Vec3{0, 1, 0});
            const Vec3f normal = cast<float>(normalizedOr(placement.normals * bind, bind));
            for (std::size_t i = 0; i < 3; ++i) at(out.normals, 3, v, i) = normal[i];
        }
        if (!mesh.tangents.empty()) {
            const Vec3 bind = normalizedOr(widened(mesh.tangents[v].direction), Vec3{1, 0, 0});
            const Vec3f tangent = cast<float>(normalizedOr(placement.points.direction(bind), bind));
            for (std::size_t i = 0; i < 3; ++i) at(out.tangents, 4, v, i) = tangent[i];
            at(out.tangents, 4, v, 3) = mesh.tangents[v].handedness;
        }
    }
}

// Rows of any length, those that nothing moves included.
class Rows {
  public:
    Rows(const SkinWeights& weights, std::size_t joints)
        : weights_(weights), nothing_{{jointId(joints), 1.0f}} {}

    [[nodiscard]] std::span<const Influence> operator[](std::size_t vertex) const {
        const bool has = vertex < weights_.rowCount() && !weights_[vertex].empty();
        return has ? weights_[vertex] : std::span<const Influence>(nothing_);
    }

  private:
    const SkinWeights& weights_;
    Influence nothing_[1];
};

// Numbers the pairs in the order they are met.
class Pairs {
  public:
    std::size_t add(JointPair pair) {
        const std::uint64_t key = (std::uint64_t{pair.first} << 32U) | pair.own;
        const auto [at, is_new] = numbers_.try_emplace(key, pairs_.size());
        if (is_new) pairs_.push_back(pair);
        return at->second;
    }
    [[nodiscard]] std::vector<JointPair> take() { return std::move(pairs_); }
    [[nodiscard]] std::size_t count() const { return pairs_.size(); }

  private:
    std::unordered_map<std::uint64_t, std::size_t> numbers_;
    std::vector<JointPair> pairs_;
};

JointPair pairOf(std::span<const Influence> row, std::size_t i) {
    return {static_cast<std::uint32_t>(index(row[0].joint)),
            static_cast<std::uint32_t>(index(row[i].joint))};
}

// The row with influences of weight zero after its own: they read what is read anyway.
template <class Offset>
void appendRow(std::span<const Influence> row, std::size_t influences, Pairs& pairs,
               SkinSlots<Offset>& out) {
    for (std::size_t i = 0; i < influences; ++i) {
        const std::size_t own = i < row.size() ? i : 0;
        out.weights.push_back(i < row.size() ? row[i].weight : 0.0f);
        out.matrices.push_back(static_cast<Offset>(index(row[own].joint) * kOffsetStep));
        out.motions.push_back(static_cast<Offset>(pairs.add(pairOf(row, own)) * kOffsetStep));
    }
}

// Whether the fast loops' offsets can say it all.
bool needsWide(const Rows& rows, std::size_t vertices, std::size_t joints, Pairs& pairs) {
    constexpr std::size_t kMost = std::numeric_limits<std::uint16_t>::max() / kOffsetStep;
    for (std::size_t v = 0; v < vertices; ++v)
        for (std::size_t i = 0; i < rows[v].size(); ++i) pairs.add(pairOf(rows[v], i));
    return joints > kMost || pairs.count() > kMost + 1;
}

std::size_t influencesOfBlock(const Rows& rows, std::size_t begin, std::size_t end, bool wide) {
    std::size_t most = 1;
    for (std::size_t v = begin; v < end; ++v) most = std::max(most, rows[v].size());
    if (wide || most > kMostFixed) return most;
    return most > 4 ? 8 : most > 2 ? 4 : most;
}

}  // namespace

PackedSkin packSkin(const Mesh& mesh, std::size_t joints, const Affine& rest) {
    PackedSkin out;
    packVertices(mesh, rest, out);
    const Rows rows(mesh.weights, joints);
    Pairs pairs;
    const bool all_wide = needsWide(rows, out.vertices, joints, pairs);
    for (std::size_t begin = 0; begin < out.vertices; begin += kSkinBlock) {
        const std::size_t end = std::min(begin + kSkinBlock, out.vertices);
        const std::size_t influences = influencesOfBlock(rows, begin, end, all_wide);
        const bool wide = all_wide || influences > kMostFixed;
        const bool new_chunk = begin % kSkinChunk == 0;
        if (new_chunk) out.first_run.push_back(out.runs.size());
        if (new_chunk || out.runs.back().influences != influences || out.runs.back().wide != wide) {
            const std::size_t slot = (wide ? out.wide_slots.weights : out.slots.weights).size();
            out.runs.push_back({static_cast<std::uint32_t>(begin), 0,
                                static_cast<std::uint32_t>(influences), wide, slot});
        }
        out.runs.back().count += static_cast<std::uint32_t>(end - begin);
        for (std::size_t v = begin; v < begin + kSkinBlock; ++v) {
            const std::span<const Influence> row = rows[std::min(v, end - 1)];
            if (wide)
                appendRow(row, influences, pairs, out.wide_slots);
            else
                appendRow(row, influences, pairs, out.slots);
        }
    }
    out.first_run.push_back(out.runs.size());
    out.pairs = pairs.take();
    return out;
}

}  // namespace ulna::skin::detail
