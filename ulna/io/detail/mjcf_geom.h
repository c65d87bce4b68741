// SPDX-License-Identifier: Apache-2.0

// Geoms of a MuJoCo model: those that are primitives.
#pragma once

#include <optional>
#include <string>

#include "ulna/io/detail/mjcf_values.h"
#include "ulna/io/detail/robot_builder.h"

namespace ulna::io::detail {

/// A geom as a shape in its body's frame. Nothing, counted, where it is no primitive: a plane, a
/// mesh, or a primitive that MuJoCo would fit to a mesh.
[[nodiscard]] std::optional<RobotShape> readGeom(const MjcfElement& geom,
                                                 const MjcfCompiler& compiler, LeftOut& left_out);

/// The colour of an `rgba`; alpha is ignored, because shapes that stand for invisible meshes have
/// 0.
[[nodiscard]] Color geomColor(const XmlValue& rgba);

}  // namespace ulna::io::detail
