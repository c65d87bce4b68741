// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/detail/pack_plan.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace ulna::motion::detail {
namespace {

// What stays within so much of the tolerance does not move.
constexpr double kStill = 0.05;
// What is so near to the rest pose is the rest pose.
constexpr double kAtRest = 1e-3;
// Rotations of three values are at most so far from the middle: w is then well determined by them.
constexpr double kFarthest = 0.8;
// How much of a rotation about what it carries counts, beside the distance of that.
constexpr double kTwist = 3.0;

bool isFinite(const Trs& t) {
    for (const double v :
         {t.translation.x, t.translation.y, t.translation.z, t.rotation.x, t.rotation.y,
          t.rotation.z, t.rotation.w, t.scale.x, t.scale.y, t.scale.z})
        if (!std::isfinite(v)) return false;
    return dot(t.rotation, t.rotation) > 0.0;
}

double apart(const Quat& a, const Quat& b) {
    const Quat q = conjugate(a) * b;
    return 2.0 * length(Vec3{q.x, q.y, q.z});
}

// What is known of a joint after all frames.
struct Seen {
    Quat first = {}, sum = {0, 0, 0, 0};
    Vec3 least = {}, most = {}, least_scale = {}, most_scale = {};
    double turned = 0.0;
    double from_rest = 0.0, from_middle = 0.0;  // the longest vector part
};

double vectorPart(const Quat& from, const Quat& q) {
    const Quat r = conjugate(from) * q;
    return length(Vec3{r.x, r.y, r.z});
}

Vec3 lesser(const Vec3& a, const Vec3& b) {
    return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
Vec3 greater(const Vec3& a, const Vec3& b) {
    return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

// A unit quaternion that four small integers give.
std::array<std::int8_t, 4> rounded(const Quat& q) {
    const auto small = [](double v) { return static_cast<std::int8_t>(std::lround(127.0 * v)); };
    return {small(q.x), small(q.y), small(q.z), small(q.w)};
}
Quat fromRounded(const std::array<std::int8_t, 4>& v) {
    return normalized(Quat{static_cast<double>(v[0]), static_cast<double>(v[1]),
                           static_cast<double>(v[2]), static_cast<double>(v[3])});
}

Mat3 inverseOf(const Mat3& m) {
    const Vec3 x = cross(m.rows[1], m.rows[2]), y = cross(m.rows[2], m.rows[0]),
               z = cross(m.rows[0], m.rows[1]);
    const double scale = 1.0 / dot(m.rows[0], x);
    return Mat3::fromColumns(x * scale, y * scale, z * scale);
}

// Joints that move with `joint` as one, and where they are in its frame.
void addCarried(const Skeleton& skeleton, const std::vector<PackedJoint>& joints, JointId joint,
                const Trs& at, std::vector<JointId>& carried, std::vector<Vec3>& points) {
    for (const JointId child : skeleton.children(joint)) {
        const PackedJoint& there = joints[index(child)];
        const Trs local{at * there.constant.translation, scaled(at.scale, there.constant.scale),
                        at.rotation * there.constant.rotation};
        carried.push_back(child);
        points.push_back(local.translation);
        if (there.rotation == PackedHow::Rest || there.rotation == PackedHow::Constant)
            addCarried(skeleton, joints, child, local, carried, points);
    }
}

void measureLever(const Skeleton& skeleton, JointId joint, double reach,
                  std::vector<PackedJoint>& joints) {
    PackedJoint& out = joints[index(joint)];
    std::vector<Vec3> points;
    addCarried(skeleton, joints, joint, Trs{}, out.carried, points);
    // The sum of squares of e + d x p over points p and of kTwist reach d, least where
    // (sum |p|^2 - p p' + kTwist reach^2) d = e x (sum p).
    Mat3 sum;
    for (std::size_t i = 0; i < 3; ++i) {
        sum.rows[i] = {};
        sum.rows[i][i] = kTwist * reach * reach;
    }
    Vec3 all = {};
    out.lever = reach;
    for (const Vec3& p : points) {
        out.lever = std::max(out.lever, length(p));
        all = all + p;
        for (std::size_t i = 0; i < 3; ++i) {
            sum.rows[i] = sum.rows[i] - p * p[i];
            sum.rows[i][i] += dot(p, p);
        }
    }
    const Mat3 inverse = inverseOf(sum);
    // e x all as a matrix of e.
    const Mat3 across = Mat3::fromColumns(cross(Vec3{1, 0, 0}, all), cross(Vec3{0, 1, 0}, all),
                                          cross(Vec3{0, 0, 1}, all));
    out.follow = inverse * across;
}

void numberChannels(PackPlan& plan) {
    const auto number = [&plan](unsigned component, PackedHow how) {
        std::vector<std::size_t> tracked;
        for (std::size_t j = 0; j < plan.joints.size(); ++j) {
            const PackedJoint& joint = plan.joints[j];
            const PackedHow has = component == 0   ? joint.rotation
                                  : component == 1 ? joint.translation
                                                   : joint.scale;
            if (has == how) tracked.push_back(j);
        }
        const std::size_t values = how == PackedHow::Whole ? 4 : 3;
        for (std::size_t first = 0; first < tracked.size(); first += kBlock) {
            const std::size_t count = std::min(kBlock, tracked.size() - first);
            for (std::size_t i = 0; i < count; ++i) {
                PackedJoint& joint = plan.joints[tracked[first + i]];
                const std::size_t channel = plan.channels + i;
                if (component == 0)
                    joint.rotation_channel = channel, joint.rotation_stride = count;
                else if (component == 1)
                    joint.translation_channel = channel, joint.translation_stride = count;
                else
                    joint.scale_channel = channel, joint.scale_stride = count;
                plan.tracks.push_back({tracked[first + i], component, channel, count, values});
            }
            plan.channels += values * count;
        }
    };
    number(0, PackedHow::Track);
    number(0, PackedHow::Whole);
    number(1, PackedHow::Track);
    number(2, PackedHow::Track);
}

}  // namespace

Result<PackPlan> makePackPlan(const Skeleton& skeleton, const Motion& motion,
                              const PackOptions& options) {
    PackPlan plan;
    plan.joints.resize(skeleton.jointCount());
    std::vector<Seen> seen(skeleton.jointCount());
    Pose pose = motion.base();
    for (std::size_t frame = 0; frame < motion.frameCount(); ++frame) {
        motion.getPose(frame, pose);
        for (const JointId j : skeleton.joints()) {
            if (!isFinite(pose[j]))
                return Diagnostic{.what = "joint " + skeleton.name(j) +
                                          " has no finite transform in frame " +
                                          std::to_string(frame)};
            Seen& s = seen[index(j)];
            const Quat q = normalized(pose[j].rotation);
            const Vec3 &t = pose[j].translation, &scale = pose[j].scale;
            if (frame == 0)
                s = {.first = q, .least = t, .most = t, .least_scale = scale, .most_scale = scale};
            s.turned = std::max(s.turned, apart(s.first, q));
            const double sign = dot(s.first, q) < 0.0 ? -1.0 : 1.0;
            s.sum = {s.sum.x + sign * q.x, s.sum.y + sign * q.y, s.sum.z + sign * q.z,
                     s.sum.w + sign * q.w};
            s.least = lesser(s.least, t);
            s.most = greater(s.most, t);
            s.least_scale = lesser(s.least_scale, scale);
            s.most_scale = greater(s.most_scale, scale);
            s.from_rest = std::max(s.from_rest, vectorPart(skeleton.rest(j).rotation, q));
        }
    }
    // How far what is below a joint may be from it, at the pose's own lengths.
    for (std::size_t j = skeleton.jointCount(); j-- > 0;) {
        PackedJoint& joint = plan.joints[j];
        joint.extent = std::max(joint.extent, options.reach);
        const JointId parent = skeleton.parent(jointId(j));
        if (parent == JointId::None) continue;
        const Vec3 far = greater(seen[j].most, seen[j].least * -1.0);
        double& above = plan.joints[index(parent)].extent;
        above = std::max(above, joint.extent + length(greater(far, Vec3{})));
    }
    for (const JointId j : skeleton.joints()) {
        PackedJoint& joint = plan.joints[index(j)];
        const Seen& s = seen[index(j)];
        const Trs& rest = skeleton.rest(j);
        const double still = kStill * options.tolerance, at_rest = kAtRest * options.tolerance;
        const Vec3 middle = (s.least + s.most) * 0.5, scale = (s.least_scale + s.most_scale) * 0.5;
        joint.constant = {middle, scale, s.first};
        if (s.turned * joint.extent > still)
            joint.rotation = PackedHow::Track;
        else if (apart(rest.rotation, s.first) * joint.extent > at_rest)
            joint.rotation = PackedHow::Constant;
        else
            joint.constant.rotation = rest.rotation;
        if (length(s.most - s.least) > still)
            joint.translation = PackedHow::Track;
        else if (length(middle - rest.translation) > at_rest)
            joint.translation = PackedHow::Constant;
        else
            joint.constant.translation = rest.translation;
        if (length(s.most_scale - s.least_scale) * joint.extent > still)
            joint.scale = PackedHow::Track;
        else if (length(scale - rest.scale) * joint.extent > at_rest)
            joint.scale = PackedHow::Constant;
        else
            joint.constant.scale = rest.scale;
        plan.scales = plan.scales || joint.scale == PackedHow::Track ||
                      length(joint.constant.scale - Vec3{1, 1, 1}) > 1e-9;
        joint.stored_middle = rounded(normalized(s.sum));
        joint.middle = rest.rotation;
    }
    // Where three values are not enough about the rest rotation, about the mean; or all four.
    for (std::size_t frame = 0; frame < motion.frameCount(); ++frame) {
        motion.getPose(frame, pose);
        for (const JointId j : skeleton.joints()) {
            const PackedJoint& joint = plan.joints[index(j)];
            Seen& s = seen[index(j)];
            if (joint.rotation == PackedHow::Track && s.from_rest > kFarthest)
                s.from_middle = std::max(s.from_middle, vectorPart(fromRounded(joint.stored_middle),
                                                                   normalized(pose[j].rotation)));
        }
    }
    for (const JointId j : skeleton.joints()) {
        PackedJoint& joint = plan.joints[index(j)];
        const Seen& s = seen[index(j)];
        if (joint.rotation != PackedHow::Track || s.from_rest <= kFarthest) continue;
        if (s.from_middle <= kFarthest) {
            joint.has_middle = true;
            joint.middle = fromRounded(joint.stored_middle);
        } else {
            joint.rotation = PackedHow::Whole;
        }
    }
    for (const JointId j : skeleton.joints()) measureLever(skeleton, j, options.reach, plan.joints);
    numberChannels(plan);
    return plan;
}

}  // namespace ulna::motion::detail
