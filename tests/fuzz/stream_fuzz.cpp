// SPDX-License-Identifier: Apache-2.0

// Any bytes as a BVH file that is streamed: it is refused where reading it at once refuses it, with
// the same sentence, and otherwise has the same poses, asked for in any order.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "memory_file.h"
#include "ulna/io/bvh.h"

namespace {

using namespace ulna;

void require(bool condition) {
    if (!condition) std::abort();
}

void check(const std::string& path, std::string_view text, const io::BvhReadOptions& options) {
    const Result<io::BvhFile> file = io::readBvh(text, path, options);
    const Result<io::BvhFrames> stream = io::streamBvh(path, options, {.threads = 1});
    require(file.ok() == stream.ok());
    if (!file) return require(describe(file.error()) == describe(stream.error()));
    const Result<io::BvhMotion> whole = io::toMotion(*file, {.threads = 1});
    require(whole.ok() && whole->warnings.size() == stream->warnings.size());
    const std::size_t frames = whole->motion.frameCount();
    require(stream->clip.frame_count == frames);
    Pose expected = restPose(whole->skeleton);
    for (const std::size_t frame : {std::size_t{0}, frames / 2, std::size_t{1}, frames - 1}) {
        if (frame >= frames) continue;
        whole->motion.getPose(frame, expected);
        for (const JointId j : whole->skeleton.joints()) {
            const Trs found = stream->clip.at(frame, j);
            require(found.translation == expected[j].translation);
            require(std::abs(dot(found.rotation, expected[j].rotation)) > 1.0 - 1e-12);
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const test::MemoryFile file(text);
    check(file.path(), text, {});
    check(file.path(), text, {.lenient = true});
    return 0;
}
