// SPDX-License-Identifier: Apache-2.0

// Constraints of fits as JSON: what `ulna fit --constraints` takes.
//
// Reading has two steps, as for goals: readFitConstraints turns text into entries that name their
// joints; bindFitConstraints finds the joints and counts vertices and frames. The format is
// described in docs/fit/constraints-file.md and docs/constraints.schema.json.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/math/quat.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna::io {

/// What a constraint says of its joints, or of vertices.
enum class FitConstraintKind : std::uint8_t {
    Pin,      ///< the joint's position is held; it may turn
    Drive,    ///< position and rotation are given
    Free,     ///< the joint lets go of the one above it: it moves and turns on its own
    Cage,     ///< it moves on its own and never turns
    Rigid,    ///< two joints move as one rigid body
    Lock,     ///< the joint stays as at rest relative to the one above it
    Mass,     ///< how much vertices count
    Missing,  ///< vertices whose targets are not looked at
};

/// Vertices or frames from `first` to `last`, both included.
struct IndexRange {
    std::size_t first = 0;
    std::size_t last = 0;
};

/// One constraint whose joints are still names. Of the other members those of its kind are set.
struct FitConstraintEntry {
    FitConstraintKind kind = FitConstraintKind::Pin;
    std::vector<std::string> joints = {};
    std::vector<Vec3> positions = {};  ///< none: as at rest; one for all frames; or one a frame
    std::vector<Quat> rotations = {};  ///< likewise; in model space
    std::vector<IndexRange> vertices = {};
    std::vector<IndexRange> frames = {};  ///< none: all
    double mass = 1.0;
    Location location = {};  ///< where it was said, for messages
};

/// Reads an array of constraint objects, or an object whose `constraints` is one. Errors carry the
/// JSON path; unknown keys are errors.
[[nodiscard]] Result<std::vector<FitConstraintEntry>> readFitConstraints(std::string_view text,
                                                                         std::string_view source);
[[nodiscard]] Result<std::vector<FitConstraintEntry>> loadFitConstraints(const std::string& path);

/// A joint that is where the caller says.
struct HeldJoint {
    JointId joint = JointId::None;
    std::vector<Vec3> positions = {};  ///< as in FitConstraintEntry
    std::vector<Quat> rotations = {};
};

struct MissingVertices {
    std::vector<IndexRange> vertices = {};
    std::vector<IndexRange> frames = {};  ///< none: all
};

/// All constraints on one skeleton, by what they ask for.
struct FitConstraints {
    std::vector<HeldJoint> pinned = {};
    std::vector<HeldJoint> driven = {};
    std::vector<JointId> freed = {};
    std::vector<JointId> caged = {};
    std::vector<JointId> locked = {};
    std::vector<std::pair<JointId, JointId>> rigid = {};
    std::vector<double> masses = {};  ///< per vertex; empty: 1 each
    std::vector<MissingVertices> missing = {};
};

/// The error names a joint, vertex or frame that is not there, a number of places that is not that
/// of the frames, or a joint that two constraints want differently.
[[nodiscard]] Result<FitConstraints> bindFitConstraints(std::span<const FitConstraintEntry> entries,
                                                        const Skeleton& skeleton,
                                                        std::size_t vertex_count,
                                                        std::size_t frame_count);

}  // namespace ulna::io
