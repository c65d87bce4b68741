// SPDX-License-Identifier: Apache-2.0

// Any bytes as a packed clip: must be refused with a sentence, or give poses of finite numbers at
// any time, the same ones played and sampled.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "ulna/core/diagnostic.h"
#include "ulna/motion/packed_clip.h"

namespace {

using namespace ulna;

void require(bool condition) {
    if (!condition) std::abort();
}

Skeleton makeBody() {
    std::vector<JointDef> joints(4);
    const char* names[] = {"Hips", "Spine2", "Head", "Elbow"};
    for (std::size_t i = 0; i < 4; ++i) {
        joints[i].name = names[i];
        joints[i].parent = i == 0 ? "" : names[i - 1];
        joints[i].rest.translation = {0, 0.3, 0};
    }
    joints[0].kind = JointKind::Free;
    return *makeSkeleton(std::move(joints));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Skeleton body = makeBody();
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const Result<PackedClip> clip = PackedClip::read(bytes, body);
    if (!clip) {
        require(!describe(clip.error()).empty());
        return 0;
    }
    PackedPlayer player(*clip);
    FloatPose played(body.jointCount()), sampled = played;
    for (const double time : {0.0, 0.4 * clip->duration(), clip->duration(), -1.0, 1e12}) {
        player.sample(time, played);
        samplePose(*clip, time, sampled);
        require(played == sampled);
        for (std::size_t i = 0; i < sampled.stride() * FloatPose::kRows; ++i)
            require(std::isfinite(sampled.row(0)[i]));
    }
    if (clip->frameCount() < 1000) require(unpacked(*clip).frameCount() == clip->frameCount());
    return 0;
}
