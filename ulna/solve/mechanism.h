// SPDX-License-Identifier: Apache-2.0

// Mechanism: the coordinates of a skeleton, as solvers move them.
//
// A solver moves joints by steps of their coordinates, keeps them inside their limits, and asks how
// each coordinate moves what is below it. This is the one place that knows how: inverse kinematics
// and fits both stand on it. The degrees of freedom that users see are in skeleton/state.h.
//
// Only joints above chosen bodies are in a mechanism. Fixed and locked joints are folded into their
// children's rest transforms. What moves is cut into elementary links: a hinge is one link that
// rotates about an axis of its own frame; a universal joint is two; a ball with limits on its Euler
// angles is three. A ball without such limits is one link whose state is a quaternion and whose
// three coordinates are small rotations about its own axes: no gimbal lock, and no angles in the
// inner loop.
//
// A coordinate that follows another keeps its link and its column, and no step moves it by itself:
// states are made to agree wherever they are made, and what it does is its leader's doing.
//
// Coordinates ("columns", as in a Jacobian) are numbered along the links, so those above a body are
// a few ranges, and those above two bodies are a prefix of both.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "ulna/skeleton/pose.h"
#include "ulna/skeleton/skeleton.h"
#include "ulna/solve/frame.h"
#include "ulna/solve/mechanism_options.h"

namespace ulna {

/// What a link's coordinates do. Slide moves along one axis of the link's frame, Slide3 along all
/// three. Vector is a ball whose three coordinates are the components of its rotation vector, each
/// with its own limits.
enum class LinkKind : std::uint8_t { RotateX, RotateY, RotateZ, Slide, Slide3, Ball, Vector };

/// The values of all coordinates: angles, lengths and rotation vectors by column, quaternions of
/// balls by link.
struct MechanismState {
    std::vector<double> values;   ///< per column; not used for balls
    std::vector<Quat> rotations;  ///< per link; not used for other kinds
};

/// Threads may read one at once, each with a state of its own; one that changes (build, refresh,
/// countRevolutions, setReach) belongs to one thread.
class Mechanism {
  public:
    struct Link {
        int parent = -1;
        LinkKind kind = LinkKind::RotateZ;
        bool cone = false;     ///< a ball within a cone limit
        bool rotated = false;  ///< the rest rotation is not the identity
        std::uint8_t columns = 1;
        std::uint32_t column = 0;  ///< its first coordinate
        std::uint32_t dof = 0;     ///< its first degree of freedom in the skeleton's DofVector
        JointId joint = JointId::None;
        Vec3 axis = {};  ///< Slide: the direction in the link's frame, times the scale above it
        double slide_scale = 1.0;  ///< Slide3: the scale above it
        RigidFrame rest = {};      ///< the parent link's frame from this one's before it moves
    };

    /// Limits and weight of one coordinate.
    struct Column {
        double min = 0.0, max = 0.0;  ///< of the coordinate's value; infinite for balls
        double weight = 1.0;  ///< W: stiffness, and for lengths the inverse of the squared reach
        std::uint32_t dof = 0;
        std::uint32_t link = 0;
        bool angle = true;
    };

    /// A coordinate that follows another: value = factor * (the leader's value) + offset.
    struct Coupling {
        std::uint32_t column = 0;
        std::uint32_t leader = 0;
        double factor = 1.0;
        double offset = 0.0;
    };

    /// Where a joint is relative to the link that carries it; link -1 is the model's own frame.
    struct Mount {
        int link = -1;
        RigidFrame link_from_joint = {};
        double scale = 1.0;
    };

    /// How each coordinate moves what is below it, as twists about origin(): a point p moves with
    /// a x p + b. Each array has one entry per column.
    struct Twists {
        std::vector<double> ax, ay, az, bx, by, bz;
        void resize(std::size_t n);
    };

    /// Chooses the links that move these bodies, and those of joints that are coupled to them:
    /// where one of several coupled joints cannot move, none does. Allocates; everything later does
    /// not.
    /// @pre skeleton outlives the mechanism; the joints of options exist.
    void build(const Skeleton& skeleton, std::span<const JointId> bodies,
               const MechanismOptions& options);

    /// Takes rest transforms from a base pose: its stretch, its scale, and the joints that do not
    /// move. Model positions become relative to origin(), where the first root is in that pose.
    void refresh(const Pose& base);

    /// Loads a state from degrees of freedom, and writes it back: balls get the angles nearest to
    /// those already there.
    /// @pre the mechanism was built without MechanismOptions::free_roots.
    void load(std::span<const double> dofs, MechanismState& out) const;
    void store(const MechanismState& state, std::span<double> dofs) const;
    /// The same from and to a pose, of which only joints of the mechanism are read and written.
    /// A pose cannot tell how many revolutions an angle has made: the angle nearest to the middle
    /// of its limits is taken. See countRevolutions().
    void load(const Pose& pose, MechanismState& out) const;
    void store(const MechanismState& state, Pose& pose) const;

    /// Whether limits of an angle that are a revolution or more apart count, as they do at first.
    /// They mean nothing where states come from poses and go to poses.
    void countRevolutions(bool count);
    /// Whether a coordinate is an angle without limits that count, of which revolutions do not
    /// count either.
    [[nodiscard]] bool isCircular(std::size_t column) const {
        const Column& c = columns_[column];
        return !counts_revolutions_ && c.angle && std::isinf(c.min) && std::isinf(c.max) &&
               !leads(column);
    }

    /// Moves coordinates outside their limits to the nearest allowed values.
    void clamp(MechanismState& state) const;
    /// Sets the coordinates that follow others.
    void couple(MechanismState& state) const {
        for (const Coupling& c : couplings_)
            state.values[c.column] = c.factor * state.values[c.leader] + c.offset;
    }
    /// The rotation nearest to `rotation` that a ball's limits allow.
    [[nodiscard]] Quat allowed(const Link& link, const Quat& rotation) const;
    /// How far each coordinate may move down (0 or below) and up (0 or above) from where it is.
    /// Entries of coordinates without limits are left as they are; those that follow others have
    /// none. The coordinates of a ball in a cone are its swing, its way around the cone, and its
    /// twist.
    void computeRoom(const MechanismState& state, std::span<double> down,
                     std::span<double> up) const;
    /// Moves coordinates by `step` (per column), within their limits. The columns of a ball in a
    /// cone are projected together.
    void retract(const MechanismState& from, std::span<const double> step,
                 MechanismState& to) const;

    /// Forward kinematics: one frame per link.
    void computeFrames(const MechanismState& state, std::vector<RigidFrame>& frames) const;
    /// One link's frame, given those above it.
    void computeFrame(const MechanismState& state, std::size_t i,
                      std::span<RigidFrame> frames) const;
    void computeTwists(const MechanismState& state, std::span<const RigidFrame> frames,
                       Twists& twists) const;
    /// The axes of a ball's three coordinates, in its own frame.
    [[nodiscard]] std::array<Vec3, 3> ballBasis(const Link& link, const Quat& rotation) const;
    /// How the coordinates of a ball in a cone bend: what they add to the second derivatives of a
    /// cost that are computed as if the three were components of one small rotation. The coordinate
    /// around the cone follows it, and takes the axis of the swing along.
    struct ConeBend {
        double around_around = 0.0, swing_around = 0.0, swing_twist = 0.0, around_twist = 0.0;
    };
    /// @param descent minus the cost's gradient by the three coordinates.
    [[nodiscard]] ConeBend coneBend(const Link& link, const Quat& rotation,
                                    std::span<const double> descent) const;
    /// The frame of a joint, given the links' frames.
    [[nodiscard]] RigidFrame jointFrame(JointId joint, std::span<const RigidFrame> frames) const;

    /// Sets the reach, which gives lengths their weight among angles.
    void setReach(double reach);

    /// Whether a joint may move: it is neither fixed nor locked nor outside the chain.
    [[nodiscard]] bool moves(JointId joint) const { return moves_[index(joint)] != 0; }
    /// The joints above the bodies, parents first.
    [[nodiscard]] std::span<const JointId> active() const { return active_; }
    [[nodiscard]] std::span<const Link> links() const { return links_; }
    [[nodiscard]] std::span<const Column> columns() const { return columns_; }
    [[nodiscard]] std::size_t columnCount() const { return columns_.size(); }
    [[nodiscard]] std::span<const std::uint32_t> ballLinks() const { return ball_links_; }
    [[nodiscard]] std::span<const std::uint32_t> coneLinks() const { return cone_links_; }
    [[nodiscard]] std::span<const Coupling> couplings() const { return couplings_; }
    /// Whether a coordinate is followed by others.
    [[nodiscard]] bool leads(std::size_t column) const {
        for (const Coupling& c : couplings_) {
            if (c.leader == column) return true;
        }
        return false;
    }
    /// Whether any coordinate has limits, or follows another and has no room of its own.
    [[nodiscard]] bool bounded() const {
        return !bounded_columns_.empty() || hasCones() || !couplings_.empty();
    }
    [[nodiscard]] bool hasCones() const { return !cone_links_.empty(); }
    [[nodiscard]] bool hasVectors() const { return has_vectors_; }
    [[nodiscard]] const Mount& mount(JointId joint) const { return mounts_[index(joint)]; }
    [[nodiscard]] const Skeleton& skeleton() const { return *skeleton_; }
    [[nodiscard]] const Vec3& origin() const { return origin_; }
    [[nodiscard]] double reach() const { return reach_; }

  private:
    [[nodiscard]] Quat moveOnCone(const Link& link, const Quat& rotation,
                                  std::span<const double, 3> step) const;
    [[nodiscard]] bool isAsBefore(const Pose& base) const;
    void chooseMoving(const MechanismOptions& options);
    void includeCoupled(std::vector<std::uint8_t>& needed);
    void listCouplings();
    void findRevolutions(MechanismState& state) const;
    void addJoint(JointId joint);
    void addBall(JointId joint, std::size_t dof);
    void loadFreed(JointId joint, const Trs& own, MechanismState& out) const;
    void storeFreed(JointId joint, const MechanismState& state, Trs& own) const;
    [[nodiscard]] bool isFreed(JointId joint) const {
        return kinds_[index(joint)] != skeleton_->kind(joint);
    }
    [[nodiscard]] bool isLimited(JointId joint) const { return limits_ && !isFreed(joint); }
    void listSpecialLinks();
    Link& addLink(LinkKind kind, JointId joint, std::size_t dof);
    void mountJoint(JointId joint, const Pose& base);
    void placeLinks(JointId joint, const Mount& above, RigidFrame from);

    const Skeleton* skeleton_ = nullptr;
    std::vector<JointId> active_;  // joints above bodies, parents first
    bool limits_ = true;
    std::vector<JointKind> kinds_;         // per joint: Free for a root that is set free
    std::vector<std::uint8_t> moves_;      // per joint: whether it has links
    std::vector<int> first_links_;         // per joint
    std::vector<Trs> last_base_;           // per active joint: what refresh last saw
    std::vector<RigidFrame> rest_frames_;  // per joint: its rest rotation
    std::vector<std::uint8_t> upright_;    // per joint: whether that is the identity
    std::vector<Mount> mounts_;            // per joint
    std::vector<Link> links_;
    std::vector<Column> columns_;
    std::vector<Coupling> couplings_;
    std::vector<std::uint32_t> bounded_columns_, cone_links_, ball_links_;
    std::vector<double> stiffness_;  // per joint
    bool has_vectors_ = false;
    bool counts_revolutions_ = true;
    Vec3 origin_ = {};
    double reach_ = 1.0;
};

}  // namespace ulna
