// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/detail/limb_pairs.h"

#include <algorithm>
#include <cmath>

namespace ulna::skeleton::detail {
namespace {

// Bones of two sides are of a pair if they differ by at most this share, or by this share of all
// that follows: scanned people and hand-made rigs are symmetric to a few per cent.
constexpr double kUneven = 0.15, kUnevenOfAll = 0.02;
// Only the longest children of a joint are compared: hair and skirts have dozens.
constexpr std::size_t kMostChildren = 8;
// Longer chains are no limbs: ropes, tails.
constexpr std::size_t kMostJoints = 24;
constexpr std::size_t kMostPairs = 10;
// Limbs are not shorter than this share of the longest pair.
constexpr double kShort = 0.25;

std::vector<JointId> longestChildren(const BodyTree& tree, JointId joint) {
    std::vector<JointId> out = tree.children(joint);
    std::stable_sort(out.begin(), out.end(),
                     [&](JointId a, JointId b) { return tree.extent(a) > tree.extent(b); });
    out.resize(std::min(out.size(), kMostChildren));
    return out;
}

bool alike(double a, double b, double all) {
    return std::abs(a - b) <= kUneven * std::max(a, b) + kUnevenOfAll * all;
}

double boneTo(const BodyTree& tree, JointId child) {
    return distance(tree.at(child), tree.at(tree.skeleton().parent(child)));
}

// The two children by which two chains go on together: the farthest reaching ones whose bones are
// alike.
bool goOn(const BodyTree& tree, LimbPair& pair) {
    double best = -1.0;
    std::array<JointId, 2> next = {JointId::None, JointId::None};
    const std::vector<JointId> right = longestChildren(tree, pair.joints[1].back());
    for (const JointId a : longestChildren(tree, pair.joints[0].back())) {
        for (const JointId b : right) {
            const double common = std::min(tree.extent(a), tree.extent(b));
            if (common <= best || !alike(boneTo(tree, a), boneTo(tree, b), common)) continue;
            best = common;
            next = {a, b};
        }
    }
    if (next[0] == JointId::None) return false;
    for (std::size_t side = 0; side < 2; ++side) pair.joints[side].push_back(next[side]);
    return true;
}

LimbPair followPair(const BodyTree& tree, JointId trunk, JointId a, JointId b) {
    LimbPair out{.trunk = trunk, .joints = {{{a}, {b}}}};
    while (out.joints[0].size() < kMostJoints && goOn(tree, out)) {
        out.length +=
            std::min(boneTo(tree, out.joints[0].back()), boneTo(tree, out.joints[1].back()));
    }
    // What only one side holds is not of the limb.
    const double left = tree.reach(out.joints[0].back());
    const double right = tree.reach(out.joints[1].back());
    if (alike(left, right, std::min(left, right))) out.length += std::min(left, right);
    return out;
}

// ---- fitting

// What is usual of people, as logarithms of ratios, and how far they and their rigs are from it.
struct Usual {
    double middle = 0.0;
    double deviation = 1.0;
};
struct UsualLimb {
    Usual upper_to_lower, end_to_lower, root_to_upper;
    double bend_at_end = 0.0;       // the cosine between the lower segment and what follows
    std::array<BodyPart, 5> parts;  // before the limb, its three joints, and after it
};

const UsualLimb& usual(LimbKind kind) {
    // Segments of adults (Winter's tables): upper arm 0.186 of the height, forearm 0.146, hand
    // 0.108; thigh 0.245, shank 0.246, foot 0.152.
    static const UsualLimb arm = {{std::log(1.15), 0.30},
                                  {std::log(0.55), 0.50},
                                  {std::log(0.55), 0.60},
                                  1.0,
                                  {BodyPart::Collarbone, BodyPart::Shoulder, BodyPart::Elbow,
                                   BodyPart::Wrist, BodyPart::Fingers}};
    static const UsualLimb leg = {
        {std::log(1.0), 0.25},
        {std::log(0.40), 0.55},
        {std::log(0.30), 0.80},
        0.35,
        {BodyPart::Pelvis, BodyPart::Hip, BodyPart::Knee, BodyPart::Ankle, BodyPart::Toes}};
    return kind == LimbKind::Arm ? arm : leg;
}

double square(double x) {
    return x * x;
}

double costOf(double ratio, const Usual& usual) {
    // No ratio says more than three deviations: a foot without toes, hips of one joint.
    const double off = std::abs(std::log(std::max(ratio, 1e-6)) - usual.middle) / usual.deviation;
    return square(std::min(off, 3.0));
}

class Fitter {
  public:
    Fitter(const BodyTree& tree, LimbKind kind, JointId trunk,
           const std::vector<std::vector<JointId>>& chains, const std::vector<NamedPart>& hints)
        : tree_(tree),
          kind_(kind),
          usual_(usual(kind)),
          trunk_(trunk),
          chains_(chains),
          hints_(hints),
          size_(chains.front().size()) {}

    [[nodiscard]] LimbFit best() const {
        LimbFit out{.cost = 1e9};
        const auto consider = [&](std::size_t upper, std::size_t middle, std::size_t lower) {
            const LimbFit each = fitOf(upper, middle, lower);
            if (each.cost < out.cost) out = each;
        };
        for (std::size_t upper = 0; upper + 1 < size_; ++upper)
            for (std::size_t middle = upper + 1; middle < size_; ++middle)
                for (std::size_t lower = middle + 1; lower <= size_; ++lower)
                    consider(upper, middle, lower < size_ ? lower : LimbFit::kNone);
        return out;
    }

  private:
    template <class F>
    [[nodiscard]] double mean(const F& of) const {
        double sum = 0.0;
        for (const std::vector<JointId>& chain : chains_) sum += of(chain);
        return sum / static_cast<double>(chains_.size());
    }
    [[nodiscard]] double between(std::size_t i, std::size_t k) const {
        return mean([&](const auto& c) { return distance(tree_.at(c[i]), tree_.at(c[k])); });
    }
    [[nodiscard]] double reach(std::size_t i) const {
        double least = 1e300;
        for (const std::vector<JointId>& chain : chains_)
            least = std::min(least, tree_.reach(chain[i]));
        return least;
    }

    [[nodiscard]] LimbFit fitOf(std::size_t upper, std::size_t middle, std::size_t lower) const {
        const bool ends = lower == LimbFit::kNone;
        const double first = between(upper, middle);
        const double second = ends ? reach(middle) : between(middle, lower);
        LimbFit out{upper, middle, lower, first + second, 1e9};
        if (!(first > 0.0) || !(second > 0.0)) return out;
        out.cost = costOf(first / second, usual_.upper_to_lower);
        out.cost += ends ? 4.0 : endCost(lower, second);
        out.cost += rootCost(upper, first);
        out.cost += skippedCost(upper, middle, first) +
                    skippedCost(middle, ends ? size_ - 1 : lower, second);
        out.cost += hintCost(upper, middle, lower) + fixedCost(upper) + fixedCost(middle);
        return out;
    }

    // What follows the wrist or the ankle: its length, its direction, and fingers.
    [[nodiscard]] double endCost(std::size_t lower, double second) const {
        const double end = reach(lower);
        double cost = 1.0;  // of a limb that ends there
        if (end > 1e-3 * second) {
            cost = costOf(end / second, usual_.end_to_lower);
            const double bend = mean([&](const auto& chain) {
                const Vec3 shank = tree_.at(chain[lower]) - tree_.at(chain[lower - 1]);
                const Vec3 rest = tree_.at(tree_.tip(chain[lower])) - tree_.at(chain[lower]);
                return dot(normalizedOr(shank, {}), normalizedOr(rest, {}));
            });
            cost += square((bend - usual_.bend_at_end) / 0.7);
        }
        // Only hands have three children or more that lead on.
        if (kind_ == LimbKind::Arm && fingersAt(lower) > 2) cost -= 2.0;
        return cost;
    }

    [[nodiscard]] std::size_t fingersAt(std::size_t i) const {
        std::size_t least = tree_.range().size();
        for (const std::vector<JointId>& chain : chains_)
            least = std::min(least, tree_.children(chain[i]).size());
        return least;
    }

    // The way from the trunk, and joints on it that are neither collarbone nor pelvis.
    [[nodiscard]] double rootCost(std::size_t upper, double first) const {
        const double away = mean(
            [&](const auto& chain) { return distance(tree_.at(trunk_), tree_.at(chain[upper])); });
        const std::size_t usual_joints = kind_ == LimbKind::Arm ? 1 : 0;
        const double more = upper > usual_joints ? static_cast<double>(upper - usual_joints) : 0.0;
        return 0.5 * costOf(away / first, usual_.root_to_upper) + 0.6 * more;
    }

    // Joints inside a segment are helpers that carry its twist, on the way from joint to joint.
    [[nodiscard]] double skippedCost(std::size_t from, std::size_t to, double segment) const {
        double cost = 0.0;
        for (std::size_t i = from + 1; i < to; ++i) {
            const double detour = (between(from, i) + between(i, to)) / segment - 1.0;
            cost += 0.7 + square(std::min(detour / 0.05, 3.0));
        }
        return cost;
    }

    // What cannot rotate is no elbow.
    [[nodiscard]] double fixedCost(std::size_t i) const {
        return tree_.skeleton().kind(chains_.front()[i]) == JointKind::Fixed ? 6.0 : 0.0;
    }

    [[nodiscard]] double hintCost(std::size_t upper, std::size_t middle, std::size_t lower) const {
        constexpr double kContradiction = 8.0;
        double cost = 0.0;
        for (const std::vector<JointId>& chain : chains_) {
            for (std::size_t i = 0; i < chain.size(); ++i) {
                const BodyPart named = hints_[index(chain[i]) - tree_.range().firstIndex()].part;
                if (named == BodyPart::None) continue;
                const std::size_t at = i < upper     ? 0
                                       : i == upper  ? 1
                                       : i == middle ? 2
                                       : i == lower  ? 3
                                       : i > lower   ? 4
                                                     : 5;
                // Of hands, every part behind the wrist is a finger's.
                const bool finger = at == 4 && kind_ == LimbKind::Arm && named >= BodyPart::Thumb;
                if (!finger && (at == 5 || usual_.parts[at] != named)) cost += kContradiction;
            }
        }
        return cost;
    }

    const BodyTree& tree_;
    LimbKind kind_;
    const UsualLimb& usual_;
    JointId trunk_;
    const std::vector<std::vector<JointId>>& chains_;
    const std::vector<NamedPart>& hints_;
    std::size_t size_;
};

}  // namespace

BodyTree::BodyTree(const Skeleton& skeleton, const ModelPose& model, JointRange range)
    : skeleton_(skeleton),
      model_(model),
      range_(range),
      children_(range.size()),
      reach_(range.size(), 0.0),
      tips_(range.size()) {
    for (const JointId j : range) tips_[index(j) - range.firstIndex()] = j;
    // Children before their parents.
    for (std::size_t i = range.endIndex(); i-- > range.firstIndex() + 1;) {
        const JointId j = jointId(i);
        const std::size_t parent = index(skeleton.parent(j)) - range.firstIndex();
        if (!skeleton.isEndSite(j)) children_[parent].push_back(j);
        const double way = extent(j);
        if (way <= reach_[parent]) continue;
        reach_[parent] = way;
        tips_[parent] = tips_[i - range.firstIndex()];
    }
    for (std::vector<JointId>& each : children_) std::reverse(each.begin(), each.end());
}

double BodyTree::extent(JointId j) const {
    const JointId parent = skeleton_.parent(j);
    return reach(j) + (parent == JointId::None ? 0.0 : distance(at(j), at(parent)));
}

std::vector<JointId> BodyTree::longestChain(JointId from) const {
    std::vector<JointId> out;
    while (from != JointId::None && out.size() < kMostJoints) {
        out.push_back(from);
        const std::vector<JointId>& next = children(from);
        from = JointId::None;
        for (const JointId j : next)
            if (from == JointId::None || extent(j) > extent(from)) from = j;
    }
    return out;
}

std::vector<LimbPair> findLimbPairs(const BodyTree& tree) {
    std::vector<LimbPair> out;
    for (const JointId joint : tree.range()) {
        if (tree.children(joint).size() < 2) continue;
        const std::vector<JointId> children = longestChildren(tree, joint);
        for (std::size_t a = 0; a < children.size(); ++a) {
            for (std::size_t b = a + 1; b < children.size(); ++b) {
                const double all = std::min(tree.extent(children[a]), tree.extent(children[b]));
                if (!alike(boneTo(tree, children[a]), boneTo(tree, children[b]), all)) continue;
                LimbPair pair = followPair(tree, joint, children[a], children[b]);
                if (pair.joints[0].size() > 1) out.push_back(std::move(pair));
            }
        }
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const LimbPair& a, const LimbPair& b) { return a.length > b.length; });
    while (!out.empty() &&
           (out.size() > kMostPairs || out.back().length < kShort * out.front().length))
        out.pop_back();
    return out;
}

LimbFit fitLimb(const BodyTree& tree, LimbKind kind, JointId trunk,
                const std::vector<std::vector<JointId>>& chains,
                const std::vector<NamedPart>& hints) {
    return Fitter(tree, kind, trunk, chains, hints).best();
}

}  // namespace ulna::skeleton::detail
