// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/packed_clip.h"

#include <algorithm>
#include <utility>

#include "ulna/core/assert.h"
#include "ulna/motion/detail/packed_data.h"

namespace ulna {
namespace {

using namespace motion::detail;

constexpr std::size_t kNoSegment = static_cast<std::size_t>(-1);

}  // namespace

Result<PackedClip> PackedClip::read(std::string_view bytes, const Skeleton& skeleton,
                                    std::shared_ptr<const void> owner) {
    if (owner == nullptr) {
        auto copy = std::make_shared<const std::string>(bytes);
        bytes = *copy;
        owner = std::move(copy);
    }
    Result<std::shared_ptr<const PackedData>> data = readPacked(bytes, skeleton, std::move(owner));
    if (!data) return data.error();
    PackedClip out;
    out.data_ = *std::move(data);
    return out;
}

const std::string& PackedClip::name() const {
    return data_->name;
}
std::size_t PackedClip::jointCount() const {
    return data_->header.joint_count;
}
std::size_t PackedClip::frameCount() const {
    return data_->header.frame_count;
}
double PackedClip::frameTime() const {
    return data_->header.frame_time;
}
double PackedClip::duration() const {
    return static_cast<double>(frameCount() - 1) * frameTime();
}
double PackedClip::tolerance() const {
    return data_->header.tolerance;
}
double PackedClip::reach() const {
    return data_->header.reach;
}
std::string_view PackedClip::bytes() const {
    return data_->bytes;
}

void samplePose(const PackedClip& clip, double time, FloatPose& pose) {
    const PackedData& data = *clip.data_;
    ULNA_ASSERT(pose.jointCount() == clip.jointCount(), "the pose has other joints than the clip");
    std::copy_n(data.base.row(0), data.base.stride() * FloatPose::kRows, pose.row(0));
    const PackedTime at = packedTime(data, time);
    const PackedBlend blend = packedBlend(at.share);
    alignas(64) PackedValues earlier = {}, later = {};
    for (PackedCursor cursor(data, at); !cursor.done();) {
        const PackedBlock& block = cursor.block();
        cursor.take(earlier, later);
        assemble(block, earlier, later, blend, pose);
    }
}

void sampleJoints(const PackedClip& clip, double time, std::span<const JointId> joints,
                  FloatPose& pose) {
    const PackedData& data = *clip.data_;
    ULNA_ASSERT(pose.jointCount() == clip.jointCount(), "the pose has other joints than the clip");
    const PackedTime at = packedTime(data, time);
    const PackedBlend blend = packedBlend(at.share);
    const auto isWanted = [&](std::uint32_t joint) {
        return std::find(joints.begin(), joints.end(), jointId(joint)) != joints.end();
    };
    for (const JointId j : joints) {
        ULNA_ASSERT(index(j) < clip.jointCount(), "the clip has no such joint");
        for (std::size_t row = 0; row < FloatPose::kRows; ++row)
            pose.row(row)[index(j)] = data.base.row(row)[index(j)];
    }
    alignas(64) PackedValues earlier = {}, later = {};
    for (PackedCursor cursor(data, at); !cursor.done();) {
        PackedBlock block = cursor.block();
        const auto end = block.joints.begin() + static_cast<std::ptrdiff_t>(block.count);
        if (std::none_of(block.joints.begin(), end, isWanted)) {
            cursor.skip();
            continue;
        }
        cursor.take(earlier, later);
        // Only wanted tracks are written.
        std::size_t kept = 0;
        for (std::size_t i = 0; i < block.count; ++i) {
            if (!isWanted(block.joints[i])) continue;
            block.joints[kept] = block.joints[i];
            for (std::size_t c = 0; c < 4; ++c) {
                earlier[c][kept] = earlier[c][i];
                later[c][kept] = later[c][i];
                block.middle[c][kept] = block.middle[c][i];
            }
            ++kept;
        }
        block.count = kept;
        assemble(block, earlier, later, blend, pose);
    }
}

Motion unpacked(const PackedClip& clip) {
    MotionTracks tracks;
    for (const PackedBlock& block : clip.data_->blocks) {
        std::vector<JointId>& joints = block.ofRotations()               ? tracks.rotated
                                       : block.kind == PackedKind::Scale ? tracks.scaled
                                                                         : tracks.translated;
        for (std::size_t i = 0; i < block.count; ++i) joints.push_back(jointId(block.joints[i]));
    }
    std::sort(tracks.rotated.begin(), tracks.rotated.end());
    Motion out(toPose(clip.data_->base), clip.frameCount(), clip.frameTime(), std::move(tracks));
    out.name = clip.name();
    PackedPlayer player(clip);
    FloatPose sampled(clip.jointCount());
    Pose pose = out.base();
    for (std::size_t frame = 0; frame < clip.frameCount(); ++frame) {
        player.sample(out.timeOf(frame), sampled);
        toPose(sampled, pose);
        out.setPose(frame, pose);
    }
    return out;
}

PackedPlayer::PackedPlayer(PackedClip clip) : clip_(std::move(clip)), segment_(kNoSegment) {
    for (const PackedBlock& block : clip_.data_->blocks) stride_ += block.components() * kBlock;
    rows_.resize((kSegment + 1) * stride_);
}

void PackedPlayer::sample(double time, FloatPose& pose) {
    const PackedData& data = *clip_.data_;
    ULNA_ASSERT(pose.jointCount() == clip_.jointCount(), "the pose has other joints than the clip");
    std::copy_n(data.base.row(0), data.base.stride() * FloatPose::kRows, pose.row(0));
    const PackedTime at = packedTime(data, time);
    if (at.segment != segment_) {
        float* rows = rows_.data();
        for (PackedCursor cursor(data, at); !cursor.done();) {
            const std::size_t width = cursor.block().components() * kBlock;
            cursor.takeAll(rows, stride_);
            rows += width;
        }
        segment_ = at.segment;
    }
    const PackedBlend blend = packedBlend(at.share);
    const float* earlier_row = rows_.data() + at.frame * stride_;
    const float* later_row = earlier_row + (data.header.frame_count > 1 ? stride_ : 0);
    alignas(64) PackedValues earlier = {}, later = {};
    for (const PackedBlock& block : data.blocks) {
        const std::size_t width = block.components() * kBlock;
        std::copy_n(earlier_row, width, earlier[0].data());
        std::copy_n(later_row, width, later[0].data());
        assemble(block, earlier, later, blend, pose);
        earlier_row += width;
        later_row += width;
    }
}

}  // namespace ulna
