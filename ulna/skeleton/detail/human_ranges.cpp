// SPDX-License-Identifier: Apache-2.0

// Ranges within what clinical tables of joint motion give for healthy adults (those in the manner
// of the American Academy of Orthopaedic Surgeons), carried over to angles from the T-pose with
// palms down. A slack about an axis that anatomy does not give a joint is for the skeleton, whose
// hinges are never quite aligned with the person's: measured on 12 000 captured poses of 91 people,
// it takes up to 28 degrees at elbows. Ranges that one pose in a hundred of these left were widened
// to hold 99 of 100.
#include "ulna/skeleton/detail/human_ranges.h"

#include <algorithm>
#include <iterator>

namespace ulna::skeleton::detail {
namespace {

constexpr DofLimit range(double low_degrees, double high_degrees) {
    return {radians(low_degrees), radians(high_degrees)};
}

constexpr Vec3 kLeft{1, 0, 0};
constexpr Vec3 kUp{0, 1, 0};
constexpr Vec3 kDown{0, -1, 0};
constexpr Vec3 kForward{0, 0, 1};
constexpr Vec3 kBack{0, 0, -1};
// The first axis of the shoulder's angles: where the arm points along it, forwards or backwards,
// they lock. 30 degrees above the horizon those are 120 degrees of flexion and 60 of extension,
// which is the end of the range; arms that hang, reach forwards or reach up stay well away.
constexpr Vec3 kForwardAndUp{0, 0.5, 0.86602540378443864676};

constexpr auto kBody = BoneAxis::Body;
constexpr auto kBone = BoneAxis::Bone;
constexpr auto kLevel = BoneAxis::Level;
constexpr auto kXzy = EulerOrder::Xzy;  // flexion, sideways, twist: locks 90 degrees sideways
constexpr auto kZxy = EulerOrder::Zxy;

// In the order of BodyPart: flexion x, sideways z, twist y.
// clang-format off
constexpr HumanRange kRanges[] = {
    {"", ""},
    {"hips", ""},
    // The spine's and the neck's ranges are shared by their joints, the head counting as neck.
    {"spine", "", kBody, kUp, kForward, kXzy, range(-50, 85), range(-40, 40), range(-45, 45)},
    {"neck", "", kBody, kUp, kForward, kXzy, range(-80, 60), range(-50, 50), range(-80, 80)},
    {"head", "", kBody, kUp, kForward, kXzy, range(-80, 60), range(-50, 50), range(-80, 80)},
    {"left side of the pelvis", "right side of the pelvis",
     kBody, kUp, kForward, kXzy, range(-5, 5), range(-5, 5), range(-5, 5)},
    // Sideways is away from the other leg; a positive twist turns the toes inwards.
    {"left hip", "right hip",
     kBone, kDown, kForward, kXzy, range(-35, 130), range(-30, 50), range(-50, 50)},
    {"left knee", "right knee",
     kBone, kDown, kBack, kXzy, range(-5, 150), range(-10, 10), range(-20, 20)},
    // Flexion lifts the toes; sideways turns them out; a positive twist lifts the outer edge. 20
    // degrees of flexion are what the muscles reach; a body's weight, as in running, presses to 45.
    {"left ankle", "right ankle",
     kLevel, kForward, kUp, kXzy, range(-50, 45), range(-32, 32), range(-35, 28)},
    {"left toes", "right toes",
     kLevel, kForward, kUp, kXzy, range(-48, 70), range(-10, 10), range(-10, 10)},
    // Flexion is a shrug; sideways pulls the shoulder back. A T-pose holds the shoulders raised:
    // they sink by 20 degrees when the arms hang.
    {"left collarbone", "right collarbone",
     kBone, kLeft, kUp, kXzy, range(-25, 30), range(-30, 30), range(-30, 30)},
    // z raises the arm (90 degrees is up, -90 down, beyond it across the body); then x swings it
    // forwards and up, or back.
    {"left shoulder", "right shoulder",
     kBone, kLeft, kForwardAndUp, kZxy, range(-80, 90), range(-140, 95), range(-100, 100)},
    // The twist is the forearm's, palm up and palm down.
    {"left elbow", "right elbow",
     kBone, kLeft, kForward, kXzy, range(-5, 150), range(-28, 28), range(-80, 80)},
    // Flexion is towards the palm, sideways towards the thumb. The twist is for skeletons that
    // have the forearm's at the wrist, as captured motion mostly does.
    {"left wrist", "right wrist",
     kBone, kLeft, kDown, kXzy, range(-70, 80), range(-30, 20), range(-85, 85)},
    // Thumbs lie across the hand in one T-pose and along it in the next: a wide box.
    {"left thumb", "right thumb",
     kBone, kLeft, kDown, kXzy, range(-60, 90), range(-60, 60), range(-45, 45)},
    {"left index finger", "right index finger",
     kBone, kLeft, kDown, kXzy, range(-30, 100), range(-20, 20), range(-10, 10)},
    {"left middle finger", "right middle finger",
     kBone, kLeft, kDown, kXzy, range(-30, 100), range(-20, 20), range(-10, 10)},
    {"left ring finger", "right ring finger",
     kBone, kLeft, kDown, kXzy, range(-30, 100), range(-20, 20), range(-10, 10)},
    {"left little finger", "right little finger",
     kBone, kLeft, kDown, kXzy, range(-30, 100), range(-20, 20), range(-10, 10)},
    {"left fingers", "right fingers",
     kBone, kLeft, kDown, kXzy, range(-30, 100), range(-20, 20), range(-10, 10)},
    {"tail", ""},
};
// clang-format on

static_assert(std::size(kRanges) == static_cast<std::size_t>(BodyPart::Tail) + 1);

// The mirror image in the body's middle plane of an axis to turn about: of its direction, turned
// round, since a mirror reverses the sense of a turn. Equal angles are then mirrored turns.
Vec3 mirroredAxis(const Vec3& axis) {
    return {axis.x, -axis.y, -axis.z};
}

}  // namespace

const HumanRange& humanRange(BodyPart part) {
    return kRanges[static_cast<std::size_t>(part)];
}

DofLimit shared(const DofLimit& limit, std::size_t count, Sharing sharing) {
    // Bends of one back differ from joint to joint, and people use 1.8 of an even share.
    const double most = sharing == Sharing::Even ? 1.0 : 1.8;
    const double share = std::min(1.0, most / static_cast<double>(count));
    return {limit.min * share, limit.max * share};
}

Mat3 anatomicalFrame(const HumanRange& range, BodySide side, Vec3 bone) {
    const bool right = side == BodySide::Right;
    if (right) bone.x = -bone.x;
    const double whole = length(bone);
    if (range.bone_axis == BoneAxis::Level) bone.y = 0.0;
    // Where little of the bone is level (a toe straight below its ankle) its direction is chance;
    // likewise the plane of flexion where the bone points along it. 0.3 is 17 degrees.
    constexpr double kTooSteep = 0.3;
    Vec3 y = normalizedOr(bone, range.bone);
    if (range.bone_axis == BoneAxis::Body || length(bone) < kTooSteep * whole ||
        length(cross(y, range.flexion)) < kTooSteep) {
        y = range.bone;
    }
    const Vec3 z = normalizedOr(range.flexion - y * dot(y, range.flexion), range.flexion);
    const Vec3 x = cross(y, z);
    if (!right) return Mat3::fromColumns(x, y, z);
    return Mat3::fromColumns(mirroredAxis(x), mirroredAxis(y), mirroredAxis(z));
}

}  // namespace ulna::skeleton::detail
