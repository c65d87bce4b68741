// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/detail/playable.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "ulna/core/assert.h"
#include "ulna/motion/detail/pieces.h"

namespace ulna::motion::detail {
namespace {

constexpr std::size_t kLanes = FloatPose::kLanes;

bool hasKeys(const RotationTracks& rotation) {
    if (const auto* track = std::get_if<Track<Quat>>(&rotation)) return !track->empty();
    const auto& rotations = std::get<AngleTracks>(rotation).rotations;
    return std::any_of(rotations.begin(), rotations.end(),
                       [](const auto& each) { return !each.angle.empty(); });
}

// A kind that can stand for both.
BlockKind joined(BlockKind a, BlockKind b) {
    if (a == b) return a;
    const bool vectors = a == BlockKind::LinearVector || a == BlockKind::CubicVector;
    return vectors ? BlockKind::CubicVector : BlockKind::CubicRotation;
}

BlockKind kindOfTracks(const RotationTracks& rotation) {
    return std::visit([](const auto& tracks) { return kindOf(tracks); }, rotation);
}
BlockKind kindOfTracks(const Track<Vec3>& track) {
    return kindOf(track);
}
Pieces cutTracks(const RotationTracks& rotation, BlockKind kind) {
    return std::visit([&](const auto& tracks) { return cutTrack(tracks, kind); }, rotation);
}
Pieces cutTracks(const Track<Vec3>& track, BlockKind kind) {
    return cutTrack(track, kind);
}

// What has keys of one part of a pose: rotations, translations or scales.
template <class T>
using PartTracks = std::vector<const T*>;  // null where there are none

class Maker {
  public:
    explicit Maker(const KeyedMotion& motion) : motion_(motion) {
        out_.name = motion.name;
        out_.start_time = motion.startTime();
        out_.end_time = motion.endTime();
        out_.base = FloatPose(motion.base);
        written_.resize(FloatPose::kRows * out_.base.stride() / kLanes, false);
    }

    PlayableData make() {
        const std::size_t joints = out_.base.jointCount();
        PartTracks<RotationTracks> rotations(joints, nullptr);
        PartTracks<Track<Vec3>> translations(joints, nullptr), scales(joints, nullptr);
        for (const JointTracks& tracks : motion_.joints) {
            const std::size_t j = index(tracks.joint);
            ULNA_ASSERT(j < joints, "a joint with tracks is not in the base pose");
            if (hasKeys(tracks.rotation)) rotations[j] = &tracks.rotation;
            if (!tracks.translation.empty()) translations[j] = &tracks.translation;
            if (!tracks.scale.empty()) scales[j] = &tracks.scale;
        }
        addPart(FloatPose::kRotationRow, rotations);
        addPart(FloatPose::kTranslationRow, translations);
        addPart(FloatPose::kScaleRow, scales);
        for (PlayGroup& group : out_.groups) finish(group);
        findCopied();
        return std::move(out_);
    }

  private:
    // The value of a joint without a track.
    [[nodiscard]] Piece basePiece(std::size_t first_row, std::size_t joint) const {
        Piece out;
        out.start = -std::numeric_limits<double>::infinity();
        if (joint >= motion_.base.parent_from_joint.size()) {  // padding
            const double scale = first_row == FloatPose::kScaleRow ? 1.0 : 0.0;
            out.value = {scale, scale, scale, 1.0};
            return out;
        }
        const Trs& base = motion_.base.parent_from_joint[joint];
        const Vec3& v = first_row == FloatPose::kScaleRow ? base.scale : base.translation;
        out.value = first_row == FloatPose::kRotationRow ? normalized(base.rotation)
                                                         : Quat{v.x, v.y, v.z, 0.0};
        return out;
    }

    template <class T>
    void addPart(std::size_t first_row, const PartTracks<T>& part) {
        for (std::size_t j = 0; j < part.size(); j += kLanes) {
            std::optional<BlockKind> kind;
            for (std::size_t k = j; k < std::min(j + kLanes, part.size()); ++k) {
                if (part[k] == nullptr) continue;
                const BlockKind own = kindOfTracks(*part[k]);
                kind = kind ? joined(*kind, own) : own;
            }
            if (kind) addBlock(first_row, j, part, *kind);
        }
    }

    template <class T>
    void addBlock(std::size_t first_row, std::size_t first_joint, const PartTracks<T>& part,
                  BlockKind kind) {
        const std::size_t stride = out_.base.stride();
        PlayBlock block;
        block.kind = kind;
        block.out = static_cast<std::uint32_t>(first_row * stride + first_joint);
        for (std::size_t r = 0; r < (first_row == FloatPose::kRotationRow ? 4U : 3U); ++r)
            written_[(block.out + r * stride) / kLanes] = true;
        out_.blocks.push_back(block);
        for (std::size_t j = first_joint; j < first_joint + kLanes; ++j) {
            if (j < part.size() && part[j] != nullptr) {
                const Pieces pieces = cutTracks(*part[j], kind);
                if constexpr (std::is_same_v<T, RotationTracks>) {
                    if (pieces.spins || pieces.everywhere)
                        out_.exact.push_back({laneCount(), pieces.everywhere, *part[j]});
                }
                addLane(kind, pieces);
            } else {
                Pieces base;
                base.pieces.push_back(basePiece(first_row, j));
                addLane(kind, base);
            }
        }
    }

    [[nodiscard]] std::uint32_t laneCount() const {
        return static_cast<std::uint32_t>(out_.lanes.size());
    }

    void addLane(BlockKind kind, const Pieces& pieces) {
        const std::uint32_t id = laneCount();
        const auto rows = static_cast<std::uint32_t>(pieceRows(kind));
        PlayLane lane;
        lane.first = static_cast<std::uint32_t>(out_.pieces.size());
        lane.last = lane.first + rows * static_cast<std::uint32_t>(pieces.pieces.size() - 1);
        for (const Piece& piece : pieces.pieces) {
            const Quat& q = piece.value;
            out_.pieces.insert(out_.pieces.end(), {q.x, q.y, q.z, q.w, piece.t0});
            out_.pieces.insert(out_.pieces.end(), piece.numbers.begin(),
                               piece.numbers.begin() + rows - kTimeRow - 1);
        }
        out_.lanes.push_back(lane);
        PlayGroup& group = groupOf(pieces);
        group.lanes.push_back(id);
        for (std::size_t i = 1; i < pieces.pieces.size(); ++i)
            group.events.push_back({pieces.pieces[i].start, id, rows});
    }

    PlayGroup& groupOf(const Pieces& pieces) {
        for (PlayGroup& group : out_.groups) {
            if (group.loops != pieces.loops) continue;
            if (!group.loops || (group.start == pieces.start && group.end == pieces.end))
                return group;
        }
        PlayGroup& group = out_.groups.emplace_back();
        group.loops = pieces.loops;
        group.start = pieces.start;
        group.end = pieces.end;
        return group;
    }

    // Sorts the events and notes where the lanes stand every so many of them: often enough that
    // finding a time costs less than loading the pieces found.
    void finish(PlayGroup& group) const {
        std::stable_sort(group.events.begin(), group.events.end(),
                         [](const PlayEvent& a, const PlayEvent& b) { return a.time < b.time; });
        std::vector<std::uint32_t> current(out_.lanes.size());
        for (const std::uint32_t lane : group.lanes) current[lane] = out_.lanes[lane].first;
        group.snapshot_every = std::max<std::size_t>(8, group.lanes.size() / 2);
        for (std::size_t i = 0; i <= group.events.size(); ++i) {
            if (i % group.snapshot_every == 0) {
                group.snapshot_times.push_back(i == 0 ? -std::numeric_limits<double>::infinity()
                                                      : group.events[i - 1].time);
                for (const std::uint32_t lane : group.lanes)
                    group.snapshots.push_back(current[lane]);
            }
            if (i < group.events.size()) current[group.events[i].lane] += group.events[i].rows;
        }
    }

    void findCopied() {
        for (std::size_t i = 0; i < written_.size(); ++i) {
            if (written_[i]) continue;
            if (i == 0 || written_[i - 1]) out_.copied.push_back({i * kLanes, 0});
            out_.copied.back().size += kLanes;
        }
    }

    const KeyedMotion& motion_;
    PlayableData out_;
    std::vector<bool> written_;  // eight numbers of the pose each, by some block
};

}  // namespace

PlayableData makePlayableData(const KeyedMotion& motion) {
    return Maker(motion).make();
}

}  // namespace ulna::motion::detail
