// SPDX-License-Identifier: Apache-2.0

// Pulls a person who stands by six of its joints, each in few and in many steps, and writes the
// poses as a clip: natural_drag FILE [OUT.glb [off]].
#include <algorithm>
#include <cstdio>
#include <string_view>
#include <vector>

#include "ulna/character/clip.h"
#include "ulna/character/drag.h"
#include "ulna/character/open.h"
#include "ulna/character/save.h"
#include "ulna/skeleton/forward_kinematics.h"

using namespace ulna;

namespace {

struct Pull {
    const char* what;
    const char* joint;
    Vec3 move;
};
constexpr Pull kPulls[] = {
    {"hips down", "Hips", {0, -0.30, 0}},           {"a foot up", "LeftFoot", {0, 0.30, 0.15}},
    {"reach aside", "LeftHand", {0.45, 0.3, 0.1}},  {"a hand up", "RightHand", {-0.1, 1.0, 0.1}},
    {"hand to floor", "RightHand", {0, -0.6, 0.3}}, {"head down", "Head", {0, -0.2, 0.25}},
};

constexpr int kMostFrames = 1000;  // until a drag has arrived

double farthest(const Skeleton& skeleton, const Pose& a, const Pose& b) {
    const ModelPose one = computeModelPose(skeleton, a), other = computeModelPose(skeleton, b);
    double out = 0.0;
    for (const JointId j : skeleton.joints())
        out = std::max(out, distance(one.position(j), other.position(j)));
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    const Result<Character> opened =
        openCharacter(argc > 1 ? argv[1] : "assets/ulna-character.glb");
    if (!opened) return std::fprintf(stderr, "%s\n", describe(opened.error()).c_str()), 1;
    const Skeleton& skeleton = opened->skeleton;
    const Stage stage = makeUsualStage(skeleton);
    // It stands with its arms lowered, and its feet are pinned.
    Pose start = restPose(skeleton);
    for (const auto& [name, angle] : {std::pair{"LeftArm", -1.1}, std::pair{"RightArm", 1.1}})
        start[skeleton.find(name)].rotation =
            quatAboutAxis(2, angle) * start[skeleton.find(name)].rotation;
    const ModelPose model = computeModelPose(skeleton, start);
    const std::vector<Quat> orientations = computeOrientations(skeleton, start);
    std::vector<DragPin> pins;
    for (const JointId foot : feetOf(stage))
        pins.push_back({foot, model.position(foot), orientations[index(foot)]});

    const bool natural = argc < 4 || std::string_view(argv[3]) != "off";
    std::vector<Pose> poses = {start};
    double differ = 0.0, back = 0.0;
    for (const Pull& pull : kPulls) {
        const JointId joint = skeleton.find(pull.joint);
        const DragGrab grab{.joint = joint, .start = model.position(joint)};
        std::vector<Pose> ends;
        for (const int steps : {8, 32, 128}) {
            Result<Drag> drag = Drag::make(stage, start, grab, pins, {}, {.natural = natural});
            if (!drag) return std::fprintf(stderr, "%s\n", describe(drag.error()).c_str()), 1;
            Pose pose = start;
            for (int step = 1; step <= steps; ++step)
                drag->solve(grab.start + pull.move * (static_cast<double>(step) / steps), pose);
            const Vec3 target = grab.start + pull.move;
            for (int i = 0; i < kMostFrames && drag->solve(target, pose).more; ++i) {
            }
            ends.push_back(pose);
            for (int i = 0; i < kMostFrames && drag->solve(grab.start, pose).more; ++i) {
            }
            back = std::max(back, farthest(skeleton, pose, start));
        }
        differ = std::max(
            {differ, farthest(skeleton, ends[0], ends[1]), farthest(skeleton, ends[0], ends[2])});
        const double off =
            distance(computeModelPose(skeleton, ends[2]).position(joint), grab.start + pull.move);
        std::printf("%-14s off by %.4f m\n", pull.what, off);
        poses.push_back(ends[2]);
    }
    std::printf("8, 32 and 128 steps differ by %.1f mm; out and back by %.1f mm\n", 1e3 * differ,
                1e3 * back);
    if (argc < 3) return 0;
    SaveContent content = contentOf(*opened);
    const std::vector<Clip> clips = {framesOf(skeleton, poses, 0.5)};
    content.clips = clips;
    const Result<Warnings> saved = saveCharacter(content, argv[2]);
    if (!saved) return std::fprintf(stderr, "%s\n", describe(saved.error()).c_str()), 1;
    return 0;
}
