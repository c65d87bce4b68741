// SPDX-License-Identifier: Apache-2.0

// Any bytes as BVH: must be refused with a sentence, or read, interpreted and written so that what
// was written reads back as the same numbers.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "ulna/draw/figure.h"
#include "ulna/io/bvh.h"
#include "ulna/io/csv.h"
#include "ulna/io/rig_json.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

// What people do next with a file that was read.
void useMotion(const ulna::Skeleton& skeleton, const ulna::Motion& motion) {
    using namespace ulna;
    const draw::FigurePose figure{
        computeModelPose(skeleton, samplePose(motion, motion.duration() / 3.0)), "x"};
    for (const JointId j : skeleton.joints()) require(isFinite(figure.model.position(j)));
    require(!draw::drawFigures(skeleton, std::span(&figure, 1), {.names = true}).empty());
    const io::BvhFile made = io::makeBvh(skeleton, motion);
    const Result<io::BvhFile> again = io::readBvh(io::writeBvh(made), "made.bvh");
    require(again.ok() && again->values.size() == made.values.size());
    require(io::readRig(io::writeRig({"x", skeleton, {computeDofClip(skeleton, motion).clip}}),
                        "made.rig.json")
                .ok());
    io::writeCsv(skeleton, motion, io::CsvContent::Positions,
                 [](std::string_view) { return true; });
}

void check(std::string_view text, const ulna::io::BvhReadOptions& options) {
    using namespace ulna::io;
    const ulna::Result<BvhFile> file = readBvh(text, "fuzz.bvh", options);
    if (!file) return require(!describe(file.error()).empty());
    require(file->values.size() == file->frame_count * file->channel_count);
    const ulna::Result<BvhMotion> motion = toMotion(*file, {.threads = 1});
    require(motion.ok());
    if (motion->motion.frameCount() > 0) useMotion(motion->skeleton, motion->motion);
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
