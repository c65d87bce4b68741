// SPDX-License-Identifier: Apache-2.0

// Inverse kinematics. Every answer is judged by forward kinematics outside the solver.
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainiksolverpos_lma.hpp>

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "benchmarks/harness.h"
#include "benchmarks/models.h"
#include "ulna/ik/solver.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::bench {
namespace {

DofVector randomDofs(const Skeleton& skeleton, Random& random, double range = 0.0) {
    DofVector dofs(skeleton.dofCount());
    for (std::size_t d = 0; d < dofs.size(); ++d) {
        const DofLimit limit = skeleton.dofLimits()[d];
        dofs[d] =
            range > 0.0 ? random.between(-range, range) : random.between(limit.min, limit.max);
    }
    return dofs;
}

DofVector midRange(const Skeleton& skeleton) {
    DofVector dofs;
    for (const DofLimit& limit : skeleton.dofLimits())
        dofs.push_back(0.5 * (limit.min + limit.max));
    return dofs;
}

struct Tally {
    std::string name;
    std::vector<double> micros;
    int solved = 0;
    long iterations = 0;

    void print() const {
        std::vector<double> sorted = micros;
        std::sort(sorted.begin(), sorted.end());
        const double n = static_cast<double>(sorted.size());
        std::printf("  %-34s %7.2f %%  mean %8.2f  median %8.2f  p99 %9.2f us  %6.1f iterations\n",
                    name.c_str(), 100.0 * solved / n,
                    std::accumulate(sorted.begin(), sorted.end(), 0.0) / n,
                    sorted[sorted.size() / 2], sorted[sorted.size() * 99 / 100],
                    static_cast<double>(iterations) / n);
    }
};

void arm() {
    const Skeleton skeleton = arm7();
    const JointId hand = jointId(6);
    const Vec3 flange{0, 0, kArmFlange};
    Random random(11);
    constexpr int kTargets = 10000;
    std::vector<Vec3> points;
    std::vector<Quat> turns;
    for (int i = 0; i < kTargets; ++i) {
        const ModelPose model =
            computeModelPose(skeleton, computePose(skeleton, randomDofs(skeleton, random)));
        points.push_back(model[hand] * flange);
        turns.push_back(rotationOf(model[hand]));
    }
    IkOptions options;
    options.position_tolerance = 1e-5;
    options.angle_tolerance = 1e-5;
    for (const int restarts : {0, 20, 100}) {
        options.restarts = restarts;
        Result<IkSolver> solver = IkSolver::make(
            skeleton, {{PositionGoal{hand, flange, {}}}, {OrientationGoal{hand, {}}}}, options);
        Tally tally{"ulna auto, restarts " + std::to_string(restarts), {}, 0, 0};
        const DofVector start = midRange(skeleton);
        DofVector dofs;
        for (int i = 0; i < kTargets; ++i) {
            std::get<PositionGoal>(solver->goals()[0].wish).target =
                points[static_cast<std::size_t>(i)];
            std::get<OrientationGoal>(solver->goals()[1].wish).target =
                turns[static_cast<std::size_t>(i)];
            solver->setProblemNumber(static_cast<std::uint64_t>(i));
            dofs = start;
            const double t = threadSeconds();
            const IkReport& report = solver->solve(dofs);
            tally.micros.push_back((threadSeconds() - t) * 1e6);
            tally.iterations += report.iterations;
            const ModelPose model = computeModelPose(skeleton, computePose(skeleton, dofs));
            const Vec3 off = model[hand] * flange - points[static_cast<std::size_t>(i)];
            const Vec3 turn =
                quatLog(rotationOf(model[hand]) * conjugate(turns[static_cast<std::size_t>(i)]));
            bool ok = limitExcess(skeleton, dofs) <= 1e-9;
            for (std::size_t k = 0; k < 3; ++k)
                ok = ok && std::abs(off[k]) <= 1e-5 && std::abs(turn[k]) <= 1e-5;
            tally.solved += ok ? 1 : 0;
        }
        tally.print();
    }
}

void humanoid() {
    const Skeleton skeleton = humanoid69();
    std::vector<IkGoal> goals;
    for (const char* name : kHumanoid69Ends)
        goals.push_back({PositionGoal{skeleton.find(name), {}, {}}});
    Random random(12);
    constexpr int kTargets = 2000;
    std::vector<Vec3> points;
    for (int i = 0; i < kTargets; ++i) {
        const ModelPose model =
            computeModelPose(skeleton, computePose(skeleton, randomDofs(skeleton, random)));
        for (const IkGoal& goal : goals)
            points.push_back(model.position(std::get<PositionGoal>(goal.wish).joint));
    }
    IkOptions options;
    options.position_tolerance = 1e-5;
    for (const int restarts : {0, 20}) {
        options.restarts = restarts;
        Result<IkSolver> solver = IkSolver::make(skeleton, goals, options);
        Tally tally{"humanoid69, restarts " + std::to_string(restarts), {}, 0, 0};
        const DofVector start = midRange(skeleton);
        DofVector dofs;
        for (int i = 0; i < kTargets; ++i) {
            for (std::size_t g = 0; g < 5; ++g)
                std::get<PositionGoal>(solver->goals()[g].wish).target =
                    points[static_cast<std::size_t>(i) * 5 + g];
            solver->setProblemNumber(static_cast<std::uint64_t>(i));
            dofs = start;
            const double t = threadSeconds();
            const IkReport& report = solver->solve(dofs);
            tally.micros.push_back((threadSeconds() - t) * 1e6);
            tally.iterations += report.iterations;
            const ModelPose model = computeModelPose(skeleton, computePose(skeleton, dofs));
            bool ok = limitExcess(skeleton, dofs) <= 1e-9;
            for (std::size_t g = 0; g < 5; ++g)
                ok = ok && distance(model.position(std::get<PositionGoal>(goals[g].wish).joint),
                                    points[static_cast<std::size_t>(i) * 5 + g]) <= 1e-5;
            tally.solved += ok ? 1 : 0;
        }
        tally.print();
    }
}

void tPose() {
    const Skeleton skeleton = humanoid65();
    for (const int count : {4, 8}) {
        std::vector<IkGoal> goals;
        const char* names[] = {"LeftHand", "RightHand", "LeftFoot",    "RightFoot",
                               "Head",     "Hips",      "LeftForeArm", "RightForeArm"};
        for (int g = 0; g < count; ++g)
            goals.push_back({PositionGoal{skeleton.find(names[g]), {}, {}}});
        Random random(13);
        IkOptions options;
        options.position_tolerance = 1e-4;
        options.max_iterations = 30;
        Result<IkSolver> solver = IkSolver::make(skeleton, goals, options);
        Tally tally{"humanoid65 T-pose, goals " + std::to_string(count), {}, 0, 0};
        DofVector dofs;
        for (int i = 0; i < 2000; ++i) {
            DofVector wished(skeleton.dofCount(), 0.0);
            for (std::size_t j = 0; j < skeleton.jointCount(); ++j) {
                const std::string& name = skeleton.name(jointId(j));
                const bool finger = name.find("HandT") != std::string::npos ||
                                    name.find("HandI") != std::string::npos ||
                                    name.find("HandM") != std::string::npos ||
                                    name.find("HandR") != std::string::npos ||
                                    name.find("HandP") != std::string::npos;
                if (finger || name.ends_with("End") || name.ends_with("Top")) continue;
                for (std::size_t d = 0; d < skeleton.dofCount(jointId(j)); ++d)
                    wished[skeleton.firstDof(jointId(j)) + d] = random.between(-0.3, 0.3);
            }
            const ModelPose wish = computeModelPose(skeleton, computePose(skeleton, wished));
            for (IkGoal& goal : solver->goals()) {
                auto& p = std::get<PositionGoal>(goal.wish);
                p.target = wish.position(p.joint);
            }
            dofs.assign(skeleton.dofCount(), 0.0);
            const double t = threadSeconds();
            const IkReport& report = solver->solve(dofs);
            tally.micros.push_back((threadSeconds() - t) * 1e6);
            tally.iterations += report.iterations;
            const ModelPose model = computeModelPose(skeleton, computePose(skeleton, dofs));
            bool ok = report.iterations <= 30;
            for (const IkGoal& goal : solver->goals()) {
                const auto& p = std::get<PositionGoal>(goal.wish);
                ok = ok && distance(model.position(p.joint), p.target) <= 1e-4;
            }
            tally.solved += ok ? 1 : 0;
        }
        tally.print();
    }
}

void chains() {
    for (const int bones : {10, 100}) {
        const Skeleton skeleton = ballChain(bones);
        const JointId end = skeleton.find("End");
        for (const IkMethod method : kAllIkMethods) {
            if (method == IkMethod::TwoBone) continue;
            IkOptions options;
            options.method = method;
            options.position_tolerance = 1e-3;
            Result<IkSolver> solver =
                IkSolver::make(skeleton, {{PositionGoal{end, {}, {}}}}, options);
            Random random(14);
            Tally tally{"chain " + std::to_string(bones) + " " + std::string(ikMethodName(method)),
                        {},
                        0,
                        0};
            DofVector dofs;
            for (int i = 0; i < (bones < 50 ? 1000 : 200); ++i) {
                auto& p = std::get<PositionGoal>(solver->goals()[0].wish);
                p.target = random.direction() * (0.9 * std::cbrt(random.unit()));
                dofs.assign(skeleton.dofCount(), 0.0);
                const double t = threadSeconds();
                const IkReport& report = solver->solve(dofs);
                tally.micros.push_back((threadSeconds() - t) * 1e6);
                tally.iterations += report.iterations;
                const ModelPose model = computeModelPose(skeleton, computePose(skeleton, dofs));
                tally.solved += distance(model.position(end), p.target) <= 1e-3 ? 1 : 0;
            }
            tally.print();
        }
    }
}

}  // namespace

void benchIk() {
    arm();
    humanoid();
    tPose();
    chains();
}

}  // namespace ulna::bench
