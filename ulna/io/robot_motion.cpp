// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/robot_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>

#include "ulna/core/assert.h"
#include "ulna/core/text.h"
#include "ulna/io/detail/csv_cell.h"
#include "ulna/io/detail/npy_bytes.h"
#include "ulna/io/detail/stored_zip.h"
#include "ulna/io/npy.h"

namespace ulna::io {
namespace {

JointId baseOf(const Skeleton& skeleton) {
    const std::vector<JointId> roots = skeleton.roots();
    ULNA_ASSERT(!roots.empty(), "a table needs a skeleton with a joint");
    for (const JointId root : roots)
        if (skeleton.kind(root) == JointKind::Free) return root;
    return roots.front();
}

// The columns of one joint: a ball has three.
void addColumns(const Skeleton& skeleton, JointId joint, double reference, RobotTable& out) {
    for (std::size_t i = 0; i < skeleton.dofCount(joint); ++i) {
        const std::size_t dof = skeleton.firstDof(joint) + i;
        out.columns.push_back({skeleton.dofName(dof), dof, reference});
    }
}

// Names in UTF-32, each padded with zeros to the length of the longest.
std::string namesArray(const std::vector<RobotColumn>& columns) {
    std::vector<std::vector<std::uint32_t>> names;
    std::size_t longest = 1;
    for (const RobotColumn& column : columns) {
        std::vector<std::uint32_t>& name = names.emplace_back();
        for (std::size_t i = 0; i < column.name.size();) {
            const std::size_t size = utf8Length(column.name, i);
            if (size > 0) name.push_back(codePointAt(column.name, i, size));
            i += std::max<std::size_t>(1, size);
        }
        longest = std::max(longest, name.size());
    }
    std::string data;
    for (std::vector<std::uint32_t>& name : names) {
        name.resize(longest, 0);
        for (const std::uint32_t c : name)
            for (unsigned i = 0; i < 4; ++i) data += static_cast<char>((c >> (8U * i)) & 0xFFU);
    }
    const std::size_t shape[] = {names.size()};
    return detail::npyBytes(fmt::format("<U{}", longest), shape, data);
}

}  // namespace

RobotTable tableOf(const RobotFile& robot) {
    RobotTable out{.base = baseOf(robot.skeleton)};
    for (const RobotJoint& each : robot.joints)
        addColumns(robot.skeleton, each.joint, each.reference, out);
    return out;
}

RobotTable tableOf(const Skeleton& skeleton) {
    RobotTable out{.base = baseOf(skeleton)};
    for (const JointId j : skeleton.joints()) {
        const bool free_root =
            skeleton.parent(j) == JointId::None && skeleton.kind(j) == JointKind::Free;
        if (!free_root) addColumns(skeleton, j, 0.0, out);
    }
    return out;
}

RobotMotion makeRobotMotion(const RobotTable& table, const Motion& motion, DofClip clip) {
    ULNA_ASSERT(clip.frames.size() == motion.frameCount(), "motion and clip have the same frames");
    RobotMotion out;
    Pose pose;
    for (std::size_t frame = 0; frame < motion.frameCount(); ++frame) {
        motion.getPose(frame, pose);
        Quat rotation = pose[table.base].rotation;
        const Quat before = frame == 0 ? Quat{0, 0, 0, 1} : out.base_rotations.back();
        if (dot(rotation, before) < 0.0) rotation = -rotation;
        out.base_positions.push_back(pose[table.base].translation);
        out.base_rotations.push_back(rotation);
    }
    out.clip = std::move(clip);
    return out;
}

void writeRobotCsv(const RobotTable& table, const RobotMotion& motion,
                   const RobotCsvOptions& options,
                   const std::function<bool(std::string_view)>& sink) {
    fmt::memory_buffer buffer;
    const auto out = std::back_inserter(buffer);
    if (options.header) {
        fmt::format_to(out, "root_x,root_y,root_z,{}",
                       options.w_first ? "root_qw,root_qx,root_qy,root_qz"
                                       : "root_qx,root_qy,root_qz,root_qw");
        for (const RobotColumn& column : table.columns)
            fmt::format_to(out, ",{}", detail::csvCell(column.name));
        buffer.push_back('\n');
    }
    for (std::size_t frame = 0; frame < motion.clip.frames.size(); ++frame) {
        const Vec3& p = motion.base_positions[frame];
        const Quat& q = motion.base_rotations[frame];
        fmt::format_to(out, "{},{},{}", p.x, p.y, p.z);
        if (options.w_first) fmt::format_to(out, ",{}", q.w);
        fmt::format_to(out, ",{},{},{}", q.x, q.y, q.z);
        if (!options.w_first) fmt::format_to(out, ",{}", q.w);
        for (const RobotColumn& column : table.columns)
            fmt::format_to(out, ",{}", motion.clip.frames[frame][column.dof] + column.reference);
        buffer.push_back('\n');
        constexpr std::size_t kPiece = 1 << 16;
        if (buffer.size() < kPiece) continue;
        if (!sink({buffer.data(), buffer.size()})) return;
        buffer.clear();
    }
    if (buffer.size() > 0) sink({buffer.data(), buffer.size()});
}

Status writeRobotNpz(const RobotTable& table, const RobotMotion& motion,
                     const std::function<bool(std::string_view)>& sink) {
    const std::size_t frames = motion.clip.frames.size(), joints = table.columns.size();
    std::vector<double> positions, rotations, dofs;
    for (std::size_t frame = 0; frame < frames; ++frame) {
        const Vec3& p = motion.base_positions[frame];
        const Quat& q = motion.base_rotations[frame];
        positions.insert(positions.end(), {p.x, p.y, p.z});
        rotations.insert(rotations.end(), {q.x, q.y, q.z, q.w});
        for (const RobotColumn& column : table.columns)
            dofs.push_back(motion.clip.frames[frame][column.dof] + column.reference);
    }
    detail::StoredZip zip(sink);
    const auto add = [&](const char* name, std::initializer_list<std::size_t> shape,
                         std::span<const double> values) {
        zip.add(name, writeNpy({shape.begin(), shape.size()}, values));
    };
    const double rate = 1.0 / motion.clip.frame_time;
    add("fps.npy", {}, {&rate, 1});
    add("root_pos.npy", {frames, 3}, positions);
    add("root_rot.npy", {frames, 4}, rotations);
    add("dof_pos.npy", {frames, joints}, dofs);
    zip.add("joint_names.npy", namesArray(table.columns));
    return zip.finish();
}

}  // namespace ulna::io
