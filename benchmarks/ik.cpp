// SPDX-License-Identifier: Apache-2.0

// Inverse kinematics: the problems of robots, bodies and chains. Every answer is judged by forward
// kinematics outside the solver, and by the joint limits.
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainiksolverpos_lma.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "benchmarks/harness.h"
#include "benchmarks/kdl_arm.h"
#include "benchmarks/models.h"
#include "ulna/ik/batch.h"
#include "ulna/ik/solver.h"
#include "ulna/ik/two_bone.h"
#include "ulna/io/rig_json.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::bench {
namespace {

constexpr int kRounds = 7;

// A way to solve a set of problems: `solve(i)` does one and returns its iterations, `judge(i)` says
// whether the answer it left is right.
struct Contender {
    std::string name;
    std::size_t problems = 0;
    std::function<int(std::size_t)> solve;
    std::function<bool(std::size_t)> judge;
    std::function<void()> solve_all = {};  ///< instead of solve, for batches

    double solved = 0.0, mean = 1e30, median = 0.0, p99 = 0.0, iterations = 0.0;
};

// Runs the contenders in turn; the best round's mean counts.
void contest(std::vector<Contender>& contenders) {
    for (int round = 0; round < kRounds; ++round) {
        for (Contender& c : contenders) {
            const double start = threadSeconds();
            if (c.solve_all) {
                c.solve_all();
            } else {
                for (std::size_t i = 0; i < c.problems; ++i) c.solve(i);
            }
            const double micros = (threadSeconds() - start) * 1e6 / static_cast<double>(c.problems);
            c.mean = std::min(c.mean, micros);
        }
    }
    for (Contender& c : contenders) {
        std::vector<double> times;
        long iterations = 0;
        int solved = 0;
        for (std::size_t i = 0; i < c.problems; ++i) {
            if (!c.solve_all) {
                const double start = threadSeconds();
                iterations += c.solve(i);
                times.push_back((threadSeconds() - start) * 1e6);
            }
            solved += c.judge(i) ? 1 : 0;
        }
        const double n = static_cast<double>(c.problems);
        c.solved = 100.0 * solved / n;
        c.iterations = static_cast<double>(iterations) / n;
        std::sort(times.begin(), times.end());
        if (times.empty()) continue;
        // Reading the clock takes its own time, which short solves would show.
        const double clock = [&] {
            double least = 1e9;
            for (int i = 0; i < 1000; ++i) {
                const double start = threadSeconds();
                least = std::min(least, (threadSeconds() - start) * 1e6);
            }
            return least;
        }();
        c.median = std::max(0.0, times[times.size() / 2] - clock);
        c.p99 = std::max(0.0, times[times.size() * 99 / 100] - clock);
    }
}

void printContest(const std::string& title, const std::vector<Contender>& contenders) {
    std::printf("\n%s\n  %-34s %9s %10s %10s %10s %6s\n", title.c_str(), "", "solved", "mean us",
                "median us", "p99 us", "iter.");
    for (const Contender& c : contenders) {
        std::printf("  %-34s %7.2f %% %10.2f", c.name.c_str(), c.solved, c.mean);
        if (c.solve_all)
            std::printf("\n");
        else
            std::printf(" %10.2f %10.2f %6.1f\n", c.median, c.p99, c.iterations);
    }
}

DofVector randomDofs(const Skeleton& skeleton, Random& random) {
    DofVector dofs;
    for (const DofLimit& limit : skeleton.dofLimits())
        dofs.push_back(random.between(limit.min, limit.max));
    return dofs;
}

DofVector midRange(const Skeleton& skeleton) {
    DofVector dofs;
    for (const DofLimit& limit : skeleton.dofLimits())
        dofs.push_back(0.5 * (limit.min + limit.max));
    return dofs;
}

IkSolver mustMake(const Skeleton& skeleton, std::vector<IkGoal> goals, const IkOptions& options) {
    Result<IkSolver> solver = IkSolver::make(skeleton, std::move(goals), options);
    if (!solver) {
        std::fprintf(stderr, "%s\n", describe(solver.error()).c_str());
        std::abort();
    }
    return *std::move(solver);
}

// ---- the robot arm

void arm() {
    const Skeleton skeleton = arm7();
    const JointId hand = jointId(6);
    const Vec3 flange{0, 0, kArmFlange};
    constexpr std::size_t kTargets = 10000;
    constexpr double kTolerance = 1e-5;
    Random random(11);
    IkBatchProblems batch;
    batch.count = kTargets;
    std::vector<Vec3> points;
    std::vector<Quat> turns;
    for (std::size_t i = 0; i < kTargets; ++i) {
        const ModelPose model =
            computeModelPose(skeleton, computePose(skeleton, randomDofs(skeleton, random)));
        points.push_back(model[hand] * flange);
        turns.push_back(rotationOf(model[hand]));
        batch.points.insert(batch.points.end(), {points.back(), Vec3{}});
        batch.orientations.insert(batch.orientations.end(), {Quat{}, turns.back()});
    }
    const DofVector start = midRange(skeleton);
    const auto right = [&](std::size_t i, std::span<const double> dofs) {
        if (limitExcess(skeleton, dofs) > 1e-9) return false;
        const ModelPose model = computeModelPose(skeleton, computePose(skeleton, dofs));
        const Vec3 off = model[hand] * flange - points[i];
        const Vec3 turn = quatLog(rotationOf(model[hand]) * conjugate(turns[i]));
        for (std::size_t k = 0; k < 3; ++k) {
            if (!(std::abs(off[k]) <= kTolerance && std::abs(turn[k]) <= kTolerance)) return false;
        }
        return true;
    };
    const std::vector<IkGoal> goals = {{.kind = PositionGoal{hand, flange, {}}},
                                       {.kind = OrientationGoal{hand, {}}}};
    DofVector dofs;
    std::vector<Contender> contenders;
    std::vector<IkSolver> solvers;
    solvers.reserve(2);
    for (const int restarts : {0, 100}) {
        solvers.push_back(mustMake(skeleton, goals,
                                   {.position_tolerance = kTolerance,
                                    .angle_tolerance = kTolerance,
                                    .restarts = restarts}));
        IkSolver& solver = solvers.back();
        contenders.push_back(
            {restarts == 0 ? "ulna, one start" : "ulna, restarts as needed", kTargets,
             [&](std::size_t i) {
                 std::get<PositionGoal>(solver.goals()[0].kind).target = points[i];
                 std::get<OrientationGoal>(solver.goals()[1].kind).target = turns[i];
                 solver.setProblemNumber(i);
                 dofs = start;
                 return solver.solve(dofs).iterations;
             },
             [&](std::size_t i) { return right(i, dofs); }});
    }
    IkBatchResult result;
    contenders.push_back(
        {"ulna batch, restarts as needed",
         kTargets,
         {},
         [&](std::size_t i) {
             return right(i, {result.dofs.data() + i * 7, 7});
         },
         [&] {
             result = *solveIkBatch(
                 skeleton, goals,
                 {.position_tolerance = kTolerance, .angle_tolerance = kTolerance, .restarts = 100},
                 batch, 1);
         }});
    // KDL's Levenberg-Marquardt, with the weight that measures angles like lengths.
    const KDL::Chain chain = kdlArm7();
    Eigen::Matrix<double, 6, 1> weights;
    weights << 1, 1, 1, 1, 1, 1;
    KDL::ChainIkSolverPos_LMA kdl(chain, weights, 1e-6);
    KDL::JntArray q_start(7), q(7);
    for (unsigned i = 0; i < 7; ++i) q_start(i) = start[i];
    contenders.push_back({"Orocos KDL, LMA", kTargets,
                          [&](std::size_t i) {
                              const Quat& t = turns[i];
                              const KDL::Frame wished(
                                  KDL::Rotation::Quaternion(t.x, t.y, t.z, t.w),
                                  KDL::Vector(points[i].x, points[i].y, points[i].z));
                              kdl.CartToJnt(q_start, wished, q);
                              return kdl.lastNrOfIter;
                          },
                          [&](std::size_t i) {
                              DofVector found;
                              for (unsigned k = 0; k < 7; ++k)
                                  found.push_back(unwrapAngle(q(k), start[k]));
                              return right(i, found);
                          }});
    contest(contenders);
    printContest("7-DoF arm, 6D pose, 10 000 targets to 1e-5 within limits", contenders);
    std::printf(
        "  KDL takes %.1f times as long as ulna one by one, %.0f times as long as the batch\n",
        contenders[3].mean / contenders[1].mean, contenders[3].mean / contenders[2].mean);
}

// ---- bodies

void humanoid() {
    const Skeleton skeleton = humanoid69();
    constexpr std::size_t kTargets = 2000;
    constexpr double kTolerance = 1e-5;
    std::vector<IkGoal> goals;
    for (const char* name : kHumanoid69Ends)
        goals.push_back({.kind = PositionGoal{skeleton.find(name), {}, {}}});
    Random random(12);
    IkBatchProblems batch;
    batch.count = kTargets;
    for (std::size_t i = 0; i < kTargets; ++i) {
        const ModelPose model =
            computeModelPose(skeleton, computePose(skeleton, randomDofs(skeleton, random)));
        for (const char* name : kHumanoid69Ends)
            batch.points.push_back(model.position(skeleton.find(name)));
    }
    const DofVector start = midRange(skeleton);
    const auto right = [&](std::size_t i, std::span<const double> dofs) {
        const ModelPose model = computeModelPose(skeleton, computePose(skeleton, dofs));
        bool ok = limitExcess(skeleton, dofs) <= 1e-9;
        for (std::size_t g = 0; g < 5; ++g) {
            const Vec3 place = model.position(skeleton.find(kHumanoid69Ends[g]));
            ok = ok && distance(place, batch.points[i * 5 + g]) <= kTolerance;
        }
        return ok;
    };
    DofVector dofs;
    std::vector<IkBatchResult> results(2);
    std::vector<IkSolver> solvers;
    solvers.reserve(2);
    std::vector<Contender> contenders;
    for (const int restarts : {0, 20}) {
        const IkOptions options{.position_tolerance = kTolerance, .restarts = restarts};
        const std::string how = restarts == 0 ? ", one start" : ", restarts as needed";
        solvers.push_back(mustMake(skeleton, goals, options));
        IkSolver& solver = solvers.back();
        contenders.push_back({"ulna" + how, kTargets,
                              [&](std::size_t i) {
                                  for (std::size_t g = 0; g < 5; ++g)
                                      std::get<PositionGoal>(solver.goals()[g].kind).target =
                                          batch.points[i * 5 + g];
                                  solver.setProblemNumber(i);
                                  dofs = start;
                                  return solver.solve(dofs).iterations;
                              },
                              [&](std::size_t i) { return right(i, dofs); }});
        IkBatchResult& result = results[restarts == 0 ? 0 : 1];
        contenders.push_back({"ulna batch" + how,
                              kTargets,
                              {},
                              [&](std::size_t i) {
                                  return right(i, {result.dofs.data() + i * 69, 69});
                              },
                              [&skeleton, &goals, &batch, &result, options] {
                                  result = *solveIkBatch(skeleton, goals, options, batch, 1);
                              }});
    }
    contest(contenders);
    printContest("69-DoF body, 5 positions to 1e-5 within +-1.2 rad, from the mid pose",
                 contenders);
}

bool isBody(const std::string& name) {
    for (const char* finger : {"Thumb", "Index", "Middle", "Ring", "Pinky"}) {
        if (name.find(finger) != std::string::npos) return false;
    }
    return !name.ends_with("End") && !name.ends_with("Top");
}

void tPose() {
    const Skeleton skeleton = humanoid65();
    constexpr std::size_t kTargets = 2000;
    constexpr int kMostIterations = 30;
    const char* const names[] = {"LeftHand", "RightHand", "LeftFoot",    "RightFoot",
                                 "Head",     "Hips",      "LeftForeArm", "RightForeArm"};
    Random random(13);
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < kTargets; ++i) {
        DofVector wished(skeleton.dofCount(), 0.0);
        for (std::size_t j = 0; j < skeleton.jointCount(); ++j) {
            if (!isBody(skeleton.name(jointId(j)))) continue;
            for (std::size_t d = 0; d < skeleton.dofCount(jointId(j)); ++d)
                wished[skeleton.firstDof(jointId(j)) + d] = random.between(-0.3, 0.3);
        }
        const ModelPose model = computeModelPose(skeleton, computePose(skeleton, wished));
        for (const char* name : names) points.push_back(model.position(skeleton.find(name)));
    }
    DofVector dofs;
    int iterations = 0;
    std::vector<IkSolver> solvers;
    solvers.reserve(2);
    std::vector<Contender> contenders;
    for (const std::size_t count : {std::size_t{4}, std::size_t{8}}) {
        std::vector<IkGoal> goals;
        for (std::size_t g = 0; g < count; ++g)
            goals.push_back({.kind = PositionGoal{skeleton.find(names[g]), {}, {}}});
        solvers.push_back(mustMake(
            skeleton, goals, {.position_tolerance = 1e-4, .max_iterations = kMostIterations}));
        IkSolver& solver = solvers.back();
        contenders.push_back({"ulna, " + std::to_string(count) + " goals", kTargets,
                              [&, count](std::size_t i) {
                                  for (std::size_t g = 0; g < count; ++g)
                                      std::get<PositionGoal>(solver.goals()[g].kind).target =
                                          points[i * 8 + g];
                                  dofs.assign(skeleton.dofCount(), 0.0);
                                  iterations = solver.solve(dofs).iterations;
                                  return iterations;
                              },
                              [&, count](std::size_t i) {
                                  const ModelPose model =
                                      computeModelPose(skeleton, computePose(skeleton, dofs));
                                  bool ok = iterations <= kMostIterations;
                                  for (std::size_t g = 0; g < count; ++g)
                                      ok = ok && distance(model.position(skeleton.find(names[g])),
                                                          points[i * 8 + g]) <= 1e-4;
                                  return ok;
                              }});
    }
    contest(contenders);
    printContest("65 joints, 69 free DoF, from a T-pose, +-0.3 rad, to 1e-4 m in 30 iterations",
                 contenders);
}

// ---- chains

void chains() {
    for (const int bones : {10, 100}) {
        const Skeleton skeleton = ballChain(bones);
        const JointId end = skeleton.find("End");
        const std::size_t targets = bones == 10 ? 2000 : 300;
        Random random(14);
        std::vector<Vec3> points;
        for (std::size_t i = 0; i < targets; ++i)
            points.push_back(random.direction() * (0.9 * std::cbrt(random.unit())));
        const Pose rest = restPose(skeleton);
        Pose pose = rest;
        std::vector<IkSolver> solvers;
        solvers.reserve(std::size(kAllIkMethods));
        std::vector<Contender> contenders;
        for (const IkMethod method : kAllIkMethods) {
            if (method == IkMethod::TwoBone) continue;
            solvers.push_back(mustMake(skeleton, {{.kind = PositionGoal{end, {}, {}}}},
                                       {.method = method, .position_tolerance = 1e-3}));
            IkSolver& solver = solvers.back();
            contenders.push_back(
                {std::string(ikMethodName(method)), targets,
                 [&](std::size_t i) {
                     std::get<PositionGoal>(solver.goals()[0].kind).target = points[i];
                     pose.parent_from_joint = rest.parent_from_joint;
                     return solver.solve(pose).iterations;
                 },
                 [&](std::size_t i) {
                     return distance(computeModelPoint(skeleton, pose, end, {}), points[i]) <= 1e-3;
                 }});
        }
        contest(contenders);
        printContest(std::to_string(bones) +
                         " ball joints, one target to 1e-3 of the length, straight start",
                     contenders);
        for (const Contender& c : contenders) {
            if (c.name == "ccd")
                std::printf("  a CCD sweep takes %.2f us\n", c.mean / c.iterations);
        }
    }
}

// The bundled character's arm within its limits, from the T-pose: what limits do to each method.
void characterArm() {
    const Result<io::RigFile> rig = io::loadRig("assets/ulna-character.rig.json");
    if (!rig) {
        std::printf("\nthe bundled character is not here; run from the repository's root\n");
        return;
    }
    const Skeleton& skeleton = rig->skeleton;
    const JointId arm_joint = skeleton.find("LeftArm"), hand = skeleton.find("LeftHand");
    constexpr std::size_t kTargets = 500;
    Random random(17);
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < kTargets; ++i) {
        DofVector wished(skeleton.dofCount(), 0.0);
        for (const JointId j : skeleton.chain(arm_joint, hand)) {
            for (std::size_t d = skeleton.firstDof(j);
                 d < skeleton.firstDof(j) + skeleton.dofCount(j); ++d) {
                const DofLimit& limit = skeleton.dofLimits()[d];
                wished[d] = limit.bounded() ? random.between(limit.min, limit.max)
                                            : random.between(-1.5, 1.5);
            }
        }
        clampToLimits(skeleton, wished);
        points.push_back(computeModelPoint(skeleton, computePose(skeleton, wished), hand, {}));
    }
    DofVector dofs;
    std::vector<IkSolver> solvers;
    solvers.reserve(std::size(kAllIkMethods));
    std::vector<Contender> contenders;
    for (const IkMethod method : kAllIkMethods) {
        solvers.push_back(
            mustMake(skeleton, {{.kind = PositionGoal{hand, {}, {}}}},
                     {.method = method, .position_tolerance = 1e-4, .chain = arm_joint}));
        IkSolver& solver = solvers.back();
        contenders.push_back({std::string(ikMethodName(method)), kTargets,
                              [&](std::size_t i) {
                                  std::get<PositionGoal>(solver.goals()[0].kind).target = points[i];
                                  dofs.assign(skeleton.dofCount(), 0.0);
                                  return solver.solve(dofs).iterations;
                              },
                              [&](std::size_t i) {
                                  const Pose pose = computePose(skeleton, dofs);
                                  return limitExcess(skeleton, dofs) <= 1e-9 &&
                                         distance(computeModelPoint(skeleton, pose, hand, {}),
                                                  points[i]) <= 1e-4;
                              }});
    }
    contest(contenders);
    printContest(
        "The bundled character's arm, 500 targets it can reach within its limits, to 1e-4 m",
        contenders);
}

void twoBone() {
    std::vector<JointDef> joints(4);
    for (std::size_t i = 0; i < 4; ++i) {
        joints[i].name = std::string(1, static_cast<char>('A' + i));
        joints[i].parent = i == 0 ? "" : joints[i - 1].name;
        joints[i].kind = i == 3 ? JointKind::Fixed : JointKind::Ball;
        joints[i].rest.translation = {0, i == 0 ? 0.0 : 0.3, 0};
    }
    const Skeleton skeleton = build(joints);
    joints[2].kind = JointKind::Hinge;
    joints[2].limits[0] = {0.0, 2.5};
    const Skeleton hinged = build(joints);
    const TwoBoneChain limb{jointId(1), jointId(2), jointId(3)};
    Random random(15);
    std::vector<Vec3> targets, poles;
    for (int i = 0; i < 1024; ++i) {
        targets.push_back(Vec3{0, 0.3, 0} + random.direction() * random.between(0.2, 0.58));
        poles.push_back(random.direction() * 2.0);
    }
    Pose a = restPose(skeleton), b = restPose(hinged);
    const auto run = [&](const Skeleton& s, Pose& pose) {
        for (std::size_t i = 0; i < targets.size(); ++i) {
            const TwoBoneReport report =
                solveTwoBone(s, limb, {.target = targets[i], .pole = poles[i]}, pose);
            keep(report);
        }
    };
    std::vector<Candidate> candidates = {
        {"two-bone, balls, with a pole", [&] { run(skeleton, a); }, 1024.0},
        {"two-bone, hinge with limits, with a pole", [&] { run(hinged, b); }, 1024.0}};
    compete(candidates);
    printNanoseconds("Two bones in closed form", "solve", candidates);
}

// ---- how the cost of an iteration grows

// Microseconds per iteration of the default method, on targets that it comes nearer to all the
// time.
double perIteration(int bones, int goals) {
    const Skeleton skeleton = ballChain(bones);
    Random random(16);
    // Bends that add up to about a radian, whatever the number of bones.
    const auto bent = [&] {
        Pose pose = restPose(skeleton);
        for (Trs& t : pose.parent_from_joint)
            t.rotation = quatFromAxisAngle(random.direction(), 1.0 / std::sqrt(bones));
        return pose;
    };
    const Pose start = bent();
    const ModelPose wished = computeModelPose(skeleton, bent());
    std::vector<IkGoal> wishes;
    for (int g = 0; g < goals; ++g) {
        const auto j = jointId(static_cast<std::size_t>((g + 1) * bones / goals));
        wishes.push_back({.kind = PositionGoal{j, {}, wished.position(j)}});
    }
    IkSolver solver =
        mustMake(skeleton, wishes,
                 {.position_tolerance = 1e-14, .max_iterations = 3, .fabrik_first = false});
    Pose pose = start;
    double best = 1e30;
    for (int round = 0; round < 9; ++round) {
        const int repeats = std::max(1, 20000 / (bones * (goals + 4)));
        long iterations = 0;
        const double begin = threadSeconds();
        for (int i = 0; i < repeats; ++i) {
            pose.parent_from_joint = start.parent_from_joint;
            iterations += solver.solve(pose).iterations;
        }
        best = std::min(
            best, (threadSeconds() - begin) * 1e6 / static_cast<double>(std::max(1L, iterations)));
    }
    return best;
}

void growth() {
    std::printf("\nMicroseconds per iteration of the default, by bones and goals on them\n  %8s",
                "bones");
    constexpr int kGoals[] = {2, 4, 12, 16, 32, 64};
    for (const int goals : kGoals) std::printf(" %8d", goals);
    std::printf("  goals\n");
    for (const int bones : {10, 30, 100, 300, 1000}) {
        std::printf("  %8d", bones);
        for (const int goals : kGoals) {
            if (goals > bones)
                std::printf(" %8s", "");
            else
                std::printf(" %8.2f", perIteration(bones, goals));
        }
        std::printf("\n");
    }
    std::printf("  above 12 goals (36 rows) the step is found by recursion over the tree\n");
}

}  // namespace

void benchIk() {
    arm();
    humanoid();
    tPose();
    chains();
    characterArm();
    twoBone();
    growth();
}

}  // namespace ulna::bench
