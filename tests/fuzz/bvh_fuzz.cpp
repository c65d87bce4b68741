// SPDX-License-Identifier: Apache-2.0

// Any bytes as BVH: must be refused with a sentence, or read, interpreted and written so that what
// was written reads back as the same numbers.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "ulna/io/bvh.h"

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

void check(std::string_view text, const ulna::io::BvhReadOptions& options) {
    using namespace ulna::io;
    const ulna::Result<BvhFile> file = readBvh(text, "fuzz.bvh", options);
    if (!file) return require(!describe(file.error()).empty());
    require(file->values.size() == file->frame_count * file->channel_count);
    const ulna::Result<BvhMotion> motion = toMotion(*file, {.threads = 1});
    require(motion.ok());
    if (motion->motion.frameCount() > 0) {
        static_cast<void>(samplePose(motion->motion, motion->motion.duration() / 3.0));
    }
    const ulna::Result<BvhFile> again = readBvh(writeBvh(*file), "again.bvh");
    require(again.ok());
    require(again->joints.size() == file->joints.size());
    require(again->values.size() == file->values.size());
    require(file->values.empty() || std::memcmp(again->values.data(), file->values.data(),
                                                file->values.size() * sizeof(double)) == 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    check(text, {});
    check(text, {.lenient = true});
    return 0;
}
