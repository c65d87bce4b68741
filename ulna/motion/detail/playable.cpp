// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/detail/playable.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "ulna/core/assert.h"
#include "ulna/motion/detail/pieces.h"

namespace ulna::detail {
namespace {

constexpr std::size_t kLanes = FloatPose::kLanes;

// The tracks of the joints of one part of the pose; those without one keep the base.
using PartPieces = std::vector<std::optional<Pieces>>;

bool hasKeys(const RotationTracks& rotation) {
    if (const auto* track = std::get_if<Track<Quat>>(&rotation)) return !track->empty();
    const auto& turns = std::get<AngleTracks>(rotation).turns;
    return std::any_of(turns.begin(), turns.end(),
                       [](const auto& turn) { return !turn.angle.empty(); });
}

bool isCubic(const Pieces& pieces) {
    return std::any_of(pieces.pieces.begin(), pieces.pieces.end(), [](const Piece& piece) {
        return piece.second != Vec3{} || piece.third != Vec3{};
    });
}

void appendPiece(const Piece& piece, BlockKind kind, AlignedVector<double>& out) {
    const auto append = [&](const Vec3& v) { out.insert(out.end(), {v.x, v.y, v.z}); };
    const Quat& q = piece.value;
    out.insert(out.end(), {q.x, q.y, q.z, q.w, piece.t0});
    if (kind == BlockKind::SteadyRotation) {
        const double speed = length(piece.rate);
        const Vec3 axis = normalizedOr(piece.rate, {});
        const Quat across = q * Quat{axis.x, axis.y, axis.z, 0.0};
        out.insert(out.end(), {speed, across.x, across.y, across.z, across.w});
        return;
    }
    append(piece.rate);
    if (kind == BlockKind::LinearVector) return;
    append(piece.second);
    append(piece.third);
}

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
        PartPieces rotations(joints), translations(joints), scales(joints);
        for (const JointTracks& tracks : motion_.joints) {
            const std::size_t j = index(tracks.joint);
            ULNA_ASSERT(j < joints, "a joint with tracks is not in the base pose");
            if (hasKeys(tracks.rotation)) {
                rotations[j] =
                    std::visit([](const auto& t) { return cutTrack(t); }, tracks.rotation);
            }
            if (!tracks.translation.empty()) translations[j] = cutTrack(tracks.translation);
            if (!tracks.scale.empty()) scales[j] = cutTrack(tracks.scale);
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

    void addPart(std::size_t first_row, const PartPieces& part) {
        for (std::size_t j = 0; j < out_.base.stride(); j += kLanes) {
            bool any = false, cubic = false;
            for (std::size_t k = j; k < std::min(j + kLanes, part.size()); ++k) {
                any = any || part[k].has_value();
                cubic = cubic || (part[k] && isCubic(*part[k]));
            }
            if (any) addBlock(first_row, j, part, cubic);
        }
    }

    void addBlock(std::size_t first_row, std::size_t first_joint, const PartPieces& part,
                  bool cubic) {
        const bool turns = first_row == FloatPose::kRotationRow;
        PlayBlock block;
        if (turns)
            block.kind = cubic ? BlockKind::CubicRotation : BlockKind::SteadyRotation;
        else
            block.kind = cubic ? BlockKind::CubicVector : BlockKind::LinearVector;
        block.out = static_cast<std::uint32_t>(first_row * out_.base.stride() + first_joint);
        for (std::size_t r = 0; r < (turns ? 4U : 3U); ++r)
            written_[(block.out + r * out_.base.stride()) / kLanes] = true;
        out_.blocks.push_back(block);
        for (std::size_t j = first_joint; j < first_joint + kLanes; ++j) {
            if (j < part.size() && part[j]) {
                addLane(block.kind, *part[j], jointId(j));
            } else {
                Pieces base;
                base.pieces.push_back(basePiece(first_row, j));
                addLane(block.kind, base, JointId::None);
            }
        }
    }

    void addLane(BlockKind kind, const Pieces& pieces, JointId joint) {
        const auto id = static_cast<std::uint32_t>(out_.lanes.size());
        const auto rows = static_cast<std::uint32_t>(pieceRows(kind));
        PlayLane lane;
        lane.first = static_cast<std::uint32_t>(out_.pieces.size());
        lane.last = lane.first + rows * static_cast<std::uint32_t>(pieces.pieces.size() - 1);
        for (const Piece& piece : pieces.pieces) appendPiece(piece, kind, out_.pieces);
        out_.lanes.push_back(lane);
        PlayGroup& group = groupOf(pieces);
        group.lanes.push_back(id);
        for (std::size_t i = 1; i < pieces.pieces.size(); ++i)
            group.events.push_back({pieces.pieces[i].start, id, rows});
        if (pieces.spins || pieces.everywhere)
            out_.exact.push_back({id, pieces.everywhere, motion_.find(joint)->rotation});
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

}  // namespace ulna::detail
