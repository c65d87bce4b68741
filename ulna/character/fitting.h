// SPDX-License-Identifier: Apache-2.0

// Fitting a character to shapes of its skin, under constraints: from meshes, targets and
// constraints to poses.
//
// The library has two fitters: joints with their kinds and limits (fit/skeleton_fit.h), and control
// points that move more freely (fit/fitter.h). ShapeFitter takes the one that the constraints need,
// tells it which joints are pinned, driven or locked and which vertices count, and gives poses of
// the character's own skeleton back.
//
//     Result<ShapeFitter> fitter = ShapeFitter::make(skeleton, stage, skin, constraints, options);
//     Result<ShapeFrame> frame = fitter->prepare(0, targets);
//     fitter->fit(*frame, FitStart::Cold, pose);
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ulna/character/stage.h"
#include "ulna/core/progress.h"
#include "ulna/fit/fitter.h"
#include "ulna/fit/skeleton_fit.h"
#include "ulna/io/fit_constraints.h"

namespace ulna {

/// Several meshes as one, with all that they have in common, their weights and their bind pose.
/// Errors: a mesh without weights, meshes that are bound in different poses.
/// @pre meshes is not empty.
[[nodiscard]] Result<Mesh> joinedSkin(const Skeleton& skeleton,
                                      std::span<const Mesh* const> meshes);

/// The vertices of a skin that are fitted. Targets may lack the copies that a mesh has at seams:
/// then only the first vertices are fitted, and the copies follow them.
struct FitShape {
    Mesh mesh = {};                          ///< the whole skin
    Mesh fitted = {};                        ///< its first vertices, without triangles
    std::vector<std::uint32_t> source = {};  ///< per vertex of `mesh`, the fitted one it copies
};
/// The error says how many vertices there are, where targets of `count` vertices do not fit.
[[nodiscard]] Result<FitShape> makeFitShape(Mesh mesh, std::size_t count);

struct ShapeFitOptions {
    FitMethod method = FitMethod::JointNewton;
    FitLoss loss = FitLoss::Squares;
    double loss_scale = 0.0;                 ///< as in FitOptions
    double smoothness = 0.0;                 ///< as in FitOptions
    std::optional<double> tolerance = {};    ///< by default the fitter's own
    std::optional<int> max_iterations = {};  ///< by default the fitter's own
    bool points = false;       ///< joints are control points, without kinds and limits
    bool missing_nan = false;  ///< targets that are not finite are missing, not an error
    /// Pinned joints stay where the start pose has them; otherwise where the constraints say.
    bool pin_at_start = false;
};

/// Whether constraints and options can only be met by control points.
[[nodiscard]] bool needsPoints(const io::FitConstraints& constraints,
                               const ShapeFitOptions& options);

/// One frame, ready to be fitted.
struct ShapeFrame {
    std::vector<Vec3> positions = {};  ///< of the fitted vertices, in model space
    std::vector<double> mask = {};     ///< 0 for vertices that do not count; empty: all count
    ControlPose driven = {};           ///< where pinned and driven joints are
};

struct FittedFrames {
    std::vector<Pose> poses = {};  ///< of the character's own skeleton
    std::vector<FitReport> reports = {};
    bool cancelled = false;  ///< then both are those made so far
};

/// Frames that belong together: a sequence that is fitted in parts of whole chunks has the answer
/// of the whole.
inline constexpr std::size_t kFitChunk = 64;

/// Inliers of the vertices that count, 0 to 1; 1 where none counts.
[[nodiscard]] double inlierShare(const RobustFit& fit);

/// What became of all frames of a fit together.
struct FitSummary {
    double mean_rms = 0.0;
    double mean_iterations = 0.0;
    int most_iterations = 0;
    std::size_t worst_rms = 0;     ///< the frame with the largest rms
    std::size_t worst_vertex = 0;  ///< the frame with the vertex that is farthest from its target
    std::size_t unfinished = 0;    ///< frames that did not converge
    /// Where the loss is robust: the means of lengths, and the sums of counts.
    std::optional<RobustFit> robust = {};
    std::size_t fewest_inliers = 0;          ///< the frame with the smallest share of inliers
    std::size_t empty = 0;                   ///< frames in which the vertices determine nothing
    std::vector<JointId> undetermined = {};  ///< in any frame; in the order of the skeleton
};
[[nodiscard]] FitSummary summarize(std::span<const FitReport> reports);

/// How well a fit went, as clauses for people: how near the skin comes, and what is worth knowing
/// of frames and joints. None where all frames are empty: then nothing is fitted.
/// @param size of the fitter.
[[nodiscard]] std::vector<std::string> fitNotes(std::span<const FitReport> reports, double size);

/// Fitting one frame changes it; threads may call everything that is const at once.
class ShapeFitter {
  public:
    /// Errors: those of SkeletonFitter::make, Fitter::make and makeFitRig, and for control points a
    /// joint that is scaled between the bind pose and the rest pose.
    /// @pre skeleton and stage outlive the fitter and do not move; the stage is of this skeleton;
    /// skin has a row of weights per vertex; constraints are bound to this skeleton.
    [[nodiscard]] static Result<ShapeFitter> make(const Skeleton& skeleton, const Stage& stage,
                                                  Mesh skin, io::FitConstraints constraints = {},
                                                  const ShapeFitOptions& options = {});
    /// The same where joints can meet everything: a program that has no use for control points is
    /// smaller without them.
    /// @pre needsPoints(constraints, options) is false.
    [[nodiscard]] static Result<ShapeFitter> makeOfJoints(const Skeleton& skeleton,
                                                          const Stage& stage, Mesh skin,
                                                          io::FitConstraints constraints = {},
                                                          const ShapeFitOptions& options = {});
    ShapeFitter(ShapeFitter&&) noexcept;
    ~ShapeFitter();

    [[nodiscard]] bool byPoints() const { return by_points_; }
    /// The largest extent of the rest shape, which tolerances are relative to.
    [[nodiscard]] double size() const;
    /// Kinds and limits that do not hold, vertices that do not count.
    [[nodiscard]] const Warnings& warnings() const { return warnings_; }

    /// Factors on the masses of the vertices in a frame: 0 for those without weights and those that
    /// the constraints say are missing. Empty where all count.
    [[nodiscard]] std::vector<double> maskOf(std::size_t frame) const;

    /// Makes a frame ready. Errors: another number of vertices than the skin has, a position that
    /// is not finite, in the plane one that is not in it. They carry no file.
    [[nodiscard]] Result<ShapeFrame> prepare(std::size_t frame, std::vector<Vec3> positions) const;
    /// The same without a check: a fit to a position that is not finite has the status BadTarget.
    /// @pre there is a position per vertex of the skin.
    [[nodiscard]] ShapeFrame frameOf(std::size_t frame, std::vector<Vec3> positions) const;

    /// Fits one frame from `pose`, which gets the answer; the report lives until the next fit.
    const FitReport& fit(const ShapeFrame& frame, FitStart start, Pose& pose);

    /// Fits frames in turn, the first one cold, as fitMotion and fitSequence do.
    [[nodiscard]] FittedFrames fit(std::span<const ShapeFrame> frames, unsigned threads = 1,
                                   const Progress& progress = {}) const;

    /// How far the farthest pinned joint is from where the frame has it.
    struct PinError {
        double distance = 0.0;
        JointId joint = JointId::None;  ///< None where nothing is pinned
    };
    [[nodiscard]] PinError worstPin(const ShapeFrame& frame, const Pose& pose) const;

  private:
    class Method;
    class ByJoints;
    class ByPoints;
    ShapeFitter(const Skeleton& skeleton, const Stage& stage, Mesh skin,
                io::FitConstraints constraints, const ShapeFitOptions& options, bool by_points);
    [[nodiscard]] FitTargets targetsOf(const ShapeFrame& frame) const;
    [[nodiscard]] ControlPose drivenAt(std::size_t frame) const;

    const Skeleton* skeleton_;
    Mesh skin_;
    io::FitConstraints constraints_;
    ShapeFitOptions options_;
    bool by_points_;
    std::unique_ptr<Method> method_;
    Warnings warnings_;
    ControlPose rest_;                  // of the joints as control points
    std::vector<Quat> bind_rotations_;  // of each joint, in model space
};

}  // namespace ulna
