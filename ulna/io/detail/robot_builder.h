// SPDX-License-Identifier: Apache-2.0

// What the readers of URDF and MuJoCo XML share: a robot built joint by joint from the root, with
// names made unique, couplings resolved and what is left out counted.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ulna/core/result.h"
#include "ulna/io/detail/xml_cursor.h"
#include "ulna/io/robot.h"

namespace ulna::io::detail {

/// Counts what a file holds beyond a robot, for one warning.
class LeftOut {
  public:
    /// `thing` is a noun in the singular that takes an s.
    void count(const std::string& thing, std::size_t number = 1) { counts_[thing] += number; }
    void addTo(std::string_view source, Warnings& warnings) const;

  private:
    std::map<std::string, std::size_t> counts_;
};

class RobotBuilder {
  public:
    static constexpr std::size_t kRoot = static_cast<std::size_t>(-1);

    explicit RobotBuilder(std::string_view source) : source_(source) {}

    /// Adds a joint under joint `parent` (or kRoot); `def.name` is the file's, and may be empty.
    /// The result is its index.
    std::size_t add(JointDef def, std::size_t parent);
    void setReference(std::size_t joint, double reference) { extras_[joint].reference = reference; }
    [[nodiscard]] double reference(std::size_t joint) const { return extras_[joint].reference; }
    void setSpeedLimit(std::size_t joint, double limit) { extras_[joint].speed_limit = limit; }
    [[nodiscard]] JointDef& def(std::size_t joint) { return defs_[joint]; }
    [[nodiscard]] const JointDef& def(std::size_t joint) const { return defs_[joint]; }
    [[nodiscard]] std::size_t size() const { return defs_.size(); }

    /// The joint of a name in the file that moves and is no free base.
    [[nodiscard]] std::optional<std::size_t> findMoving(const std::string& name) const;

    /// Adds a shape in the frame of joint `joint`.
    void addShape(RobotShape shape, std::size_t joint);

    /// Lets one joint follow another: follower = factor * leader + offset, in the coordinates of
    /// the skeleton.
    struct Follow {
        std::size_t follower, leader;
        double factor, offset;
        XmlCursor element;  // that says so
    };
    void follow(const Follow& follow) { follows_.push_back(follow); }

    /// The joints in the order in which tables have them; by default the order of adding.
    void setOrder(std::vector<std::size_t> order) { order_ = std::move(order); }

    WarningCollector& warnings() { return warnings_; }
    LeftOut& leftOut() { return left_out_; }

    [[nodiscard]] Result<RobotFile> finish(const std::string& name);

  private:
    struct Extra {
        double reference = 0.0;
        double speed_limit = std::numeric_limits<double>::infinity();
    };

    void nameJoints();
    [[nodiscard]] Status couple();
    void dropFarLimits();
    void narrow(const Follow& follow, std::size_t leader);
    void addShapes(const std::vector<JointId>& ids, RobotFile& out);

    std::string source_;
    std::vector<JointDef> defs_;
    std::vector<std::size_t> parents_;
    std::vector<Extra> extras_;
    std::vector<std::pair<RobotShape, std::size_t>> shapes_;
    std::vector<Follow> follows_;
    std::vector<std::size_t> order_;
    std::unordered_map<std::string, std::size_t> moving_;
    std::vector<DofLimit> narrowed_;  // what followers leave of each joint's range
    WarningCollector warnings_;
    LeftOut left_out_;
};

}  // namespace ulna::io::detail
