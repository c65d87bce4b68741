// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/detail/point_axes.h"

#include <array>
#include <cmath>

#include "ulna/retarget/detail/statistics.h"

namespace ulna::retarget::detail {
namespace {

Vec3 axisOf(PointUp up) {
    constexpr std::array<Vec3, 6> kAxes = {
        {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}};
    return kAxes[static_cast<std::size_t>(up)];
}

// One of three attachments that a limb has, in a frame that shows them all.
struct Limb {
    int top = -1, middle = -1, end = -1;

    [[nodiscard]] bool whole() const { return top >= 0 && middle >= 0 && end >= 0; }
};

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

}  // namespace

PointUp guessUp(const PointBody& body, std::span<const Vec3> positions,
                std::span<const double> weights, double& share) {
    const std::size_t width = body.attached.size();
    Vec3 rise;
    for (std::size_t f = 0; f < positions.size(); f += width) {
        double weight = 0.0, height = 0.0;
        for (std::size_t i = 0; i < width; ++i) {
            weight += weights[f + i];
            height += weights[f + i] * body.places[i].y;
        }
        if (!(weight > 0.0)) continue;
        for (std::size_t i = 0; i < width; ++i)
            rise += positions[f + i] * (weights[f + i] * (body.places[i].y - height / weight));
    }
    PointUp out = PointUp::Y;
    double most = 0.0;
    for (const PointUp up :
         {PointUp::Y, PointUp::Z, PointUp::MinusY, PointUp::MinusZ, PointUp::X, PointUp::MinusX}) {
        const double along = dot(rise, axisOf(up));
        if (along <= most) continue;
        most = along;
        out = up;
    }
    const double all = length(rise);
    share = all > 0.0 ? most / all : 0.0;
    return out;
}

Quat modelFromPoints(const PointBody& body, PointUp up) {
    const Vec3 to = rotate(body.segments.model_from_ground, Vec3{0, 1, 0});
    const Vec3 from = axisOf(up);
    // Cameras look along z with y down: what is left and right in the picture stays so.
    if (dot(from, to) < -0.999)
        return quatFromAxisAngle(std::abs(to.x) > 0.5 ? Vec3{0, 0, 1} : Vec3{1, 0, 0}, kPi);
    return quatBetween(from, to);
}

bool isMirrored(const PointBody& body, std::span<const Vec3> positions,
                std::span<const double> weights) {
    const std::size_t width = body.attached.size();
    const HumanBody& human = body.human;
    const std::array<int, 2> hips = {body.at(human.left.hip), body.at(human.right.hip)};
    const std::array<int, 2> shoulders = {body.at(human.left.shoulder),
                                          body.at(human.right.shoulder)};
    if (hips[0] < 0 || hips[1] < 0 || shoulders[0] < 0 || shoulders[1] < 0) return false;
    std::array<Limb, 2> legs;
    for (std::size_t side = 0; side < 2; ++side) {
        const HumanSide& s = side == 0 ? human.left : human.right;
        legs[side] = {hips[side], body.at(s.knee), body.at(s.ankle)};
    }
    double ahead = 0.0, all = 0.0;
    for (std::size_t f = 0; f < positions.size(); f += width) {
        const auto seen = [&](int i) { return weights[f + at(i)] > 0.0; };
        const auto place = [&](int i) { return positions[f + at(i)]; };
        if (!(seen(hips[0]) && seen(hips[1]) && seen(shoulders[0]) && seen(shoulders[1]))) continue;
        const Vec3 left = place(hips[0]) - place(hips[1]);
        const Vec3 up = place(shoulders[0]) + place(shoulders[1]) - place(hips[0]) - place(hips[1]);
        const Vec3 forward = normalizedOr(cross(left, up), Vec3{});
        const auto count = [&](const Vec3& way) {
            ahead += dot(way, forward);
            all += std::abs(dot(way, forward));
        };
        for (const Limb& leg : legs) {
            if (!leg.whole() || !seen(leg.top) || !seen(leg.middle) || !seen(leg.end)) continue;
            // How far the knee is before the line from hip to ankle.
            const Vec3 line = normalizedOr(place(leg.end) - place(leg.top), up);
            const Vec3 knee = place(leg.middle) - place(leg.top);
            count(knee - line * dot(knee, line));
        }
        for (std::size_t i = 0; i < width; ++i) {
            if (!(weights[f + i] > 0.0)) continue;
            for (std::size_t side = 0; side < 2; ++side) {
                const HumanSide& s = side == 0 ? human.left : human.right;
                const Attachment& each = body.attached[i];
                const Vec3 rest =
                    legs[side].end < 0 ? Vec3{} : body.places[i] - body.places[at(legs[side].end)];
                const bool of_foot = each.joint == s.toes || (each.joint == s.foot && !each.exact);
                if (!of_foot || legs[side].end < 0 || !seen(legs[side].end)) continue;
                if (rest.z > 0.3 * length(rest)) count(positions[f + i] - place(legs[side].end));
            }
        }
    }
    constexpr double kMost = 0.6;
    return all > 0.0 && ahead < -kMost * all;
}

double guessScale(const PointBody& body, std::span<const Vec3> positions,
                  std::span<const double> weights, bool metric) {
    double rest = 0.0, seen = 0.0;
    const std::vector<PointBone> bones = measureBones(body, positions, weights).bones;
    const auto add = [&](JointId joint) {
        for (const PointBone& bone : bones) {
            if (bone.end != joint) continue;
            rest += bone.rest;
            seen += bone.length;
        }
    };
    for (const HumanSide* side : {&body.human.left, &body.human.right}) {
        add(side->knee);
        add(side->ankle);
    }
    for (const HumanSide* side : {&body.human.left, &body.human.right}) {
        if (rest > 0.0) break;
        add(side->elbow);
        add(side->wrist);
    }
    if (!(rest > 0.0))
        for (const PointBone& bone : bones) add(bone.end);
    if (!(seen > 0.0)) return 1.0;
    const double scale = rest / seen;
    if (!metric) return scale;
    // Bodies differ by less than this; more is another unit.
    constexpr double kLargest = 1.7;
    const double power = std::pow(10.0, std::round(std::log10(scale)));
    return scale < power * kLargest && scale > power / kLargest ? power : scale;
}

}  // namespace ulna::retarget::detail
