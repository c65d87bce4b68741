// SPDX-License-Identifier: Apache-2.0

// Skinning of many poses on an NVIDIA GPU.
//
// Set up once for a mesh, and called many times with arrays of the host or of the device. All
// arrays are of floats, a pose after the other:
//
//   model_from_joint  poses x joints x 3 x 4, as GpuKinematics computes them (gpu/kinematics.h)
//   positions         poses x vertices x 3, in model space
//   normals           poses x vertices x 3, unit vectors
//
// Vertices are those of Deformer (skin/deform.h), by linear blend or dual quaternions: within 1e-5
// of the mesh's size, or 1e-4 where joints scale and shear; stretches of joints below 4e-6 are
// taken for rounding. Tangents and twist bones are Deformer's alone. The same bytes in every run.
// Poses are done 32 at a time, so that a few take as long as 32.
#pragma once

#include <memory>
#include <span>

#include "ulna/gpu/device.h"
#include "ulna/gpu/options.h"
#include "ulna/skin/deform_types.h"
#include "ulna/skin/mesh.h"

namespace ulna {

/// For one thread at a time.
class GpuSkin {
  public:
    /// @param options the blend and the rule of normals; threads are not used.
    /// @pre mesh has a row of weights per vertex, or no rows: then no vertex moves.
    /// Errors: no driver or no such device, or no kernels for it.
    [[nodiscard]] static Result<GpuSkin> make(const Skeleton& skeleton, const Mesh& mesh,
                                              const DeformOptions& options = {},
                                              const GpuOptions& gpu = {});
    GpuSkin(GpuSkin&&) noexcept;
    GpuSkin& operator=(GpuSkin&&) noexcept;
    ~GpuSkin();

    /// From arrays of the host to arrays of the host; `normals` may be empty. Errors name the array
    /// whose size is another one, and normals that the mesh does not have.
    [[nodiscard]] Status deform(std::span<const float> model_from_joint, std::span<float> positions,
                                std::span<float> normals = {});

    /// From arrays of the device to arrays of the device, which have the sizes for `poses`: returns
    /// at once, and the work is done on the stream. Allocates nothing after a call with as many
    /// poses. Errors: an array that is null (normals may be), model_from_joint not at a multiple of
    /// 16 bytes, or normals that the mesh does not have.
    [[nodiscard]] Status deform(std::size_t poses, const float* model_from_joint, float* positions,
                                float* normals = nullptr);

    /// From now on everything is asked of another stream. Work on the one before is not waited for.
    void setStream(GpuStream stream);

    [[nodiscard]] std::size_t vertexCount() const;
    [[nodiscard]] std::size_t jointCount() const;
    [[nodiscard]] bool hasNormals() const;

  private:
    struct State;
    explicit GpuSkin(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace ulna
