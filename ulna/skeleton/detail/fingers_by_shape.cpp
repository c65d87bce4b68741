// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/detail/fingers_by_shape.h"

#include <algorithm>
#include <array>
#include <string>

namespace ulna::skeleton::detail {
namespace {

struct FingerChain {
    std::vector<JointId> joints = {};
    Vec3 base = {}, direction = {};
};

constexpr std::array kInOrder = {BodyPart::IndexFinger, BodyPart::MiddleFinger,
                                 BodyPart::RingFinger, BodyPart::LittleFinger};
constexpr std::size_t kMostFingers = 5;

// Every way down from a joint that does not branch is a chain; what is longer than a hand is held
// by it.
void followFingers(const BodyTree& tree, JointId from, double longest,
                   std::vector<FingerChain>& out) {
    for (JointId j : tree.children(from)) {
        FingerChain chain{.base = tree.at(j)};
        for (;;) {
            chain.joints.push_back(j);
            if (tree.children(j).size() != 1) break;
            j = tree.children(j).front();
        }
        if (tree.children(j).size() > 1) {
            followFingers(tree, j, longest, out);
            continue;
        }
        const Vec3 tip = tree.at(tree.tip(j));
        const Vec3 before =
            chain.joints.size() > 1 || distance(tip, chain.base) > 0.0 ? chain.base : tree.at(from);
        chain.direction = normalizedOr(tip - before, {});
        if (tree.extent(chain.joints.front()) < longest && length(chain.direction) > 0.0)
            out.push_back(std::move(chain));
    }
}

// The one that points away from the others, to the side of the thumb.
std::vector<FingerChain>::iterator findThumb(std::vector<FingerChain>& chains,
                                             const Vec3& thumb_side) {
    constexpr double kAway = 0.94;  // the cosine of 20 degrees
    if (chains.size() < 2) return chains.end();
    auto thumb = chains.end();
    double least = kAway;
    for (auto each = chains.begin(); each != chains.end(); ++each) {
        Vec3 others;
        for (const FingerChain& other : chains)
            if (&other != &*each) others += other.direction;
        others = normalizedOr(others, {});
        const double along = dot(each->direction, others);
        const bool at_side = dot(each->direction - others * along, thumb_side) > 0.0;
        if (along < least && (at_side || chains.size() == kMostFingers))
            least = along, thumb = each;
    }
    return thumb;
}

}  // namespace

std::vector<ShapePart> findFingersByShape(const BodyTree& tree, JointId wrist, const Vec3& forearm,
                                          const Vec3& thumb_side, BodySide side) {
    std::vector<FingerChain> chains;
    followFingers(tree, wrist, length(forearm), chains);
    if (chains.empty() || chains.size() > kMostFingers) return {};
    std::vector<ShapePart> out;
    const auto add = [&](const FingerChain& chain, BodyPart part, const char* reason) {
        for (const JointId j : chain.joints)
            out.push_back({j, {part, side}, 0.8, std::string("by shape: ") + reason});
    };
    Vec3 across = thumb_side;
    if (const auto thumb = findThumb(chains, thumb_side); thumb != chains.end()) {
        add(*thumb, BodyPart::Thumb, "the finger that points away from the others");
        Vec3 middle;
        const FingerChain found = *thumb;
        chains.erase(thumb);
        for (const FingerChain& chain : chains)
            middle += chain.base / static_cast<double>(chains.size());
        across = found.base - middle;
    }
    if (chains.size() == 1) {
        add(chains.front(), BodyPart::Fingers, "a finger that may be any");
        return out;
    }
    if (chains.size() > kInOrder.size()) return {};
    const Vec3 along = normalizedOr(forearm, {});
    across -= along * dot(across, along);
    std::stable_sort(chains.begin(), chains.end(), [&](const FingerChain& a, const FingerChain& b) {
        return dot(a.base, across) > dot(b.base, across);
    });
    for (std::size_t i = 0; i < chains.size(); ++i)
        add(chains[i], kInOrder[i], "by its order from the side of the thumb");
    return out;
}

}  // namespace ulna::skeleton::detail
