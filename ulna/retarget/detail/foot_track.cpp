// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/detail/foot_track.h"

#include <algorithm>
#include <cmath>

namespace ulna::retarget::detail {
namespace {

// Frames in contact, by two pairs of thresholds.
std::vector<bool> touching(const std::vector<Vec3>& points, double frame_time, double leg,
                           double floor, const ContactOptions& options) {
    std::vector<bool> out(points.size());
    bool on = false;
    for (std::size_t f = 0; f < points.size(); ++f) {
        const double height = (points[f].y - floor) / leg;
        const double speed = speedAt(points, f, frame_time) / leg;
        on = on ? height < options.end_height && speed < options.end_speed
                : height < options.begin_height && speed < options.begin_speed;
        out[f] = on;
    }
    return out;
}

// Runs of one value that are too short are the other value, gaps first.
void dropShort(std::vector<bool>& frames, bool value, std::size_t shortest) {
    std::size_t begin = 0;
    while (begin < frames.size()) {
        std::size_t end = begin + 1;
        while (end < frames.size() && frames[end] == frames[begin]) ++end;
        const bool inner = begin > 0 && end < frames.size();
        if (frames[begin] == value && end - begin < shortest && (inner || value))
            std::fill(frames.begin() + static_cast<std::ptrdiff_t>(begin),
                      frames.begin() + static_cast<std::ptrdiff_t>(end), !value);
        begin = end;
    }
}

}  // namespace

double speedAt(const std::vector<Vec3>& points, std::size_t frame, double frame_time) {
    const std::size_t before = frame > 0 ? frame - 1 : frame;
    const std::size_t after = std::min(frame + 1, points.size() - 1);
    if (after == before) return 0.0;
    return distance(points[before], points[after]) /
           (static_cast<double>(after - before) * frame_time);
}

double findFloor(const FootTracks& feet, double frame_time, double leg) {
    constexpr double kSlow = 0.4;   // leg lengths per second
    constexpr double kLower = 0.2;  // of the slow ones, those that stand and not those on steps
    std::vector<double> slow, all;
    for (const FootTrack& foot : feet) {
        for (const std::vector<Vec3>* points : {&foot.heel, &foot.ball}) {
            for (std::size_t f = 0; f < points->size(); ++f) {
                all.push_back((*points)[f].y);
                if (speedAt(*points, f, frame_time) < kSlow * leg) slow.push_back((*points)[f].y);
            }
        }
    }
    std::vector<double>& heights = slow.size() >= 4 ? slow : all;
    if (heights.empty()) return 0.0;
    const auto nth = heights.begin() +
                     static_cast<std::ptrdiff_t>(kLower * static_cast<double>(heights.size() - 1));
    std::nth_element(heights.begin(), nth, heights.end());
    return *nth;
}

std::vector<Contact> findSpans(const FootTracks& feet, double frame_time, double leg, double floor,
                               const ContactOptions& options) {
    const auto shortest =
        static_cast<std::size_t>(std::clamp(std::round(options.shortest / frame_time), 1.0, 1e9));
    std::vector<Contact> out;
    for (std::size_t side = 0; side < 2; ++side) {
        for (const SolePart part : {SolePart::Heel, SolePart::Ball}) {
            const std::vector<Vec3>& points =
                part == SolePart::Heel ? feet[side].heel : feet[side].ball;
            std::vector<bool> on = touching(points, frame_time, leg, floor, options);
            dropShort(on, false, shortest);
            dropShort(on, true, shortest);
            for (std::size_t f = 0; f < on.size(); ++f) {
                if (!on[f]) continue;
                if (f == 0 || !on[f - 1])
                    out.push_back({side == 0 ? BodySide::Left : BodySide::Right, part, f, f});
                out.back().last = f;
            }
        }
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const Contact& a, const Contact& b) { return a.first < b.first; });
    return out;
}

}  // namespace ulna::retarget::detail
