// SPDX-License-Identifier: Apache-2.0

// Retargeting: frames a second on one core, reading and writing not counted, by the length of the
// clip. The robot is third-party, and measured where its file is beside the repository.
#include "ulna/character/retarget.h"

#include <cstdio>
#include <string>

#include "benchmarks/harness.h"
#include "ulna/character/open.h"

namespace ulna::bench {
namespace {

// A clip and itself again, and again.
Motion repeated(const Motion& clip, int times) {
    Motion out(clip.base(), clip.frameCount() * static_cast<std::size_t>(times), clip.frameTime(),
               clip.tracks());
    for (std::size_t f = 0; f < out.frameCount(); ++f)
        out.setPose(f, clip.pose(f % clip.frameCount()));
    return out;
}

void measure(const std::string& name, const Character& source, const Motion& clip,
             const Character& target, LimitSource limits) {
    std::vector<Candidate> candidates;
    std::vector<Motion> clips;
    for (const int times : {1, 4, 16}) clips.push_back(repeated(clip, times));
    for (const Motion& each : clips) {
        RetargetClipOptions options{.limits = limits};
        options.retarget.feet = RetargetFeet::Lock;
        candidates.push_back({std::to_string(each.frameCount()) + " frames",
                              [&, options] { keep(retargetClip(source, each, target, options)); },
                              static_cast<double>(each.frameCount())});
    }
    compete(candidates, 5, 0.3);
    printNanoseconds("Retargeting onto " + name, "frame", candidates);
    for (const Candidate& each : candidates)
        std::printf("  %-28s %10.0f frames/s\n", each.name.c_str(), 1.0 / each.best);
}

}  // namespace

void benchRetarget() {
    const Result<Character> source = openCharacter("assets/ulna-run.bvh");
    const Result<Character> character = openCharacter("assets/ulna-character.glb");
    if (!source || !character || source->clips.empty()) return;
    const Result<Motion> frames = makeFrames(source->clips.front());
    if (!frames) return;
    const Motion& clip = *frames;
    measure("the character (79 joints, balls)", *source, clip, *character, LimitSource::None);
    measure("the character, human limits", *source, clip, *character, LimitSource::Anatomical);
    const Result<Character> g1 =
        openCharacter("../shared/data/robots/unitree_g1/g1_mocap_29dof.xml");
    if (g1) measure("G1 (29 hinges)", *source, clip, *g1, LimitSource::Own);
}

}  // namespace ulna::bench
