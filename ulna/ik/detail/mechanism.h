// SPDX-License-Identifier: Apache-2.0

// Mechanism: the moving part of a skeleton, cut into elementary links for solvers.
//
// Only joints above the bodies that goals hold are in it. Fixed and locked joints are folded into
// their children's rest transforms. A hinge is one link that turns about an axis of its own frame;
// a universal joint is two; a ball with bounds on its Euler angles is three. A ball without such
// bounds is one link whose state is a quaternion and whose three coordinates are small turns about
// its own axes: no gimbal lock, and no angles in the inner loop.
//
// Coordinates ("columns") are numbered along the links, so those above a body are a few ranges, and
// those above two bodies are a prefix of both.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ulna/ik/options.h"
#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/skeleton.h"

namespace ulna::ik::detail {

/// Vector is a ball whose three coordinates are the components of its rotation vector, bounded
/// each.
enum class LinkKind : std::uint8_t { TurnX, TurnY, TurnZ, Slide, Slide3, Ball, Vector };

/// What bounds a ball link.
enum class BallBounds : std::uint8_t { None, Cone };

/// A frame as the solvers use it: the images of the axes, and the origin.
struct Frame {
    Vec3 x = {1, 0, 0};
    Vec3 y = {0, 1, 0};
    Vec3 z = {0, 0, 1};
    Vec3 p = {};

    [[nodiscard]] Vec3 direction(const Vec3& v) const { return x * v.x + y * v.y + z * v.z; }
    [[nodiscard]] Vec3 point(const Vec3& v) const { return p + direction(v); }
};

[[nodiscard]] Frame operator*(const Frame& a, const Frame& b);

struct Link {
    int parent = -1;
    LinkKind kind = LinkKind::TurnZ;
    BallBounds bounds = BallBounds::None;
    bool turned = false;  // the rest rotation is not the identity
    std::uint8_t columns = 1;
    std::uint32_t column = 0;  // first coordinate
    std::uint32_t dof = 0;     // first number in the skeleton's DofVector
    JointId joint = JointId::None;
    Vec3 axis = {};            // Slide: the direction in the link's frame, with the scale above it
    double slide_scale = 1.0;  // Slide3: the scale above it
    Frame rest = {};           // parent link's frame from this link's frame before it moves
};

/// Bounds and weight of one coordinate.
struct Column {
    double min = 0.0, max = 0.0;  // of the coordinate's value; infinite for balls
    double weight = 1.0;          // W: stiffness, and for lengths the inverse squared reach
    std::uint32_t dof = 0;
    std::uint32_t link = 0;
    bool angle = true;
};

/// Where a joint is relative to a link that carries it; link -1 is the model's own frame.
struct Mount {
    int link = -1;
    Frame link_from_joint = {};
    double scale = 1.0;
};

/// The values of all coordinates: numbers for turns and slides, quaternions for balls.
struct Coordinates {
    std::vector<double> values;  // per column; unused for balls
    std::vector<Quat> turns;     // per link; unused for other kinds
};

class Mechanism {
  public:
    /// Chooses the links for these bodies. Allocates; everything later does not.
    void build(const Skeleton& skeleton, std::span<const JointId> bodies, const IkOptions& options);

    /// Refreshes rest transforms from a base pose: stretch, scale, and joints that do not move.
    /// Model coordinates become relative to `origin()`, where the first root is in that pose.
    void refresh(const Pose& base);

    /// Loads coordinates from numbers per degree of freedom, and writes them back: balls give the
    /// numbers nearest to those already there.
    void load(std::span<const double> dofs, Coordinates& out) const;
    void store(const Coordinates& coordinates, std::span<double> dofs) const;
    /// The same from and to a pose, of which only joints of the mechanism are looked at and moved.
    /// Whole turns, which a pose cannot hold, are taken nearest to the middle of the bounds.
    void load(const Pose& pose, Coordinates& out) const;
    void store(const Coordinates& coordinates, Pose& pose) const;
    /// Moves coordinates outside their bounds to the nearest allowed ones.
    void clamp(Coordinates& coordinates) const;

    /// Forward kinematics. `frames` gets one frame per link.
    void computeFrames(const Coordinates& coordinates, std::vector<Frame>& frames) const;
    /// One link's frame, those above it being there.
    void computeFrame(const Coordinates& coordinates, std::size_t i, std::span<Frame> frames) const;

    /// How far each coordinate may move down (not above 0) and up (not below 0) from where it is;
    /// entries of coordinates without bounds are left as they are.
    /// Turns about a cone-limited ball's axes are: its swing, along its cone, its twist.
    void computeRoom(const Coordinates& coordinates, std::span<double> down,
                     std::span<double> up) const;

    /// How each coordinate moves what is below it, as twists about the origin: a point p moves with
    /// angular x p + linear. Six arrays of columnCount() numbers each.
    struct Twists {
        std::vector<double> ax, ay, az, bx, by, bz;
        void resize(std::size_t n);
    };
    void computeTwists(const Coordinates& coordinates, std::span<const Frame> frames,
                       Twists& twists) const;
    /// The axes of a ball's three coordinates, in its own frame.
    [[nodiscard]] std::array<Vec3, 3> ballBasis(const Link& link, const Quat& turn) const;

    /// Moves coordinates by `step` (per column), within the bounds. Columns of a cone-limited ball
    /// are projected together.
    void retract(const Coordinates& from, std::span<const double> step, Coordinates& to) const;

    /// The rotation nearest to `turn` that a ball's bounds allow.
    [[nodiscard]] Quat allowed(const Link& link, const Quat& turn) const;

    /// Whether a joint may move: it is neither fixed nor locked nor outside the chain.
    [[nodiscard]] bool moves(JointId joint) const { return moves_[index(joint)] != 0; }
    /// The joints above bodies, parents first.
    [[nodiscard]] std::span<const JointId> active() const { return active_; }
    [[nodiscard]] std::span<const Link> links() const { return links_; }
    [[nodiscard]] std::span<const Column> columns() const { return columns_; }
    [[nodiscard]] std::size_t columnCount() const { return columns_.size(); }
    [[nodiscard]] std::span<const std::uint32_t> ballLinks() const { return ball_links_; }
    [[nodiscard]] bool bounded() const { return !bounded_columns_.empty() || hasCones(); }
    [[nodiscard]] bool hasCones() const { return !cone_links_.empty(); }
    [[nodiscard]] bool hasVectors() const { return has_vectors_; }
    [[nodiscard]] const Mount& mount(JointId joint) const { return mounts_[index(joint)]; }
    [[nodiscard]] const Skeleton& skeleton() const { return *skeleton_; }
    [[nodiscard]] const Vec3& origin() const { return origin_; }
    [[nodiscard]] double reach() const { return reach_; }

    /// The frame of a joint given the links' frames, and its scale.
    [[nodiscard]] Frame jointFrame(JointId joint, std::span<const Frame> frames) const;

    /// Sets the reach, which gives lengths their weight among angles.
    void setReach(double reach);

  private:
    [[nodiscard]] Quat moveOnCone(const Link& link, const Quat& turn, const double* step) const;
    [[nodiscard]] bool isAsBefore(const Pose& base) const;
    void addJoint(JointId joint);
    Link& addLink(LinkKind kind, JointId joint, std::size_t dof);

    const Skeleton* skeleton_ = nullptr;
    std::vector<JointId> active_;        // joints above bodies, parents first
    std::vector<std::uint8_t> moves_;    // per joint: whether it has links
    std::vector<int> first_links_;       // per joint
    std::vector<Trs> last_base_;         // per active joint: what refresh last saw
    std::vector<Frame> rest_frames_;     // per joint: its rest rotation
    std::vector<std::uint8_t> upright_;  // per joint: whether that is the identity
    std::vector<Mount> mounts_;          // per joint
    std::vector<Link> links_;
    std::vector<Column> columns_;
    std::vector<std::uint32_t> bounded_columns_, cone_links_, ball_links_;
    std::vector<double> stiffness_;  // per joint
    bool has_vectors_ = false;
    Vec3 origin_ = {};
    double reach_ = 1.0;
};

}  // namespace ulna::ik::detail
