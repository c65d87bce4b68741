// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/detail/skeleton_setup.h"

#include <array>
#include <numeric>
#include <utility>

#include "ulna/fit/detail/layout.h"
#include "ulna/skeleton/scale.h"

namespace ulna::fit::detail {
namespace {

// A pin weighs so many times all vertices together: heavier pins make narrow valleys.
constexpr double kPinMass = 3.0;

// Joints rotate inside uniform scales only; what nothing hangs from may be scaled as it likes, but
// not to nothing and not mirrored.
Status checkScales(const Skeleton& skeleton) {
    for (const JointId j : skeleton.joints()) {
        const Vec3& scale = skeleton.rest(j).scale;
        if (isUniformScale(scale)) continue;
        const bool degenerate = scale == Vec3{} || isUniformScale(-scale);
        if (skeleton.children(j).empty() && !degenerate) continue;
        return Diagnostic{
            .what = "a joint is scaled differently along its axes, or its scale is not positive",
            .text = skeleton.name(j),
            .advice = "fits rotate joints inside uniform scales only"};
    }
    return Done{};
}

// The vertices and one more for every pinned joint.
VertexPack makePack(const FitRig& rig, std::span<const JointId> pinned, const Vec3& origin) {
    std::vector<Vec3> vertices = rig.vertices;
    SkinWeights weights = rig.weights;
    std::vector<double> exact_weights = rig.exact_weights;
    for (const JointId joint : pinned) {
        vertices.push_back(rig.points[index(joint)].rest);
        weights.addRow(std::array{Influence{joint, 1.0f}});
        if (!rig.exact_weights.empty()) exact_weights.push_back(1.0);
    }
    return makeVertexPack(vertices, weights, rig.points.size(), origin, exact_weights);
}

void describeColumns(SkeletonSetup& setup) {
    for (const Mechanism::Column& column : setup.mechanism.columns()) {
        const Mechanism::Link& link = setup.mechanism.links()[column.link];
        const auto joint = static_cast<std::uint32_t>(index(link.joint));
        const ColumnKind kind = link.kind == LinkKind::Ball ? ColumnKind::Ball
                                : column.angle              ? ColumnKind::Angle
                                                            : ColumnKind::Slide;
        setup.columns.push_back({joint, kind});
        setup.rank_units.push_back({joint, column.angle ? 1.0 : setup.size});
    }
}

}  // namespace

Result<SkeletonSetup> makeSkeletonSetup(const Skeleton& skeleton, const Mesh& mesh,
                                        SkeletonFitOptions options) {
    Result<FitRig> rig = makeFitRig(skeleton, mesh);
    if (!rig) return rig.error();
    if (Status status = checkScales(skeleton); !status) return status.error();
    for (const DofCoupling& c : skeleton.couplings())
        return Diagnostic{.what = "joint '" + skeleton.name(skeleton.jointOfDof(c.dof)) +
                                  "' follows '" + skeleton.name(skeleton.jointOfDof(c.leader)) +
                                  "', which fits cannot keep up",
                          .advice = "take the coupling out of the rig, or fit control points"};
    for (const JointId joint : options.pinned) rig->points[index(joint)].pinned = true;
    // A cold start finds where joints have slid to: their points are not carried along.
    for (const JointId j : skeleton.joints())
        if (slides(skeleton.kind(j))) rig->points[index(j)].parent = -1;
    rig->masses = options.masses;
    rig->exact_weights = options.exact_weights;
    if (Status status = checkRig(*rig); !status) return status.error();
    SkeletonSetup setup;
    const FitLayout layout = makeLayout(*rig);
    setup.skeleton = &skeleton;
    setup.bind.weights = mesh.weights;
    setup.bind.joint_from_bind = mesh.joint_from_bind;
    setup.joint_from_bind = bindMatrices(skeleton, mesh);
    setup.origin = layout.origin;
    setup.size = layout.size;
    setup.pack = makePack(*rig, options.pinned, layout.origin);
    setup.masses = options.masses;
    setup.masses.resize(rig->vertices.size(), 1.0);
    setup.pin_mass = kPinMass * std::accumulate(setup.masses.begin(), setup.masses.end(), 0.0);
    std::vector<JointId> bodies;
    for (const JointId j : skeleton.joints()) bodies.push_back(j);
    setup.mechanism.build(
        skeleton, bodies,
        {.locked = options.locked, .limits = options.limits, .free_roots = options.move_roots});
    setup.mechanism.countRevolutions(false);
    describeColumns(setup);
    setup.rig = std::move(*rig);
    setup.options = std::move(options);
    return setup;
}

}  // namespace ulna::fit::detail
