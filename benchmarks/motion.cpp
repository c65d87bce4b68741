// SPDX-License-Identifier: Apache-2.0

// Playing and blending: 65 joints forward, by random seek and two poses into one, in float, beside
// the plain double path they are measured against.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "benchmarks/harness.h"
#include "benchmarks/models.h"
#include "ulna/math/random.h"
#include "ulna/motion/float_blend.h"
#include "ulna/motion/pack.h"
#include "ulna/motion/player.h"

namespace ulna::bench {
namespace {

constexpr double kSeconds = 20.0;

// A smooth wandering about zero, of size 1.
struct Wave {
    double amplitude[3], frequency[3], phase[3];

    explicit Wave(Random& random) {
        for (std::size_t i = 0; i < 3; ++i) {
            amplitude[i] = random.between(0.1, 0.5);
            frequency[i] = random.between(1.0, 7.0);
            phase[i] = random.between(-kPi, kPi);
        }
    }
    [[nodiscard]] double at(double time) const {
        double out = 0.0;
        for (std::size_t i = 0; i < 3; ++i)
            out += amplitude[i] * std::sin(frequency[i] * time + phase[i]);
        return out;
    }
};

// 4 to 8 keys a second on every joint, each at its own times, as reducing a capture leaves them.
KeyedMotion makeClip(const Skeleton& skeleton, Interpolation how) {
    Random random(11);
    KeyedMotion out;
    out.base = restPose(skeleton);
    for (std::size_t j = 0; j < skeleton.jointCount(); ++j) {
        const Quat middle = random.rotation();
        const Wave x(random), y(random), z(random);
        std::vector<Key<Quat>> turns;
        std::vector<Key<Vec3>> places;
        for (double time = 0.0; time < kSeconds; time += random.between(0.125, 0.25)) {
            const Vec3 v{x.at(time), y.at(time), z.at(time)};
            turns.push_back({time, middle * quatExp(v)});
            places.push_back({time, v});
        }
        turns.push_back({kSeconds, middle});
        JointTracks& tracks = out.at(jointId(j));
        tracks.rotation = Track<Quat>(std::move(turns), how);
        if (j == 0) tracks.translation = Track<Vec3>(std::move(places), how);
    }
    return out;
}

// Euler angles, each with keys of its own.
KeyedMotion makeTurns(const Skeleton& skeleton) {
    Random random(14);
    KeyedMotion out;
    out.base = restPose(skeleton);
    for (std::size_t j = 0; j < skeleton.jointCount(); ++j) {
        AngleTracks tracks = makeAngleTracks(skeleton, jointId(j));
        for (AngleTracks::Rotation& turn : tracks.rotations) {
            const Wave wave(random);
            for (double time = 0.0; time < kSeconds; time += random.between(0.2, 0.6))
                turn.angle.insert({time, wave.at(time)});
            turn.angle.insert({kSeconds, 0.0});
        }
        out.at(jointId(j)).rotation = tracks;
    }
    return out;
}

std::vector<double> randomTimes(std::size_t count) {
    Random random(12);
    std::vector<double> out;
    for (std::size_t i = 0; i < count; ++i) out.push_back(random.between(0.0, kSeconds));
    return out;
}

double rotationError(const FloatPose& pose, const Pose& exact) {
    double out = 0.0;
    for (std::size_t j = 0; j < pose.jointCount(); ++j) {
        const Quatf q = pose.rotation(jointId(j));
        out = std::max(out, angleBetween(exact[jointId(j)].rotation, Quat{q.x, q.y, q.z, q.w}));
    }
    return out;
}

void demand(double error) {
    std::printf("  largest rotation error %.2e rad\n", error);
    std::fflush(stdout);
    if (error > 1e-7) std::abort();
}

void play(const char* title, const KeyedMotion& motion) {
    const PlayableClip clip = makePlayable(motion);
    const std::vector<double> times = randomTimes(4096);
    Player player(clip);
    FloatPose pose(clip.jointCount());
    Pose exact;
    double error = 0.0;
    for (const double time : times) {
        player.sample(time, pose);
        samplePose(motion, time, exact);
        error = std::max(error, rotationError(pose, exact));
    }
    constexpr double kStep = 1.0 / 60.0;
    const double joints = static_cast<double>(clip.jointCount());
    double now = 0.0, then = 0.0;
    std::size_t next = 0;
    Player seeking(clip);
    std::vector<Candidate> candidates = {{"ulna, forward at 60 frames a second",
                                          [&] {
                                              now = now + kStep < kSeconds ? now + kStep : 0.0;
                                              player.sample(now, pose);
                                              keep(pose);
                                          },
                                          joints},
                                         {"ulna, random seek",
                                          [&] {
                                              next = (next + 1) % times.size();
                                              seeking.sample(times[next], pose);
                                              keep(pose);
                                          },
                                          joints},
                                         {"samplePose, double, forward",
                                          [&] {
                                              then = then + kStep < kSeconds ? then + kStep : 0.0;
                                              samplePose(motion, then, exact);
                                              keep(exact);
                                          },
                                          joints}};
    compete(candidates);
    printNanoseconds(title, "joint", candidates);
    std::printf("  %zu keys, %zu pieces, %.0f kB\n", motion.keyCount(), clip.pieceCount(),
                static_cast<double>(clip.byteCount()) / 1000.0);
    demand(error);
}

void pack(const Skeleton& skeleton, const Motion& motion) {
    const PackOptions options{.threads = 1};
    const auto start = std::chrono::steady_clock::now();
    const Result<PackedMotion> packed = packClip(skeleton, motion, options);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!packed) std::abort();
    const std::vector<double> times = randomTimes(4096);
    PackedPlayer player(packed->clip);
    FloatPose pose(skeleton.jointCount());
    const double joints = static_cast<double>(skeleton.jointCount());
    double now = 0.0;
    std::size_t next = 0;
    std::vector<Candidate> candidates = {{"ulna, forward at 60 frames a second",
                                          [&] {
                                              now = now + 1.0 / 60.0 < kSeconds ? now + 1.0 / 60.0
                                                                                : 0.0;
                                              player.sample(now, pose);
                                              keep(pose);
                                          },
                                          joints},
                                         {"ulna, random seek",
                                          [&] {
                                              next = (next + 1) % times.size();
                                              samplePose(packed->clip, times[next], pose);
                                              keep(pose);
                                          },
                                          joints}};
    compete(candidates);
    printNanoseconds(
        "Packed: 65 joints at 30 frames a second, 0.1 mm (aim: 4 ns forward, 12 by seek)", "joint",
        candidates);
    std::printf("  %.1f : 1, off by %.3f mm at most; packed at %.0f joint samples a millisecond\n",
                packed->report.ratio(), 1e3 * packed->report.worst_error,
                joints * static_cast<double>(motion.frameCount()) / seconds / 1e3);
}

// The floats as they are: what they were rounded from is not the blend's doing.
Pose widened(const FloatPose& pose) {
    Pose out = toPose(pose);
    for (std::size_t j = 0; j < pose.jointCount(); ++j) {
        const Quatf q = pose.rotation(jointId(j));
        out[jointId(j)].rotation = {q.x, q.y, q.z, q.w};
    }
    return out;
}

// The formula of blendPoses for two layers, in double.
void blendPlainly(const Pose& a, const Pose& b, double t, Pose& out) {
    out.parent_from_joint.resize(a.parent_from_joint.size());
    for (std::size_t j = 0; j < a.parent_from_joint.size(); ++j) {
        const Trs& from = a.parent_from_joint[j];
        const Trs& to = b.parent_from_joint[j];
        const Quat& p = from.rotation;
        const Quat& q = to.rotation;
        const double s = dot(p, q) < 0.0 ? -t : t;
        out.parent_from_joint[j] = {
            lerp(from.translation, to.translation, t), lerp(from.scale, to.scale, t),
            normalized(Quat{p.x * (1 - t) + q.x * s, p.y * (1 - t) + q.y * s,
                            p.z * (1 - t) + q.z * s, p.w * (1 - t) + q.w * s})};
    }
}

void blend(const Skeleton& skeleton) {
    Random random(13);
    Pose a = restPose(skeleton), b = a, exact;
    FloatPose out(skeleton.jointCount());
    double error = 0.0;
    for (int i = 0; i < 4000; ++i) {
        for (Trs& t : a.parent_from_joint) t.rotation = random.rotation();
        for (Trs& t : b.parent_from_joint) t.rotation = random.rotation();
        const FloatPose fa(a), fb(b);
        const float t = static_cast<float>(random.below(1025)) / 1024.0f;  // 1 - t is exact
        blendPoses(std::vector<BlendLayer>{{&fa, 1.0f - t}, {&fb, t}}, out);
        blendPlainly(widened(fa), widened(fb), static_cast<double>(t), exact);
        error = std::max(error, rotationError(out, exact));
    }
    const FloatPose fa(a), fb(b), fc(b), fd(a);
    const BlendLayer layers[] = {{&fa, 0.3f}, {&fb, 0.7f}, {&fc, 0.5f}, {&fd, 0.2f}};
    const double joints = static_cast<double>(skeleton.jointCount());
    std::vector<Candidate> candidates = {{"ulna, two poses",
                                          [&] {
                                              blendPoses(std::span(layers, 2), out);
                                              keep(out);
                                          },
                                          joints},
                                         {"ulna, four poses",
                                          [&] {
                                              blendPoses(layers, out);
                                              keep(out);
                                          },
                                          joints},
                                         {"ulna, an additive layer",
                                          [&] {
                                              addLayer(layers[1], out);
                                              keep(out);
                                          },
                                          joints},
                                         {"two poses in double, a plain loop",
                                          [&] {
                                              blendPlainly(a, b, 0.7, exact);
                                              keep(exact);
                                          },
                                          joints}};
    compete(candidates);
    printNanoseconds("Blending poses of 65 joints (aim: 3.5 ns per joint for two)", "joint",
                     candidates);
    demand(error);
}

}  // namespace

void benchMotion() {
    const Skeleton skeleton = humanoid65();
    const KeyedMotion smooth = makeClip(skeleton, Interpolation::CatmullRom);
    play("Playing 65 joints, linear, 4 to 8 keys a second (aim: 10 ns forward, 20 by seek)",
         makeClip(skeleton, Interpolation::Linear));
    play("The same keys, Catmull-Rom", smooth);
    const Result<Motion> frames = makeSampled(smooth, 1.0 / 30.0);
    if (!frames) std::abort();
    play("A linear key on every joint for every frame of 30 a second", makeKeyed(*frames));
    play("Three Euler angles per joint, Catmull-Rom, 2 to 5 keys a second each",
         makeTurns(skeleton));
    pack(skeleton, *frames);
    blend(skeleton);
}

}  // namespace ulna::bench
