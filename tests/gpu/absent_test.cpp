// SPDX-License-Identifier: Apache-2.0

// What is said where there is no GPU: another way to do the same.
#include <gtest/gtest.h>

#include "support/skeletons.h"
#include "ulna/gpu/kinematics.h"
#include "ulna/gpu/skin.h"

namespace ulna {
namespace {

TEST(GpuKinematics, NamesWhatToCallWhereThereIsNoCard) {
    if (findGpus()) return;  // tests/gpu/card asks a card
    const Result<GpuKinematics> gpu = GpuKinematics::make(test::everyKind());
    ASSERT_FALSE(gpu);
    EXPECT_NE(describe(gpu.error()).find("computeModelBatch"), std::string::npos);
}

TEST(GpuSkin, NamesWhatToCallWhereThereIsNoCard) {
    if (findGpus()) return;
    const Result<GpuSkin> gpu = GpuSkin::make(test::everyKind(), Mesh{});
    ASSERT_FALSE(gpu);
    EXPECT_NE(describe(gpu.error()).find("Deformer"), std::string::npos);
}

}  // namespace
}  // namespace ulna
