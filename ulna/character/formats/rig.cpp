// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/detail/format.h"
#include "ulna/character/open.h"
#include "ulna/character/save.h"
#include "ulna/character/warnings.h"
#include "ulna/motion/dof_clip.h"

namespace ulna::character::detail {
namespace {

Result<Character> openRig(std::string_view bytes, std::string_view name, const OpenOptions&) {
    Result<io::RigFile> file = io::readRig(bytes, name);
    if (!file) return file.error();
    Character out;
    out.rig = *std::move(file);
    out.skeleton = out.rig->skeleton;
    for (const DofClip& clip : out.rig->clips)
        out.clips.emplace_back(computeMotion(out.skeleton, clip));
    return out;
}

Result<Warnings> saveRig(const SaveJob& job) {
    Warnings warnings;
    io::RigFile rig{std::string(job.content.name), job.content.skeleton, {}};
    bool cancelled = false;
    for (std::size_t i = 0; i < job.content.clips.size(); ++i) {
        const Result<Motion> motion = makeFrames(job.content.clips[i], job.options.frame_rate);
        if (!motion) return motion.error();
        const Progress watched = [&](double fraction) {
            const double all = static_cast<double>(job.content.clips.size());
            cancelled = cancelled ||
                        (job.progress && !job.progress((static_cast<double>(i) + fraction) / all));
            return !cancelled;
        };
        DofClipFit fit = computeDofClip(rig.skeleton, *motion, {}, watched);
        if (cancelled) return cancellation();
        append(residualWarnings(rig.skeleton, fit.worst), warnings);
        rig.clips.push_back(std::move(fit.clip));
    }
    job.sink(io::writeRig(rig));
    return warnings;
}

constexpr std::string_view kRigEndings[] = {".rig.json"};

}  // namespace

const FormatInfo kRigInfo = {.format = FileFormat::Rig,
                             .name = "Ulna rig",
                             .word = "rig",
                             .endings = kRigEndings,
                             .shared_ending = ".json",
                             .readable = true,
                             .skeleton = true,
                             .several = true};
const Format kRigFormat = {.open = openRig, .save = saveRig};

}  // namespace ulna::character::detail
