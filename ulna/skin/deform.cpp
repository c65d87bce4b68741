// SPDX-License-Identifier: Apache-2.0
#include "ulna/skin/deform.h"

#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {

Deformer::Deformer(const Skeleton& skeleton, const Mesh& mesh) : skeleton_(skeleton), mesh_(mesh) {}

void Deformer::deform(const ModelPose& pose, const DeformOptions& options,
                      DeformedVertices& out) const {
    Mesh posed = posedMesh(skeleton_, mesh_, pose, options);
    out = {std::move(posed.positions), std::move(posed.normals), std::move(posed.tangents)};
}

void Deformer::deform(const FloatPose& pose, const DeformOptions& options,
                      DeformedVertices& out) const {
    deform(computeModelPose(skeleton_, toPose(pose)), options, out);
}

}  // namespace ulna
