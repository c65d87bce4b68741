// SPDX-License-Identifier: Apache-2.0

// Any bytes as a file of keys, JSON and table alike: must be refused with a sentence, or be a clip
// that can be sampled anywhere and written again.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "ulna/io/keys.h"

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
    joints[3].kind = JointKind::Hinge;
    return *makeSkeleton(std::move(joints));
}

void check(const Skeleton& body, const Result<KeyedMotion>& motion, bool again) {
    if (!motion) {
        require(!describe(motion.error()).empty());
        return;
    }
    const double end = motion->endTime();
    for (const double time : {0.0, -1.0, 0.37 * end, end, 2.0 * end})
        static_cast<void>(samplePose(*motion, time));
    static_cast<void>(guessFrameRate(*motion));
    if (end < 1e3) static_cast<void>(makeSampled(*motion, 0.1));
    if (again)
        check(body, io::readKeysJson(io::writeKeysJson(body, *motion), "again", body), false);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Skeleton body = makeBody();
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    check(body, io::readKeysJson(text, "fuzz.json", body), true);
    check(body, io::readKeysCsv(text, "fuzz.csv", body), true);
    return 0;
}
