// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/detail/only_clip.h"

#include <fmt/format.h>

namespace ulna::character::detail {

const Clip* onlyClip(const SaveContent& content, Warnings& warnings) {
    if (content.clips.empty()) return nullptr;
    if (content.clips.size() > 1)
        warnings.push_back({.what = fmt::format("one clip of {} is written; --clip chooses it",
                                                content.clips.size()),
                            .text = nameOf(content.clips.front())});
    return &content.clips.front();
}

Result<Motion> onlyMotion(const SaveJob& job, Warnings& warnings) {
    if (const Clip* clip = onlyClip(job.content, warnings))
        return makeFrames(*clip, job.options.frame_rate);
    return Motion(restPose(job.content.skeleton), 0, 1.0 / 30.0, {});
}

}  // namespace ulna::character::detail
