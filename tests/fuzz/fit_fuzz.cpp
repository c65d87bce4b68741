// SPDX-License-Identifier: Apache-2.0

// Any bytes as constraints of a fit: must be refused with a sentence, or read; bound constraints
// are fitted on a small body, and whatever they ask for, the answer is finite.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "ulna/fit/skeleton_fit.h"
#include "ulna/io/fit_constraints.h"

namespace {

using namespace ulna;

constexpr std::size_t kVertices = 12, kFrames = 2;

void require(bool condition) {
    if (!condition) std::abort();
}

Skeleton makeBody() {
    std::vector<JointDef> joints(3);
    const char* names[] = {"Hips", "Arm", "Hand"};
    for (std::size_t i = 0; i < 3; ++i) {
        joints[i].name = names[i];
        joints[i].parent = i == 0 ? "" : names[i - 1];
        joints[i].rest.translation = {i == 0 ? 0.0 : 0.5, 0, 0};
    }
    joints[0].kind = JointKind::Free;
    joints[1].cone = ConeLimit{{1, 0, 0}, 1.2, -1.0, 1.0};
    return *makeSkeleton(std::move(joints));
}

Mesh makeMesh() {
    Mesh mesh;
    for (std::uint32_t v = 0; v < kVertices; ++v) {
        const auto at = static_cast<float>(v);
        mesh.positions.push_back({0.1f * at, 0.1f * std::sin(at), 0.1f * std::cos(at)});
        const Influence row[] = {{jointId(v / 5), 0.75f}, {jointId((v / 5 + 1) % 3), 0.25f}};
        mesh.weights.addRow(row);
    }
    return mesh;
}

// Pins, locks and masses are what a skeleton's fitter takes.
void fit(const io::FitConstraints& constraints) {
    static const Skeleton body = makeBody();
    static const Mesh mesh = makeMesh();
    SkeletonFitOptions options{
        .max_iterations = 5, .masses = constraints.masses, .locked = constraints.locked};
    ControlPose held;
    held.positions.resize(body.jointCount());
    for (const io::HeldJoint& pin : constraints.pinned) {
        options.pinned.push_back(pin.joint);
        if (!pin.positions.empty()) held.positions[index(pin.joint)] = pin.positions.front();
        // Places are bounded in files, but squares of the largest are more than sums can hold.
        if (length(held.positions[index(pin.joint)]) > 1e6) return;
    }
    Result<SkeletonFitter> fitter = SkeletonFitter::make(body, mesh, std::move(options));
    if (!fitter) return require(!describe(fitter.error()).empty());
    std::vector<Vec3> targets;
    for (const Vec3f& p : mesh.positions) targets.push_back({p.y, p.x, p.z});
    Pose pose = restPose(body);
    const FitReport& report =
        fitter->fit({.positions = targets, .driven = &held}, FitStart::Cold, pose);
    require(std::isfinite(report.rms));
    for (const Trs& joint : pose.parent_from_joint)
        require(std::isfinite(joint.rotation.w + length(joint.translation)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Skeleton body = makeBody();
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto entries = io::readFitConstraints(bytes, "fuzz.json");
    if (!entries) {
        require(!describe(entries.error()).empty());
        return 0;
    }
    const auto bound = io::bindFitConstraints(*entries, body, kVertices, kFrames);
    if (bound)
        fit(*bound);
    else
        require(!describe(bound.error()).empty());
    return 0;
}
