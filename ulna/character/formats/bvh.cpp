// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/detail/format.h"
#include "ulna/character/detail/only_clip.h"
#include "ulna/character/open.h"
#include "ulna/character/save.h"
#include "ulna/character/warnings.h"

namespace ulna::character::detail {
namespace {

io::BvhReadOptions readingOf(const OpenOptions& options) {
    return {.strict = options.strict, .lenient = options.lenient};
}

Result<Character> fromBvh(Result<io::BvhFile> file, std::string_view path,
                          const OpenOptions& options) {
    if (!file) return file.error();
    Character out;
    out.bvh = *std::move(file);
    Result<io::BvhMotion> motion = io::toMotion(
        *out.bvh, {.position_channels = options.position_channels, .threads = options.threads});
    if (!motion) return motion.error();
    out.skeleton = std::move(motion->skeleton);
    out.warnings = std::move(motion->warnings);
    motion->motion.name = clipNameFrom(path);
    if (motion->motion.frameCount() > 0) out.clips.emplace_back(std::move(motion->motion));
    return out;
}

Result<Character> openBvh(std::string_view bytes, std::string_view name,
                          const OpenOptions& options) {
    return fromBvh(io::readBvh(bytes, name, readingOf(options)), name, options);
}

Result<Character> loadBvh(const std::string& path, const OpenOptions& options) {
    // The memory of a long file is handed back as it is read.
    return fromBvh(io::loadBvh(path, readingOf(options)), path, options);
}

Result<Warnings> saveBvh(const SaveJob& job) {
    if (job.content.skeleton.jointCount() == 0)
        return Diagnostic{.what = "a BVH file has at least one joint"};
    Warnings warnings;
    const Result<Motion> motion = onlyMotion(job, warnings);
    if (!motion) return motion.error();
    bool cancelled = false;
    const Progress watched = [&](double fraction) {
        cancelled = cancelled || (job.progress && !job.progress(fraction));
        return !cancelled;
    };
    const io::BvhFile file = io::makeBvh(
        job.content.skeleton, *motion,
        {.order = job.options.order, .root_only_positions = job.options.root_only_positions},
        watched);
    if (cancelled) return cancellation();
    append(file.warnings, warnings);
    io::writeBvh(file, job.sink);
    return warnings;
}

constexpr std::string_view kBvhEndings[] = {".bvh"};

}  // namespace

const FormatInfo kBvhInfo = {.format = FileFormat::Bvh,
                             .name = "BVH",
                             .word = "bvh",
                             .endings = kBvhEndings,
                             .readable = true,
                             .skeleton = true};
const Format kBvhFormat = {.open = openBvh, .save = saveBvh, .load = loadBvh};

}  // namespace ulna::character::detail
