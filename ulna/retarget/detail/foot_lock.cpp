// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/detail/foot_lock.h"

#include <algorithm>
#include <cmath>

#include "ulna/retarget/detail/envelope.h"
#include "ulna/retarget/detail/leg_solver.h"
#include "ulna/retarget/detail/sole_path.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::retarget::detail {
namespace {

// How much of a leg's length may be used where its foot is held, unless the clip itself uses more.
constexpr double kLockReach = 0.997;
// The time over which the body is lowered for a leg that does not reach, in seconds.
constexpr double kLockLowering = 0.08;
// Goals nearer than this to where a foot is are where it is, in leg lengths and radians.
constexpr double kSameFoot = 1e-12;

JointId rootOf(const Skeleton& skeleton, JointId joint) {
    while (skeleton.parent(joint) != JointId::None) joint = skeleton.parent(joint);
    return joint;
}

// Where a thigh hangs from, in the axes of the ground: its joint, or of hinges in series the point
// where their axes meet, which is fixed to the pelvis.
Vec3 hipOf(const BodySegments& body, std::size_t side, const Pose& pose, const ModelPose& model,
           const Skeleton& skeleton) {
    const Quat ground_from_model = conjugate(body.model_from_ground);
    const Segment& thigh = body.segments[static_cast<std::size_t>(body.part(Part::Thigh, side))];
    if (thigh.first == thigh.frame) return rotate(ground_from_model, model.position(thigh.first));
    const Segment& pelvis = body.segments.front();
    Quat orientation;
    for (JointId j = pelvis.frame; j != JointId::None; j = skeleton.parent(j))
        orientation = pose[j].rotation * orientation;
    return rotate(ground_from_model,
                  model.position(pelvis.frame) +
                      rotate(orientation * pelvis.joint_from_canonical, body.hip[side]));
}

// How far each frame's body must come down for its held feet to be in reach.
std::vector<double> neededLowering(const Skeleton& skeleton, const BodySegments& body,
                                   const Motion& motion, const SolePath& path,
                                   const SolePath& goals) {
    std::vector<double> out(motion.frameCount(), 0.0);
    Pose pose = motion.base();
    ModelPose model;
    for (std::size_t f = 0; f < out.size(); ++f) {
        if (goals[0][f].hold == 0.0 && goals[1][f].hold == 0.0) continue;
        motion.getPose(f, pose);
        computeModelPose(skeleton, pose, model);
        for (std::size_t side = 0; side < 2; ++side) {
            const FootGoal& goal = goals[side][f];
            const Vec3 hip = hipOf(body, side, pose, model, skeleton);
            const double reach = std::max(kLockReach * (body.thigh[side] + body.shin[side]),
                                          distance(hip, path[side][f].ankle));
            const Vec3 down = hip - goal.ankle;
            const double flat = down.x * down.x + down.z * down.z;
            const double height = std::sqrt(std::max(reach * reach - flat, 0.04 * reach * reach));
            out[f] = std::max(out[f], goal.hold * (down.y - height));
        }
    }
    return out;
}

bool differs(const FootGoal& a, const FootGoal& b, double leg) {
    return distance(a.ankle, b.ankle) > kSameFoot * leg ||
           angleBetween(a.rotation, b.rotation) > kSameFoot ||
           angleBetween(a.toes, b.toes) > kSameFoot;
}

}  // namespace

Motion raised(const Skeleton& skeleton, const BodySegments& body, const Motion& motion,
              const std::vector<double>& rise) {
    const JointId root = rootOf(skeleton, body.segments.front().first);
    Motion out(motion.base(), motion.frameCount(), motion.frameTime(),
               united(motion.tracks(), {.rotated = {}, .translated = {root}, .scaled = {}}));
    out.name = motion.name;
    const Vec3 up = rotate(body.model_from_ground, Vec3{0, 1, 0});
    Pose pose = motion.base();
    for (std::size_t f = 0; f < rise.size(); ++f) {
        motion.getPose(f, pose);
        if (rise[f] != 0.0) pose[root].translation += up * rise[f];
        out.setPose(f, pose);
    }
    return out;
}

Result<FootLock> lockFeet(const Skeleton& skeleton, const BodySegments& body, const Motion& motion,
                          const Contacts& contacts, const Progress& progress) {
    const SolePath path = readSolePath(skeleton, body, motion);
    SolePath goals = path;
    for (std::size_t side = 0; side < 2; ++side) {
        std::vector<Contact> own;
        for (const Contact& each : contacts.contacts)
            if ((each.side == BodySide::Left) == (side == 0)) own.push_back(each);
        planFoot(body.feet[side], own,
                 {.floor = contacts.floor, .frame_time = motion.frameTime(), .leg = body.leg},
                 goals[side]);
    }
    std::vector<double> rise = smoothEnvelope(neededLowering(skeleton, body, motion, path, goals),
                                              kLockLowering / motion.frameTime());
    for (double& each : rise) each = -each;
    FootLock out{raised(skeleton, body, motion, rise), 0};
    MotionTracks legs;
    for (std::size_t side = 0; side < 2; ++side) {
        for (const Part part : {Part::Thigh, Part::Shin, Part::Foot, Part::Toes}) {
            const int number = body.part(part, side);
            if (number < 0) continue;
            const Segment& segment = body.segments[static_cast<std::size_t>(number)];
            for (const JointId j : skeleton.chain(segment.first, segment.frame))
                if (skeleton.dofCount(j) > 0) legs.rotated.push_back(j);
        }
    }
    Motion& motion_out = out.motion;
    Motion lowered(motion_out.base(), motion_out.frameCount(), motion_out.frameTime(),
                   united(motion_out.tracks(), legs));
    lowered.name = motion.name;
    std::vector<LegSolver> solvers;
    for (std::size_t side = 0; side < 2; ++side) {
        Result<LegSolver> solver = LegSolver::make(skeleton, body, side);
        if (!solver) return solver.error();
        solvers.push_back(*std::move(solver));
    }
    Pose pose = motion.base();
    for (std::size_t f = 0; f < motion.frameCount(); ++f) {
        motion_out.getPose(f, pose);
        out.lowered += rise[f] < 0.0 ? 1 : 0;
        for (std::size_t side = 0; side < 2; ++side) {
            if (rise[f] < 0.0 || differs(goals[side][f], path[side][f], body.leg))
                solvers[side].solve(goals[side][f], pose);
        }
        lowered.setPose(f, pose);
        if (progress && f % 64 == 0 &&
            !progress(static_cast<double>(f) / static_cast<double>(motion.frameCount())))
            return Diagnostic{.what = "cleaning was cancelled"};
    }
    out.motion = std::move(lowered);
    return out;
}

}  // namespace ulna::retarget::detail
