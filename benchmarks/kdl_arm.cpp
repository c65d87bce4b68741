// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/kdl_arm.h"

#include "benchmarks/models.h"

namespace ulna::bench {

KDL::Chain kdlArm7() {
    KDL::Chain chain;
    // A segment's tip frame is the next joint's: KDL turns first and moves then.
    KDL::Frame start = KDL::Frame::DH_Craig1989(kArm[0].a, kArm[0].alpha, kArm[0].d, 0);
    chain.addSegment(KDL::Segment(KDL::Joint(KDL::Joint::None), start));
    for (std::size_t i = 0; i < 7; ++i) {
        const KDL::Frame next =
            i + 1 < 7 ? KDL::Frame::DH_Craig1989(kArm[i + 1].a, kArm[i + 1].alpha, kArm[i + 1].d, 0)
                      : KDL::Frame(KDL::Vector(0, 0, kArmFlange));
        chain.addSegment(KDL::Segment(KDL::Joint(KDL::Joint::RotZ), next));
    }
    return chain;
}

}  // namespace ulna::bench
