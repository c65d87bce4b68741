// SPDX-License-Identifier: Apache-2.0
#include "ulna/skeleton/handle_ranks.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "ulna/skeleton/size.h"

namespace ulna {
namespace {

using Ranks = std::vector<HandleRank>;

// Shares of the body's size: chains shorter than a limb are part of what they hang from, as fingers
// are of a hand; longer ones than a chain with a middle have a handle there.
constexpr double kLimb = 0.12;
constexpr double kWithMiddle = 0.2;

HandleRank& rankOf(Ranks& ranks, JointId j) {
    return ranks[static_cast<std::size_t>(j)];
}

bool isEye(const Skeleton& skeleton, JointId j) {
    std::string name = skeleton.name(j);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name.find("eye") != std::string::npos;
}

// By the roles of a body that is surely recognised.
bool rankByRoles(const Skeleton& skeleton, const BodyMap* map, Ranks& ranks) {
    const Result<BodyRoles> body = findBodyRoles(skeleton, restPose(skeleton), map);
    if (!body || body->confidence < kSureBody) return false;
    const auto rank = [&](const std::string& role, HandleRank to, bool last = false) {
        const std::vector<JointId> joints = body->find(role);
        if (joints.empty()) return false;
        rankOf(ranks, last ? joints.back() : joints.front()) = to;
        return true;
    };
    for (const char* role : {"hips", "chest"}) rank(role, HandleRank::Major);
    rank("head", HandleRank::End);
    rank("tail", HandleRank::End, true);
    for (const std::string side : {"left.", "right."}) {
        for (const char* role : {"shoulder", "elbow", "knee"}) rank(side + role, HandleRank::Major);
        for (const auto& [end, joint] : {std::pair{"hand", "wrist"}, std::pair{"foot", "ankle"}})
            if (!rank(side + end, HandleRank::End)) rank(side + joint, HandleRank::End);
    }
    return true;
}

// The longest way from each joint to an end below it.
std::vector<double> reaches(const Skeleton& skeleton) {
    std::vector<double> out(skeleton.jointCount(), 0.0);
    for (std::size_t i = skeleton.jointCount(); i-- > 0;) {
        const JointId j = jointId(i);
        if (skeleton.children(j).empty()) out[i] = skeleton.boneLength(j);
        const JointId parent = skeleton.parent(j);
        if (parent == JointId::None) continue;
        double& above = out[static_cast<std::size_t>(parent)];
        above = std::max(above, out[i] + length(skeleton.rest(j).translation));
    }
    return out;
}

// A handle that the shape asks for, and how much: the longer its chain, the more.
struct Wanted {
    JointId joint;
    HandleRank rank;
    double weight;
};

class ShapeRanks {
  public:
    explicit ShapeRanks(const Skeleton& skeleton)
        : skeleton_(skeleton), reaches_(reaches(skeleton)), size_(bodySize(skeleton)) {}

    std::vector<Wanted> find() {
        for (const JointId root : skeleton_.roots()) {
            // Ends and branches come before middles.
            wanted_.push_back({root, HandleRank::Major, 2.0 * size_ + reach(root)});
            follow(root, root, 0.0, {});
        }
        return wanted_;
    }

  private:
    [[nodiscard]] double reach(JointId j) const { return reaches_[static_cast<std::size_t>(j)]; }
    [[nodiscard]] double bone(JointId j) const { return length(skeleton_.rest(j).translation); }
    [[nodiscard]] std::vector<JointId> limbs(JointId j) const {
        std::vector<JointId> out;
        for (const JointId child : skeleton_.children(j))
            if (!skeleton_.isEndSite(child) && bone(child) + reach(child) >= kLimb * size_)
                out.push_back(child);
        return out;
    }

    // From the handle `from` along its chain, `way` so far, to the next one.
    void follow(JointId from, JointId at, double way,
                std::vector<std::pair<JointId, double>> between) {
        const std::vector<JointId> next = limbs(at);
        const bool ends = next.empty(), branches = next.size() > 1;
        if (at != from && (ends || branches)) {
            const HandleRank rank = ends ? HandleRank::End : HandleRank::Major;
            wanted_.push_back({at, rank, size_ + way});
            addMiddle(between, way);
        }
        if (at != from && branches) {
            way = 0.0;
            between.clear();
            from = at;
        } else if (at != from) {
            between.emplace_back(at, way);
        }
        for (const JointId child : next) follow(from, child, way + bone(child), between);
    }

    void addMiddle(const std::vector<std::pair<JointId, double>>& between, double way) {
        if (between.empty() || way < kWithMiddle * size_) return;
        const auto away = [&](const auto& each) { return std::abs(each.second - 0.5 * way); };
        const auto middle =
            std::min_element(between.begin(), between.end(),
                             [&](const auto& a, const auto& b) { return away(a) < away(b); });
        wanted_.push_back({middle->first, HandleRank::Major, way});
    }

    const Skeleton& skeleton_;
    std::vector<double> reaches_;
    double size_;
    std::vector<Wanted> wanted_ = {};
};

void rankByShape(const Skeleton& skeleton, Ranks& ranks) {
    std::vector<Wanted> wanted = ShapeRanks(skeleton).find();
    std::stable_sort(wanted.begin(), wanted.end(),
                     [](const Wanted& a, const Wanted& b) { return a.weight > b.weight; });
    if (wanted.size() > kMostHandles) wanted.resize(kMostHandles);
    for (const Wanted& each : wanted) rankOf(ranks, each.joint) = each.rank;
}

// Of a skeleton of few joints all are handles; what nothing hangs from is an end.
bool rankAll(const Skeleton& skeleton, Ranks& ranks) {
    std::vector<JointId> all;
    for (const JointId j : skeleton.joints())
        if (!skeleton.isEndSite(j)) all.push_back(j);
    if (all.size() > kMostHandles) return false;
    for (const JointId j : all) {
        const std::vector<JointId> children = skeleton.children(j);
        const bool ends = std::all_of(children.begin(), children.end(),
                                      [&](JointId child) { return skeleton.isEndSite(child); });
        rankOf(ranks, j) = ends ? HandleRank::End : HandleRank::Major;
    }
    return true;
}

}  // namespace

std::vector<HandleRank> handleRanks(const Skeleton& skeleton, const BodyMap* map) {
    Ranks ranks(skeleton.jointCount(), HandleRank::Minor);
    if (!rankAll(skeleton, ranks) && !rankByRoles(skeleton, map, ranks))
        rankByShape(skeleton, ranks);
    for (const JointId j : skeleton.joints())
        if (isEye(skeleton, j)) rankOf(ranks, j) = HandleRank::Hidden;
    return ranks;
}

}  // namespace ulna
