// SPDX-License-Identifier: Apache-2.0

// Bone heat gives an arm that lies in a T-pose too much of the ribs below it: raised, it pulls them
// up and out. And it lets thighs and pelvis share a hand's breadth of the belly, which a deep
// crouch crumples. Both are mended where they arise, in what a joint hands on to the next: the
// share of the weight of a whole limb that its next joint has. Numbers are metres in the model's
// space at rest, and were chosen by measuring how much poses stretch and crush the skin
// (tests/skin/character_poses_test.cpp).
#include "tools/character/weights.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tools/character/clip.h"
#include "tools/character/figure.h"
#include "tools/character/form.h"
#include "ulna/skin/bone_heat.h"
#include "ulna/skin/edit_weights.h"

namespace ulna::maker {
namespace {

constexpr double kLeast = 1e-9;

double mixed(double a, double b, double amount) {
    return a + (b - a) * amount;
}

// Weights as shares: of what a joint and all below it have at a vertex, how much goes to each child
// and all below it.
class Shares {
  public:
    explicit Shares(const Skeleton& skeleton)
        : skeleton_(skeleton), whole_(skeleton.jointCount()), shares_(skeleton.jointCount()) {}

    void read(std::span<const Influence> row) {
        std::fill(whole_.begin(), whole_.end(), 0.0);
        for (const Influence& influence : row)
            whole_[index(influence.joint)] += double{influence.weight};
        for (std::size_t j = whole_.size(); j-- > 1;) whole_[parent(j)] += whole_[j];
        for (std::size_t j = 1; j < whole_.size(); ++j)
            shares_[j] = whole_[parent(j)] > kLeast ? whole_[j] / whole_[parent(j)] : 0.0;
    }
    double& at(const std::string& name) { return shares_[index(skeleton_.find(name))]; }

    [[nodiscard]] std::vector<Influence> row() {
        std::vector<double> given(shares_.size(), 0.0);
        for (std::size_t j = 1; j < shares_.size(); ++j) given[parent(j)] += shares_[j];
        std::vector<Influence> out;
        whole_[0] = 1.0;
        for (std::size_t j = 0; j < shares_.size(); ++j) {
            if (j > 0) whole_[j] = whole_[parent(j)] * shares_[j] / std::max(given[parent(j)], 1.0);
            const double own = whole_[j] * (1.0 - std::min(given[j], 1.0));
            if (own > kLeast) out.push_back({jointId(j), static_cast<float>(own)});
        }
        return out;
    }

  private:
    [[nodiscard]] std::size_t parent(std::size_t j) const {
        return index(skeleton_.parent(jointId(j)));
    }

    const Skeleton& skeleton_;
    std::vector<double> whole_, shares_;
};

// Below the shoulder the arm takes over slowly, from the ribs to the middle of the upper arm, and
// the ribs are half as much the collarbone's.
void mendShoulders(const Vec3& p, Shares& shares) {
    const double from_middle = std::abs(p.x);
    const double below = 0.75 * smoothStep((1.445 - p.y) / 0.12);
    const double arm = smoothStep((from_middle - 0.08) / 0.26);
    const double ribs = from_middle < 0.2 ? 0.5 * (1.0 - smoothStep((p.y - 1.28) / 0.15)) : 0.0;
    for (const double side : kSides) {
        shares.at(sideName(side) + "Shoulder") *= 1.0 - ribs;
        double& share = shares.at(sideName(side) + "Arm");
        if (p.x * side > 0.01) share = mixed(share, arm, below);
    }
}

// In front thighs begin at the groin and at once; behind, where a crouch stretches the seat, they
// begin at the waist and slowly. Which of both thighs it is stays as it is.
void mendHips(const Vec3& p, Shares& shares) {
    const double front = smoothStep((p.z + 0.06) / 0.12);
    const double thigh =
        mixed(smoothStep((1.12 - p.y) / 0.40), smoothStep((0.98 - p.y) / 0.08), front);
    double& left = shares.at("LeftUpLeg");
    double& right = shares.at("RightUpLeg");
    const double both = left + right;
    if (!(both > kLeast)) return;
    const double factor = mixed(both, thigh, 0.5) / both;
    left *= factor;
    right *= factor;
}

SkinWeights heatWeights(const Skeleton& skeleton, const Mesh& body) {
    BoneHeatOptions options;
    for (const JointId joint : skeleton.joints()) {
        if (!skeleton.name(joint).ends_with("Eye")) options.joints.push_back(joint);
    }
    Result<BoneHeat> heat = makeBoneHeatWeights(skeleton, body, options);
    if (!heat) fail(describe(heat.error()));
    return std::move(heat->weights);
}

// Rows of whole 65536ths that sum to exactly 1, so that normalising them changes nothing. The first
// of a row is its largest, and takes what rounding leaves.
SkinWeights roundedRows(const SkinWeights& weights) {
    constexpr double kParts = 65536.0;
    SkinWeights out;
    for (std::size_t v = 0; v < weights.rowCount(); ++v) {
        std::vector<Influence> row;
        double rest = kParts;
        for (const Influence& influence : weights[v]) {
            const double parts = std::round(double{influence.weight} * kParts);
            if (parts == 0.0) continue;
            rest -= parts;
            row.push_back({influence.joint, static_cast<float>(parts / kParts)});
        }
        row.front().weight += static_cast<float>(rest / kParts);
        out.addRow(row);
    }
    return out;
}

}  // namespace

SkinWeights makeWeights(const Skeleton& skeleton, const Mesh& body) {
    const SkinWeights heat = heatWeights(skeleton, body);
    SkinWeights mended;
    Shares shares(skeleton);
    for (std::size_t v = 0; v < heat.rowCount(); ++v) {
        const Vec3f& at = body.positions[v];
        const Vec3 p{double{at.x}, double{at.y}, double{at.z}};
        shares.read(heat[v]);
        mendShoulders(p, shares);
        mendHips(p, shares);
        mended.addRow(shares.row());
    }
    return roundedRows(prunedSmoothly(normalized(mended), 4, 0.001f).weights);
}

}  // namespace ulna::maker
