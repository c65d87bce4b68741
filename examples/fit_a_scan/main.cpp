// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>

#include "ulna/draw/legend.h"
#include "ulna/draw/shaded.h"
#include "ulna/fit/skeleton_fit.h"
#include "ulna/io/gltf.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/deform.h"

namespace {

using namespace ulna;

struct Scan {
    std::vector<Vec3> positions;
    std::vector<double> mask;  // 0 where nothing was seen
};

double normalNumber(Random& random) {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - random.unit()));
    return radius * std::cos(random.between(-kPi, kPi));
}

// A scanner in front of the body: what faces away is missing, everything else is off by 3 mm, and
// one point in ten is an outlier, most often behind the surface.
Scan makeScan(const ReferenceVertices& body) {
    Random random(5);
    Scan scan;
    for (std::size_t i = 0; i < body.positions.size(); ++i) {
        const Vec3 noise{normalNumber(random), normalNumber(random), normalNumber(random)};
        Vec3 seen = body.positions[i] + noise * 0.003;
        if (random.unit() < 0.1)
            seen += random.direction() * 0.1 - Vec3{0, 0, random.between(0.1, 0.4)};
        const bool visible = body.normals[i].z > -0.2;
        constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
        scan.positions.push_back(visible ? seen : Vec3{kNothing, kNothing, kNothing});
        scan.mask.push_back(visible ? 1.0 : 0.0);
    }
    return scan;
}

// The scan as a surface: triangles of which all corners were seen.
Mesh surfaceOf(const Scan& scan, const Mesh& mesh) {
    Mesh out;
    for (std::size_t i = 0; i < scan.positions.size(); ++i)
        out.positions.push_back(scan.mask[i] > 0.0 ? cast<float>(scan.positions[i]) : Vec3f{});
    for (std::size_t t = 0; t + 2 < mesh.indices.size(); t += 3) {
        const std::uint32_t* corner = mesh.indices.data() + t;
        if (scan.mask[corner[0]] * scan.mask[corner[1]] * scan.mask[corner[2]] > 0.0)
            out.indices.insert(out.indices.end(), corner, corner + 3);
    }
    out.normals = computeNormals(out);
    return out;
}

// The distance of each point of a found skin from the body.
std::vector<double> distancesOf(const ReferenceVertices& skin, const ReferenceVertices& body) {
    std::vector<double> out;
    for (std::size_t i = 0; i < body.positions.size(); ++i)
        out.push_back(distance(skin.positions[i], body.positions[i]));
    return out;
}

double rms(const std::vector<double>& distances) {
    double sum = 0.0;
    for (const double d : distances) sum += d * d;
    return std::sqrt(sum / static_cast<double>(distances.size()));
}

// The mesh in a pose, coloured by the distance from the body: 5 cm is yellow.
Mesh coloured(Mesh posed, const std::vector<double>& distances) {
    posed.colors.clear();
    for (const double d : distances)
        posed.colors.push_back(draw::weightColor(static_cast<float>(std::min(1.0, d / 0.05))));
    return posed;
}

}  // namespace

int main(int argc, char** argv) {
    // 1. A body that waves, and what a scanner makes of it.
    const Result<io::GltfFile> file = io::loadGltf(argc > 1 ? argv[1] : "");
    if (!file || file->meshes.empty() || file->clips.size() < 4) {
        std::fprintf(stderr, "usage: fit_a_scan FILE.glb [PICTURE.png]\n");
        return 2;
    }
    const Skeleton& skeleton = file->skeleton;
    const Mesh& mesh = file->meshes.front();
    const ModelPose truth = computeModelPose(skeleton, samplePose(file->clips[3], 1.5));
    const ReferenceVertices body = deformReference(skeleton, mesh, truth);
    const Scan scan = makeScan(body);

    // 2. The same scan, with the distances counted in three ways.
    std::vector<Mesh> pictures = {surfaceOf(scan, mesh)};
    std::vector<double> errors;
    for (const FitLoss loss : {FitLoss::Squares, FitLoss::Huber, FitLoss::GemanMcClure}) {
        Result<SkeletonFitter> fitter = SkeletonFitter::make(skeleton, mesh, {.loss = loss});
        if (!fitter) return 1;
        Pose pose = restPose(skeleton);
        const FitReport& report =
            fitter->fit({.positions = scan.positions, .mask = scan.mask}, FitStart::Cold, pose);

        // 3. How far that is from the body, also where the scanner saw nothing.
        const ModelPose model = computeModelPose(skeleton, pose);
        const std::vector<double> off = distancesOf(deformReference(skeleton, mesh, model), body);
        pictures.push_back(coloured(posedMesh(skeleton, mesh, model), off));
        errors.push_back(rms(off));
        const JointId hand = skeleton.find("RightHand");
        std::printf("%-14s %s after %3d iterations: skin %6.2f mm off, right hand %6.2f mm\n",
                    std::string(fitLossName(loss)).c_str(),
                    std::string(fitStatusName(report.status)).c_str(), report.iterations,
                    1e3 * errors.back(),
                    1e3 * distance(model.position(hand), truth.position(hand)));
    }
    const bool good = errors[2] < 0.002 && errors[2] < 0.1 * errors[0];
    std::printf("%s\n", good ? "the robust fit found the body" : "the robust fit failed");

    // 4. A picture, where one is asked for.
    if (argc > 2) {
        const std::vector<draw::ShadedFigure> figures = {
            {.meshes = {{.mesh = pictures[0]}}, .caption = "the scan"},
            {.meshes = {{.mesh = pictures[1]}}, .caption = "squares"},
            {.meshes = {{.mesh = pictures[3]}}, .caption = "geman-mcclure"}};
        const draw::Legend legend{
            .bar = draw::ColorBar{.low = 0.0, .high = 0.05, .label = "distance (m)"}};
        const draw::ShadedOptions options{.height = 400};
        const std::string png = draw::writePng(
            draw::withLegend(draw::drawShaded(figures, options), legend, options.background));
        std::ofstream(argv[2], std::ios::binary).write(png.data(), static_cast<long>(png.size()));
    }
    return good ? 0 : 1;
}
