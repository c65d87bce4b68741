// SPDX-License-Identifier: Apache-2.0

// Which way is up: files of most formats do not say, so it is guessed from the body and its motion.
#pragma once

#include <cstdint>
#include <span>

#include "ulna/skeleton/pose.h"

namespace ulna {

/// The model axis that points up.
enum class UpAxis : std::uint8_t { Y, Z };

/// The unit vector along the axis, and its index as a coordinate (1 or 2).
[[nodiscard]] constexpr Vec3 upVector(UpAxis up) {
    return up == UpAxis::Z ? Vec3{0, 0, 1} : Vec3{0, 1, 0};
}
[[nodiscard]] constexpr std::size_t upIndex(UpAxis up) {
    return up == UpAxis::Z ? 2 : 1;
}

struct UpGuess {
    UpAxis up = UpAxis::Y;
    double confidence = 0.0;  ///< 0: a toss of a coin, 1: all agrees; in hundredths
};

/// A guess from all that tells: in which direction the body is above its feet, where joints are
/// named so; along which axis the lowest joint keeps its height while the body moves; along which
/// axis the rest pose is longer. Undecided it is y, as in most files, and for planar skeletons.
/// @param poses of a clip, a few from its beginning to its end; may be empty.
[[nodiscard]] UpGuess guessUp(const Skeleton& skeleton, std::span<const Pose> poses = {});
/// The axis of that guess from the rest pose alone.
[[nodiscard]] UpAxis guessUpAxis(const Skeleton& skeleton);

}  // namespace ulna
