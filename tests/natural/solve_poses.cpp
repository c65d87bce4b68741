// SPDX-License-Identifier: Apache-2.0

// Solves problems that check_natural.py writes: solve_poses PROBLEMS HOW ANSWERS, where HOW is some
// of the words limits and natural; or, where HOW is pairs, says how far poses are outside the pairs
// of angles that people take. Both files are doubles and int32 as they are in memory.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>
#include <string>

#include "ulna/ik/natural.h"
#include "ulna/ik/solver.h"
#include "ulna/skeleton/anatomy.h"

using namespace ulna;

namespace {

template <class T>
T read(std::istream& in) {
    T out{};
    in.read(reinterpret_cast<char*>(&out), sizeof(T));
    return out;
}
Vec3 readVector(std::istream& in) {
    const double x = read<double>(in), y = read<double>(in);
    return {x, y, read<double>(in)};
}

Quat readRotation(std::istream& in) {
    const double x = read<double>(in), y = read<double>(in), z = read<double>(in);
    return {x, y, z, read<double>(in)};
}

// The farthest of each pose, in radians.
void judgePairs(const NaturalBody& body, Pose pose, std::istream& in, std::ostream& out) {
    const auto poses = read<std::int32_t>(in);
    for (std::int32_t p = 0; p < poses; ++p) {
        for (Trs& t : pose.parent_from_joint) t.rotation = readRotation(in);
        const std::vector<double> outside = body.outsidePairs(pose);
        const double most = *std::max_element(outside.begin(), outside.end());
        out.write(reinterpret_cast<const char*>(&most), sizeof(most));
    }
}

int fail(const Diagnostic& why) {
    std::fprintf(stderr, "solve_poses: %s\n", describe(why).c_str());
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    std::ifstream in(argv[1], std::ios::binary);
    const std::string how = argv[2];
    std::ofstream out(argv[3], std::ios::binary);

    // ---- the body: joints with their names, parents and offsets, and its T-pose
    std::vector<JointDef> joints;
    Pose t_pose;
    const auto count = read<std::int32_t>(in);
    for (std::int32_t j = 0; j < count; ++j) {
        char name[32];
        in.read(name, sizeof(name));
        const auto parent = read<std::int32_t>(in);
        JointDef joint;
        joint.name = name;
        joint.kind = parent < 0 ? JointKind::Free : JointKind::Ball;
        joint.coordinates = BallCoordinates::RotationVector;
        if (parent >= 0) joint.parent = joints[static_cast<std::size_t>(parent)].name;
        joint.rest.translation = readVector(in);
        joint.locked = read<std::int32_t>(in) != 0;
        Trs t = joint.rest;
        t.rotation = readRotation(in);
        t_pose.parent_from_joint.push_back(t);
        joints.push_back(std::move(joint));
    }
    Result<Skeleton> made = makeSkeleton(std::move(joints));
    if (!made) return fail(made.error());
    Skeleton skeleton = *std::move(made);
    if (how == "pairs") {
        Result<NaturalBody> body = NaturalBody::make(skeleton, t_pose);
        if (!body) return fail(body.error());
        judgePairs(*body, t_pose, in, out);
        return in.good() && out.good() ? 0 : 1;
    }
    std::optional<AnatomicalRig> rig;
    if (how.find("limits") != std::string::npos) {
        Result<AnatomicalRig> human = makeAnatomicalRig(skeleton, t_pose);
        if (!human) return fail(human.error());
        rig = *std::move(human);
        skeleton = rig->skeleton;
        t_pose = toAnatomical(*rig, t_pose);
    }
    IkOptions options{.position_tolerance = 1e-4};
    if (how.find("natural") != std::string::npos) {
        Result<NaturalBody> body = NaturalBody::make(skeleton, t_pose);
        if (!body) return fail(body.error());
        options.natural = std::make_shared<const NaturalBody>(*std::move(body));
        options.natural_start = NaturalStart::Afresh;
    }

    // ---- sets of goals, each for many poses
    const auto sets = read<std::int32_t>(in);
    for (std::int32_t set = 0; set < sets; ++set) {
        std::vector<IkGoal> goals(static_cast<std::size_t>(read<std::int32_t>(in)));
        for (IkGoal& goal : goals)
            goal.kind =
                PositionGoal{.joint = jointId(static_cast<std::size_t>(read<std::int32_t>(in)))};
        Result<IkSolver> solver = IkSolver::make(skeleton, goals, options);
        if (!solver) return fail(solver.error());
        const auto poses = read<std::int32_t>(in);
        for (std::int32_t p = 0; p < poses; ++p) {
            Pose pose = t_pose;
            pose.parent_from_joint.front().translation = readVector(in);
            for (IkGoal& goal : solver->goals())
                std::get_if<PositionGoal>(&goal.kind)->target = readVector(in);
            solver->solve(pose);
            if (rig) pose = fromAnatomical(*rig, pose);
            for (const Trs& t : pose.parent_from_joint) {
                const double values[] = {t.rotation.x,   t.rotation.y,    t.rotation.z,
                                         t.rotation.w,   t.translation.x, t.translation.y,
                                         t.translation.z};
                out.write(reinterpret_cast<const char*>(values), sizeof(values));
            }
        }
    }
    return in.good() && out.good() ? 0 : 1;
}
