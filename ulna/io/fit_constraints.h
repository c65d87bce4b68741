// SPDX-License-Identifier: Apache-2.0

// Constraints of fits as JSON: the input of `ulna fit --constraints`.
//
// Reading has two steps, as for goals: readFitConstraints parses text to entries that name their
// joints; bindFitConstraints finds the joints and checks vertices and frames. The format is
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

/// What a constraint requires of its joints or vertices.
enum class FitConstraintKind : std::uint8_t {
    Pin,      ///< the joint's position is given; its rotation is free
    Drive,    ///< the joint's position and rotation are given
    Free,     ///< the joint translates and rotates independently of its parent
    Cage,     ///< the joint translates independently and never rotates
    Rigid,    ///< two joints move as one rigid body
    Lock,     ///< the joint keeps its rest pose relative to its parent
    Mass,     ///< the weight of vertices in the fit
    Missing,  ///< vertices whose targets are ignored
};

/// Vertices or frames from `first` to `last`, both included.
struct IndexRange {
    std::size_t first = 0;
    std::size_t last = 0;
};

/// One constraint with its joints as names. Only the members that its kind needs are set.
struct FitConstraintEntry {
    FitConstraintKind kind = FitConstraintKind::Pin;
    std::vector<std::string> joints = {};
    std::vector<Vec3> positions =
        {};  ///< none: the rest pose's; one for all frames; or one per frame
    std::vector<Quat> rotations = {};  ///< likewise; in model space
    std::vector<IndexRange> vertices = {};
    std::vector<IndexRange> frames = {};  ///< none: all
    double mass = 1.0;
    Location location = {};  ///< in the file, for messages
};

/// Reads an array of constraint objects, or an object whose `constraints` is one. Errors carry the
/// JSON path; unknown keys are errors.
[[nodiscard]] Result<std::vector<FitConstraintEntry>> readFitConstraints(std::string_view text,
                                                                         std::string_view source);
[[nodiscard]] Result<std::vector<FitConstraintEntry>> loadFitConstraints(const std::string& path);

/// A joint whose position, and perhaps rotation, is given.
struct HeldJoint {
    JointId joint = JointId::None;
    std::vector<Vec3> positions = {};  ///< as in FitConstraintEntry
    std::vector<Quat> rotations = {};
};

struct MissingVertices {
    std::vector<IndexRange> vertices = {};
    std::vector<IndexRange> frames = {};  ///< none: all
};

/// All constraints on one skeleton, by kind.
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

/// Finds the joints of the entries. Errors: a joint, vertex or frame that does not exist, a number
/// of positions that is not the number of frames, or two constraints on one joint that contradict
/// each other.
[[nodiscard]] Result<FitConstraints> bindFitConstraints(std::span<const FitConstraintEntry> entries,
                                                        const Skeleton& skeleton,
                                                        std::size_t vertex_count,
                                                        std::size_t frame_count);

}  // namespace ulna::io
