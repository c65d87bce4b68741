// SPDX-License-Identifier: Apache-2.0
#include "support/persons.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "support/random_rigs.h"
#include "support/skeletons.h"

namespace ulna::test {
namespace {

class Body {
  public:
    // A joint at a position in model space.
    std::string add(const std::string& name, const std::string& parent, const Vec3& at) {
        const Vec3 from = parent.empty() ? Vec3{} : places_.at(parent);
        joints_.push_back(
            joint(name, parent, parent.empty() ? JointKind::Free : JointKind::Ball, at - from));
        places_[name] = at;
        return name;
    }
    void end(const std::string& parent, const Vec3& at) {
        add(parent + "_end", parent, at);
        joints_.back().kind = JointKind::Fixed;
        joints_.back().end_site = true;
    }
    [[nodiscard]] Vec3 at(const std::string& name) const { return places_.at(name); }
    [[nodiscard]] Skeleton take() { return build(std::move(joints_)); }

  private:
    std::vector<JointDef> joints_;
    std::map<std::string, Vec3> places_;
};

Vec3 mirroredIf(bool right, Vec3 v) {
    if (right) v.x = -v.x;
    return v;
}

void addLeg(const Person& p, bool right, Body& body) {
    const std::string side = right ? "right." : "left.";
    const auto place = [&](const Vec3& v) { return mirroredIf(right, v); };
    const Vec3 hips = body.at("hips");
    std::string parent = "hips";
    if (p.pelvis) parent = body.add(side + "pelvis", parent, hips + place({0.02, 0, 0}));
    const Vec3 hip = hips + place({p.hip_half, -0.05, 0});
    const Vec3 down = place({std::sin(p.legs_apart), -std::cos(p.legs_apart), 0});
    const Vec3 knee = hip + down * p.thigh + Vec3{0, 0, p.bent * 0.5};
    const Vec3 ankle = hip + down * (p.thigh + p.shin);
    body.add(side + "hip", parent, hip);
    std::string above = side + "hip";
    if (p.twists_in_row) above = body.add(side + "x_thigh", above, lerp(hip, knee, 0.5));
    body.add(side + "knee", above, knee);
    if (p.twists) body.add(side + "y_thigh", side + "hip", lerp(hip, knee, 0.6));
    body.add(side + "ankle", side + "knee", ankle);
    const Vec3 ball = ankle + Vec3{0, -0.8 * p.ankle, p.foot};
    if (p.toes) {
        body.add(side + "toes", side + "ankle", ball);
        body.end(side + "toes", ball + Vec3{0, -0.01, 0.06});
    } else if (p.foot_ends) {
        body.end(side + "ankle", ball);
    }
}

void addFingers(const Person& p, const std::string& side, const Vec3& along, const Vec3& wrist,
                Body& body) {
    const char* names[] = {"index", "thumb", "middle", "ring", "little"};
    const double across[] = {0.025, 0.03, 0.005, -0.015, -0.035};
    for (int f = 0; f < p.fingers; ++f) {
        const bool thumb = f == 1;
        const std::string name = side + "fingers." + names[f];
        const Vec3 direction = thumb ? normalizedOr(along + Vec3{0, 0, 0.9}, along) : along;
        const Vec3 base =
            wrist + along * (thumb ? 0.25 * p.hand : 0.9 * p.hand) + Vec3{0, 0, across[f]};
        body.add(name + ".0", side + "wrist", base);
        body.add(name + ".1", name + ".0", base + direction * 0.03);
        body.end(name + ".1", base + direction * 0.055);
    }
    if (p.fingers == 0) body.end(side + "wrist", wrist + along * p.hand);
}

void addArm(const Person& p, const std::string& chest, const Vec3& neck, bool right, Body& body) {
    const std::string side = right ? "right." : "left.";
    const Vec3 shoulder = neck + mirroredIf(right, {p.shoulder_half, 0, 0});
    const Vec3 along = mirroredIf(right, {std::cos(p.arms_down), -std::sin(p.arms_down), 0});
    std::string parent = chest;
    if (p.collars)
        parent = body.add(side + "collarbone", chest, neck + mirroredIf(right, {0.03, -0.01, 0}));
    body.add(side + "shoulder", parent, shoulder);
    const Vec3 elbow = shoulder + along * p.upper_arm - Vec3{0, 0, p.bent * 0.3};
    const Vec3 wrist = shoulder + along * (p.upper_arm + p.forearm);
    std::string above = side + "shoulder";
    if (p.twists_in_row) above = body.add(side + "x_arm", above, lerp(shoulder, elbow, 0.5));
    body.add(side + "elbow", above, elbow);
    if (p.twists) body.add(side + "y_arm", side + "shoulder", lerp(shoulder, elbow, 0.7));
    body.add(side + "wrist", side + "elbow", wrist);
    addFingers(p, side, along, wrist, body);
    if (p.sword && right) body.add("sword", "right.wrist", wrist + Vec3{0, 0.1, 0.9});
}

std::string addTrunk(int joints, const Vec3& from, const Vec3& to, Body& body) {
    std::string parent = "hips";
    for (int i = 0; i < joints; ++i)
        parent = body.add("spine." + std::to_string(i), parent,
                          lerp(from, to, double(i + 1) / double(joints)));
    return parent;
}

}  // namespace

Person randomPerson(Random& random) {
    Person p;
    for (double* each : {&p.thigh, &p.shin, &p.foot, &p.hip_half, &p.trunk, &p.shoulder_half,
                         &p.upper_arm, &p.forearm, &p.hand, &p.neck, &p.head})
        *each *= random.between(0.83, 1.2);
    p.arms_down = random.between(0.0, 1.4);
    p.legs_apart = random.between(0.0, 0.3);
    p.spine = 1 + static_cast<int>(random.below(6));
    p.necks = 1 + static_cast<int>(random.below(2));
    p.fingers = chance(random, 0.5) ? 0 : chance(random, 0.5) ? 2 : 5;
    for (bool* each : {&p.collars, &p.toes, &p.pelvis, &p.twists, &p.face, &p.tail, &p.sword})
        *each = chance(random, 0.5);
    p.head_top = !p.face && chance(random, 0.5);
    p.twists_in_row = chance(random, 0.2);
    return p;
}

Skeleton makePerson(const Person& p) {
    Body body;
    const Vec3 hips{0, p.ankle + p.shin + p.thigh + 0.05, 0};
    body.add("hips", "", hips);
    const Vec3 shoulders = hips + Vec3{0, p.trunk, -0.01};
    // The last joint of the spine is below the shoulders, as in most rigs.
    const std::string chest = addTrunk(p.spine, hips, hips + Vec3{0, 0.8 * p.trunk, -0.01}, body);
    std::string parent = chest;
    for (int i = 0; i < p.necks; ++i)
        parent = body.add("neck." + std::to_string(i), parent,
                          shoulders + Vec3{0, p.neck * (0.2 + 0.4 * i), 0});
    const Vec3 head = shoulders + Vec3{0, p.neck, 0.01};
    body.add("head", parent, head);
    if (p.head_top) body.add("head_top", "head", head + Vec3{0, p.head, 0});
    if (!p.head_top) body.end("head", head + Vec3{0, p.head, 0});
    if (p.face) {
        body.add("eye_a", "head", head + Vec3{0.03, 0.07, 0.08});
        body.add("eye_b", "head", head + Vec3{-0.03, 0.07, 0.08});
        body.add("jaw", "head", head + Vec3{0, 0.01, 0.03});
    }
    for (const bool right : {false, true}) {
        addLeg(p, right, body);
        if (right || p.left_arm) addArm(p, chest, shoulders, right, body);
    }
    if (p.tail) {
        std::string last = "hips";
        for (int i = 0; i < 4; ++i)
            last = body.add("tail." + std::to_string(i), last,
                            hips + Vec3{0, -0.05 * i, -0.12 * (i + 1)});
    }
    return body.take();
}

Skeleton makeAnimal(const Animal& a) {
    Body body;
    const Vec3 hips{0, a.height, -a.trunk};
    body.add("hips", "", hips);
    const std::string chest = addTrunk(a.spine, hips, {0, a.height + 0.03, 0}, body);
    body.add("neck.0", chest, {0, a.height + 0.08, 0.1});
    body.add("head", "neck.0", {0, a.height + 0.6 * a.head, 0.1 + a.head});
    body.end("head", {0, a.height + 0.6 * a.head, 0.25 + a.head});
    for (const bool right : {false, true}) {
        const std::string side = right ? "right." : "left.";
        const auto add = [&](const char* name, const std::string& parent, const Vec3& at) {
            body.add(side + name, parent, mirroredIf(right, at));
        };
        add("hip", "hips", {a.half, a.height - 0.04, -a.trunk});
        add("knee", side + "hip", {a.half, 0.62 * a.height, -a.trunk + 0.06});
        add("ankle", side + "knee", {a.half, 0.28 * a.height, -a.trunk - 0.08});
        add("toes", side + "ankle", {a.half, 0.03, -a.trunk - 0.03});
        body.end(side + "toes", body.at(side + "toes") + Vec3{0, -0.02, 0.04});
        add("shoulder", chest, {a.half, a.height - 0.06, 0});
        add("elbow", side + "shoulder", {a.half, 0.55 * a.height, -0.03});
        add("wrist", side + "elbow", {a.half, 0.15 * a.height, 0});
        body.end(side + "wrist", body.at(side + "wrist") + Vec3{0, -0.12 * a.height, 0.03});
    }
    std::string last = "hips";
    for (int i = 0; i < 3; ++i)
        last = body.add("tail." + std::to_string(i), last,
                        hips + Vec3{0, 0.02 - 0.06 * i, -a.tail * (i + 1) / 3.0});
    return body.take();
}

Skeleton disguised(const Skeleton& named, Random& random) {
    std::vector<JointDef> joints(named.definitions().begin(), named.definitions().end());
    for (std::size_t i = joints.size(); i-- > 1;) std::swap(joints[i], joints[random.below(i + 1)]);
    const Skeleton shuffled = build(std::move(joints));
    std::vector<std::string> names;
    for (const std::string& name : shuffled.names())
        names.push_back("bone_" + std::to_string(index(named.find(name))));
    const Quat turn = random.rotation();
    const double scale = std::exp(random.between(-4.0, 5.0));
    return OtherConvention(shuffled, restPose(shuffled), names, turn, scale, random).skeleton();
}

std::string trueName(const Skeleton& named, const Skeleton& other, JointId joint) {
    return named.name(jointId(std::stoul(other.name(joint).substr(5))));
}

}  // namespace ulna::test
