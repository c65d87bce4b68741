// SPDX-License-Identifier: Apache-2.0

#include "support/fit.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace ulna::test {

FitRig randomRig(std::size_t points, std::size_t vertices, bool tree, Random& random, bool planar) {
    FitRig rig;
    rig.planar = planar;
    const auto place = [&](double range) {
        const double x = random.between(-range, range);
        const double y = random.between(-range, range);
        const double z = random.between(-range, range);
        return Vec3{x, y, planar ? 0.0 : z};
    };
    for (std::size_t j = 0; j < points; ++j) {
        ControlPoint point{.name = "p" + std::to_string(j), .rest = place(1.0)};
        if (tree && j > 0) {
            point.parent = static_cast<std::int32_t>(random.below(j));
            Vec3 step = random.direction() * random.between(0.3, 0.6);
            if (planar) step.z = 0.0;
            point.rest = rig.points[static_cast<std::size_t>(point.parent)].rest + step;
        }
        rig.points.push_back(point);
    }
    for (std::size_t i = 0; i < vertices; ++i) {
        const std::size_t j = i % points;
        rig.vertices.push_back(rig.points[j].rest + place(0.25));
    }
    weighByDistance(rig, 4);
    return rig;
}

void weighByDistance(FitRig& rig, std::size_t most) {
    rig.weights = {};
    for (const Vec3& v : rig.vertices) {
        std::vector<std::pair<double, std::size_t>> near;
        for (std::size_t j = 0; j < rig.points.size(); ++j)
            near.push_back({distance(v, rig.points[j].rest), j});
        std::sort(near.begin(), near.end());
        near.resize(std::min(most, near.size()));
        double sum = 0.0;
        for (auto& [d, j] : near) {
            d = 1.0 / (d * d * d + 1e-3);
            sum += d;
        }
        std::vector<Influence> row;
        for (const auto& [d, j] : near) row.push_back({jointId(j), static_cast<float>(d / sum)});
        rig.weights.addRow(row);
    }
}

FitRig pinnedChain(Random& random) {
    FitRig rig;
    for (int j = 0; j < 4; ++j)
        rig.points.push_back({.rest = {0.3 * j, 0.05 * (j % 2), 0}, .parent = j - 1});
    for (std::size_t i = 0; i < 200; ++i)
        rig.vertices.push_back(rig.points[i % 4].rest + random.direction() * 0.1);
    weighByDistance(rig, 2);
    rig.points[0].pinned = rig.points[3].pinned = true;
    return rig;
}

ControlPose randomControlPose(const FitRig& rig, double angle, double distance, Random& random) {
    ControlPose pose = restControlPose(rig);
    for (std::size_t j = 0; j < rig.points.size(); ++j) {
        const ControlPoint& point = rig.points[j];
        Vec3 axis = random.direction();
        Vec3 step = random.direction() * random.between(0.0, distance);
        if (rig.planar) {
            axis = {0, 0, 1};
            step.z = 0.0;
        }
        Quat turn = quatFromAxisAngle(axis, random.between(-angle, angle));
        if (point.parent >= 0) turn = turn * pose.rotations[static_cast<std::size_t>(point.parent)];
        if (point.freedom != PointFreedom::Cage) pose.rotations[j] = turn;
        if (!point.pinned) pose.positions[j] += step;
    }
    applyHierarchy(rig, pose);
    return pose;
}

Fitter makeFitter(const FitRig& rig, const FitOptions& options) {
    Result<Fitter> fitter = Fitter::make(rig, options);
    if (!fitter) {
        std::fprintf(stderr, "%s\n", describe(fitter.error()).c_str());
        std::abort();
    }
    return *fitter;
}

double rmsBetween(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i] - b[i], a[i] - b[i]);
    return std::sqrt(sum / static_cast<double>(a.size()));
}

double largestAngle(const ControlPose& a, const ControlPose& b) {
    double largest = 0.0;
    for (std::size_t j = 0; j < a.rotations.size(); ++j)
        largest = std::max(largest, angleBetween(a.rotations[j], b.rotations[j]));
    return largest;
}

double normal(Random& random) {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - random.unit()));
    return radius * std::cos(random.between(-kPi, kPi));
}

std::vector<Vec3> withNoise(std::vector<Vec3> shape, double sigma, Random& random, bool planar) {
    for (Vec3& v : shape) {
        for (std::size_t k = 0; k < (planar ? 2U : 3U); ++k) v[k] += sigma * normal(random);
    }
    return shape;
}

}  // namespace ulna::test
