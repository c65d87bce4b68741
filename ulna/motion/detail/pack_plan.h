// SPDX-License-Identifier: Apache-2.0

// What of a motion is packed: which joints have tracks, what their rotations are relative to, and
// how far a rotation moves what hangs on a joint.
#pragma once

#include <array>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/math/mat3.h"
#include "ulna/motion/detail/packed_format.h"
#include "ulna/motion/motion.h"
#include "ulna/motion/pack_options.h"

namespace ulna::motion::detail {

struct PackedJoint {
    PackedHow rotation = PackedHow::Rest;
    PackedHow translation = PackedHow::Rest;
    PackedHow scale = PackedHow::Rest;
    Trs constant = {};  ///< what it has where it has no track
    bool has_middle = false;
    std::array<std::int8_t, 4> stored_middle = {};
    Quat middle = {};  ///< what a rotation track of three values is relative to
    /// The first channels of its tracks; channels of a track are `stride` apart.
    std::size_t rotation_channel = 0, rotation_stride = 0;
    std::size_t translation_channel = 0, translation_stride = 0;
    std::size_t scale_channel = 0, scale_stride = 0;
    std::vector<JointId> carried = {};  ///< joints that its rotation moves and no other between
    double lever = 0.0;                 ///< how far the farthest of them is from it
    double extent = 0.0;                ///< how far anything below it may be, beside that
    /// From where the joint's position is off, in its own axes, to the small rotation that brings
    /// what it carries nearest to where that should be.
    Mat3 follow = {};
};

struct PackPlan {
    std::vector<PackedJoint> joints;
    std::size_t channels = 0;
    bool scales = false;  ///< whether any joint is scaled: then positions are not made up for
    /// In the order of the file: rotations of three values, of four, translations, scales.
    struct Track {
        std::size_t joint = 0;
        unsigned component = 0;  ///< 0 rotation, 1 translation, 2 scale
        std::size_t channel = 0, stride = 0, count = 0;
    };
    std::vector<Track> tracks;
};

/// The error says that a value is not finite.
[[nodiscard]] Result<PackPlan> makePackPlan(const Skeleton& skeleton, const Motion& motion,
                                            const PackOptions& options);

}  // namespace ulna::motion::detail
