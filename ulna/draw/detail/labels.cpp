// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/detail/labels.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ulna::draw::detail {
namespace {

constexpr double kCell = 32.0;  // pixels: a few labels each
constexpr int kRows = 40, kColumns = 8;
constexpr double kColumnWidth = 22.0;
constexpr double kLabelGap = 4.0;  // between a point and its label

// A place for a label relative to its point: rows up or down, columns to its side.
struct Offset {
    int row, column;
    bool other_side;  // not the one that is preferred
};

// The nearest first; ties are decided.
std::vector<Offset> makeOffsets() {
    std::vector<Offset> out;
    for (int column = 0; column < kColumns; ++column) {
        for (int row = 0; row <= 2 * kRows; ++row) {
            const int away = (row + 1) / 2;
            const int signed_row = row % 2 == 1 ? -away : away;
            out.push_back({signed_row, column, false});
            out.push_back({signed_row, column, true});
        }
    }
    const auto cost = [](const Offset& o) {
        // Beside the point is better than above it, by as much as a leader is easier to follow.
        constexpr int kOtherSide = 120;
        return 4 * o.row * o.row + 9 * o.column * o.column + (o.other_side ? kOtherSide : 0) +
               (o.row > 0 ? 1 : 0);
    };
    std::stable_sort(out.begin(), out.end(),
                     [&](const Offset& a, const Offset& b) { return cost(a) < cost(b); });
    return out;
}

}  // namespace

template <class Each>
bool LabelPlacer::forCells(const PageBox& box, const Each& each) {
    const auto cell = [](double v) { return static_cast<std::int32_t>(std::floor(v / kCell)); };
    for (std::int32_t y = cell(box.top); y <= cell(box.bottom); ++y) {
        for (std::int32_t x = cell(box.left); x <= cell(box.right); ++x) {
            const auto key = static_cast<std::uint64_t>(static_cast<std::uint32_t>(y)) << 32U |
                             static_cast<std::uint32_t>(x);
            if (!each(key)) return false;
        }
    }
    return true;
}

void LabelPlacer::add(const PageBox& box, bool label) {
    // A cell that is full of dots stays so: more of them would only make it slower to search.
    constexpr std::size_t kMostItems = 64;
    forCells(box, [&](std::uint64_t key) {
        std::vector<Item>& items = cells_[key];
        if (label || items.size() < kMostItems) items.push_back({box, label});
        return true;
    });
}

bool LabelPlacer::isFree(const PageBox& box, bool labels_only) const {
    return forCells(box, [&](std::uint64_t key) {
        const auto found = cells_.find(key);
        if (found == cells_.end()) return true;
        return std::none_of(found->second.begin(), found->second.end(), [&](const Item& item) {
            return (item.label || !labels_only) && item.box.overlaps(box);
        });
    });
}

std::optional<PageBox> LabelPlacer::place(const Vec2& anchor, double width, double height,
                                          bool left) {
    static const std::vector<Offset> offsets = makeOffsets();
    for (const bool labels_only : {false, true}) {
        for (const Offset& offset : offsets) {
            const double away = kLabelGap + kColumnWidth * offset.column;
            const double start =
                offset.other_side != left ? anchor.x - away - width : anchor.x + away;
            const double top = anchor.y + (offset.row - 0.5) * height;
            const PageBox box{start, top, start + width, top + height};
            if (!page_.contains(box) || !isFree(box, labels_only)) continue;
            add(box, true);
            return box;
        }
    }
    return std::nullopt;
}

}  // namespace ulna::draw::detail
