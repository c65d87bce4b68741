// SPDX-License-Identifier: Apache-2.0

// Deforming meshes: linear blend and dual quaternions, beside a textbook loop and beside copying as
// many bytes.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "benchmarks/harness.h"
#include "benchmarks/models.h"
#include "ulna/math/random.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skin/deform.h"

namespace ulna::bench {
namespace {

constexpr std::size_t kInCache = 12000;
constexpr std::size_t kLarge = 100000;

// Vertices along the bones, each with the joints nearest in the tree: neighbours in memory are
// neighbours on the body, as in meshes from files.
Mesh makeMesh(const Skeleton& skeleton, std::size_t vertices, std::size_t influences) {
    Random random(21);
    const ModelPose rest = computeModelPose(skeleton, restPose(skeleton));
    const std::size_t joints = skeleton.jointCount();
    Mesh mesh;
    for (std::size_t v = 0; v < vertices; ++v) {
        const std::size_t joint = v * joints / vertices;
        mesh.positions.push_back(
            cast<float>(rest.position(jointId(joint)) + random.direction() * 0.1));
        mesh.normals.push_back(cast<float>(random.direction()));
        mesh.tangents.push_back({cast<float>(random.direction()), 1.0f});
        std::vector<Influence> row;
        for (std::size_t i = 0; i < influences; ++i) {
            const std::size_t other = (joint + joints - i / 2 * (1 + v % 3) + i % 2) % joints;
            row.push_back({jointId(i == 0 ? joint : other), i == 0 ? 1.0f : 0.5f});
        }
        for (Influence& i : row) i.weight *= 2.0f / static_cast<float>(influences + 1);
        mesh.weights.addRow(row);
    }
    return mesh;
}

ModelPose makePose(const Skeleton& skeleton) {
    Random random(22);
    Pose pose = restPose(skeleton);
    for (Trs& t : pose.parent_from_joint)
        t.rotation = t.rotation * quatExp(random.direction() * 0.3);
    return computeModelPose(skeleton, pose);
}

// What textbooks and tutorials write: a matrix summed for each vertex, then applied.
struct Textbook {
    struct Vertex {
        Vec3f position, normal;
        std::uint32_t joints[4];
        float weights[4];
    };
    std::vector<Vertex> vertices;
    std::vector<AffineT<float>> palette;
    std::vector<Vec3f> positions, normals;

    Textbook(const Mesh& mesh, const SkinPalette& matrices)
        : positions(mesh.positions.size()), normals(mesh.positions.size()) {
        for (const SkinMatrix& matrix : matrices.matrices()) {
            AffineT<float>& columns = palette.emplace_back();
            for (std::size_t i = 0; i < 4; ++i)
                for (std::size_t k = 0; k < 4; ++k) columns.columns[k][i] = matrix.rows[i][k];
        }
        for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
            Vertex vertex{mesh.positions[v], mesh.normals[v], {}, {}};
            for (std::size_t i = 0; i < 4; ++i) {
                vertex.joints[i] = static_cast<std::uint32_t>(index(mesh.weights[v][i].joint));
                vertex.weights[i] = mesh.weights[v][i].weight;
            }
            vertices.push_back(vertex);
        }
    }

    template <bool kNormals>
    void deform() {
        for (std::size_t v = 0; v < vertices.size(); ++v) {
            const Vertex& in = vertices[v];
            float sum[16] = {};
            for (std::size_t i = 0; i < 4; ++i) {
                const float* matrix = palette[in.joints[i]].columns[0];
                for (std::size_t k = 0; k < 16; ++k) sum[k] += in.weights[i] * matrix[k];
            }
            const auto apply = [&](const Vec3f& p, float w) {
                return Vec3f{sum[0] * p.x + sum[4] * p.y + sum[8] * p.z + sum[12] * w,
                             sum[1] * p.x + sum[5] * p.y + sum[9] * p.z + sum[13] * w,
                             sum[2] * p.x + sum[6] * p.y + sum[10] * p.z + sum[14] * w};
            };
            positions[v] = apply(in.position, 1.0f);
            if constexpr (kNormals) {
                const Vec3f n = apply(in.normal, 0.0f);
                normals[v] = n / length(n);
            }
        }
    }
};

struct Setup {
    Mesh mesh;
    Deformer deformer;
    SkinPalette linear, dual;
    DeformedVertices out;

    Setup(const Skeleton& skeleton, std::size_t vertices, std::size_t influences)
        : mesh(makeMesh(skeleton, vertices, influences)), deformer(skeleton, mesh) {
        const ModelPose pose = makePose(skeleton);
        deformer.computePalette(pose, SkinBlend::Linear, linear);
        deformer.computePalette(pose, SkinBlend::DualQuaternion, dual);
        deformer.deform(pose, {}, out);
    }

    [[nodiscard]] VertexBuffer target(bool normals, bool tangents) {
        VertexBuffer to{.positions = {&out.positions[0].x, 3 * out.positions.size()}};
        if (normals) to.normals = {&out.normals[0].x, 3 * out.normals.size()};
        if (tangents) to.tangents = {&out.tangents[0].direction.x, 4 * out.tangents.size()};
        return to;
    }
};

// What a vertex makes the processor read and write.
double bytesPerVertex(std::size_t influences, bool normals, bool tangents) {
    const double slots = influences == 1 ? 2.0 : 6.0 * static_cast<double>(influences);
    return slots + 24.0 + (normals ? 24.0 : 0.0) + (tangents ? 32.0 : 0.0);
}

struct Row {
    Candidate candidate;
    double bytes = 0.0;
};

void printRates(const std::string& title, std::vector<Row> rows, int rounds = 40) {
    std::vector<Candidate> candidates;
    for (Row& row : rows) candidates.push_back(std::move(row.candidate));
    compete(candidates, rounds, 0.005);
    std::printf("\n%s\n", title.c_str());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::printf("  %-44s %7.1f Mvertices/s", candidates[i].name.c_str(),
                    1e-6 / candidates[i].best);
        if (rows[i].bytes > 0.0)
            std::printf("  %4.0f bytes a vertex  %5.1f GB/s", rows[i].bytes,
                        rows[i].bytes * 1e-9 / candidates[i].best);
        std::printf("\n");
    }
}

Row ours(const char* name, Setup& setup, const SkinPalette& palette, std::size_t influences,
         bool normals, bool tangents, NormalRule rule = NormalRule::Cofactor) {
    const DeformOptions options{.normals = rule};
    const VertexBuffer target = setup.target(normals, tangents);
    return {{name,
             [&setup, &palette, options, target] {
                 setup.deformer.deform(palette, options, target);
                 keep(setup.out.positions[0]);
             },
             static_cast<double>(setup.mesh.positions.size())},
            bytesPerVertex(influences, normals, tangents)};
}

void deformSize(const Skeleton& skeleton, std::size_t vertices, const char* title) {
    constexpr std::size_t kInfluences = 4;
    Setup setup(skeleton, vertices, kInfluences);
    Textbook textbook(setup.mesh, setup.linear);
    const auto items = static_cast<double>(vertices);
    const double bytes = bytesPerVertex(kInfluences, false, false);
    const auto copied = static_cast<std::size_t>(bytes * items / 2.0);
    std::vector<char> from(copied, 1), to(copied, 2);
    std::vector<Row> rows;
    rows.push_back(ours("linear blend, positions", setup, setup.linear, 4, false, false));
    rows.push_back(ours("  and normals", setup, setup.linear, 4, true, false));
    rows.push_back(ours("  and normals by the plain rule", setup, setup.linear, 4, true, false,
                        NormalRule::Plain));
    rows.push_back(ours("  and normals and tangents", setup, setup.linear, 4, true, true));
    rows.push_back(ours("dual quaternions, positions", setup, setup.dual, 4, false, false));
    rows.push_back(ours("  and normals", setup, setup.dual, 4, true, false));
    rows.push_back(ours("  and normals and tangents", setup, setup.dual, 4, true, true));
    rows.push_back({{"a textbook's loop, positions",
                     [&] {
                         textbook.deform<false>();
                         keep(textbook.positions[0]);
                     },
                     items}});
    rows.push_back({{"  and normals by the plain rule",
                     [&] {
                         textbook.deform<true>();
                         keep(textbook.positions[0]);
                     },
                     items}});
    rows.push_back({{"copying as many bytes as positions take",
                     [&] {
                         std::memcpy(to.data(), from.data(), copied);
                         keep(to[0]);
                     },
                     items},
                    bytes});
    printRates(title, std::move(rows));
}

void deformInfluences(const Skeleton& skeleton) {
    std::vector<std::unique_ptr<Setup>> setups;
    std::vector<Row> rows;
    for (const std::size_t influences : {1U, 2U, 4U, 8U, 12U}) {
        setups.push_back(std::make_unique<Setup>(skeleton, kInCache, influences));
        const std::string name = std::to_string(influences) + " influences, linear blend";
        const std::string other = std::to_string(influences) + " influences, dual quaternions";
        Setup& setup = *setups.back();
        rows.push_back(ours(name.c_str(), setup, setup.linear, influences, false, false));
        rows.push_back(ours(other.c_str(), setup, setup.dual, influences, false, false));
    }
    printRates("12,000 vertices, positions", std::move(rows));
}

void palettes(const Skeleton& skeleton) {
    Setup setup(skeleton, kInCache, 4);
    Random random(22);
    Pose pose = restPose(skeleton);
    for (Trs& t : pose.parent_from_joint)
        t.rotation = t.rotation * quatExp(random.direction() * 0.3);
    const ModelPose model = computeModelPose(skeleton, pose);
    const FloatPose rounded(pose);
    SkinPalette palette;
    std::vector<Candidate> candidates;
    const auto add = [&](const char* name, const auto& from, SkinBlend blend) {
        candidates.push_back({name,
                              [&setup, &from, &palette, blend] {
                                  setup.deformer.computePalette(from, blend, palette);
                                  keep(palette);
                              },
                              static_cast<double>(skeleton.jointCount())});
    };
    add("linear blend, from a model pose", model, SkinBlend::Linear);
    add("linear blend, from a float pose", rounded, SkinBlend::Linear);
    add("dual quaternions, from a model pose", model, SkinBlend::DualQuaternion);
    add("dual quaternions, from a float pose", rounded, SkinBlend::DualQuaternion);
    compete(candidates, 40, 0.002);
    printNanoseconds("The palette of 65 joints", "joint", candidates);
}

double wallSeconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// Both in turn and in short rounds: on a busy machine two cores are seldom free together for long.
void twoThreads(const Skeleton& skeleton) {
    std::printf("\nTwo threads beside one, by the clock\n");
    for (const std::size_t vertices : {kInCache, kLarge}) {
        Setup setup(skeleton, vertices, 4);
        const VertexBuffer target = setup.target(true, false);
        double best[2] = {1e9, 1e9};
        const std::size_t calls = 4 * kLarge / vertices;
        for (int round = 0; round < 400; ++round) {
            for (const unsigned threads : {1U, 2U}) {
                const double start = wallSeconds();
                for (std::size_t i = 0; i < calls; ++i)
                    setup.deformer.deform(setup.linear, {.threads = threads}, target);
                const double each = (wallSeconds() - start) / static_cast<double>(calls);
                best[threads - 1] = std::min(best[threads - 1], each);
            }
        }
        const auto rate = [&](double seconds) {
            return static_cast<double>(vertices) * 1e-6 / seconds;
        };
        std::printf("  %6zu vertices with normals: %7.1f and %7.1f Mvertices/s, %.2f x\n", vertices,
                    rate(best[0]), rate(best[1]), best[0] / best[1]);
    }
}

}  // namespace

void benchSkin() {
    const Skeleton skeleton = humanoid65();
    deformSize(skeleton, kInCache,
               "12,000 vertices of 4 influences, in cache (aims: 350 Mvertices/s, 250 with "
               "normals)");
    deformSize(skeleton, kLarge, "100,000 vertices of 4 influences (aim: 350 Mvertices/s)");
    deformInfluences(skeleton);
    palettes(skeleton);
    twoThreads(skeleton);
}

}  // namespace ulna::bench
