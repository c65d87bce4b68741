// SPDX-License-Identifier: Apache-2.0

// The hull by Andrew's monotone chain (1979). As the sides of a convex polygon move inward, the
// shortest vanish first: a side is gone where it meets the lines of both its neighbours in one
// point. The last three meet in the centre of the largest circle inside.
//
// Derivatives: a side with ends a and b and outward normal n, moved inward by m, is the line of
// points y with n.(y - a) + m = 0. As a and b move, a point of the line at the ratio t from a to b
// moves across the line by q = (1 - t) n.da + t n.db - dm.
#include "ulna/ik/detail/support_polygon.h"

#include <algorithm>
#include <cmath>

namespace ulna::ik::detail {
namespace {

// So much of the largest circle may be taken by the margin.
constexpr double kMostMargin = 0.9;
// Contacts nearer to the line of their neighbours than this part of the extent are on it: the
// corner that they make is rounding.
constexpr double kStraight = 1e-12;

double dot2(const Vec2& a, const Vec2& b) {
    return a.x * b.x + a.y * b.y;
}
double cross2(const Vec2& a, const Vec2& b) {
    return a.x * b.y - a.y * b.x;
}
double length2(const Vec2& a) {
    return std::sqrt(dot2(a, a));
}

// out += column rowT
void addOuter(Matrix2& out, const Vec2& column, const Vec2& row) {
    out.x += row * column.x;
    out.y += row * column.y;
}

// The contacts on the hull, counterclockwise; two for contacts on a line, one for a point.
struct Hull {
    std::array<std::size_t, kMaxContacts + 1> at = {};
    std::size_t count = 0;
};

Hull hullOf(std::span<const Vec2> p) {
    std::array<std::size_t, kMaxContacts> order;
    for (std::size_t i = 0; i < p.size(); ++i) order[i] = i;
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(p.size());
    std::sort(order.begin(), end, [&](std::size_t a, std::size_t b) {
        if (p[a].x != p[b].x) return p[a].x < p[b].x;
        return p[a].y != p[b].y ? p[a].y < p[b].y : a < b;
    });
    double extent = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i)
        extent = std::max(extent, length2(p[i] - p[order[0]]));
    const auto turnsLeft = [&](std::size_t a, std::size_t b, std::size_t c) {
        return cross2(p[b] - p[a], p[c] - p[a]) > kStraight * extent * extent;
    };
    // The lower chain, then the upper one from right to left; a chain of n may need n + 1 entries.
    std::array<std::size_t, 2 * kMaxContacts + 2> chain;
    std::size_t n = 0;
    const auto add = [&](std::size_t i, std::size_t first) {
        while (n > first + 1 && !turnsLeft(chain[n - 2], chain[n - 1], i)) --n;
        chain[n++] = i;
    };
    for (std::size_t k = 0; k < p.size(); ++k) add(order[k], 0);
    const std::size_t lower = n - 1;
    for (std::size_t k = p.size() - 1; k-- > 0;) add(order[k], lower);
    if (n > 1) --n;  // the first comes again
    Hull out;
    for (std::size_t k = 0; k < n; ++k) {
        const Vec2& here = p[chain[k]];
        const bool again = std::any_of(
            out.at.begin(), out.at.begin() + static_cast<int>(out.count),
            [&](std::size_t i) { return !(length2(p[i] - here) > kStraight * extent); });
        if (!again) out.at[out.count++] = chain[k];
    }
    return out;
}

struct Side {
    std::size_t a = 0, b = 0;  // contacts
    Vec2 start;                // contact a
    Vec2 direction;            // unit
    Vec2 normal;               // unit, outward
    double length = 0.0;
    double gone = 0.0;  // the margin at which it vanishes

    [[nodiscard]] double ratio(const Vec2& p) const { return dot2(direction, p - start) / length; }
    [[nodiscard]] double above(const Vec2& p) const { return dot2(normal, p - start); }
};

// Where three moved lines meet in one point: weights of their normals whose sum is zero.
struct Meeting {
    std::array<double, 3> weight = {};
    double margin = 0.0;
};

Meeting meetingOf(const Side& a, const Side& b, const Side& c) {
    Meeting out;
    out.weight = {cross2(b.normal, c.normal), cross2(c.normal, a.normal),
                  cross2(a.normal, b.normal)};
    const double sum = out.weight[0] + out.weight[1] + out.weight[2];
    const std::array<const Side*, 3> sides = {&a, &b, &c};
    for (std::size_t k = 0; k < 3; ++k) {
        out.weight[k] /= sum;
        out.margin += out.weight[k] * dot2(sides[k]->normal, sides[k]->start - a.start);
    }
    return out;
}

class Polygon {
  public:
    Polygon(std::span<const Vec2> contacts, const Hull& hull) {
        for (std::size_t k = 0; k < hull.count; ++k) {
            Side& side = sides_[k];
            side.a = hull.at[k];
            side.b = hull.at[(k + 1) % hull.count];
            side.start = contacts[side.a];
            const Vec2 way = contacts[side.b] - side.start;
            side.length = length2(way);
            side.direction = way * (1.0 / side.length);
            side.normal = {side.direction.y, -side.direction.x};
            left_[k] = k;
        }
        count_ = hull.count;
    }

    // Moves the sides inward; those that vanish are left out.
    void shrink(double margin) {
        if (!(margin > 0.0) || count_ < 3) return;
        std::array<std::size_t, kMaxContacts> all = left_;
        const std::size_t sides = count_;
        double gone = 0.0;
        while (count_ > 3) {
            std::size_t first = 0;
            double earliest = meeting(0).margin;
            for (std::size_t k = 1; k < count_; ++k) {
                const double m = meeting(k).margin;
                if (m < earliest) earliest = m, first = k;
            }
            gone = std::max(gone, earliest);
            sides_[left_[first]].gone = gone;
            for (std::size_t k = first; k + 1 < count_; ++k) left_[k] = left_[k + 1];
            --count_;
        }
        const Meeting last = meeting(1);
        for (std::size_t k = 0; k < 3; ++k) sides_[left_[k]].gone = last.margin;
        margin_ = margin;
        if (margin > kMostMargin * last.margin) {
            margin_ = kMostMargin * last.margin;
            circle_ = last;
            for (std::size_t k = 0; k < 3; ++k) circle_sides_[k] = left_[k];
            limited_ = true;
        }
        count_ = 0;
        for (std::size_t k = 0; k < sides; ++k)
            if (sides_[all[k]].gone > margin_) left_[count_++] = all[k];
    }

    void offsetOf(const Vec2& p, SupportOffset& out) const {
        bool inside = count_ > 2;
        for (std::size_t k = 0; k < count_ && inside; ++k)
            inside = side(k).above(p) + margin_ <= 0.0;
        if (inside) return;
        double nearest = -1.0;
        std::size_t best = 0;
        bool corner = false;
        for (std::size_t k = 0; k < count_; ++k) {
            const Side& s = side(k);
            const Vec2 start = cornerAt(k);
            const double room = dot2(s.direction, cornerAt((k + 1) % count_) - start);
            const double way = dot2(s.direction, p - start);
            const double on = std::clamp(way, 0.0, std::max(room, 0.0));
            const double away = length2(p - (start + s.direction * on));
            if (nearest >= 0.0 && !(away < nearest)) continue;
            nearest = away;
            corner = on != way;
            best = corner && way > 0.0 ? (k + 1) % count_ : k;
        }
        if (corner)
            fromCorner(best, p, out);
        else
            fromSide(side(best), p, out);
    }

  private:
    [[nodiscard]] const Side& side(std::size_t k) const { return sides_[left_[k]]; }
    [[nodiscard]] const Side& before(std::size_t k) const {
        return side((k + count_ - 1) % count_);
    }
    [[nodiscard]] Meeting meeting(std::size_t k) const {
        return meetingOf(before(k), side(k), side((k + 1) % count_));
    }
    // Whether a corner is a contact, whatever the sides do.
    [[nodiscard]] bool isContact(std::size_t k) const {
        return margin_ == 0.0 && before(k).b == side(k).a;
    }
    // Where a side begins.
    [[nodiscard]] Vec2 cornerAt(std::size_t k) const {
        return isContact(k) ? side(k).start : meet(before(k), side(k), margin_);
    }
    static Vec2 meet(const Side& i, const Side& j, double margin) {
        // Relative to the start of j: n_i.y = c_i, n_j.y = c_j.
        const double ci = dot2(i.normal, i.start - j.start) - margin;
        const double cj = -margin;
        const double det = cross2(i.normal, j.normal);
        const Vec2 y = {(ci * j.normal.y - cj * i.normal.y) / det,
                        (cj * i.normal.x - ci * j.normal.x) / det};
        return j.start + y;
    }

    // out += direction q, where q is how the line of a side moves across itself at p.
    void addShift(const Side& s, const Vec2& p, const Vec2& direction, double sign,
                  SupportOffset& out) const {
        const double t = s.ratio(p);
        addOuter(out.by_contact[s.a], direction, s.normal * (sign * (1.0 - t)));
        addOuter(out.by_contact[s.b], direction, s.normal * (sign * t));
        if (!limited_) return;
        // The margin follows the circle: dm = 0.9 sum of weight q.
        const Side& first = sides_[circle_sides_[0]];
        const Side& second = sides_[circle_sides_[1]];
        const Vec2 centre = meet(first, second, circle_.margin);
        for (std::size_t k = 0; k < 3; ++k) {
            const Side& c = sides_[circle_sides_[k]];
            const double share = -sign * kMostMargin * circle_.weight[k];
            const double tc = c.ratio(centre);
            addOuter(out.by_contact[c.a], direction, c.normal * (share * (1.0 - tc)));
            addOuter(out.by_contact[c.b], direction, c.normal * (share * tc));
        }
    }

    void fromSide(const Side& s, const Vec2& p, SupportOffset& out) const {
        const double away = s.above(p) + margin_;
        out.offset = s.normal * away;
        addOuter(out.by_point, s.normal, s.normal);
        addShift(s, p, s.normal, -1.0, out);
        // The side rotates as its ends move, and the offset with it.
        const Vec2 turn = s.direction * (away / s.length);
        addOuter(out.by_contact[s.a], turn, s.normal);
        addOuter(out.by_contact[s.b], turn, s.normal * -1.0);
    }

    void fromCorner(std::size_t k, const Vec2& p, SupportOffset& out) const {
        const Vec2 corner = cornerAt(k);
        out.offset = p - corner;
        out.by_point = {{1, 0}, {0, 1}};
        if (isContact(k)) {
            out.by_contact[side(k).a] = {{-1, 0}, {0, -1}};
            return;
        }
        const Side& i = before(k);
        const Side& j = side(k);
        const double det = cross2(i.normal, j.normal);
        addShift(i, corner, {j.normal.y / det, -j.normal.x / det}, -1.0, out);
        addShift(j, corner, {-i.normal.y / det, i.normal.x / det}, -1.0, out);
    }

    std::array<Side, kMaxContacts> sides_ = {};
    std::array<std::size_t, kMaxContacts> left_ = {};  // those that are left, in order
    std::size_t count_ = 0;
    double margin_ = 0.0;
    bool limited_ = false;
    Meeting circle_ = {};
    std::array<std::size_t, 3> circle_sides_ = {};
};

}  // namespace

void computeSupport(std::span<const Vec2> contacts, const Vec2& point, double margin,
                    SupportOffset& out) {
    out = {};
    const Hull hull = hullOf(contacts);
    if (hull.count == 1) {
        out.offset = point - contacts[hull.at[0]];
        out.by_point = {{1, 0}, {0, 1}};
        out.by_contact[hull.at[0]] = {{-1, 0}, {0, -1}};
        return;
    }
    Polygon polygon(contacts, hull);
    polygon.shrink(margin);
    polygon.offsetOf(point, out);
}

void computeSupportOnLine(std::span<const Vec2> contacts, const Vec2& point, double margin,
                          SupportOffset& out) {
    out = {};
    const auto [low, high] = std::minmax_element(
        contacts.begin(), contacts.end(), [](const Vec2& a, const Vec2& b) { return a.x < b.x; });
    const double most = kMostMargin * 0.5 * (high->x - low->x);
    const bool limited = margin > most;
    const double inward = limited ? most : margin;
    const double below = point.x - low->x - inward;
    const double above = point.x - high->x + inward;
    if (below >= 0.0 && above <= 0.0) return;
    const bool at_low = below < 0.0;
    out.offset.x = at_low ? below : above;
    out.by_point.x.x = 1.0;
    const auto by = [&](const Vec2* contact) -> double& {
        return out.by_contact[static_cast<std::size_t>(contact - contacts.data())].x.x;
    };
    by(at_low ? &*low : &*high) -= 1.0;
    if (!limited) return;
    const double share = kMostMargin * 0.5 * (at_low ? -1.0 : 1.0);
    by(&*high) += share;
    by(&*low) -= share;
}

}  // namespace ulna::ik::detail
