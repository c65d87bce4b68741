// SPDX-License-Identifier: Apache-2.0

// Mesh: a surface of triangles, and what ties it to a skeleton. A plain value; files carry it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ulna/skeleton/skeleton.h"

namespace ulna {

/// How far one joint moves a vertex.
struct Influence {
    JointId joint = JointId::None;
    float weight = 0.0f;

    friend bool operator==(const Influence&, const Influence&) = default;
};

struct Mesh {
    std::string name = {};
    std::vector<Vec3f> positions = {};  ///< at bind
    std::vector<Vec3f> normals = {};    ///< as many, or none
    std::vector<std::uint32_t> indices =
        {};  ///< three per triangle, counter-clockwise from outside

    /// Any number per vertex: those of vertex v are influences[first_influence[v]] up to but not
    /// including influences[first_influence[v + 1]]. Weights are positive and sum to 1 per vertex.
    /// Both are empty for a mesh that is tied to no joint.
    std::vector<Influence> influences = {};
    std::vector<std::uint32_t> first_influence = {};  ///< one more than vertices

    /// From the space of `positions` to each joint's frame at bind, by joint of the skeleton; empty
    /// where that space is the model's and the bind pose is the rest pose.
    std::vector<Affine> joint_from_bind = {};
};

/// Every length times `factor`, as scaledSkeleton has it.
[[nodiscard]] Mesh scaledMesh(Mesh mesh, double factor);
/// The mesh of a model turned as a whole, as turnedSkeleton has it.
[[nodiscard]] Mesh turnedMesh(Mesh mesh, const Quat& new_from_old);

}  // namespace ulna
