// SPDX-License-Identifier: Apache-2.0

// Plays a clip on a person with longer legs and shorter arms, and judges the feet by forward
// kinematics: retarget_a_run CLIP [OUT.bvh].
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "ulna/character/open.h"
#include "ulna/character/save.h"
#include "ulna/retarget/retarget.h"
#include "ulna/skeleton/forward_kinematics.h"

using namespace ulna;

namespace {

// The same tree with legs of 1.3 times their length, and arms of 0.8.
Result<Skeleton> tallPerson(const Skeleton& skeleton) {
    std::vector<JointDef> joints(skeleton.definitions().begin(), skeleton.definitions().end());
    for (JointDef& def : joints) {
        const auto has = [&](const char* part) { return def.name.find(part) != std::string::npos; };
        if (has("Leg") || has("Foot")) def.rest.translation = def.rest.translation * 1.3;
        if (has("ForeArm") || has("Hand")) def.rest.translation = def.rest.translation * 0.8;
    }
    return makeSkeleton(std::move(joints));
}

}  // namespace

int main(int argc, char** argv) {
    const Result<Character> person = openCharacter(argc > 1 ? argv[1] : "assets/ulna-run.bvh");
    if (!person) return std::fprintf(stderr, "%s\n", describe(person.error()).c_str()), 1;
    if (person->clips.empty()) return std::fprintf(stderr, "there is no clip to play\n"), 1;
    const Result<Motion> run = makeFrames(person->clips.front());
    const Result<Skeleton> tall = tallPerson(person->skeleton);
    if (!run || !tall) return 1;

    const Pose rest = restPose(person->skeleton), tall_rest = restPose(*tall);
    const Result<Retargeter> to_tall = Retargeter::make(
        {.skeleton = person->skeleton, .rest = rest}, {.skeleton = *tall, .rest = tall_rest});
    if (!to_tall) return std::fprintf(stderr, "%s\n", describe(to_tall.error()).c_str()), 1;
    const Result<RetargetResult> result = to_tall->retarget(*run);
    if (!result) return std::fprintf(stderr, "%s\n", describe(result.error()).c_str()), 1;
    std::printf("%zu frames, path scaled by %.2f\n", result->motion.frameCount(),
                result->report.scale);

    // While a ball of a foot is on the ground, it does not move.
    double farthest = 0.0;
    for (const Contact& each : result->contacts.contacts) {
        if (each.part != SolePart::Ball) continue;
        const JointId toes =
            tall->find(each.side == BodySide::Left ? "LeftToeBase" : "RightToeBase");
        const auto at = [&](std::size_t frame) {
            return computeModelPose(*tall, result->motion.pose(frame)).position(toes);
        };
        for (std::size_t f = each.first; f <= each.last; ++f)
            farthest = std::max(farthest, distance(at(f), at(each.first)));
    }
    std::printf("%zu contacts; balls on the ground move by %.0e m at most\n",
                result->contacts.contacts.size(), farthest);
    if (argc > 2) {
        const Clip clip = result->motion;
        if (const Result<Warnings> saved =
                saveCharacter({.skeleton = *tall, .clips = std::span(&clip, 1)}, argv[2]);
            !saved)
            return std::fprintf(stderr, "%s\n", describe(saved.error()).c_str()), 1;
    }
    return 0;
}
