// SPDX-License-Identifier: Apache-2.0

// Any bytes as a sequence of calls that JavaScript makes: keys of a clip are set, moved and erased,
// clips are sampled, trimmed, written and retargeted. Arguments are those that engine.js lets
// through: finite numbers, joints that exist, words that are known. Whatever the calls, every pose
// that comes back is finite.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "bindings/wasm/native/protocol.h"
#include "ulna/skeleton/skeleton.h"

namespace {

using namespace ulna;
using namespace ulna::engine;

void require(bool condition) {
    if (!condition) std::abort();
}

class Bytes {
  public:
    Bytes(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

    [[nodiscard]] bool isEmpty() const { return at_ == end_; }
    std::size_t below(std::size_t count) { return next() % count; }
    // Mostly small and round, now and then any. A clip of a million seconds would take long, which
    // is what it takes.
    double number() {
        const std::uint8_t first = next();
        if (first != 255) return (static_cast<double>(first) - 64.0) / 16.0;
        std::uint64_t bits = 0;
        for (int i = 0; i < 8; ++i) bits = bits << 8 | next();
        double out = 0.0;
        std::memcpy(&out, &bits, sizeof out);
        return std::isfinite(out) ? std::fmod(out, 50.0) : 0.0;
    }

  private:
    std::uint8_t next() { return at_ == end_ ? std::uint8_t{0} : *at_++; }

    const std::uint8_t* at_;
    const std::uint8_t* end_;
};

JointDef joint(const char* name, const char* parent, JointKind kind, const Vec3& offset) {
    JointDef out;
    out.name = name;
    out.parent = parent;
    out.kind = kind;
    out.rest.translation = offset;
    return out;
}

SharedSkeleton makeArm() {
    return std::make_shared<const Skeleton>(
        *makeSkeleton({joint("root", "", JointKind::Free, {0, 1, 0}),
                       joint("upper", "root", JointKind::Ball, {0.3, 0, 0}),
                       joint("lower", "upper", JointKind::Hinge, {0.3, 0, 0}),
                       joint("hand", "lower", JointKind::Ball, {0.2, 0, 0})}));
}

// The least that is a body.
SharedSkeleton makeLegs() {
    return std::make_shared<const Skeleton>(
        *makeSkeleton({joint("Hips", "", JointKind::Free, {0, 1, 0}),
                       joint("LeftUpLeg", "Hips", JointKind::Ball, {0.1, 0, 0}),
                       joint("LeftLeg", "LeftUpLeg", JointKind::Hinge, {0, -0.5, 0}),
                       joint("LeftFoot", "LeftLeg", JointKind::Ball, {0, -0.45, 0}),
                       joint("RightUpLeg", "Hips", JointKind::Ball, {-0.1, 0, 0}),
                       joint("RightLeg", "RightUpLeg", JointKind::Hinge, {0, -0.5, 0}),
                       joint("RightFoot", "RightLeg", JointKind::Ball, {0, -0.45, 0})}));
}

class Calls {
  public:
    explicit Calls(Bytes bytes)
        : bytes_(bytes),
          skeleton_(makeObject(makeArm(), false)),
          legs_(makeObject(makeLegs(), false)) {
        std::fill_n(inputNumbers(kRoom), kRoom, 0.0);
        writePose(restPose(*skeleton_->skeleton), 0);
        clip_.reset(clipMake(*skeleton_));
    }

    void run() {
        for (int calls = 0; calls < 200 && !bytes_.isEmpty(); ++calls) call();
        clipSample(*clip_, bytes_.number());
        const double* pose = inputNumbers(4 * kPoseStride);
        for (std::size_t i = 0; i < 4 * kPoseStride; ++i) require(std::isfinite(pose[i]));
    }

  private:
    JointId joint() { return jointId(bytes_.below(4)); }
    JointId anyJoint() { return bytes_.below(3) == 0 ? JointId::None : joint(); }
    Part part() { return kParts[bytes_.below(std::size(kParts))]; }
    static constexpr std::size_t kRoom = 256;  // more than any of the calls reads

    // Room for what a call reads, filled with numbers that make rotations, too.
    void fill(std::size_t count) {
        double* to = inputNumbers(count);
        for (std::size_t i = 0; i < count; ++i) to[i] = bytes_.number();
        to[3] += 20.0;  // no quaternion is zero
    }
    void fillPose() {
        fill(4 * kPoseStride);
        double* to = inputNumbers(4 * kPoseStride);
        for (std::size_t j = 0; j < 4; ++j) {
            const Quat q = normalized(Quat{to[10 * j + 3], to[10 * j + 4], to[10 * j + 5], 10.0});
            std::memcpy(to + 10 * j + 3, &q, sizeof q);
        }
        // All joints, after the pose.
        double* joints = inputNumbers(4 * kPoseStride + 5) + 4 * kPoseStride;
        *joints++ = 4.0;
        for (int j = 0; j < 4; ++j) *joints++ = j;
    }
    void keep(ClipObject* made) {
        if (made != nullptr) clip_.reset(made);
        // Calls about keys are made of clips that have some; engine.js asks first.
        if (!std::holds_alternative<KeyedMotion>(clip_->clip)) clip_.reset(clipKeyed(*clip_));
    }

    Quat rotation() {
        const double x = bytes_.number(), y = bytes_.number(), z = bytes_.number();
        return normalized(Quat{x, y, z, 2.0});
    }
    // A few frames of legs that move anyhow.
    std::unique_ptr<ClipObject> makeSteps() {
        const std::size_t frames = 1 + bytes_.below(6), joints = legs_->skeleton->jointCount();
        Pose pose = restPose(*legs_->skeleton);
        for (std::size_t f = 0; f < frames; ++f) {
            const double x = bytes_.number(), y = bytes_.number();
            pose[jointId(0)].translation = {x, y, 0.0};
            for (std::size_t j = 0; j < joints; ++j) pose[jointId(j)].rotation = rotation();
            writePose(pose, f * joints * kPoseStride);
        }
        const double frame_time = 0.01 + std::abs(bytes_.number());
        return std::unique_ptr<ClipObject>(clipOfPoses(*legs_, frames, frame_time));
    }
    void addContactOptions(std::vector<double>& to) {
        to.push_back(1.0);
        for (int i = 0; i < 6; ++i) to.push_back(bytes_.number());
    }
    // No rest pose of its own; soles, perhaps; no meshes.
    void addBody(std::vector<double>& to) {
        to.insert(to.end(), {0.0, static_cast<double>(bytes_.below(2))});
        for (int side = 0; side < 2; ++side) {
            const std::size_t numbers = 3 * bytes_.below(3);
            to.push_back(static_cast<double>(numbers));
            for (std::size_t i = 0; i < numbers; ++i) to.push_back(bytes_.number());
        }
        to.push_back(0.0);
    }
    void retarget() {
        const std::unique_ptr<ClipObject> steps = makeSteps();
        std::vector<double> request;
        request.push_back(static_cast<double>(bytes_.below(std::size(kRetargetFeet))));
        for (int i = 0; i < 3; ++i) request.push_back(static_cast<double>(bytes_.below(2)));
        request.push_back(static_cast<double>(bytes_.below(3)));  // own, none, anatomical
        for (int i = 0; i < 2; ++i) request.push_back(bytes_.number());
        addContactOptions(request);
        const std::size_t spans = bytes_.below(3);
        request.push_back(spans > 0 ? 1.0 : 0.0);
        request.push_back(bytes_.number());
        request.push_back(static_cast<double>(spans));
        for (std::size_t i = 0; i < 4 * spans; ++i)
            request.push_back(static_cast<double>(bytes_.below(i % 4 < 2 ? 2 : 8)));
        addBody(request);
        addBody(request);
        std::copy(request.begin(), request.end(), inputNumbers(request.size()));
        SkeletonObject& target = bytes_.below(4) == 0 ? *skeleton_ : *legs_;
        const std::unique_ptr<ClipObject> made(clipRetarget(*steps, *legs_, target));
        if (made == nullptr) return;
        const auto& motion = std::get<Motion>(made->clip);
        for (std::size_t f = 0; f < motion.frameCount(); ++f) {
            for (const Trs& t : motion.pose(f).parent_from_joint) {
                for (std::size_t i = 0; i < 3; ++i) require(std::isfinite(t.translation[i]));
                require(std::abs(dot(t.rotation, t.rotation) - 1.0) < 1e-6);
            }
        }
    }
    void contacts() {
        const std::unique_ptr<ClipObject> steps = makeSteps();
        std::vector<double> request;
        addContactOptions(request);
        addBody(request);
        std::copy(request.begin(), request.end(), inputNumbers(request.size()));
        const Result<Contacts> found = clipContacts(*steps, *legs_);
        if (!found) return;
        const std::size_t frames = std::get<Motion>(steps->clip).frameCount();
        for (const Contact& each : found->contacts)
            require(each.first <= each.last && each.last < frames);
    }

    void call() {
        switch (bytes_.below(18)) {
            case 0:
                fill(12), (void)clipSetKey(*clip_, joint(), part(), bytes_.number());
                break;
            case 1:
                fillPose(), clipKeyPose(*clip_, bytes_.number());
                break;
            case 2:
                (void)clipMoveKey(*clip_, joint(), part(), bytes_.below(16), bytes_.number());
                break;
            case 3:
                (void)clipEraseKey(*clip_, joint(), part(), bytes_.below(16));
                break;
            case 4:
                (void)clipMoveKeysAt(*clip_, anyJoint(), bytes_.number(), std::abs(bytes_.number()),
                                     bytes_.number());
                break;
            case 5:
                (void)clipEraseKeysAt(*clip_, anyJoint(), bytes_.number(),
                                      std::abs(bytes_.number()));
                break;
            case 6:
                clipInterpolate(*clip_, anyJoint(), part(),
                                kInterpolations[bytes_.below(std::size(kInterpolations))]);
                break;
            case 7:
                clipSample(*clip_, bytes_.number());
                break;
            case 8:
                clipTrail(*clip_, joint(), bytes_.number(), bytes_.number(), bytes_.below(64));
                break;
            case 9:
                clipSampleTrack(*clip_, joint(), part(), bytes_.number(), bytes_.number(),
                                bytes_.below(64));
                break;
            case 10:
                clipKeyTimes(*clip_, anyJoint());
                break;
            case 11:
                (void)clipTracks(*clip_, anyJoint());
                break;
            case 12:
                keep(clipTrimmed(*clip_, bytes_.number(), bytes_.number()));
                break;
            case 13:
                keep(clipClone(*clip_));
                break;
            case 14:
                keep(clipKeyed(*clip_));
                break;
            case 15:
                retarget();
                break;
            case 16:
                contacts();
                break;
            default:
                (void)clipDescribe(*clip_);
                break;
        }
    }

    Bytes bytes_;
    std::unique_ptr<SkeletonObject> skeleton_, legs_;
    std::unique_ptr<ClipObject> clip_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Calls(Bytes(data, size)).run();
    return 0;
}
