// SPDX-License-Identifier: Apache-2.0
#include "support/clips.h"

#include <algorithm>
#include <cmath>

#include "support/humanoid.h"
#include "support/skeletons.h"

namespace ulna::test {

Clip randomClip(std::uint64_t seed, std::size_t frames) {
    Random random(seed);
    Clip out{makeHumanoid(nameFamilies()[0]), {}};
    out.motion = Motion(restPose(out.skeleton), frames, 1.0 / 30.0, usualTracks(out.skeleton));
    std::vector<Vec3> axes, phases, speeds;
    for (std::size_t j = 0; j < out.skeleton.jointCount(); ++j) {
        axes.push_back(random.direction());
        const double a = random.between(-kPi, kPi), b = random.between(-kPi, kPi);
        phases.push_back({a, b, random.between(-kPi, kPi)});
        const double c = random.between(1.0, 5.0), d = random.between(1.0, 5.0);
        speeds.push_back({c, d, random.between(1.0, 5.0)});
    }
    for (std::size_t f = 0; f < frames; ++f) {
        Pose pose = restPose(out.skeleton);
        const double t = out.motion.timeOf(f);
        const auto wave = [&](std::size_t j, std::size_t i) {
            return std::sin(phases[j][i] + speeds[j][i] * t);
        };
        for (const JointId j : out.motion.tracks().rotated) {
            const std::size_t i = index(j);
            const Vec3 v = axes[i] * wave(i, 0) + Vec3{0.3 * wave(i, 1), 0.3 * wave(i, 2), 0};
            pose[j].rotation = pose[j].rotation * quatExp(v * 0.8);
        }
        for (const JointId j : out.motion.tracks().translated) {
            const std::size_t i = index(j);
            pose[j].translation += Vec3{wave(i, 0), 0.2 * wave(i, 1), wave(i, 2)};
        }
        out.motion.setPose(f, pose);
    }
    return out;
}

Clip straightWalk(std::size_t frames, double speed) {
    Clip out{build({joint("root", "", JointKind::Free, {0, 1, 0}),
                    joint("leg", "root", JointKind::Ball, {0, -0.5, 0})}),
             {}};
    out.motion = Motion(restPose(out.skeleton), frames, 1.0 / 30.0, usualTracks(out.skeleton));
    for (std::size_t f = 0; f < frames; ++f) {
        Pose pose = restPose(out.skeleton);
        pose[jointId(0)].translation.z = speed * out.motion.timeOf(f);
        pose[jointId(1)].rotation = quatAboutAxis(0, std::sin(kTwoPi * out.motion.timeOf(f)));
        out.motion.setPose(f, pose);
    }
    return out;
}

double apart(const Pose& a, const Pose& b) {
    double out = 0.0;
    for (std::size_t j = 0; j < a.parent_from_joint.size(); ++j) {
        const Trs& x = a.parent_from_joint[j];
        const Trs& y = b.parent_from_joint[j];
        out = std::max({out, length(x.translation - y.translation), length(x.scale - y.scale),
                        angleBetween(x.rotation, y.rotation)});
    }
    return out;
}

}  // namespace ulna::test
