// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "ulna/io/rig_json.h"
#include "ulna/motion/keyed_motion.h"
#include "ulna/skeleton/forward_kinematics.h"

int main(int argc, char** argv) {
    using namespace ulna;
    const Result<io::RigFile> rig =
        io::loadRig(argc > 1 ? argv[1] : "assets/ulna-character.rig.json");
    if (!rig) {
        std::fprintf(stderr, "%s\n", describe(rig.error()).c_str());
        return 1;
    }
    const Skeleton& body = rig->skeleton;

    // 1. A few keys: the left knee bends and straightens, the head turns left and right.
    KeyedMotion motion{.name = "warm-up", .base = restPose(body)};
    const JointId knee = body.find("LeftLeg"), head = body.find("Head");
    AngleTracks bend = makeAngleTracks(body, knee);
    bend.rotations[0].angle = Track<double>({{0.0, 0.0}, {0.5, radians(80)}, {1.2, 0.0}});
    bend.rotations[0].angle.outside = Outside::Loop;
    motion.at(knee).rotation = bend;
    motion.at(head).rotation = Track<Quat>({{0.0, quatAboutAxis(1, radians(40))},
                                            {0.4, quatAboutAxis(1, radians(-40))},
                                            {1.2, quatAboutAxis(1, radians(40))}});

    // 2. The curve passes through every key, and has a velocity everywhere.
    for (const double time : {0.0, 0.25, 0.5, 1.7}) {
        const Pose pose = samplePose(motion, time);
        const Vec3 foot = computeModelPose(body, pose).position(body.find("LeftFoot"));
        std::printf("%.2f s: knee %5.1f degrees at %6.1f a second, foot at %.2f %.2f %.2f\n", time,
                    degrees(sample(bend.rotations[0].angle, time)),
                    degrees(sampleRate(bend.rotations[0].angle, time)), foot.x, foot.y, foot.z);
    }

    // 3. Keys are edited in place; frames of a steady rate come from the same curve.
    auto& track = std::get<AngleTracks>(motion.at(knee).rotation).rotations[0].angle;
    track.move(1, 0.7);
    const Result<Motion> frames = makeSampled(motion, 1.0 / 30.0);
    if (!frames) return 1;
    std::printf("%zu keys, %zu frames\n", motion.keyCount(), frames->frameCount());
    return 0;
}
