// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/csv.h"

#include <gtest/gtest.h>

#include "support/skeletons.h"
#include "ulna/io/keys.h"

namespace ulna::io {
namespace {

std::string csvOf(const Skeleton& s, const Motion& m, CsvContent content) {
    std::string out;
    writeCsv(s, m, content, [&](std::string_view piece) {
        out += piece;
        return true;
    });
    return out;
}

TEST(Csv, HoldsPositionsRotationsOrDegreesOfFreedom) {
    JointDef root = test::joint("Hips", "", JointKind::Free, {0, 1, 0});
    root.order = EulerOrder::Zxy;
    const Skeleton s =
        test::build({root, test::joint("Knee, left", "Hips", JointKind::Hinge, {0, -2, 0})});
    Motion motion(restPose(s), 2, 0.5, usualTracks(s));
    motion.setPose(1, computePose(s, DofVector{1, 2, 3, 0, 0, 0, kPi / 2}));
    EXPECT_EQ(csvOf(s, motion, CsvContent::Positions),
              "frame,time,Hips.x,Hips.y,Hips.z,\"Knee, left.x\",\"Knee, left.y\",\"Knee, left.z\"\n"
              "0,0,0,1,0,0,-1,0\n"
              "1,0.5,1,3,3,1,1,3\n");
    EXPECT_EQ(csvOf(s, motion, CsvContent::Dofs),
              "frame,time,Hips.tx,Hips.ty,Hips.tz,Hips.rz,Hips.rx,Hips.ry,\"Knee, left\"\n"
              "0,0,0,0,0,0,0,0,0\n"
              "1,0.5,1,2,3,0,0,0,90\n");
    EXPECT_EQ(csvOf(s, Motion{}, CsvContent::Rotations),
              "frame,time,Hips.qx,Hips.qy,Hips.qz,Hips.qw,\"Knee, left.qx\",\"Knee, left.qy\","
              "\"Knee, left.qz\",\"Knee, left.qw\"\n0,0,0,0,0,1,0,0,0,1\n");
}

TEST(Csv, NamesThatLookLikeFormulasAreText) {
    const Skeleton s = test::build({test::joint("=1+1", "", JointKind::Hinge, {}),
                                    test::joint("@x, \"y\"", "=1+1", JointKind::Hinge, {0, 1, 0}),
                                    test::joint("a-b", "=1+1", JointKind::Hinge, {0, 1, 0})});
    const std::string text = csvOf(s, Motion{}, CsvContent::Dofs);
    EXPECT_EQ(text.substr(0, text.find('\n')), "frame,time,'=1+1,\"'@x, \"\"y\"\"\",a-b");
    // What is written is read.
    EXPECT_TRUE(readKeysCsv(text, "made.csv", s, {}).ok());
}

}  // namespace
}  // namespace ulna::io
