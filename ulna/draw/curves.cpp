// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "ulna/draw/plot.h"
#include "ulna/skeleton/state.h"

namespace ulna::draw {
namespace {

// Curves are drawn through so many points, and through every key.
constexpr std::size_t kPoints = 600;

template <class V>
std::vector<double> timesOf(const Track<V>& track) {
    std::vector<double> out;
    for (const Key<V>& key : track.keys()) out.push_back(key.time);
    return out;
}

std::vector<double> plotTimes(const KeyedMotion& motion, std::vector<double> keys) {
    const double start = std::min(0.0, motion.startTime()), end = motion.endTime();
    for (std::size_t i = 0; i <= kPoints; ++i) {
        const double u = static_cast<double>(i) / static_cast<double>(kPoints);
        keys.push_back(start + u * (end - start));
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
}

using Values = std::array<double, 3>;

// Whether an axis that contains 0 still shows how the values change: hips a metre above the ground
// that rise by a centimetre would be a straight line.
bool zeroIsNear(const std::vector<PlotSeries>& series) {
    constexpr double kLeastShare = 0.25;
    double low = 0.0, high = 0.0, largest = 0.0;
    bool first = true;
    for (const PlotSeries& each : series) {
        for (const double y : each.y) {
            low = first ? y : std::min(low, y);
            high = first ? y : std::max(high, y);
            largest = std::max(largest, std::abs(y));
            first = false;
        }
    }
    return high - low >= kLeastShare * largest;
}

// Three numbers over time, those in `shown` of them, marked at their own keys.
std::string plotThree(const KeyedMotion& motion, const std::array<std::string, 3>& names,
                      const std::array<std::vector<double>, 3>& keys,
                      const std::function<Values(double)>& valuesAt, const PlotOptions& plot,
                      std::size_t most_keys) {
    std::vector<double> all;
    for (const std::vector<double>& times : keys) all.insert(all.end(), times.begin(), times.end());
    std::vector<PlotSeries> series(3);
    std::array<std::size_t, 3> next = {};
    for (const double time : plotTimes(motion, std::move(all))) {
        const Values values = valuesAt(time);
        for (std::size_t i = 0; i < 3; ++i) {
            series[i].x.push_back(time);
            series[i].y.push_back(values[i]);
            const bool few = keys[i].size() <= most_keys;
            for (; next[i] < keys[i].size() && keys[i][next[i]] <= time; ++next[i])
                if (few) series[i].marks.push_back({time, values[i]});
        }
    }
    std::vector<PlotSeries> shown;
    for (std::size_t i = 0; i < 3; ++i) {
        if (names[i].empty()) continue;
        series[i].name = names[i];
        shown.push_back(std::move(series[i]));
    }
    PlotOptions how = plot;
    how.zero_y = zeroIsNear(shown);
    return drawPlot(shown, how);
}

std::string plotVector(const KeyedMotion& motion, const Track<Vec3>& track, const PlotOptions& plot,
                       std::size_t most_keys) {
    const std::vector<double> times = timesOf(track);
    const auto at = [&](double time) {
        const Vec3 v = sample(track, time);
        return Values{v.x, v.y, v.z};
    };
    return plotThree(motion, {"x", "y", "z"}, {times, times, times}, at, plot, most_keys);
}

std::string plotAngles(const Skeleton& skeleton, const KeyedMotion& motion, JointId joint,
                       const JointTracks* tracks, const PlotOptions& plot, std::size_t most_keys) {
    std::array<std::vector<double>, 3> keys;
    std::array<std::string, 3> names;
    const auto* angles = tracks == nullptr ? nullptr : std::get_if<AngleTracks>(&tracks->rotation);
    if (angles != nullptr) {
        // The angles themselves: they may exceed a revolution.
        const std::size_t count = std::min<std::size_t>(3, angles->rotations.size());
        const std::size_t end = skeleton.firstDof(joint) + skeleton.dofCount(joint);
        for (std::size_t i = 0; i < count; ++i) {
            keys[i] = timesOf(angles->rotations[i].angle);
            names[i] = skeleton.dofName(end - count + i);
        }
        const auto at = [&](double time) {
            Values out = {};
            for (std::size_t i = 0; i < count; ++i)
                out[i] = degrees(sample(angles->rotations[i].angle, time));
            return out;
        };
        return plotThree(motion, names, keys, at, plot, most_keys);
    }
    const EulerOrder order = skeleton.joint(joint).order;
    const std::array<int, 3> axes = eulerAxes(order);
    const Quat back = conjugate(skeleton.rest(joint).rotation);
    for (std::size_t i = 0; i < 3; ++i) {
        names[i] = std::string("r") + "xyz"[static_cast<std::size_t>(axes[i])];
        if (tracks != nullptr) keys[i] = timesOf(std::get<Track<Quat>>(tracks->rotation));
    }
    Vec3 near;
    const auto at = [&](double time) {
        near = eulerFromQuat(order, back * samplePose(motion, time)[joint].rotation, near);
        return Values{degrees(near.x), degrees(near.y), degrees(near.z)};
    };
    return plotThree(motion, names, keys, at, plot, most_keys);
}

}  // namespace

std::string drawCurves(const Skeleton& skeleton, const KeyedMotion& motion, JointId joint,
                       const CurveOptions& options) {
    const JointTracks* tracks = motion.find(joint);
    PlotOptions plot;
    plot.width = options.width;
    plot.height = options.height;
    plot.title = options.title;
    plot.mark_name = "key";
    plot.x_label = "seconds";
    plot.y_label = "degrees";
    std::vector<std::string> pictures = {
        plotAngles(skeleton, motion, joint, tracks, plot, options.most_keys)};
    plot.title.clear();
    if (tracks != nullptr && !tracks->translation.empty()) {
        plot.y_label = "offset";
        pictures.push_back(plotVector(motion, tracks->translation, plot, options.most_keys));
    }
    if (tracks != nullptr && !tracks->scale.empty()) {
        plot.y_label = "scale";
        pictures.push_back(plotVector(motion, tracks->scale, plot, options.most_keys));
    }
    return pictures.size() == 1 ? pictures[0] : stackPictures(pictures);
}

}  // namespace ulna::draw
