// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/layout.h"

#include <algorithm>

namespace ulna::fit::detail {
namespace {

// A position as a sum of rotated offsets from its tree's translation.
using Sum = std::vector<RotationTerm>;

void addOffset(std::uint32_t rotation, const Vec3& offset, Sum& sum) {
    for (RotationTerm& term : sum) {
        if (term.rotation != rotation) continue;
        term.offset += offset;
        return;
    }
    sum.push_back({rotation, 0.0, offset});
}

class LayoutBuilder {
  public:
    explicit LayoutBuilder(const FitRig& rig) : rig_(rig), groups_(groupsOf(rig)) {}

    FitLayout build() {
        measure();
        const std::size_t n = rig_.points.size();
        out_.rotation_of.assign(n, kNone);
        out_.translation_of.assign(n, kNone);
        sums_.resize(n);
        const GroupOrder order = orderOf(rig_, groups_);
        for (const std::uint32_t anchor : order.anchors) placeGroup(anchor);
        holdPins();
        for (std::size_t j = 0; j < n; ++j) finishPoint(j);
        out_.first_term.push_back(static_cast<std::uint32_t>(out_.terms.size()));
        return std::move(out_);
    }

  private:
    void measure() {
        Vec3 low, high;
        for (std::size_t i = 0; i < rig_.vertices.size(); ++i) {
            const Vec3& v = rig_.vertices[i];
            if (i == 0) low = high = v;
            for (std::size_t k = 0; k < 3; ++k) {
                low[k] = std::min(low[k], v[k]);
                high[k] = std::max(high[k], v[k]);
            }
        }
        out_.origin = (low + high) * 0.5;
        const Vec3 extent = high - low;
        const double size = std::max({extent.x, extent.y, extent.z});
        out_.size = size > 0.0 ? size : 1.0;
        for (const ControlPoint& p : rig_.points) out_.rest.push_back(p.rest - out_.origin);
    }

    std::uint32_t rotationFor(std::uint32_t point) {
        const PointFreedom freedom = rig_.points[point].freedom;
        if (freedom == PointFreedom::Cage) {
            if (identity_ == kNone) {
                identity_ = static_cast<std::uint32_t>(out_.rotations.size());
                out_.rotations.push_back({kNone, true});
            }
            return identity_;
        }
        out_.rotations.push_back({point, freedom == PointFreedom::Driven});
        return static_cast<std::uint32_t>(out_.rotations.size() - 1);
    }

    void placeGroup(std::uint32_t anchor) {
        const std::uint32_t group = groups_.first[anchor];
        const std::uint32_t rotation = rotationFor(group);
        const std::int32_t parent = rig_.points[anchor].parent;
        const auto p = static_cast<std::size_t>(std::max(parent, 0));
        std::uint32_t translation = 0;
        Sum base;
        if (parent >= 0 && groups_.first[p] != group) {
            translation = out_.translation_of[p];
            base = sums_[p];
            addOffset(out_.rotation_of[p], out_.rest[anchor] - out_.rest[p], base);
        } else {
            translation = static_cast<std::uint32_t>(out_.translations.size());
            out_.translations.push_back(
                {anchor, rig_.points[anchor].freedom == PointFreedom::Driven});
        }
        for (std::uint32_t j = 0; j < rig_.points.size(); ++j) {
            if (groups_.first[j] != group) continue;
            out_.rotation_of[j] = rotation;
            out_.translation_of[j] = translation;
            sums_[j] = base;
            if (j != anchor) addOffset(rotation, out_.rest[j] - out_.rest[anchor], sums_[j]);
        }
    }

    // The first pin of a tree becomes what the tree's positions are counted from.
    void holdPins() {
        for (std::uint32_t pin = 0; pin < rig_.points.size(); ++pin) {
            if (!rig_.points[pin].pinned) continue;
            const std::uint32_t tree = out_.translation_of[pin];
            if (out_.translations[tree].known) {
                if (out_.translations[tree].point != pin) out_.extra_pins.push_back({pin});
                continue;
            }
            out_.translations[tree] = {pin, true};
            const Sum offset = sums_[pin];
            for (std::size_t j = 0; j < rig_.points.size(); ++j) {
                if (out_.translation_of[j] != tree) continue;
                for (const RotationTerm& term : offset)
                    addOffset(term.rotation, -term.offset, sums_[j]);
            }
        }
    }

    void finishPoint(std::size_t j) {
        out_.first_term.push_back(static_cast<std::uint32_t>(out_.terms.size()));
        const std::uint32_t own = out_.rotation_of[j];
        RotationTerm first{own, 1.0, -out_.rest[j]};
        for (const RotationTerm& term : sums_[j])
            if (term.rotation == own) first.offset += term.offset;
        out_.terms.push_back(first);
        for (const RotationTerm& term : sums_[j]) {
            if (term.rotation != own && dot(term.offset, term.offset) > 0.0)
                out_.terms.push_back(term);
        }
    }

    const FitRig& rig_;
    RigidGroups groups_;
    FitLayout out_;
    std::vector<Sum> sums_;
    std::uint32_t identity_ = kNone;
};

}  // namespace

Vec3 FitLayout::position(std::size_t point, std::span<const Mat3> rotation_values,
                         std::span<const Vec3> positions) const {
    Vec3 out = positions[translation_of[point]];
    for (const RotationTerm& term : termsOf(point))
        out += rotation_values[term.rotation] * arm(point, term);
    return out;
}

FitLayout makeLayout(const FitRig& rig) {
    return LayoutBuilder(rig).build();
}

}  // namespace ulna::fit::detail
