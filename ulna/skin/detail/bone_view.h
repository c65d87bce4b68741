// SPDX-License-Identifier: Apache-2.0

// Which bones each point of a surface sees, and how near they are.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "ulna/skin/bones.h"
#include "ulna/skin/detail/points.h"
#include "ulna/skin/topology.h"
#include "ulna/skin/triangle_tree.h"

namespace ulna::skin::detail {

/// The nearest bones a point sees: how near, and which joints share its heat.
struct HeatSource {
    static constexpr std::size_t kMost = 8;

    double distance = kInfinity;  ///< infinite where nothing is seen
    std::array<JointId, kMost> joints = {};
    std::array<double, kMost> shares = {};  ///< they sum to 1
    std::size_t count = 0;

    [[nodiscard]] bool seen() const { return count > 0; }
};

/// A part of the surface that no edge joins to the rest. Only its own triangles hide bones from
/// it: a shirt sees through the body it is worn on, and both move together.
struct SurfacePart {
    std::vector<std::uint32_t> points = {};
    TriangleTree tree = {};  ///< of the triangles that can hide something
    Box box = {};
    /// The diagonal of the box, but of the order of the skeleton where a stray vertex makes the box
    /// far larger.
    double size = 0.0;
    /// To just below the surface, along the normal: negative, or positive where the part is inside
    /// out.
    double inwards = 0.0;
};

/// The parts of a surface around a skeleton of this extent; 0 where it has none.
[[nodiscard]] std::vector<SurfacePart> makeSurfaceParts(const Mesh& mesh,
                                                        const MeshTopology& topology,
                                                        double skeleton_extent);

/// Looks for bones from one point after the other.
class BoneView {
  public:
    explicit BoneView(std::span<const BoneSegment> bones) : bones_(bones) {}

    /// The bones seen by a point at `at` when one looks from `eye` right beside it.
    [[nodiscard]] HeatSource look(const SurfacePart& part, const Vec3& at, const Vec3& eye);

  private:
    struct Candidate {
        double distance = 0.0;
        std::size_t bone = 0;
        int sample = 0;  // -1 for the closest point
    };

    void push(const Candidate& candidate);
    [[nodiscard]] Candidate pop();
    [[nodiscard]] Vec3 pointOf(const Candidate& candidate, const Vec3& at) const;

    std::span<const BoneSegment> bones_;
    std::vector<Candidate> heap_;
};

}  // namespace ulna::skin::detail
