// SPDX-License-Identifier: Apache-2.0
//
// Time going on a little makes a few tracks enter their next piece. Only those are loaded, each
// into its lane; everything else about a frame is straight vector code over all lanes.
#include "ulna/motion/player.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ulna/core/assert.h"
#include "ulna/motion/detail/float_simd.h"
#include "ulna/motion/detail/playable.h"

namespace ulna {
namespace {

constexpr std::size_t kLanes = FloatPose::kLanes;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// As a looping track brings a time into its keys.
double groupTime(const motion::detail::PlayGroup& group, double time) {
    if (!group.loops || (time >= group.start && time <= group.end)) return time;
    const double span = group.end - group.start;
    double into = std::fmod(time - group.start, span);
    if (into < 0.0) into += span;
    return std::min(group.start + into, group.end);
}

template <std::size_t kRows>
void loadRows(const double* from, double* to) {
    for (std::size_t r = 0; r < kRows; ++r) to[r * kLanes] = from[r];
}

void loadPiece(motion::detail::BlockKind kind, const double* from, double* to) {
    using motion::detail::BlockKind;
    using motion::detail::pieceRows;
    switch (kind) {
        case BlockKind::SteadyRotation:
            return loadRows<pieceRows(BlockKind::SteadyRotation)>(from, to);
        case BlockKind::LinearVector:
            return loadRows<pieceRows(BlockKind::LinearVector)>(from, to);
        case BlockKind::CubicRotation:
        case BlockKind::CubicVector:
            return loadRows<pieceRows(BlockKind::CubicRotation)>(from, to);
        case BlockKind::SummedRotation:
            return loadRows<pieceRows(BlockKind::SummedRotation)>(from, to);
        case BlockKind::AxesRotation:
            return loadRows<pieceRows(BlockKind::AxesRotation)>(from, to);
    }
}

}  // namespace

const std::string& PlayableClip::name() const {
    return data_->name;
}
std::size_t PlayableClip::jointCount() const {
    return data_->base.jointCount();
}
double PlayableClip::startTime() const {
    return data_->start_time;
}
double PlayableClip::endTime() const {
    return data_->end_time;
}
std::size_t PlayableClip::pieceCount() const {
    std::size_t out = data_->lanes.size();
    for (const motion::detail::PlayGroup& group : data_->groups) out += group.events.size();
    return out;
}
std::size_t PlayableClip::byteCount() const {
    std::size_t out = data_->pieces.size() * sizeof(double);
    for (const motion::detail::PlayGroup& group : data_->groups) {
        out += group.events.size() * sizeof(motion::detail::PlayEvent) +
               group.snapshots.size() * sizeof(std::uint32_t);
    }
    return out;
}

PlayableClip makePlayable(const KeyedMotion& motion) {
    PlayableClip out;
    out.data_ = std::make_shared<const motion::detail::PlayableData>(
        motion::detail::makePlayableData(motion));
    return out;
}

Player::Player(PlayableClip clip) : clip_(std::move(clip)) {
    const motion::detail::PlayableData& data = *clip_.data_;
    cursors_.resize(data.groups.size(), 0);
    times_.resize(data.lanes.size());
    outdated_.reserve(data.lanes.size());
    coefficients_.resize(data.blocks.size() * motion::detail::kBlockNumbers);
    for (const motion::detail::PlayLane& lane : data.lanes) {
        outdated_.push_back(static_cast<std::uint32_t>(current_.size()));
        current_.push_back(lane.first);
    }
    loadPieces();
}

void Player::sample(double time, FloatPose& pose) {
    const motion::detail::PlayableData& data = *clip_.data_;
    ULNA_ASSERT(pose.jointCount() == data.base.jointCount(), "the pose has other joints");
    const bool finite = std::isfinite(time);
    for (std::size_t g = 0; g < data.groups.size(); ++g) {
        const motion::detail::PlayGroup& group = data.groups[g];
        const double own = finite ? groupTime(group, time) : time > 0.0 ? kInfinity : -kInfinity;
        moveTo(g, own);
        if (data.groups.size() == 1)
            std::fill(times_.begin(), times_.end(), own);
        else
            for (const std::uint32_t lane : group.lanes) times_[lane] = own;
    }
    // At no time at all each lane is where its piece counts from: its first or last key.
    if (!finite) {
        for (std::size_t lane = 0; lane < times_.size(); ++lane)
            times_[lane] = data.pieces[current_[lane] + motion::detail::kTimeRow];
    }
    loadPieces();
    sampleExactly(time);
    for (const motion::detail::CopiedRange& range : data.copied)
        std::copy_n(data.base.row(0) + range.begin, range.size, pose.row(0) + range.begin);
    motion::detail::evaluateBlocks(data.blocks, coefficients_.data(), times_.data(), pose);
}

// Steps from event to event while they are near, in either direction: fewer than there are lanes,
// so that `outdated_` has room for them.
void Player::moveTo(std::size_t group_index, double time) {
    const motion::detail::PlayGroup& group = clip_.data_->groups[group_index];
    const motion::detail::PlayEvent* events = group.events.data();
    const std::size_t count = group.events.size();
    std::size_t at = cursors_[group_index];
    const std::size_t far = group.lanes.size();
    if ((at + far < count && events[at + far].time <= time) ||
        (at > far && events[at - far - 1].time > time)) {
        return jumpTo(group_index, time);
    }
    for (; at < count && events[at].time <= time; ++at) {
        current_[events[at].lane] += events[at].rows;
        outdated_.push_back(events[at].lane);
    }
    for (; at > 0 && events[at - 1].time > time; --at) {
        current_[events[at - 1].lane] -= events[at - 1].rows;
        outdated_.push_back(events[at - 1].lane);
    }
    cursors_[group_index] = at;
}

// Starts over from the last snapshot before a time.
void Player::jumpTo(std::size_t group_index, double time) {
    const motion::detail::PlayGroup& group = clip_.data_->groups[group_index];
    const auto& times = group.snapshot_times;
    const auto after = std::upper_bound(times.begin() + 1, times.end(), time);
    const auto snapshot = static_cast<std::size_t>(after - times.begin()) - 1;
    const std::uint32_t* from = group.snapshots.data() + snapshot * group.lanes.size();
    for (const std::uint32_t lane : group.lanes) current_[lane] = *from++;
    outdated_.insert(outdated_.end(), group.lanes.begin(), group.lanes.end());
    std::size_t at = snapshot * group.snapshot_every;
    for (; at < group.events.size() && group.events[at].time <= time; ++at)
        current_[group.events[at].lane] += group.events[at].rows;
    cursors_[group_index] = at;
}

void Player::loadPieces() {
    const motion::detail::PlayableData& data = *clip_.data_;
    for (const std::uint32_t lane : outdated_) {
        const std::size_t block = lane / kLanes;
        loadPiece(data.blocks[block].kind, data.pieces.data() + current_[lane],
                  coefficients_.data() + block * motion::detail::kBlockNumbers + lane % kLanes);
    }
    outdated_.clear();
}

void Player::sampleExactly(double time) {
    const motion::detail::PlayableData& data = *clip_.data_;
    for (const motion::detail::ExactLane& exact : data.exact) {
        const motion::detail::PlayLane& lane = data.lanes[exact.lane];
        const std::uint32_t at = current_[exact.lane];
        if (!exact.everywhere && at != lane.first && at != lane.last) continue;
        const Quat q = normalized(std::visit(
            [&](const auto& tracks) { return ulna::sample(tracks, time); }, exact.rotation));
        double piece[motion::detail::kBlockRows] = {q.x, q.y, q.z, q.w};
        const std::size_t block = exact.lane / kLanes;
        loadPiece(
            data.blocks[block].kind, piece,
            coefficients_.data() + block * motion::detail::kBlockNumbers + exact.lane % kLanes);
    }
}

}  // namespace ulna
