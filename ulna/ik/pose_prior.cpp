// SPDX-License-Identifier: Apache-2.0

// The network is a residual perceptron whose activation is (x + sqrt(x^2 + 0.1)) / 2: smooth, and
// made of operations that every processor rounds alike. Its inputs are seen from the hips, or from
// the mean of the given points, in the direction that the body faces. That direction is the linear
// estimate of least mean square error from the given points, taken as complex numbers of the ground
// plane: then turning the points turns the estimate. Rotations come as two columns, which are made
// orthonormal (Zhou et al., On the Continuity of Rotation Representations, CVPR 2019).
#include "ulna/ik/pose_prior.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <string_view>
#include <vector>

#include "ulna/core/assert.h"
#include "ulna/ik/detail/human_poses.h"
#include "ulna/ik/detail/network_layer.h"

namespace ulna {
namespace {

using Complex = std::complex<double>;

constexpr std::string_view kMagic = "ULNAPOSE";
// The second has pairs of angles behind the network.
constexpr std::uint32_t kFirstVersion = 1, kVersion = 2;
constexpr std::size_t kPoints = kPosePoints.size(), kProportions = 13;
constexpr std::size_t kMostWidth = 4096, kMostDepth = 16, kMostPairs = 64;
// Scales of the network's inputs, as it was learned with them.
constexpr double kPointScale = 5.0, kProportionScale = 8.0;
constexpr double kSharpness = 0.1;
// Added to the moments of the points: their noise, in squared leg lengths.
constexpr double kPointNoise = 3e-3;

constexpr std::array<PoseRole, kPoseRoles> kParents = {
    PoseRole::Hips,         PoseRole::Hips,        PoseRole::LowerBack,  PoseRole::Spine,
    PoseRole::Chest,        PoseRole::LowerNeck,   PoseRole::UpperNeck,  PoseRole::Chest,
    PoseRole::LeftUpperArm, PoseRole::LeftForearm, PoseRole::Chest,      PoseRole::RightUpperArm,
    PoseRole::RightForearm, PoseRole::Hips,        PoseRole::LeftThigh,  PoseRole::LeftShin,
    PoseRole::LeftFoot,     PoseRole::Hips,        PoseRole::RightThigh, PoseRole::RightShin,
    PoseRole::RightFoot};

// Reads a file's numbers one after the other; false at its end.
class Reader {
  public:
    explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}
    template <class T>
    [[nodiscard]] bool read(T& out) {
        if (left_.size() < sizeof(T)) return false;
        std::memcpy(&out, left_.data(), sizeof(T));
        left_ = left_.subspan(sizeof(T));
        return true;
    }
    [[nodiscard]] bool readFloats(std::span<double> out) {
        for (double& each : out) {
            float value = 0.0F;
            if (!read(value) || !std::isfinite(value)) return false;
            each = static_cast<double>(value);
        }
        return true;
    }
    [[nodiscard]] bool readPairs(std::vector<PosePair>& out) {
        std::uint32_t count = 0;
        if (!read(count) || count > kMostPairs) return false;
        for (std::uint32_t i = 0; i < count; ++i) {
            std::array<std::uint8_t, 2> angles = {};
            PosePair pair;
            if (!read(angles) || angles[0] >= kLimbAngles || angles[1] >= kLimbAngles ||
                angles[0] == angles[1])
                return false;
            pair.a = static_cast<LimbAngle>(angles[0]);
            pair.b = static_cast<LimbAngle>(angles[1]);
            if (left() < PosePair::kCells * PosePair::kCells) return false;
            pair.map.resize(PosePair::kCells * PosePair::kCells);
            for (std::int8_t& cell : pair.map)
                if (!read(cell)) return false;
            out.push_back(std::move(pair));
        }
        return true;
    }
    [[nodiscard]] bool ended() const { return left_.empty(); }
    [[nodiscard]] std::size_t left() const { return left_.size(); }

  private:
    std::span<const std::byte> left_;
};

// The mean of both sides, so that a body that is not quite symmetric counts as one that is.
double meanLength(const BodyOffsets& body, PoseRole left, PoseRole right) {
    return (length(body[static_cast<std::size_t>(left)]) +
            length(body[static_cast<std::size_t>(right)])) /
           2.0;
}
Vec3 meanOffset(const BodyOffsets& body, PoseRole left, PoseRole right) {
    const Vec3& l = body[static_cast<std::size_t>(left)];
    const Vec3& r = body[static_cast<std::size_t>(right)];
    return {(l.x - r.x) / 2.0, (l.y + r.y) / 2.0, (l.z + r.z) / 2.0};
}

std::array<double, kProportions> proportionsOf(const BodyOffsets& body) {
    const auto along = [&](PoseRole role) { return length(body[static_cast<std::size_t>(role)]); };
    const Vec3 arm = meanOffset(body, PoseRole::LeftUpperArm, PoseRole::RightUpperArm);
    const Vec3 leg = meanOffset(body, PoseRole::LeftThigh, PoseRole::RightThigh);
    const Vec3 toes = meanOffset(body, PoseRole::LeftToes, PoseRole::RightToes);
    return {along(PoseRole::Spine) + along(PoseRole::Chest),
            along(PoseRole::UpperNeck) + along(PoseRole::Head),
            arm.x,
            arm.y,
            arm.z,
            meanLength(body, PoseRole::LeftForearm, PoseRole::RightForearm),
            meanLength(body, PoseRole::LeftHand, PoseRole::RightHand),
            leg.x,
            leg.y,
            leg.z,
            meanLength(body, PoseRole::LeftShin, PoseRole::RightShin),
            toes.y,
            toes.z};
}

// A point of the ground plane; turning it by an angle multiplies it by that angle's unit number.
Complex onGround(const Vec3& v) {
    return {v.x, -v.z};
}

// Two columns of a rotation, made orthonormal.
Quat fromColumns(const double* columns) {
    const Vec3 a{columns[0], columns[1], columns[2]}, b{columns[3], columns[4], columns[5]};
    const Vec3 x = normalizedOr(a, Vec3{1, 0, 0});
    const Vec3 up = std::abs(x.y) < 0.9 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    const Vec3 y = normalizedOr(b - x * dot(x, b), normalizedOr(up - x * dot(x, up), up));
    return quatFromMatrix(Mat3::fromColumns(x, y, cross(x, y)));
}

float activate(float x) {
    return 0.5F * (x + std::sqrt(x * x + static_cast<float>(kSharpness)));
}

Diagnostic notAPrior(const std::string& why) {
    return {.what = "this is no prior of poses: " + why,
            .advice = "tools/learn-poses writes such files"};
}

}  // namespace

struct PosePrior::Network {
    std::array<double, kPoseRoles> deviations = {};
    std::array<Vec3, kPoints> usual_points = {};
    std::array<double, kPoints> farthest = {};  // from the origin
    std::array<double, kProportions> usual_proportions = {};
    std::array<double, kPoseRoles* 6> usual_pose = {};  // two columns of each rotation
    // How points and facing go together, as complex numbers of the ground plane.
    std::array<std::array<double, 2 * kPoints>, kPoints> point_moments = {};
    std::array<double, 2 * kPoints> facing_moments = {};
    std::vector<ik::detail::NetworkLayer> layers = {};
    std::vector<PosePair> pairs = {};

    [[nodiscard]] Vec3 facing(const PosePoints& points, const Vec3& origin) const;
};

PosePrior::PosePrior(std::shared_ptr<const Network> network) : network_(std::move(network)) {}

std::span<const double, kPoseRoles> PosePrior::deviations() const {
    return network_->deviations;
}

std::span<const PosePair> PosePrior::pairs() const {
    return network_->pairs;
}

PoseRole parentOf(PoseRole role) {
    return kParents[static_cast<std::size_t>(role)];
}

std::shared_ptr<const PosePrior> PosePrior::human() {
    static const std::shared_ptr<const PosePrior> prior = [] {
        Result<PosePrior> made = read(ik::detail::humanPoses());
        ULNA_ASSERT(made.ok(), "the prior that the library brings along must be sound");
        return std::make_shared<const PosePrior>(*std::move(made));
    }();
    return prior;
}

Result<PosePrior> PosePrior::read(std::span<const std::byte> bytes) {
    Reader reader(bytes);
    std::array<char, kMagic.size()> magic = {};
    std::uint32_t version = 0, roles = 0, points = 0, proportions = 0, width = 0, depth = 0;
    if (!reader.read(magic) || std::string_view(magic.data(), magic.size()) != kMagic)
        return notAPrior("it does not begin with " + std::string(kMagic));
    if (!reader.read(version) || version < kFirstVersion || version > kVersion)
        return notAPrior("it is of version " + std::to_string(version) + ", not up to " +
                         std::to_string(kVersion));
    if (!reader.read(roles) || !reader.read(points) || !reader.read(proportions) ||
        !reader.read(width) || !reader.read(depth))
        return notAPrior("it ends in its head");
    if (roles != kPoseRoles || points != kPoints || proportions != kProportions)
        return notAPrior("it is about another body");
    if (width == 0 || width > kMostWidth || depth < 2 || depth > kMostDepth)
        return notAPrior("a network of " + std::to_string(depth) + " layers of " +
                         std::to_string(width) + " is none");

    Network out;
    const auto readVectors = [&](std::span<Vec3> vectors) {
        for (Vec3& v : vectors) {
            std::array<double, 3> xyz = {};
            if (!reader.readFloats(xyz)) return false;
            v = {xyz[0], xyz[1], xyz[2]};
        }
        return true;
    };
    bool whole = reader.readFloats(out.deviations) && readVectors(out.usual_points) &&
                 reader.readFloats(out.farthest) && reader.readFloats(out.usual_proportions) &&
                 reader.readFloats(out.usual_pose) && reader.readFloats(out.facing_moments);
    for (auto& row : out.point_moments) whole = whole && reader.readFloats(row);
    if (!whole) return notAPrior("it ends before its network, or a number is not finite");
    for (const double each : out.deviations)
        if (!(each > 0.0)) return notAPrior("a deviation is not above zero");

    const std::size_t inputs = kPoints * 4 + kProportions, outputs = kPoseRoles * 6 + 3;
    for (std::size_t l = 0; l <= depth; ++l) {
        ik::detail::NetworkLayer layer(l == 0 ? inputs : width, l == depth ? outputs : width);
        if (reader.left() < layer.outputs * (layer.inputs + 2 * sizeof(float)))
            return notAPrior("it ends in its layer " + std::to_string(l + 1));
        for (std::size_t o = 0; o < layer.outputs; ++o) {
            std::array<double, 2> head = {};  // scale and bias
            if (!reader.readFloats(head)) return notAPrior("a number is not finite");
            layer.scale[o] = static_cast<float>(head[0]);
            layer.bias[o] = static_cast<float>(head[1]);
            for (std::size_t i = 0; i < layer.inputs; ++i)
                if (!reader.read(layer.weight(o, i))) return notAPrior("it ends in its weights");
        }
        out.layers.push_back(std::move(layer));
    }
    if (version > kFirstVersion && !reader.readPairs(out.pairs))
        return notAPrior("it ends in its pairs of angles, or one is none");
    if (!reader.ended()) return notAPrior("there is more behind its end");
    return PosePrior(std::make_shared<const Network>(std::move(out)));
}

// The direction of the body's left, from the points alone: w* c with w = (A + noise)^-1 b, where A
// are the moments of the given points seen from the origin and b those with the facing.
Vec3 PosePrior::Network::facing(const PosePoints& points, const Vec3& origin) const {
    std::array<std::size_t, kPoints> chosen = {};
    std::size_t n = 0;
    for (std::size_t i = 0; i < kPoints; ++i)
        if (points.given[i]) chosen[n++] = i;
    // Moments are stated from the hips. Seen from the mean, that of the given points is taken off.
    const bool from_hips = points.given[0];
    const auto moment = [&](std::size_t i, std::size_t j) {
        return Complex{point_moments[i][2 * j], point_moments[i][2 * j + 1]};
    };
    const auto withFacing = [&](std::size_t i) {
        return Complex{facing_moments[2 * i], facing_moments[2 * i + 1]};
    };
    std::array<std::array<Complex, kPoints + 1>, kPoints> a = {};
    std::array<Complex, kPoints> row_mean = {};
    Complex mean_both, mean_facing;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            a[i][j] = moment(chosen[i], chosen[j]);
            row_mean[i] += a[i][j] / static_cast<double>(n);
        }
        a[i][n] = withFacing(chosen[i]);
        mean_both += row_mean[i] / static_cast<double>(n);
        mean_facing += a[i][n] / static_cast<double>(n);
    }
    for (std::size_t i = 0; i < n; ++i) {
        if (!from_hips) {
            for (std::size_t j = 0; j < n; ++j)
                a[i][j] += mean_both - row_mean[i] - std::conj(row_mean[j]);
            a[i][n] -= mean_facing;
        }
        a[i][i] += kPointNoise;
    }
    // Gaussian elimination; the matrix is Hermitian and definite, so no pivots are needed.
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = k + 1; i < n; ++i) {
            const Complex f = a[i][k] / a[k][k];
            for (std::size_t j = k; j <= n; ++j) a[i][j] -= f * a[k][j];
        }
    std::array<Complex, kPoints> w = {};
    for (std::size_t k = n; k-- > 0;) {
        Complex sum = a[k][n];
        for (std::size_t j = k + 1; j < n; ++j) sum -= a[k][j] * w[j];
        w[k] = sum / a[k][k];
    }
    Complex left;
    for (std::size_t k = 0; k < n; ++k)
        left += std::conj(w[k]) * onGround(points.positions[chosen[k]] - origin);
    // Forward is a quarter turn from left.
    left += points.forward_weight * onGround({points.forward.z, 0.0, -points.forward.x});
    return normalizedOr(Vec3{left.real(), 0.0, -left.imag()},
                        Vec3{points.forward.z, 0.0, -points.forward.x});
}

RolePose PosePrior::predict(const BodyOffsets& body, const PosePoints& points) const {
    ULNA_ASSERT(points.given.any(), "a pose is predicted from one point at least");
    Vec3 origin;
    for (std::size_t i = 0; i < kPoints; ++i)
        if (points.given[i]) origin += points.positions[i];
    origin =
        points.given[0] ? points.positions[0] : origin / static_cast<double>(points.given.count());
    const Network& net = *network_;
    const Vec3 left = net.facing(points, origin);
    // From the axes in which the body faces along z into those of the points.
    const Mat3 turned = Mat3::fromColumns(left, {0, 1, 0}, cross(left, Vec3{0, 1, 0}));
    const Mat3 back = transpose(turned);

    std::vector<float> now(net.layers.front().inputs, 0.0F);
    for (std::size_t i = 0; i < kPoints; ++i) {
        if (!points.given[i]) continue;
        Vec3 at = back * (points.positions[i] - origin);
        // Nothing is known of bodies that reach farther than people do.
        const double most = points.given[0] ? net.farthest[i] : 2.0 * net.farthest[i];
        if (const double far = length(at); far > most) at = at * (most / far);
        const Vec3 in = (at - net.usual_points[i]) * kPointScale;
        for (std::size_t k = 0; k < 3; ++k) now[3 * i + k] = static_cast<float>(in[k]);
        now[3 * kPoints + i] = 1.0F;
    }
    const std::array<double, kProportions> proportions = proportionsOf(body);
    for (std::size_t i = 0; i < kProportions; ++i)
        now[4 * kPoints + i] =
            static_cast<float>((proportions[i] - net.usual_proportions[i]) * kProportionScale);

    std::vector<float> next;
    for (std::size_t l = 0; l < net.layers.size(); ++l) {
        next.resize(net.layers[l].bias.size());
        net.layers[l].apply(now, next);
        if (l + 1 < net.layers.size())
            for (float& x : next) x = activate(x);
        if (l > 0 && l + 1 < net.layers.size())
            for (std::size_t i = 0; i < next.size(); ++i) next[i] += now[i];
        std::swap(now, next);
    }

    RolePose out;
    for (std::size_t r = 0; r < kPoseRoles; ++r) {
        std::array<double, 6> columns;
        for (std::size_t k = 0; k < 6; ++k)
            columns[k] = net.usual_pose[6 * r + k] + static_cast<double>(now[6 * r + k]);
        out.rotations[r] = fromColumns(columns.data());
    }
    out.rotations[0] = quatFromMatrix(turned) * out.rotations[0];
    const std::size_t at = 6 * kPoseRoles;
    out.hips = origin;
    if (!points.given[0])
        out.hips += turned * Vec3{static_cast<double>(now[at]), static_cast<double>(now[at + 1]),
                                  static_cast<double>(now[at + 2])};
    return out;
}

}  // namespace ulna
