// SPDX-License-Identifier: Apache-2.0

// The flesh and clothes of the bundled character around its bones: what is inside, what is on the
// surface where, and how fine the surface must be there.
//
// Only the left half (x >= 0) is described; the right is its mirror image.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ulna/math/vec.h"
#include "ulna/skeleton/skeleton.h"
#include "ulna/skin/mesh.h"

namespace ulna::maker {

/// What a place of the surface is.
enum class Cloth : std::uint8_t { Skin, Lips, Brow, Hair, Shirt, Trousers, Shoe, Sole };

class Flesh {
  public:
    explicit Flesh(const Skeleton& skeleton);
    ~Flesh();
    Flesh(const Flesh&) = delete;
    Flesh& operator=(const Flesh&) = delete;

    /// Negative inside. @pre p.x >= 0
    [[nodiscard]] double distance(const Vec3& p) const;
    /// The way out: the gradient, one long.
    [[nodiscard]] Vec3 outward(const Vec3& p) const;

    /// Borders between cloths: each is where this number is zero.
    [[nodiscard]] std::size_t borderCount() const;
    [[nodiscard]] double border(std::size_t which, const Vec3& p) const;
    [[nodiscard]] Cloth clothAt(const Vec3& p) const;

    /// The length that edges of the surface should have here.
    [[nodiscard]] double edgeLength(const Vec3& p) const;

  private:
    [[nodiscard]] double bald(const Vec3& p) const;

    struct Parts;
    std::unique_ptr<const Parts> parts_;
};

Color colorOf(Cloth cloth);

}  // namespace ulna::maker
