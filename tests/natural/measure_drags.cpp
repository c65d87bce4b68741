// SPDX-License-Identifier: Apache-2.0

// Measures what docs/ik/natural.md says of drags and of standing poses: measure_drags CHARACTER.glb
// [HOW_MANY]. Not a test of its own: those of character/drag.h and ik/body_rules.h hold the same
// promises on fewer cases.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "ulna/character/drag.h"
#include "ulna/character/open.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/human_body.h"
#include "ulna/skeleton/size.h"

using namespace ulna;

namespace {

constexpr double kMillimetre = 1e-3;
constexpr int kMostFrames = 400;  // that a drag may take to arrive

// Poses are the file's, but where they are called the stage's.
struct Body {
    Skeleton skeleton;
    Stage stage;
    Pose start = {};
    Pose stage_start = {};
    HumanBody joints = {};

    [[nodiscard]] std::vector<DragPin> feet() const {
        const ModelPose model = computeModelPose(skeleton, start);
        const std::vector<Quat> turned = computeOrientations(skeleton, start);
        std::vector<DragPin> out;
        for (const JointId foot : feetOf(stage))
            out.push_back({.joint = foot,
                           .target = model.position(foot),
                           .orientation = turned[index(foot)]});
        return out;
    }
    [[nodiscard]] Vec3 at(JointId joint) const {
        return computeModelPose(skeleton, start).position(joint);
    }
};

double farthest(const Skeleton& skeleton, const Pose& a, const Pose& b) {
    const ModelPose one = computeModelPose(skeleton, a), other = computeModelPose(skeleton, b);
    double out = 0.0;
    for (const JointId j : skeleton.joints())
        out = std::max(out, distance(one.position(j), other.position(j)));
    return out;
}

// By how much a pose that feet and one joint are asked for breaks a rule.
double broken(const Body& body, JointId joint, const Vec3& target, const Pose& pose) {
    std::vector<IkGoal> goals = {{.kind = PositionGoal{.joint = joint, .target = target}}};
    for (const DragPin& foot : body.feet())
        if (foot.joint != joint)
            goals.push_back({.kind = PositionGoal{.joint = foot.joint, .target = foot.target}});
    return BodyRules(body.stage.natural, goals, {}, body.stage_start)
        .broken(goals, body.stage.toStage(pose));
}

void measureDrags(const Body& body, int drags) {
    Random random(2);
    const std::vector<JointId> held = {body.joints.left.wrist, body.joints.right.wrist,
                                       body.joints.left.ankle, body.joints.right.ankle,
                                       body.joints.hips,       body.joints.head};
    double apart = 0.0, back = 0.0, over_bound = 0.0;
    int most_frames = 0, unfinished = 0, reached = 0, rules_broken = 0, broken_without = 0;
    std::vector<double> seconds;
    const double rest = 0.01 * bodySize(body.skeleton);
    for (int i = 0; i < drags; ++i) {
        const JointId joint = held[static_cast<std::size_t>(i) % held.size()];
        const Vec3 from = body.at(joint);
        Vec3 move = random.direction() * random.between(0.05, 0.5);
        // Nobody asks for a foot below the floor.
        if (joint == body.joints.left.ankle || joint == body.joints.right.ankle)
            move.y = std::abs(move.y);
        const Vec3 aside = random.direction() * 0.2;
        std::vector<Pose> ends;
        for (const int steps : {8, 32, 128}) {
            Result<Drag> drag =
                Drag::make(body.stage, body.start, {.joint = joint, .start = from}, body.feet());
            Pose pose = body.start;
            Vec3 target = from;
            const auto frame = [&](const Vec3& next) {
                const Pose before = pose;
                const auto clock = std::chrono::steady_clock::now();
                const DragStep step = drag->solve(next, pose);
                seconds.push_back(
                    std::chrono::duration<double>(std::chrono::steady_clock::now() - clock)
                        .count());
                over_bound = std::max(over_bound, farthest(body.skeleton, before, pose) -
                                                      10.0 * distance(next, target) - rest);
                target = next;
                return step;
            };
            const auto settle = [&](const Vec3& where) {
                int frames = 0;
                while (frames < kMostFrames && frame(where).more) ++frames;
                most_frames = std::max(most_frames, frames);
                if (frames == kMostFrames) ++unfinished;
            };
            for (int step = 1; step <= steps; ++step) {
                const double t = static_cast<double>(step) / steps;
                frame(from + move * t + aside * std::sin(kPi * t));
            }
            settle(from + move);
            ends.push_back(pose);
            if (steps == 32 && drag->solve(from + move, pose).status == IkStatus::Reached) {
                ++reached;
                if (broken(body, joint, from + move, pose) > 5 * kMillimetre) ++rules_broken;
                Pose other = body.start;
                Result<Drag> without =
                    Drag::make(body.stage, body.start, {.joint = joint, .start = from}, body.feet(),
                               {}, {.rules = {false, false, false, false}});
                int frames = 0;
                while (without->solve(from + move, other).more && ++frames < kMostFrames) {
                }
                if (broken(body, joint, from + move, other) > 5 * kMillimetre) ++broken_without;
            }
            for (int step = steps; step-- > 0;) {
                const double t = static_cast<double>(step) / steps;
                frame(from + move * t + aside * std::sin(kPi * t));
            }
            settle(from);
            back = std::max(back, farthest(body.skeleton, body.start, pose));
        }
        for (const Pose& end : ends)
            apart = std::max(apart, farthest(body.skeleton, ends.front(), end));
    }
    std::sort(seconds.begin(), seconds.end());
    const auto share = [&](double part) {
        return 1e3 * seconds[static_cast<std::size_t>(part * static_cast<double>(seconds.size()))];
    };
    std::printf("%d drags in 8, 32 and 128 steps: ends apart %.2g mm, out and back %.2g mm\n",
                drags, apart / kMillimetre, back / kMillimetre);
    std::printf(
        "  beyond the bound of a frame by %.2g m; at most %d frames to arrive, %d never did\n",
        over_bound, most_frames, unfinished);
    std::printf(
        "  of %d that met their goals %d break a rule by more than 5 mm, without rules %d\n",
        reached, rules_broken, broken_without);
    std::printf("  a frame takes %.2f ms (median), %.2f ms (9 of 10), %.2f ms (99 of 100)\n",
                share(0.5), share(0.9), share(0.99));
}

// Goals and rules of one problem, from many starts: whether any pose at all was found to keep both.
bool allows(const Body& body, BodyRules& rules, const std::vector<IkGoal>& goals) {
    std::vector<IkGoal> all = goals;
    for (const IkGoal& rule : rules.rulesFor(goals))
        if (rule.enabled) all.push_back(rule);
    Result<IkSolver> solver =
        IkSolver::make(body.stage.skeleton, all,
                       {.position_tolerance = kMillimetre, .angle_tolerance = 0.02, .restarts = 8});
    Pose pose = body.stage_start;
    return solver->solve(pose).status == IkStatus::Reached;
}

void measureStanding(const Body& body, int poses) {
    Random random(18);
    int reached = 0, kept = 0, impossible = 0;
    const auto hold = [&](JointId joint, const Vec3& move) {
        return IkGoal{.kind = PositionGoal{.joint = joint, .target = body.at(joint) + move}};
    };
    for (int i = 0; i < poses; ++i) {
        std::vector<IkGoal> goals = {hold(body.joints.left.ankle, {}),
                                     hold(body.joints.right.ankle, {})};
        const Vec3 sink{random.between(-0.05, 0.05), random.between(-0.35, 0.0),
                        random.between(-0.1, 0.1)};
        goals.push_back(hold(body.joints.hips, sink));
        for (const JointId hand : {body.joints.left.wrist, body.joints.right.wrist})
            goals.push_back(hold(hand, sink + random.direction() * random.between(0.0, 0.4)));
        Result<IkSolver> solver =
            IkSolver::make(body.stage.skeleton, goals, {.natural = body.stage.natural});
        Pose pose = body.stage_start;
        if (solver->solve(pose).status != IkStatus::Reached) continue;
        ++reached;
        BodyRules rules(body.stage.natural, goals, {}, body.stage_start);
        if (rules.broken(goals, pose) < 5 * kMillimetre)
            ++kept;
        else if (!allows(body, rules, goals))
            ++impossible;
    }
    std::printf(
        "%d standing poses: %d met their goals, %d keep all rules to 5 mm; for %d of the "
        "others no pose that keeps both was found from 8 starts\n",
        poses, reached, kept, impossible);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    const int many = argc > 2 ? std::atoi(argv[2]) : 1000;
    const Result<Character> character = openCharacter(argv[1]);
    if (!character) {
        std::fprintf(stderr, "%s\n", describe(character.error()).c_str());
        return 1;
    }
    Body body{.skeleton = character->skeleton, .stage = makeUsualStage(character->skeleton)};
    const Skeleton& stage = body.stage.skeleton;
    body.stage_start = body.stage.toStage(restPose(character->skeleton));
    body.joints = *findHumanBody(stage, restPose(stage));
    // Arms that are lowered by 70 degrees.
    for (const auto& [joint, angle] :
         {std::pair{body.joints.left.shoulder, -1.2}, std::pair{body.joints.right.shoulder, 1.2}}) {
        Trs& local = body.stage_start[joint];
        const Quat q = computeOrientations(stage, body.stage_start)[index(joint)];
        local.rotation = allowedRotation(
            stage, joint, local.rotation * (conjugate(q) * quatAboutAxis(2, angle) * q));
    }
    body.start = body.stage.fromStage(body.stage_start);
    measureStanding(body, many);
    measureDrags(body, many);
    return 0;
}
