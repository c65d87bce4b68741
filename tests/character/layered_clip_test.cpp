// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/layered_clip.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/paths.h"
#include "ulna/character/clip_bytes.h"
#include "ulna/character/open.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/size.h"

namespace ulna {
namespace {

// The bundled character's run, as captured motion is: a value in every frame.
struct Running {
    std::shared_ptr<const Skeleton> skeleton;
    Motion motion;
    JointId arm, left, right;

    Running() {
        Result<Character> opened = openCharacter(test::sourcePath("assets/ulna-run.bvh"));
        if (!opened) ADD_FAILURE() << describe(opened.error());
        skeleton = std::make_shared<const Skeleton>(opened->skeleton);
        motion = *makeFrames(opened->clips.at(0));
        arm = skeleton->find("LeftArm");
        left = skeleton->find("LeftFoot");
        right = skeleton->find("RightFoot");
    }
    [[nodiscard]] double timeOf(std::size_t frame) const { return motion.timeOf(frame); }
    [[nodiscard]] double size() const { return bodySize(*skeleton); }
    [[nodiscard]] Vec3 position(JointId joint, const Pose& pose) const {
        return computeModelPose(*skeleton, pose).position(joint);
    }
    // The body lower, leaning and with an arm up, on the feet of the frame.
    [[nodiscard]] Pose crouched(std::size_t frame) const {
        const Pose before = motion.pose(frame);
        Pose pose = before;
        pose[jointId(0)].translation.y -= 0.06 * size();
        pose[jointId(0)].rotation = pose[jointId(0)].rotation * quatExp(Vec3{0.2, 0.1, 0.0});
        pose[arm].rotation = pose[arm].rotation * quatExp(Vec3{0.0, 0.3, 0.9});
        holdJoints(*skeleton, held(before), pose);
        return pose;
    }
    [[nodiscard]] std::vector<JointHold> held(const Pose& pose) const {
        std::vector<JointHold> out;
        const std::vector<Quat> oriented = computeOrientations(*skeleton, pose);
        for (const JointId foot : {left, right})
            out.push_back({foot, position(foot, pose), oriented[index(foot)]});
        return out;
    }
    [[nodiscard]] PinnedLayer crouch(std::size_t frame) const {
        PinnedLayer out{.layer = {.in = 0.2, .out = 0.2}, .pins = {{left, true}, {right, true}}};
        setKey(out.layer, timeOf(frame), motion.pose(frame), crouched(frame));
        return out;
    }
};

double apart(const Pose& a, const Pose& b) {
    double out = 0.0;
    for (std::size_t j = 0; j < a.parent_from_joint.size(); ++j) {
        const Trs &p = a.parent_from_joint[j], &q = b.parent_from_joint[j];
        out = std::max(
            {out, distance(p.translation, q.translation), angleBetween(p.rotation, q.rotation)});
    }
    return out;
}

TEST(HeldJoints, GetWhereTheyAreToBeAndAsTheyAreOriented) {
    const Running body;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> any(-1.0, 1.0);
    for (int i = 0; i < 40; ++i) {
        const Pose start = body.motion.pose(static_cast<std::size_t>(i) % body.motion.frameCount());
        std::vector<JointHold> held = body.held(start);
        Pose pose = start;
        pose[jointId(0)].translation +=
            Vec3{any(random), any(random), any(random)} * (0.03 * body.size());
        for (Trs& at : pose.parent_from_joint)
            at.rotation = at.rotation * quatExp(Vec3{any(random), any(random), any(random)} * 0.08);
        EXPECT_LT(holdJoints(*body.skeleton, held, pose), 1e-9 * body.size());
        const std::vector<Quat> oriented = computeOrientations(*body.skeleton, pose);
        for (const JointHold& each : held) {
            EXPECT_LT(distance(body.position(each.joint, pose), each.position), 1e-9 * body.size());
            EXPECT_LT(angleBetween(oriented[index(each.joint)], *each.orientation), 1e-6);
        }
    }
}

TEST(HeldJoints, ThatAreInPlaceChangeNothing) {
    const Running body;
    const Pose start = body.motion.pose(5);
    Pose pose = start;
    holdJoints(*body.skeleton, body.held(start), pose);
    EXPECT_EQ(pose, start);
}

TEST(HeldJoints, OutOfReachComeAsNearAsTheyCanAndStayFinite) {
    const Running body;
    Pose pose = body.motion.pose(0);
    const std::vector<JointHold> held = {{body.left, {0, 0, 0}, {}},
                                         {body.right, Vec3{9, 0, 0} * body.size(), {}}};
    const double left = holdJoints(*body.skeleton, held, pose);
    EXPECT_GT(left, body.size());
    for (const Trs& at : pose.parent_from_joint)
        EXPECT_TRUE(isFinite(at.translation) && std::isfinite(at.rotation.w));
}

TEST(ALayeredClip, IsTheClipToTheBitOutsideTheFalloff) {
    const Running body;
    const std::size_t key = body.motion.frameCount() / 2;
    LayeredClip clip = LayeredClip::make(body.skeleton, body.motion, {body.crouch(key)});
    Pose pose;
    std::size_t same = 0, changed = 0;
    for (double time = -0.1; time < body.motion.duration() + 0.1; time += 0.003) {
        clip.sample(time, pose);
        const double away = std::abs(time - body.timeOf(key));
        if (away > 0.2 + body.motion.frameTime()) {
            EXPECT_EQ(pose, samplePose(body.motion, time)) << time;
            ++same;
        } else if (away < 0.15) {
            EXPECT_GT(apart(pose, samplePose(body.motion, time)), 1e-3) << time;
            ++changed;
        }
    }
    EXPECT_GT(same, 20u);
    EXPECT_GT(changed, 20u);
    const Motion whole = clip.whole();
    ASSERT_EQ(whole.frameCount(), body.motion.frameCount());
    EXPECT_EQ(whole.frameTime(), body.motion.frameTime());
    for (std::size_t f = 0; f < whole.frameCount(); ++f) {
        clip.sample(body.timeOf(f), pose);
        EXPECT_LT(apart(whole.pose(f), pose), 1e-9);
        if (std::abs(body.timeOf(f) - body.timeOf(key)) > 0.2) {
            EXPECT_EQ(whole.pose(f), body.motion.pose(f)) << f;
        }
    }
}

TEST(ALayeredClip, HasThePoseOfAKeyAndKeepsPinnedFeetOnTheirWayBetweenKeysToo) {
    const Running body;
    const std::size_t middle = body.motion.frameCount() / 2;
    PinnedLayer layer = body.crouch(middle - 4);
    setKey(layer.layer, body.timeOf(middle + 4), body.motion.pose(middle + 4),
           body.crouched(middle + 4));
    LayeredClip clip = LayeredClip::make(body.skeleton, body.motion, {layer});
    Pose pose;
    for (const std::size_t key : {middle - 4, middle + 4}) {
        clip.sample(body.timeOf(key), pose);
        EXPECT_LT(apart(pose, body.crouched(key)), 1e-9);
    }
    // Without pins the same layer slides.
    PinnedLayer loose = layer;
    loose.pins.clear();
    LayeredClip sliding = LayeredClip::make(body.skeleton, body.motion, {loose});
    double most = 0.0, slid = 0.0;
    for (std::size_t f = 0; f < body.motion.frameCount(); ++f) {
        const Pose own = body.motion.pose(f);
        const std::vector<Quat> oriented = computeOrientations(*body.skeleton, own);
        clip.sample(body.timeOf(f), pose);
        const std::vector<Quat> now = computeOrientations(*body.skeleton, pose);
        for (const JointId foot : {body.left, body.right}) {
            most = std::max(most, distance(body.position(foot, pose), body.position(foot, own)));
            EXPECT_LT(angleBetween(now[index(foot)], oriented[index(foot)]), 1e-6);
        }
        sliding.sample(body.timeOf(f), pose);
        slid =
            std::max(slid, distance(body.position(body.left, pose), body.position(body.left, own)));
    }
    EXPECT_LT(most, 1e-6 * body.size());
    EXPECT_GT(slid, 1e-3 * body.size());
}

// What the layer adds has no corner: its second difference is that of a curve as smooth as the
// falloff, and not that of a corner, whose speed changes within one frame.
TEST(ALayeredClip, JoinsTheClipWithContinuousSpeed) {
    const Running body;
    const std::size_t key = body.motion.frameCount() / 2;
    LayeredClip clip =
        LayeredClip::make(body.skeleton, *resampled(body.motion, 1.0 / 480.0), {body.crouch(key)});
    const JointId hand = body.skeleton->find("LeftHand");
    const auto added = [&](double time) {
        Pose pose;
        clip.sample(time, pose);
        return body.position(hand, pose) - body.position(hand, samplePose(body.motion, time));
    };
    const double step = 1.0 / 480.0, start = body.timeOf(key) - 0.2, end = body.timeOf(key) + 0.2;
    double fastest = 0.0;
    for (double time = start - 0.05; time < end + 0.05; time += step)
        fastest = std::max(fastest, distance(added(time + step), added(time)) / step);
    for (const double seam : {start, end})
        for (double time = seam - 2 * step; time < seam + 2 * step; time += step)
            EXPECT_LT(distance(added(time + step), added(time)) / step, 0.15 * fastest) << time;
}

TEST(ALayeredClip, IsMadeFrameByFrameWithTheSameResultInAnyOrder) {
    const Running body;
    const std::size_t key = body.motion.frameCount() / 2;
    LayeredClip one = LayeredClip::make(body.skeleton, body.motion, {body.crouch(key)});
    LayeredClip other = LayeredClip::make(body.skeleton, body.motion, {body.crouch(key)});
    Pose a, b;
    other.sample(body.timeOf(key + 1), b);
    std::size_t left = one.compose(1);
    EXPECT_GT(left, 2u);
    while (left > 0) {
        const std::size_t now = one.compose(3);
        EXPECT_LT(now, left);
        left = now;
    }
    for (std::size_t f = body.motion.frameCount(); f-- > 0;) {
        one.sample(body.timeOf(f), a);
        other.sample(body.timeOf(f), b);
        EXPECT_EQ(apart(a, b), 0.0) << f;
    }
}

TEST(ALayeredClip, AppliesLayersOneAfterTheOther) {
    const Running body;
    const std::size_t key = body.motion.frameCount() / 2;
    const double time = body.timeOf(key);
    std::vector<PinnedLayer> layers = {body.crouch(key),
                                       {.layer = {.in = 0.1, .out = 0.1}, .pins = {}}};
    Pose below, pose;
    LayeredClip::make(body.skeleton, body.motion, layers).sampleBelow(1, time, below);
    EXPECT_LT(apart(below, body.crouched(key)), 1e-9);
    Pose wanted = below;
    wanted[body.arm].rotation = quatExp(Vec3{0.1, 0.2, 0.3});
    setKey(layers[1].layer, time, below, wanted);
    LayeredClip clip = LayeredClip::make(body.skeleton, body.motion, layers);
    clip.sample(time, pose);
    EXPECT_LT(apart(pose, wanted), 1e-9);
    layers[0].layer.muted = layers[1].layer.muted = true;
    LayeredClip muted = LayeredClip::make(body.skeleton, body.motion, layers);
    EXPECT_EQ(muted.compose(1000), 0u);
    muted.sample(time, pose);
    EXPECT_EQ(pose, body.motion.pose(key));
}

TEST(ALayeredClip, OfKeysHasTheirFramesAndIsTheKeysOutsideTheFalloff) {
    const Running body;
    KeyedMotion keys = makeKeyed(body.motion);
    for (JointTracks& tracks : keys.joints)
        if (auto* rotation = std::get_if<Track<Quat>>(&tracks.rotation))
            rotation->interpolation = Interpolation::CatmullRom;
    const std::size_t key = body.motion.frameCount() / 2;
    LayeredClip clip = LayeredClip::make(body.skeleton, keys, {body.crouch(key)});
    EXPECT_EQ(clip.frameCount(), body.motion.frameCount());
    Pose pose;
    clip.sample(0.0111, pose);
    EXPECT_EQ(pose, samplePose(keys, 0.0111));
    clip.sample(body.timeOf(key), pose);
    EXPECT_LT(apart(pose, body.crouched(key)), 1e-7);
}

TEST(BytesOfAClip, AreTheClipToTheBitInBothForms) {
    const Running body;
    for (const Clip& clip : {Clip(body.motion), Clip(makeKeyed(body.motion))}) {
        const Result<Clip> again = clipOfBytes(*body.skeleton, clipBytes(clip));
        ASSERT_TRUE(again);
        EXPECT_EQ(again->index(), clip.index());
        EXPECT_EQ(nameOf(*again), nameOf(clip));
        for (double time = -0.1; time < durationOf(clip) + 0.1; time += 0.017)
            EXPECT_EQ(samplePose(*again, time), samplePose(clip, time));
    }
}

TEST(BytesOfAClip, ThatAreCutOffOrSpoiltAreRefusedOrReadAsSomethingFinite) {
    const Running body;
    const std::string bytes = clipBytes(Clip(makeKeyed(body.motion)));
    for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 500)
        EXPECT_FALSE(clipOfBytes(*body.skeleton, std::string_view(bytes).substr(0, size)));
    EXPECT_FALSE(clipOfBytes(*body.skeleton, bytes + "x"));
    std::mt19937 random(7);
    for (int i = 0; i < 500; ++i) {
        std::string spoilt = bytes;
        for (int k = 0; k < 8; ++k) spoilt[random() % 4000] = static_cast<char>(random());
        const Result<Clip> read = clipOfBytes(*body.skeleton, spoilt);
        if (!read) continue;
        for (const Trs& at : samplePose(*read, 0.1).parent_from_joint)
            EXPECT_TRUE(isFinite(at.translation));
    }
}

TEST(ADenseClip, HasManyFramesOrKeysASecond) {
    const Running body;
    EXPECT_TRUE(isDense(body.motion));
    EXPECT_TRUE(isDense(makeKeyed(body.motion)));
    KeyedMotion few{.base = restPose(*body.skeleton)};
    EXPECT_FALSE(isDense(few));
    few.at(body.arm).rotation = Track<Quat>({{0.0, {}}, {0.5, quatAboutAxis(0, 1.0)}, {1.0, {}}});
    EXPECT_FALSE(isDense(few));
    EXPECT_FALSE(isDense(Motion(restPose(*body.skeleton), 1, 1.0 / 30.0, {})));
}

}  // namespace
}  // namespace ulna
