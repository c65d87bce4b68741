// SPDX-License-Identifier: Apache-2.0

// The shapes that `ulna fit` fits a rig to: files of one surface each, point caches, and animated
// meshes of glTF files, one after the other.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/cli/input.h"
#include "ulna/core/result.h"

namespace ulna::cli {

struct TargetOptions {
    std::vector<std::string> paths;  ///< files, and patterns that name files
    std::string clip;                ///< of a glTF file
    std::string mesh_name;           ///< of a glTF file with several
    std::optional<double> fps;
};

/// A source of shapes. Reading is const, and may be done by several threads at once.
class TargetSource {
  public:
    virtual ~TargetSource() = default;
    [[nodiscard]] virtual std::size_t frameCount() const = 0;
    /// The seconds between frames, where the file says so; 0 where it does not.
    [[nodiscard]] virtual double frameTime() const { return 0.0; }
    [[nodiscard]] virtual std::string nameOf(std::size_t frame) const = 0;
    /// Of the clip that moves the shapes; empty where there is none.
    [[nodiscard]] virtual std::string clipName() const { return {}; }
    [[nodiscard]] virtual Result<std::vector<Vec3>> read(std::size_t frame) const = 0;
};

/// All frames in their order.
class Targets {
  public:
    /// Finds the files and looks into those that hold several frames; fails with exit code 2 or 3.
    Targets(const TargetOptions& options, const InputOptions& reading);

    [[nodiscard]] std::size_t frameCount() const { return frames_.size(); }
    [[nodiscard]] double frameTime() const { return frame_time_; }
    [[nodiscard]] const Warnings& warnings() const { return warnings_; }
    [[nodiscard]] const std::vector<std::string>& files() const { return files_; }
    /// The name of the clip, where one moves all shapes; otherwise empty.
    [[nodiscard]] std::string clipName() const;
    /// The file, and which of its frames where it holds several.
    [[nodiscard]] std::string nameOf(std::size_t frame) const;
    [[nodiscard]] Result<std::vector<Vec3>> read(std::size_t frame) const;

  private:
    struct Frame {
        std::size_t source = 0, frame = 0;
    };

    std::vector<std::unique_ptr<TargetSource>> sources_;
    std::vector<Frame> frames_;
    std::vector<std::string> files_;
    double frame_time_ = 0.0;
    Warnings warnings_;
};

}  // namespace ulna::cli
