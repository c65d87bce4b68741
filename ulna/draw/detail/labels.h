// SPDX-License-Identifier: Apache-2.0

// Labels beside points of a picture, none of which lies over another.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ulna/math/vec.h"

namespace ulna::draw::detail {

/// A rectangle on the page, y down.
struct PageBox {
    double left = 0.0, top = 0.0, right = 0.0, bottom = 0.0;

    [[nodiscard]] bool overlaps(const PageBox& other) const {
        return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
    [[nodiscard]] bool contains(const PageBox& other) const {
        return left <= other.left && top <= other.top && other.right <= right &&
               other.bottom <= bottom;
    }
};

/// Finds room for labels one after another. The cost of a label does not depend on how many there
/// are.
class LabelPlacer {
  public:
    /// Labels stay inside `page`.
    explicit LabelPlacer(const PageBox& page) : page_(page) {}

    /// A place that labels rather leave free, such as a bone or the dot of a joint.
    void avoid(const PageBox& box) { add(box, false); }

    /// The box of a label of this size near `anchor`, rather to its left if `left`: the nearest
    /// that overlaps no label, and as long as there is one nothing else either; nothing where there
    /// is no room nearby.
    [[nodiscard]] std::optional<PageBox> place(const Vec2& anchor, double width, double height,
                                               bool left);

  private:
    struct Item {
        PageBox box;
        bool label;
    };
    void add(const PageBox& box, bool label);
    [[nodiscard]] bool isFree(const PageBox& box, bool labels_only) const;
    // Calls `each` with the cells of a coarse grid that the box touches, until it returns false.
    template <class Each>
    static bool forCells(const PageBox& box, const Each& each);

    PageBox page_;
    std::unordered_map<std::uint64_t, std::vector<Item>> cells_;
};

}  // namespace ulna::draw::detail
