// SPDX-License-Identifier: Apache-2.0

// Forward kinematics and Jacobians of many poses on an NVIDIA GPU.
//
// Set up once for a skeleton, and called many times with arrays of the host or of the device. All
// arrays are of floats, a pose after the other:
//
//   coordinates       poses x dofs, in the order of a DofVector; radians and units of length
//   model_from_joint  poses x joints x 3 x 4: the rows of a matrix, its last column the position
//   jacobians         poses x points x 6 x dofs: how a point moves with each coordinate, then about
//                     which axis its joint rotates, both in model space
//
// What skinning takes (gpu/skin.h) and what libraries for arrays take as it is. The values are
// those of computeModelTransforms and computePointJacobian rounded to float along the way:
// transforms within 4e-6, Jacobians within 1e-5, of 1 and the lengths of all offsets together. The
// same bytes in every run.
// For one pose, or without a GPU, see skeleton/forward_kinematics.h and skeleton/batch.h.
#pragma once

#include <memory>
#include <span>

#include "ulna/gpu/device.h"
#include "ulna/gpu/options.h"
#include "ulna/skeleton/jacobian.h"

namespace ulna {

/// For one thread at a time. Angles are good up to 2500 revolutions.
class GpuKinematics {
  public:
    /// @param points those whose Jacobians are wanted.
    /// Errors: no driver or no such device, no kernels for it, or a point of no joint.
    [[nodiscard]] static Result<GpuKinematics> make(const Skeleton& skeleton,
                                                    std::span<const JointPoint> points = {},
                                                    const GpuOptions& gpu = {});
    GpuKinematics(GpuKinematics&&) noexcept;
    GpuKinematics& operator=(GpuKinematics&&) noexcept;
    ~GpuKinematics();

    /// From arrays of the host to arrays of the host. Allocates on the device only what the largest
    /// call so far did not need. Errors name the array whose size is another one.
    [[nodiscard]] Status computeTransforms(std::span<const float> coordinates,
                                           std::span<float> model_from_joint);
    [[nodiscard]] Status computeJacobians(std::span<const float> coordinates,
                                          std::span<float> jacobians);

    /// From arrays of the device to arrays of the device, which have the sizes for `poses`: returns
    /// at once, and the work is done on the stream. Allocates nothing.
    /// Errors: an array that is null, or model_from_joint not at a multiple of 16 bytes.
    [[nodiscard]] Status computeTransforms(std::size_t poses, const float* coordinates,
                                           float* model_from_joint);
    [[nodiscard]] Status computeJacobians(std::size_t poses, const float* coordinates,
                                          float* jacobians);

    /// From now on everything is asked of another stream. Work on the one before is not waited for.
    void setStream(GpuStream stream);

    [[nodiscard]] std::size_t jointCount() const;
    [[nodiscard]] std::size_t dofCount() const;
    [[nodiscard]] std::size_t pointCount() const;

  private:
    struct State;
    explicit GpuKinematics(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace ulna
