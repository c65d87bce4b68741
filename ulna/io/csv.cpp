// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "ulna/io/detail/csv_cell.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::io {
namespace {

std::vector<std::string> columnNames(const Skeleton& skeleton, CsvContent content) {
    std::vector<std::string> out;
    if (content == CsvContent::Dofs) {
        for (std::size_t d = 0; d < skeleton.dofCount(); ++d) out.push_back(skeleton.dofName(d));
        return out;
    }
    for (const std::string& name : skeleton.names()) {
        if (content == CsvContent::Positions) {
            for (const char* axis : {".x", ".y", ".z"}) out.push_back(name + axis);
        } else {
            for (const char* part : {".qx", ".qy", ".qz", ".qw"}) out.push_back(name + part);
        }
    }
    return out;
}

}  // namespace

std::string csvCell(std::string_view text) {
    return detail::csvCell(text);
}

void writeCsv(const Skeleton& skeleton, const Motion& motion, CsvContent content,
              const std::function<bool(std::string_view)>& sink, const Progress& progress) {
    fmt::memory_buffer buffer;
    const auto out = std::back_inserter(buffer);
    fmt::format_to(out, "frame,time");
    for (const std::string& name : columnNames(skeleton, content))
        fmt::format_to(out, ",{}", detail::csvCell(name));
    buffer.push_back('\n');
    Pose pose = restPose(skeleton);
    ModelPose model;
    DofVector near(skeleton.dofCount(), 0.0);
    const std::size_t frames = std::max<std::size_t>(1, motion.frameCount());
    for (std::size_t frame = 0; frame < frames; ++frame) {
        if (progress && !progress(static_cast<double>(frame) / static_cast<double>(frames))) return;
        if (motion.frameCount() > 0) motion.getPose(frame, pose);
        fmt::format_to(out, "{},{}", frame, motion.timeOf(frame));
        if (content == CsvContent::Positions) {
            computeModelPose(skeleton, pose, model);
            for (const Affine& a : model.model_from_joint) {
                const Vec3 p = a.translation();
                fmt::format_to(out, ",{},{},{}", p.x, p.y, p.z);
            }
        } else if (content == CsvContent::Rotations) {
            for (const Trs& t : pose.parent_from_joint) {
                const Quat& q = t.rotation;
                fmt::format_to(out, ",{},{},{},{}", q.x, q.y, q.z, q.w);
            }
        } else {
            near = computeDofs(skeleton, pose, near).dofs;
            for (std::size_t d = 0; d < near.size(); ++d) {
                fmt::format_to(out, ",{}", skeleton.isAngle(d) ? degrees(near[d]) : near[d]);
            }
        }
        buffer.push_back('\n');
        constexpr std::size_t kPiece = 1 << 16;
        if (buffer.size() < kPiece && frame + 1 < frames) continue;
        if (!sink({buffer.data(), buffer.size()})) return;
        buffer.clear();
    }
}

}  // namespace ulna::io
