// SPDX-License-Identifier: Apache-2.0

// Any bytes as a sequence of calls that JavaScript makes: keys of a clip are set, moved and erased,
// clips are sampled, trimmed and written. Arguments are those that engine.js lets through: finite
// numbers, joints that exist, words that are known. Whatever the calls, every pose that comes back
// is finite.
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

SharedSkeleton makeArm() {
    const auto joint = [](const char* name, const char* parent, JointKind kind,
                          const Vec3& offset) {
        JointDef out;
        out.name = name;
        out.parent = parent;
        out.kind = kind;
        out.rest.translation = offset;
        return out;
    };
    return std::make_shared<const Skeleton>(
        *makeSkeleton({joint("root", "", JointKind::Free, {0, 1, 0}),
                       joint("upper", "root", JointKind::Ball, {0.3, 0, 0}),
                       joint("lower", "upper", JointKind::Hinge, {0.3, 0, 0}),
                       joint("hand", "lower", JointKind::Ball, {0.2, 0, 0})}));
}

class Calls {
  public:
    explicit Calls(Bytes bytes) : bytes_(bytes), skeleton_(makeObject(makeArm(), false)) {
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

    void call() {
        switch (bytes_.below(16)) {
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
            default:
                (void)clipDescribe(*clip_);
                break;
        }
    }

    Bytes bytes_;
    std::unique_ptr<SkeletonObject> skeleton_;
    std::unique_ptr<ClipObject> clip_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Calls(Bytes(data, size)).run();
    return 0;
}
