// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "ulna/io/rig_json.h"
#include "ulna/motion/blend.h"
#include "ulna/motion/edit.h"
#include "ulna/motion/mirror.h"

int main(int argc, char** argv) {
    using namespace ulna;
    const Result<io::RigFile> rig =
        io::loadRig(argc > 1 ? argv[1] : "assets/ulna-character.rig.json");
    if (!rig) {
        std::fprintf(stderr, "%s\n", describe(rig.error()).c_str());
        return 1;
    }
    // 1. Two walks: the bundled one, and a slower one with the sides exchanged half a cycle later,
    //    which steps at the same moments.
    const Skeleton& body = rig->skeleton;
    const Motion walk = computeMotion(body, rig->clips[0]);
    const Result<MirrorPairs> pairs = findMirrorPairs(body);
    const Result<Motion> twice = repeated(body, walk, 2);
    if (!pairs || !twice) return 1;
    const Result<Motion> shifted = trimmed(*twice, 0.5 * walk.duration(), 1.5 * walk.duration());
    if (!shifted) return 1;
    const Result<Motion> slow = atSpeed(mirrored(body, *pairs, *shifted), 0.5);
    if (!slow) return 1;

    // 2. Half of each: they begin and end together, over the mean of their lengths.
    for (const double share : {0.0, 0.5, 1.0}) {
        const MotionLayer layers[] = {{.motion = &walk, .weight = 1.0 - share},
                                      {.motion = &*slow, .weight = share}};
        const Result<Motion> mixed = blendMotions(layers);
        if (!mixed) {
            std::fprintf(stderr, "%s\n", describe(mixed.error()).c_str());
            return 1;
        }
        const Vec3 start = mixed->pose(0)[jointId(0)].translation;
        const Vec3 end = mixed->pose(mixed->frameCount() - 1)[jointId(0)].translation;
        std::printf("share %.1f: %.2f s, %.2f m, %.2f m/s\n", share, mixed->duration(),
                    length(end - start), length(end - start) / mixed->duration());
    }
    return 0;
}
