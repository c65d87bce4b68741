// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/hands.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>

#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/human_body.h"
#include "ulna/skeleton/state.h"

namespace ulna {
namespace {

// Angles of a fist, from the palm to the tip, for fingers of one, two and three joints.
constexpr double kFist[3][3] = {{1.9}, {1.4, 1.9}, {1.3, 1.75, 1.1}};
constexpr double kThumb[] = {0.35, 0.6, 0.9};
// How far fingers go to the side of the index finger when they are spread.
constexpr std::array<double, kFingers> kSpread = {0.35, 0.21, 0.05, -0.1, -0.21};
// A finger's first joint is in the palm where it is nearer to the wrist than this share of the way
// to the next.
constexpr double kInPalm = 0.5;
constexpr double kLeastCurl = -0.2;

struct NamedShape {
    std::string_view name;
    HandPose pose;
};
// By HandShape.
constexpr std::array<NamedShape, kHandShapes> kShapes = {{
    {"flat", {}},
    {"relaxed", {{0.15, 0.20, 0.28, 0.34, 0.40}, 0.0}},
    {"open", {{-0.1, -0.05, -0.05, -0.05, -0.05}, 0.9}},
    {"grip", {{0.45, 0.55, 0.57, 0.59, 0.61}, -0.2}},
    {"fist", {{0.8, 1.0, 1.0, 1.0, 1.0}, -0.3}},
    {"point", {{0.7, 0.0, 0.95, 1.0, 1.0}, 0.0}},
    {"pinch", {{0.0, 0.45, 0.35, 0.38, 0.42}, 0.0, 1.0}},
}};
constexpr HandPose kPinch = kShapes[static_cast<std::size_t>(HandShape::Pinch)].pose;
// The end of a finger's last bone is just below the skin of its tip: of two tips that touch, the
// ends are this far from each other, of the length of the index finger.
constexpr double kTipsApart = 0.06;

std::size_t at(Finger finger) {
    return static_cast<std::size_t>(finger);
}

bool hasWord(std::string_view name, std::initializer_list<std::string_view> words) {
    std::string small(name);
    for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
        return small.find(word) != std::string::npos;
    });
}

// Joints that follow one another to a tip.
struct Chain {
    std::vector<JointId> joints = {};  // those that rotate
    Vec3 base = {}, tip = {};
    bool thumb = false, named = false;

    [[nodiscard]] Vec3 direction() const { return normalizedOr(tip - base, {}); }
};

// The finger that the thumb meets: the index finger, or all fingers of a mitten.
Finger pinching(const Hand& hand) {
    return hand.fingers[at(Finger::Index)].empty() ? Finger::Middle : Finger::Index;
}

class HandMaker {
  public:
    HandMaker(const Skeleton& skeleton, const Pose& t_pose, const HumanBody& body, BodySide side)
        : skeleton_(skeleton),
          t_pose_(t_pose),
          model_(computeModelPose(skeleton, t_pose)),
          orientations_(computeOrientations(skeleton, t_pose)),
          wrist_(body.side(side).wrist),
          forward_(body.model_from_body * Vec3{0, 0, 1}),
          right_(side == BodySide::Right) {}

    [[nodiscard]] Hand make() && {
        out_.wrist = wrist_;
        if (wrist_ == JointId::None) return std::move(out_);
        follow(wrist_);
        // Other things hang from hands too: where names tell fingers, they do.
        if (std::any_of(chains_.begin(), chains_.end(), [](const Chain& c) { return c.named; }))
            std::erase_if(chains_, [](const Chain& c) { return !c.named; });
        if (chains_.empty()) return std::move(out_);
        chooseThumb();
        setAxes();
        assign();
        if (thumb_ && !chains_.empty()) opposeThumb();
        return std::move(out_);
    }

  private:
    [[nodiscard]] Vec3 position(JointId j) const { return model_.position(j); }

    [[nodiscard]] std::vector<JointId> childrenOf(JointId parent) const {
        std::vector<JointId> out;
        for (const JointId j : skeleton_.subtree(parent))
            if (skeleton_.parent(j) == parent) out.push_back(j);
        return out;
    }

    // Every way down from a joint that does not branch is a chain.
    void follow(JointId from) {
        for (JointId j : childrenOf(from)) {
            Chain chain;
            chain.base = position(j);
            std::vector<JointId> below;
            for (;; j = below.front()) {
                if (skeleton_.dofCount(j) > 0 && !slides(skeleton_.kind(j)))
                    chain.joints.push_back(j);
                chain.tip = position(j);
                const auto& name = skeleton_.name(j);
                chain.thumb = chain.thumb || hasWord(name, {"thumb"});
                chain.named = chain.named || hasWord(name, {"thumb", "index", "middle", "ring",
                                                            "pinky", "little", "finger"});
                below = childrenOf(j);
                if (below.size() != 1) break;
            }
            if (below.size() > 1) {
                follow(j);
                continue;
            }
            if (distance(chain.base, chain.tip) == 0.0) chain.tip = model_[j] * skeleton_.tip(j);
            if (!chain.joints.empty() && length(chain.direction()) > 0.0)
                chains_.push_back(std::move(chain));
        }
    }

    // Without a name it is the one of five that points farthest away from the others.
    void chooseThumb() {
        auto thumb = std::find_if(chains_.begin(), chains_.end(),
                                  [](const Chain& chain) { return chain.thumb; });
        if (thumb == chains_.end() && chains_.size() == kFingers) {
            Vec3 sum;
            for (const Chain& chain : chains_) sum += chain.direction();
            thumb = std::min_element(chains_.begin(), chains_.end(),
                                     [&](const Chain& a, const Chain& b) {
                                         return dot(a.direction(), sum) < dot(b.direction(), sum);
                                     });
        }
        if (thumb == chains_.end()) return;
        thumb_ = *thumb;
        chains_.erase(thumb);
    }

    // The direction of the fingers, the one across them to the index finger, and the palm's.
    void setAxes() {
        Vec3 middle;
        for (const Chain& chain : chains_) {
            along_ += chain.direction();
            middle += chain.base / static_cast<double>(chains_.size());
        }
        if (chains_.empty()) along_ = thumb_->base - position(wrist_);
        along_ = normalizedOr(along_, forward_);
        const auto offAlong = [&](const Vec3& v) { return v - along_ * dot(v, along_); };
        across_ = offAlong(forward_);
        if (thumb_ && !chains_.empty()) across_ = offAlong(thumb_->base - middle);
        across_ = normalizedOr(across_, anyPerpendicular(along_));
        palm_ = cross(along_, across_) * (right_ ? -1.0 : 1.0);
        std::sort(chains_.begin(), chains_.end(), [&](const Chain& a, const Chain& b) {
            return dot(a.base, across_) > dot(b.base, across_);
        });
    }

    void assign() {
        if (thumb_) {
            // It closes across the palm.
            const Vec3 closes = palm_ * 0.5 - across_;
            add(Finger::Thumb, *thumb_, cross(thumb_->direction(), closes), kThumb);
        }
        // A mitten is a middle finger, which is closed in every grip.
        const std::size_t first = at(chains_.size() == 1 ? Finger::Middle : Finger::Index);
        for (std::size_t i = 0; i < chains_.size() && first + i < kFingers; ++i) {
            Chain& chain = chains_[i];
            auto& joints = chain.joints;
            if (joints.size() > 3 && distance(position(wrist_), position(joints[0])) <
                                         kInPalm * distance(position(wrist_), position(joints[1])))
                joints.erase(joints.begin());
            if (joints.size() > 3) joints.resize(3);
            add(static_cast<Finger>(first + i), chain, cross(chain.direction(), palm_),
                kFist[joints.size() - 1]);
        }
    }

    void add(Finger finger, const Chain& chain, const Vec3& axis, std::span<const double> angles) {
        const Vec3 curls = normalizedOr(axis, across_);
        const Vec3 spreads = cross(along_, across_);
        for (std::size_t i = 0; i < std::min(chain.joints.size(), angles.size()); ++i) {
            const JointId j = chain.joints[i];
            const Quat joint_from_model = conjugate(orientations_[index(j)]);
            out_.fingers[at(finger)].push_back(
                {.joint = j,
                 .straight = t_pose_[j].rotation,
                 .curl_axis = rotate(joint_from_model, curls),
                 .spread_axis = rotate(joint_from_model, spreads),
                 .curl_angle = angles[i],
                 .spread_angle = i == 0 ? kSpread[at(finger)] : 0.0});
        }
    }

    // The end of a finger's last bone, in the coordinates of its last joint that rotates.
    [[nodiscard]] Vec3 endOf(const Chain& chain) const {
        // Where nothing tells how long the last bone is: of the one before.
        constexpr double kLast = 0.8;
        const JointId last = chain.joints.back();
        Vec3 end = chain.tip;
        if (distance(end, position(last)) == 0.0) end = model_[last] * skeleton_.tip(last);
        if (distance(end, position(last)) == 0.0) {
            const JointId before =
                chain.joints.size() > 1 ? chain.joints.end()[-2] : skeleton_.parent(last);
            end += (end - position(before)) * kLast;
        }
        return inverse(model_[last]) * end;
    }

    // The thumb bends until it is as long as the way to the finger, and swings there at its first
    // joint. Where it is too short for that, the finger is curled more.
    void opposeThumb() {
        constexpr double kMostCurl = 1.0, kCurlStep = 0.05, kMostBend = 1.2;
        constexpr int kHalvings = 30, kSwings = 8;
        std::vector<FingerJoint>& thumb = out_.fingers[at(Finger::Thumb)];
        const Finger finger = pinching(out_);
        const Chain& other = chains_.front();
        const Vec3 thumb_end = endOf(*thumb_), finger_end = endOf(other);
        const JointId first = thumb.front().joint;
        const Vec3 base = position(first);
        const double apart = kTipsApart * distance(position(out_.fingers[at(finger)].front().joint),
                                                   model_[other.joints.back()] * finger_end);
        Pose pose = t_pose_;
        HandPose how;
        how.oppose = 1.0;
        const auto endNow = [&](const Chain& chain, const Vec3& end) {
            return computeModelPoint(skeleton_, pose, chain.joints.back(), end);
        };
        // How far the thumb's end is from its base when it is bent.
        const auto reachAt = [&](double bend) {
            for (std::size_t i = 1; i < thumb.size(); ++i)
                thumb[i].opposed = thumb[i].curl_axis * (thumb[i].curl_angle * bend);
            poseHand(skeleton_, out_, how, pose);
            return distance(endNow(*thumb_, thumb_end), base);
        };
        const double reach = reachAt(0.0);
        Vec3 target;
        for (double curl = kPinch.curl[at(Finger::Index)]; curl < kMostCurl + kCurlStep / 2;
             curl += kCurlStep) {
            how.curl[at(finger)] = out_.pinch_curl = curl;
            poseHand(skeleton_, out_, how, pose);
            const Quat turned = computeOrientations(skeleton_, pose)[index(other.joints.back())] *
                                conjugate(orientations_[index(other.joints.back())]);
            target = endNow(other, finger_end) + rotate(turned, palm_) * apart;
            if (distance(target, base) <= reach) break;
        }
        double straight = 0.0, bent = kMostBend;
        for (int i = 0; i < kHalvings; ++i) {
            const double bend = (straight + bent) / 2.0;
            (reachAt(bend) > distance(target, base) ? straight : bent) = bend;
        }
        // Limits may keep the first joint from where it should be: from there once more.
        const Quat joint_from_model = conjugate(orientations_[index(first)]);
        for (int i = 0; i < kSwings; ++i) {
            const Vec3 now = normalizedOr(endNow(*thumb_, thumb_end) - base, along_);
            const Quat swing = quatBetween(now, normalizedOr(target - base, now));
            const Quat has = computeOrientations(skeleton_, pose)[index(first)] * joint_from_model;
            thumb.front().opposed = rotate(joint_from_model, quatLog(swing * has));
            poseHand(skeleton_, out_, how, pose);
        }
    }

    const Skeleton& skeleton_;
    const Pose& t_pose_;
    ModelPose model_;
    std::vector<Quat> orientations_;
    JointId wrist_;
    Vec3 forward_;
    bool right_;
    std::vector<Chain> chains_;  // without the thumb, from the index finger on
    std::optional<Chain> thumb_;
    Vec3 along_, across_, palm_;
    Hand out_;
};

// The angle about `axis` in a rotation, from -pi to pi.
double angleAbout(const Vec3& axis, const Quat& rotation) {
    const double angle = 2.0 * std::atan2(dot(rotation.vector(), axis), rotation.w);
    return angle - kTwoPi * std::round(angle / kTwoPi);
}

// The factor f for which f * expected is nearest to what was found, over several angles.
class Ratio {
  public:
    void add(double found, double expected) {
        products_ += found * expected;
        squares_ += expected * expected;
    }
    [[nodiscard]] double value() const { return squares_ > 0.0 ? products_ / squares_ : 0.0; }

  private:
    double products_ = 0.0, squares_ = 0.0;
};

// How a joint of a finger is rotated, inside its limits.
Quat rotationOf(const Skeleton& skeleton, const FingerJoint& each, double curl, double spread,
                double oppose) {
    const Quat rotation =
        each.straight * quatFromAxisAngle(each.spread_axis, spread * each.spread_angle) *
        quatExp(each.opposed * oppose) * quatFromAxisAngle(each.curl_axis, curl * each.curl_angle);
    return allowedRotation(skeleton, each.joint, normalized(rotation));
}

// Curl and opposition of a thumb, whose axes are nearly the same: by Gauss-Newton, over all joints.
void readThumb(const Skeleton& skeleton, std::span<const FingerJoint> thumb, double spread,
               const Pose& pose, double& curl, double& oppose) {
    constexpr int kIterations = 12;
    constexpr double kStep = 1e-5, kDamping = 1e-9;
    const auto off = [&](const FingerJoint& each, double c, double o) {
        return quatLog(conjugate(rotationOf(skeleton, each, c, spread, o)) *
                       pose[each.joint].rotation);
    };
    curl = oppose = 0.0;
    for (int i = 0; i < kIterations; ++i) {
        double cc = kDamping, co = 0.0, oo = kDamping, c = 0.0, o = 0.0;
        for (const FingerJoint& each : thumb) {
            const Vec3 now = off(each, curl, oppose);
            const Vec3 by_curl = (now - off(each, curl + kStep, oppose)) / kStep;
            const Vec3 by_oppose = (now - off(each, curl, oppose + kStep)) / kStep;
            cc += dot(by_curl, by_curl);
            co += dot(by_curl, by_oppose);
            oo += dot(by_oppose, by_oppose);
            c += dot(by_curl, now);
            o += dot(by_oppose, now);
        }
        const double determinant = cc * oo - co * co;
        if (!(determinant > 0.0)) return;
        curl += (oo * c - co * o) / determinant;
        oppose += (cc * o - co * c) / determinant;
    }
}

}  // namespace

std::string_view handShapeName(HandShape shape) {
    return kShapes[static_cast<std::size_t>(shape)].name;
}

std::optional<HandShape> handShapeFromName(std::string_view name) {
    for (std::size_t i = 0; i < kShapes.size(); ++i)
        if (kShapes[i].name == name) return static_cast<HandShape>(i);
    return std::nullopt;
}

HandPose handPose(HandShape shape) {
    return kShapes[static_cast<std::size_t>(shape)].pose;
}

HandPose handPose(HandShape shape, const Hand& hand) {
    HandPose out = handPose(shape);
    if (shape == HandShape::Pinch && hand.pinch_curl > 0.0)
        out.curl[at(pinching(hand))] = hand.pinch_curl;
    return out;
}

HandPose handPose(double curl, double spread, double oppose) {
    return {{curl / 2, curl, curl, curl, curl}, spread, oppose};
}

Result<Hand> findHand(const Skeleton& skeleton, const Pose& t_pose, BodySide side,
                      const BodyMap* map) {
    const Result<HumanBody> body = findHumanBody(skeleton, t_pose, map);
    if (!body) return body.error();
    Hand out = HandMaker(skeleton, t_pose, *body, side).make();
    if (std::all_of(out.fingers.begin(), out.fingers.end(),
                    [](const auto& f) { return f.empty(); }))
        return Diagnostic{.what = std::string("the ") +
                                  (side == BodySide::Right ? "right" : "left") +
                                  " hand has no fingers",
                          .advice = "fingers are the chains of joints below a wrist"};
    return out;
}

void poseHand(const Skeleton& skeleton, const Hand& hand, const HandPose& how, Pose& pose) {
    ULNA_ASSERT(pose.parent_from_joint.size() == skeleton.jointCount(),
                "the pose needs one transform per joint");
    const double spread = std::clamp(how.spread, -1.0, 1.0);
    const double oppose = std::clamp(how.oppose, 0.0, 1.0);
    for (std::size_t f = 0; f < kFingers; ++f) {
        const double curl = std::clamp(how.curl[f], kLeastCurl, 1.0);
        for (const FingerJoint& each : hand.fingers[f]) {
            if (skeleton.joint(each.joint).locked) continue;
            pose[each.joint].rotation = rotationOf(skeleton, each, curl, spread, oppose);
        }
    }
}

HandPose readHand(const Skeleton& skeleton, const Hand& hand, const Pose& pose) {
    ULNA_ASSERT(pose.parent_from_joint.size() == skeleton.jointCount(),
                "the pose needs one transform per joint");
    HandPose out;
    Ratio spread;
    // Fingers curl about axes that are perpendicular to those of their spread, so that each can be
    // read for itself.
    for (std::size_t f = at(Finger::Index); f < kFingers; ++f) {
        Ratio curl;
        for (const FingerJoint& each : hand.fingers[f]) {
            const Quat rotation = conjugate(each.straight) * pose[each.joint].rotation;
            const double angle = angleAbout(each.curl_axis, rotation);
            curl.add(angle, each.curl_angle);
            if (each.spread_angle == 0.0) continue;
            const Quat rest = rotation * quatFromAxisAngle(each.curl_axis, -angle);
            spread.add(angleAbout(each.spread_axis, rest), each.spread_angle);
        }
        out.curl[f] = curl.value();
    }
    out.spread = spread.value();
    // The thumb does not, and takes what the fingers say of the spread.
    readThumb(skeleton, hand.fingers[at(Finger::Thumb)], out.spread, pose,
              out.curl[at(Finger::Thumb)], out.oppose);
    return out;
}

std::optional<HandShape> shapeOf(const Skeleton& skeleton, const Hand& hand, const Pose& pose) {
    constexpr double kSame = 0.05;
    for (std::size_t i = 0; i < kShapes.size(); ++i) {
        Pose shaped = pose;
        poseHand(skeleton, hand, handPose(static_cast<HandShape>(i), hand), shaped);
        const auto differs = [&](const FingerJoint& each) {
            return angleBetween(shaped[each.joint].rotation, pose[each.joint].rotation) > kSame;
        };
        if (std::none_of(hand.fingers.begin(), hand.fingers.end(), [&](const auto& finger) {
                return std::any_of(finger.begin(), finger.end(), differs);
            }))
            return static_cast<HandShape>(i);
    }
    return std::nullopt;
}

}  // namespace ulna
