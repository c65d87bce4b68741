// SPDX-License-Identifier: Apache-2.0

// Numbers are metres in the model's space at rest, sculpted by eye around the bones of body.cpp.
#include "tools/character/flesh.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "tools/character/form.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::maker {
namespace {

constexpr LoftAxes kUpright{1, 0, 2};  // along y, wide along x, facing z
constexpr LoftAxes kOutward{0, 1, 2};  // along x, high along y, facing z
constexpr LoftAxes kForward{2, 0, 1};  // along z, wide along x, its front up

constexpr double kSleeve = 0.300;     // where the sleeve ends, along x
constexpr double kShirtHem = 0.885;   // and the shirt, the trousers and the soles, along y
constexpr double kEdgeWidth = 0.004;  // of hems, from the body to the cloth
constexpr double kTrouserHem = 0.098;
constexpr double kSoleTop = 0.022;
constexpr Vec3 kCollar{0, 1.535, 0.012};  // the collar is where a ball around here meets the neck
constexpr double kCollarRadius = 0.094;
constexpr Vec3 kEye{0.032, 1.640, 0.085};

Blend makeTorso() {
    Blend out(0.035);
    out.add(loft(kUpright, {{0.845, 0.105, 0.075, 0.090, 0, -0.005},
                            {0.900, 0.158, 0.098, 0.112, 0, -0.004},
                            {0.960, 0.163, 0.103, 0.112, 0, -0.004},
                            {1.030, 0.146, 0.102, 0.094, 0, -0.004},
                            {1.100, 0.131, 0.099, 0.083, 0, -0.004},
                            {1.180, 0.134, 0.103, 0.086, 0, -0.004},
                            {1.260, 0.150, 0.112, 0.098, 0, -0.006},
                            {1.330, 0.163, 0.112, 0.107, 0, -0.010},
                            {1.390, 0.163, 0.096, 0.106, 0, -0.014},
                            {1.435, 0.135, 0.072, 0.090, 0, -0.016},
                            {1.470, 0.085, 0.052, 0.066, 0, -0.018},
                            {1.500, 0.050, 0.040, 0.046, 0, -0.018}}));
    out.add(ellipsoid({0.074, 1.335, 0.064}, {0.076, 0.056, 0.038}, 0.12));  // chest
    out.add(ellipsoid({0.085, 1.360, -0.075}, {0.068, 0.075, 0.036}));       // shoulder blade
    out.add(ellipsoid({0.074, 0.915, -0.060}, {0.080, 0.078, 0.068}));       // seat
    out.add(roundCone({0.022, 1.500, -0.022}, 0.040, {0.150, 1.448, -0.022}, 0.040));  // trapezius
    out.add(loft(kUpright, {{1.430, 0.062, 0.058, 0.058, 0, -0.012},
                            {1.480, 0.056, 0.053, 0.054, 0, -0.009},
                            {1.520, 0.053, 0.050, 0.052, 0, -0.004},
                            {1.560, 0.050, 0.046, 0.054, 0, 0.000},
                            {1.600, 0.036, 0.034, 0.044, 0, 0.000}}));  // neck
    return out;
}

Blend makeArm() {
    Blend out(0.030);
    out.add(roundCone({0.160, 1.432, -0.010}, 0.058, {0.235, 1.428, -0.011}, 0.047));  // deltoid
    out.add(loft(kOutward, {{0.110, 0.060, 0.052, 0.056, 1.425, -0.010},
                            {0.180, 0.056, 0.050, 0.052, 1.428, -0.010},
                            {0.250, 0.049, 0.047, 0.047, 1.431, -0.010},
                            {0.320, 0.045, 0.046, 0.043, 1.434, -0.010},
                            {0.390, 0.041, 0.041, 0.040, 1.435, -0.010},
                            {0.445, 0.037, 0.037, 0.038, 1.435, -0.010},
                            {0.480, 0.038, 0.040, 0.038, 1.435, -0.010},
                            {0.525, 0.040, 0.042, 0.038, 1.435, -0.010},
                            {0.580, 0.036, 0.038, 0.034, 1.435, -0.010},
                            {0.640, 0.029, 0.032, 0.029, 1.435, -0.010},
                            {0.690, 0.0230, 0.029, 0.027, 1.435, -0.010},
                            {0.722, 0.0200, 0.030, 0.029, 1.435, -0.011},
                            {0.752, 0.0180, 0.037, 0.036, 1.434, -0.012},
                            {0.782, 0.0165, 0.040, 0.041, 1.434, -0.012},
                            {0.806, 0.0140, 0.040, 0.040, 1.4345, -0.012},
                            {0.824, 0.0090, 0.034, 0.034, 1.435, -0.012}}));
    return out;
}

// What is added to the palm.
Blend makePads() {
    Blend out(0.014);
    out.add(ellipsoid({0.752, 1.425, 0.016}, {0.030, 0.015, 0.019}));   // ball of the thumb
    out.add(ellipsoid({0.755, 1.426, -0.036}, {0.032, 0.013, 0.014}));  // heel of the hand
    return out;
}

// Fingers stand apart: between themselves they have no seam to speak of.
Blend makeFingers(const Skeleton& skeleton, const ModelPose& rest) {
    Blend out(0.001);
    const auto add = [&](const std::string& finger, const std::vector<double>& radii) {
        for (std::size_t i = 0; i + 1 < radii.size(); ++i) {
            const std::string from = finger + std::to_string(i + 1);
            const std::string to =
                i + 2 < radii.size() ? finger + std::to_string(i + 2) : from + "_end";
            const Vec3 a = rest.position(skeleton.find("LeftHand" + from));
            Vec3 b = rest.position(skeleton.find("LeftHand" + to));
            // The tip of the bone is the tip of the finger.
            if (i + 2 == radii.size()) b -= normalizedOr(b - a, Vec3{1, 0, 0}) * radii.back();
            out.add(roundCone(a, radii[i], b, radii[i + 1]));
        }
    };
    add("Index", {0.0098, 0.0088, 0.0078, 0.0066});
    add("Middle", {0.0100, 0.0090, 0.0080, 0.0068});
    add("Ring", {0.0096, 0.0086, 0.0076, 0.0064});
    add("Pinky", {0.0086, 0.0074, 0.0066, 0.0058});
    add("Thumb", {0.0155, 0.0118, 0.0102, 0.0082});
    return out;
}

Blend makeLeg() {
    Blend out(0.030);
    out.add(loft(kUpright, {{0.070, 0.033, 0.035, 0.040, 0.090, -0.006},
                            {0.110, 0.035, 0.036, 0.042, 0.090, -0.005},
                            {0.160, 0.038, 0.037, 0.046, 0.090, -0.003},
                            {0.230, 0.046, 0.041, 0.058, 0.091, -0.002},
                            {0.310, 0.054, 0.046, 0.070, 0.092, -0.002},
                            {0.380, 0.056, 0.050, 0.072, 0.092, -0.002},
                            {0.450, 0.053, 0.053, 0.059, 0.091, 0.000},
                            {0.505, 0.054, 0.059, 0.053, 0.091, 0.002},
                            {0.560, 0.060, 0.065, 0.057, 0.091, 0.003},
                            {0.650, 0.070, 0.077, 0.069, 0.092, 0.003},
                            {0.750, 0.079, 0.086, 0.080, 0.094, 0.002},
                            {0.830, 0.086, 0.089, 0.088, 0.096, 0.000},
                            {0.890, 0.082, 0.084, 0.088, 0.092, -0.002},
                            {0.940, 0.050, 0.060, 0.065, 0.080, -0.004}}));
    return out;
}

Blend makeShoe() {
    Blend out(0.020);
    out.add(loft(kForward, {{-0.030, 0.034, 0.056, 0.060, 0.090, 0.034},
                            {0.030, 0.038, 0.060, 0.060, 0.091, 0.034},
                            {0.080, 0.042, 0.038, 0.060, 0.092, 0.034},
                            {0.130, 0.046, 0.022, 0.060, 0.093, 0.032},
                            {0.160, 0.044, 0.015, 0.050, 0.092, 0.030}}));
    out.add(ellipsoid({0.092, 0.022, 0.158}, {0.045, 0.026, 0.056}));   // toes
    out.add(ellipsoid({0.090, 0.034, -0.026}, {0.036, 0.056, 0.044}));  // heel
    return out;
}

Blend makeFace() {
    Blend out(0.016);
    out.add(loft(kUpright, {{1.533, 0.018, 0.020, 0.020, 0, 0.062},
                            {1.541, 0.032, 0.036, 0.045, 0, 0.053},
                            {1.556, 0.045, 0.052, 0.062, 0, 0.043},
                            {1.580, 0.057, 0.067, 0.078, 0, 0.029},
                            {1.610, 0.065, 0.077, 0.088, 0, 0.020},
                            {1.640, 0.070, 0.082, 0.096, 0, 0.014},
                            {1.675, 0.074, 0.090, 0.100, 0, 0.009},
                            {1.710, 0.072, 0.088, 0.098, 0, 0.005},
                            {1.740, 0.061, 0.073, 0.083, 0, 0.002},
                            {1.760, 0.042, 0.050, 0.058, 0, 0.000},
                            {1.772, 0.014, 0.018, 0.020, 0, -0.002}}));
    out.add(ellipsoid({0, 1.547, 0.086}, {0.020, 0.014, 0.014}));                    // chin
    out.add(ellipsoid({0.036, 1.610, 0.062}, {0.030, 0.026, 0.024}));                // cheek
    out.add(roundCone({0.014, 1.665, 0.094}, 0.006, {0.058, 1.660, 0.064}, 0.005));  // brow
    out.add(ellipsoid({0, 1.576, 0.088}, {0.026, 0.016, 0.014}));                    // muzzle
    out.add(ellipsoid({0.033, 1.582, 0.048}, {0.022, 0.025, 0.029}));                // jowl
    return out;
}

struct Details {
    Blend nose{0.010}, lips{0.0035}, lids{0.003}, ear{0.006};

    Details() {
        nose.add(roundCone({0, 1.652, 0.095}, 0.0065, {0, 1.610, 0.114}, 0.0088));
        nose.add(ellipsoid({0.0095, 1.6045, 0.1035}, {0.0078, 0.0066, 0.0085}));
        lips.add(ellipsoid({0.006, 1.5795, 0.0985}, {0.0165, 0.0042, 0.0066}));
        lips.add(ellipsoid({0, 1.5710, 0.0975}, {0.0165, 0.0050, 0.0070}));
        lids.add(ellipsoid(kEye, {0.0154, 0.0144, 0.0146}));
        ear.add(ellipsoid({0.0765, 1.632, -0.006}, {0.0075, 0.0290, 0.0175}, -0.22));
    }
};

Blend makeHair() {
    Blend out(0.022);
    out.add(ellipsoid({0, 1.690, -0.004}, {0.0845, 0.0945, 0.1090}));
    out.add(ellipsoid({0.034, 1.742, 0.044}, {0.044, 0.024, 0.040}, 0.35));
    out.add(ellipsoid({0, 1.748, 0.046}, {0.040, 0.024, 0.040}, 0.35));
    out.add(ellipsoid({0, 1.622, -0.046}, {0.066, 0.056, 0.046}));
    return out;
}

// Where hair grows, negative: above the forehead, behind the ears, down to the nape.
double scalp(const Vec3& p) {
    const double forehead = p.z - 0.072 - 0.55 * (p.y - 1.715);
    const double temple = softMin(1.668 - p.y, p.z + 0.024, 0.02);
    const double nape = 1.555 - p.y;
    return softMax(softMax(forehead, temple, 0.02), nape, 0.015);
}

}  // namespace

struct Flesh::Parts {
    Blend torso = makeTorso(), arm = makeArm(), pads = makePads(), leg = makeLeg(),
          shoe = makeShoe(), face = makeFace(), hair = makeHair();
    Details details;
    Blend fingers;

    Parts(const Skeleton& skeleton, const ModelPose& rest) : fingers(makeFingers(skeleton, rest)) {}

    [[nodiscard]] double headWithoutHair(const Vec3& p) const {
        double d = face.distance(p);
        if (d > 0.05) return d;
        d = softMin(d, details.nose.distance(p), 0.012);
        // Sockets for the eyes, then lids around the balls, then the slit between the lids.
        const Vec3 eye = p - kEye;
        d = softMax(d, -(length(eye - Vec3{0.002, 0.002, 0.025}) - 0.0165), 0.022);
        d = softMin(d, details.lids.distance(p), 0.016);
        const Vec3 slit{eye.x / 0.0140, (eye.y + 0.0010 + 0.10 * eye.x) / 0.0053,
                        (eye.z - 0.012) / 0.0150};
        d = softMax(d, -(length(slit) - 1.0) * 0.0053, 0.0025);
        d = softMin(d, details.lips.distance(p), 0.005);
        double ear = details.ear.distance(p);
        const Vec3 hollow{(p.x - 0.0850) / 0.0060, (p.y - 1.637) / 0.0180, (p.z + 0.004) / 0.0095};
        ear = softMax(ear, -(length(hollow) - 1.0) * 0.006, 0.004);
        return softMin(d, ear, 0.008);
    }
    [[nodiscard]] double hairAlone(const Vec3& p) const {
        return softMax(hair.distance(p), scalp(p), 0.012);
    }
    [[nodiscard]] double shoeAlone(const Vec3& p) const {
        return softMax(shoe.distance(p), -p.y, 0.012);
    }
};

Flesh::Flesh(const Skeleton& skeleton)
    : parts_(std::make_unique<Parts>(skeleton, computeModelPose(skeleton, restPose(skeleton)))) {}
Flesh::~Flesh() = default;

namespace {

double collar(const Vec3& p) {
    return length(p - kCollar) - kCollarRadius;
}

// How far the clothes stand off the body; their hems stand off a little more.
double clothThickness(const Vec3& p) {
    const auto rim = [](double s) { return smoothStep(s / kEdgeWidth + 0.5); };
    if (p.y > 1.20) {
        const double on = rim(collar(p)) * rim(kSleeve - p.x);
        return on * (0.0035 + 0.006 * smoothStep((p.x - 0.20) / 0.10));
    }
    const double shirt = rim(p.y - kShirtHem) * (0.0035 + 0.0065 * smoothStep((1.02 - p.y) / 0.12));
    const double trousers =
        rim(p.y - kTrouserHem) * (0.0025 + 0.0065 * smoothStep((0.30 - p.y) / 0.20));
    return p.y > 0.6 ? std::max(shirt, 0.0025) : trousers;
}

}  // namespace

double Flesh::bald(const Vec3& p) const {
    const Parts& parts = *parts_;
    double d = 1e9;
    if (p.y > 0.75 && p.x < 0.35) d = parts.torso.distance(p);
    if (p.y < 1.05 && p.x < 0.25) d = softMin(d, parts.leg.distance(p), 0.040);
    if (p.y > 1.20 && p.x > 0.05) {
        d = softMin(d, parts.arm.distance(p), 0.045);
        if (p.x > 0.66) {
            d = softMin(d, parts.pads.distance(p), 0.014);
            d = softMin(d, parts.fingers.distance(p), 0.011);
        }
    }
    d -= clothThickness(p);
    if (p.y < 0.20 && p.x < 0.25) d = softMin(d, parts.shoeAlone(p), 0.008);
    if (p.y > 1.44 && p.x < 0.20) d = softMin(d, parts.headWithoutHair(p), 0.022);
    return d;
}

double Flesh::distance(const Vec3& p) const {
    const double d = bald(p);
    return p.y > 1.44 && p.x < 0.20 ? softMin(d, parts_->hairAlone(p), 0.004) : d;
}

Vec3 Flesh::outward(const Vec3& p) const {
    constexpr double kStep = 2e-4;
    Vec3 out;
    for (std::size_t i = 0; i < 3; ++i) {
        Vec3 up = p, down = p;
        up[i] += kStep;
        down[i] -= kStep;
        // Across the middle the body is its own mirror image.
        down.x = std::abs(down.x);
        up.x = std::abs(up.x);
        out[i] = distance(up) - distance(down);
    }
    return normalizedOr(out, Vec3{0, 1, 0});
}

namespace {

// Hems have two lines: where the cloth meets what is below, and where its edge begins.
enum Border : std::size_t {
    kNeckline,
    kCuff,
    kShirtEnd,
    kTrouserEnd,
    kHemCount,
    kHairline = 2 * kHemCount,
    kSoleEdge,
    kMouth,
    kBrows,
    kBorders
};

// Positive on the cloth, zero in the middle of its edge.
double hem(std::size_t which, const Vec3& p) {
    const bool chest = p.y > 1.20;
    switch (which) {
        case kNeckline:
            // The chin is above the collar, though beside the ball.
            if (p.y > 1.56 || (p.y > 1.51 && p.z > 0.04)) return -1.0;
            return chest ? collar(p) : 1.0;
        case kCuff:
            return chest ? kSleeve - p.x : 1.0;
        case kShirtEnd:
            return chest ? 1.0 : p.y - kShirtHem;
        default:
            return chest ? 1.0 : p.y - kTrouserHem;
    }
}

// A stroke over the eye, thinner outwards.
double brows(const Vec3& p) {
    if (p.y < 1.60 || p.z < 0.03) return -1.0;
    const auto stroke = [&](const Vec2& a, double half_a, const Vec2& b, double half_b) {
        const Vec2 along = b - a, from = Vec2{p.x, p.y} - a;
        const double t = std::clamp(dot(from, along) / dot(along, along), 0.0, 1.0);
        return half_a + t * (half_b - half_a) - length(from - along * t);
    };
    return std::max(stroke({0.0150, 1.6645}, 0.0028, {0.0300, 1.6680}, 0.0028),
                    stroke({0.0300, 1.6680}, 0.0028, {0.0460, 1.6645}, 0.0016));
}

double mouth(const Vec3& p) {
    if (p.y < 1.54 || p.y > 1.60 || p.z < 0.06) return -1.0;
    const double x = p.x / 0.0235;
    const double upper = 1.5752 + 0.0088 * (1.0 - x * x) - 0.0022 * std::exp(-40.0 * x * x);
    const double lower = 1.5752 - 0.0098 * (1.0 - x * x);
    return std::min({upper - p.y, p.y - lower, (1.0 - x) * 0.0235});
}

}  // namespace

std::size_t Flesh::borderCount() const {
    return kBorders;
}

double Flesh::border(std::size_t which, const Vec3& p) const {
    if (which < kHemCount) return hem(which, p) + 0.65 * kEdgeWidth;
    if (which < 2 * kHemCount) return hem(which - kHemCount, p) - 0.55 * kEdgeWidth;
    switch (which) {
        case kHairline:
            return p.y > 1.50 && p.x < 0.2 ? bald(p) - parts_->hairAlone(p) : -1.0;
        case kSoleEdge:
            return p.y > 1.20 ? 1.0 : p.y - kSoleTop;
        case kMouth:
            return mouth(p);
        case kBrows:
            return brows(p);
        default:
            return 1.0;
    }
}

Cloth Flesh::clothAt(const Vec3& p) const {
    const auto on = [&](Border which) { return border(which, p) > 0.0; };
    if (p.y > 1.20) {
        if (on(kHairline)) return Cloth::Hair;
        if (on(kMouth)) return Cloth::Lips;
        if (on(kBrows)) return Cloth::Brow;
        return on(kNeckline) && on(kCuff) ? Cloth::Shirt : Cloth::Skin;
    }
    if (on(kShirtEnd)) return Cloth::Shirt;
    if (on(kTrouserEnd)) return Cloth::Trousers;
    return on(kSoleEdge) ? Cloth::Shoe : Cloth::Sole;
}

double Flesh::edgeLength(const Vec3& p) const {
    constexpr double kCoarse = 0.0210;
    double out = kCoarse;
    const auto within = [&](double distance, double fine, double reach) {
        out = std::min(out, fine + (kCoarse - fine) * smoothStep(distance / reach));
    };
    within(0.70 - p.x, 0.0070, 0.10);             // hand
    if (p.x > 0.81) out = std::min(out, 0.0060);  // fingers
    within(1.53 - p.y, 0.0095, 0.10);             // head
    if (p.y > 1.5) {
        const double face = length(p - Vec3{0, 1.60, 0.11});
        within(face - 0.035, 0.0055, 0.08);
        within(length(p - kEye - Vec3{0, 0.004, 0.01}) - 0.018, 0.0030, 0.04);
        within(length(p - Vec3{0.008, 1.575, 0.098}) - 0.014, 0.0036, 0.04);
        within(length(p - Vec3{0.079, 1.632, -0.006}) - 0.030, 0.0048, 0.03);  // ear
    }
    within(p.y - 0.12, 0.0120, 0.10);  // foot
    for (std::size_t i = 0; i < kHemCount; ++i)
        within(std::abs(hem(i, p)) - kEdgeWidth, 0.0075, 0.05);
    return out;
}

Color colorOf(Cloth cloth) {
    switch (cloth) {
        case Cloth::Skin:
            return {222, 171, 140, 255};
        case Cloth::Lips:
            return {191, 116, 104, 255};
        case Cloth::Brow:
            return {70, 47, 36, 255};
        case Cloth::Hair:
            return {62, 42, 33, 255};
        case Cloth::Shirt:
            return {36, 124, 132, 255};
        case Cloth::Trousers:
            return {58, 66, 84, 255};
        case Cloth::Shoe:
            return {226, 224, 219, 255};
        case Cloth::Sole:
            return {148, 142, 134, 255};
    }
    return {};
}

}  // namespace ulna::maker
