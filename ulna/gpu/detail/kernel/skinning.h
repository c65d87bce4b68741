// SPDX-License-Identifier: Apache-2.0

// Linear-blend and dual-quaternion skinning of many poses: a thread is a pose, and goes through the
// vertices of a row, as the threads beside it do.
//
// Kavan, Collins, Zara and O'Sullivan, "Geometric skinning with approximate dual quaternion
// blending", 2008. First the palette: what each pose does to the space around each joint, 32 poses
// side by side. Then the vertices: a thread keeps what it has read of the palette while vertices
// follow one another that hang on the same joints, as neighbours in a mesh do. Were a thread a
// vertex, it would read four matrices for each of its poses, which takes twice as long as writing
// the result. A warp writes vertices as rows of consecutive values by way of a tile.
#pragma once

#include "ulna/gpu/detail/kernel/group.h"

namespace ulna::gpu::kernel {

constexpr int kSkinInfluences = 4;  // whose numbers a thread keeps
constexpr int kSkinTile = 8;        // vertices between two exchanges with the card's memory

/// A vertex of a mesh: four accesses of 16 bytes.
struct alignas(16) SkinVertex {
    float position[3];
    int further;  // where influences beyond the first four are
    float normal[3];
    int further_count;
    float weight[kSkinInfluences];  // the first is above 0
    int joint[kSkinInfluences];     // `joints` stands for what nothing moves
};
struct SkinMesh {
    int vertices, joints;
    const SkinVertex* vertex;
    const float* further_weight;
    const int* further_joint;
};
struct SkinTask {
    long long poses;
    bool dual;                      // dual quaternions
    bool plain_normals;             // by the matrix, not its cofactors
    const Four* model_from_joint;   // poses x joints x 3
    const double* joint_from_bind;  // joints x 12: rows of matrices
    const double* at_bind;          // joints x 3: where they are
    // Of 32 poses at a time: joints + 1 times so many numbers of each pose, side by side.
    float* matrices;   // 12: posed from bind, or stretches
    float* motions;    // 8: dual quaternions
    int* stretched;    // per 32 poses: whether any joint stretches
    float* positions;  // poses x vertices x 3
    float* normals;    // likewise; null where they are not wanted
};

// ---- the palette, in double

struct Matrix3 {
    V3<double> x, y, z;  // columns
};
ULNA_GPU_FUNCTION V3<double> operator*(const Matrix3& m, const V3<double>& v) {
    return m.x * v.x + m.y * v.y + m.z * v.z;
}
ULNA_GPU_FUNCTION Matrix3 cofactors(const Matrix3& m) {
    return {cross(m.y, m.z), cross(m.z, m.x), cross(m.x, m.y)};
}
ULNA_GPU_FUNCTION double norm2(const Matrix3& m) {
    return dot(m.x, m.x) + dot(m.y, m.y) + dot(m.z, m.z);
}
ULNA_GPU_FUNCTION Matrix3 scaledSum(const Matrix3& a, double s, const Matrix3& b, double t) {
    return {a.x * s + b.x * t, a.y * s + b.y * t, a.z * s + b.z * t};
}

/// The rotation of the polar decomposition (Higham, "Computing the polar decomposition - with
/// applications", 1986). Of a matrix that mirrors, that of its negative; of one that flattens, the
/// one that its image determines; of one that leaves a line or less, none.
ULNA_GPU_FUNCTION Matrix3 rotationOf(Matrix3 m) {
    const Matrix3 identity = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double size = root(norm2(m));
    if (!(size > 0.0) || size - size != 0.0) return identity;
    m = scaledSum(m, 1.0 / size, m, 0.0);
    if (dot(m.x, cross(m.y, m.z)) < 0.0) m = scaledSum(m, -1.0, m, 0.0);
    // Its cofactors have the direction that a flat matrix lacks.
    constexpr double kFlat = 1e-12;
    if (dot(m.x, cross(m.y, m.z)) < kFlat) {
        const Matrix3 c = cofactors(m);
        const double lengths = root(norm2(c));
        if (!(lengths > kFlat)) return identity;
        m = scaledSum(m, 1.0, c, 1.0 / lengths);
    }
    constexpr int kMost = 60;
    for (int i = 0; i < kMost; ++i) {
        const Matrix3 c = cofactors(m);
        const double determinant = dot(m.x, c.x);
        // Scaled so that the iteration is quadratic at once.
        const double own = norm2(m), other = norm2(c) / (determinant * determinant);
        const double scale = root(root(other / own));
        const Matrix3 next = scaledSum(m, 0.5 * scale, c, 0.5 / (scale * determinant));
        const double change = norm2(scaledSum(next, 1.0, m, -1.0));
        m = next;
        if (change < 1e-28) break;
    }
    return m;
}

struct Quat4 {
    double x, y, z, w;
};
ULNA_GPU_FUNCTION Quat4 quatOf(const Matrix3& r) {
    // The largest of its four numbers first, so that nothing is divided by little.
    const double xx = r.x.x, yy = r.y.y, zz = r.z.z;
    Quat4 q;
    if (xx + yy + zz > 0.0)
        q = {r.y.z - r.z.y, r.z.x - r.x.z, r.x.y - r.y.x, 1.0 + xx + yy + zz};
    else if (xx >= yy && xx >= zz)
        q = {1.0 + xx - yy - zz, r.x.y + r.y.x, r.x.z + r.z.x, r.y.z - r.z.y};
    else if (yy >= zz)
        q = {r.x.y + r.y.x, 1.0 - xx + yy - zz, r.y.z + r.z.y, r.z.x - r.x.z};
    else
        q = {r.x.z + r.z.x, r.y.z + r.z.y, 1.0 - xx - yy + zz, r.x.y - r.y.x};
    const double inverse = inverseRoot(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return {q.x * inverse, q.y * inverse, q.z * inverse, q.w * inverse};
}

/// Where the numbers of one joint in one pose are: 32 poses are side by side.
struct Entry {
    float* at;
    ULNA_GPU_FUNCTION void put(int i, double x) const { at[i * kTogether] = static_cast<float>(x); }
    ULNA_GPU_FUNCTION void put(int i, double x, double y, double z, double w) const {
        put(i, x), put(i + 1, y), put(i + 2, z), put(i + 3, w);
    }
};
ULNA_GPU_FUNCTION void putMatrix(const Matrix3& m, const V3<double>& p, const Entry& to) {
    to.put(0, m.x.x, m.y.x, m.z.x, p.x);
    to.put(4, m.x.y, m.y.y, m.z.y, p.y);
    to.put(8, m.x.z, m.y.z, m.z.z, p.z);
}

/// Stretches closer to none than this are none: what a product of transforms in float is off by.
constexpr double kNoStretch = 4e-6;

/// A pose's matrix of a joint as a stretch about the joint, then a rigid motion. Says whether it
/// stretches.
ULNA_GPU_FUNCTION bool putMotion(const Matrix3& m, const V3<double>& p, const V3<double>& at_bind,
                                 const Entry& matrix, const Entry& motion) {
    const Matrix3 r = rotationOf(m);
    // The stretch: the rotation's transpose times the matrix.
    const Matrix3 s = {{dot(r.x, m.x), dot(r.y, m.x), dot(r.z, m.x)},
                       {dot(r.x, m.y), dot(r.y, m.y), dot(r.z, m.y)},
                       {dot(r.x, m.z), dot(r.y, m.z), dot(r.z, m.z)}};
    const Matrix3 identity = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const bool stretches =
        !(norm2(scaledSum(s, 1.0, identity, -1.0)) <= 3.0 * kNoStretch * kNoStretch);
    putMatrix(stretches ? s : identity,
              stretches ? at_bind - s * at_bind : V3<double>{0.0, 0.0, 0.0}, matrix);
    const Quat4 q = quatOf(r);
    const V3<double> t = (m * at_bind + p - r * at_bind) * 0.5;
    motion.put(0, q.x, q.y, q.z, q.w);
    motion.put(4, t.x * q.w + t.y * q.z - t.z * q.y, t.y * q.w + t.z * q.x - t.x * q.z,
               t.z * q.w + t.x * q.y - t.y * q.x, -t.x * q.x - t.y * q.y - t.z * q.z);
    return stretches;
}

/// One entry of the palette; the last joint of a pose stands for what nothing moves. Says whether
/// it stretches. Entries are numbered by 32 poses, joint and pose.
ULNA_GPU_FUNCTION bool computePalette(const SkinMesh& mesh, const SkinTask& task, long long entry) {
    const long long row = entry / kTogether, group = row / (mesh.joints + 1);
    const int lane = static_cast<int>(entry - row * kTogether);
    const int joint = static_cast<int>(row - group * (mesh.joints + 1));
    const long long pose = group * kTogether + lane;
    if (pose >= task.poses) return false;
    const Entry matrix = {task.matrices + row * 12 * kTogether + lane};
    const Entry motion = {task.dual ? task.motions + row * 8 * kTogether + lane : nullptr};
    if (joint == mesh.joints) {
        putMatrix({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}, matrix);
        if (task.dual) motion.put(0, 0, 0, 0, 1), motion.put(4, 0, 0, 0, 0);
        return false;
    }
    const Four* a = task.model_from_joint + 3 * (pose * mesh.joints + joint);
    const double* b = task.joint_from_bind + 12 * joint;
    const Four r0 = a[0], r1 = a[1], r2 = a[2];
    const Matrix3 model = {{r0.x, r1.x, r2.x}, {r0.y, r1.y, r2.y}, {r0.z, r1.z, r2.z}};
    const V3<double> at = {r0.w, r1.w, r2.w};
    const Matrix3 m = {model * V3<double>{b[0], b[4], b[8]}, model * V3<double>{b[1], b[5], b[9]},
                       model * V3<double>{b[2], b[6], b[10]}};
    const V3<double> p = model * V3<double>{b[3], b[7], b[11]} + at;
    if (!task.dual) {
        putMatrix(m, p, matrix);
        return false;
    }
    return putMotion(m, p, vector<double>(task.at_bind + 3 * joint), matrix, motion);
}

// ---- the vertices

// Rows of an odd number of values, so that threads do not meet in one bank.
constexpr int kSkinRow = 3 * kSkinTile + 1;

struct SkinTile {
    Four vertices[kTogether];  // kSkinTile vertices, four accesses each
    float positions[kTogether * kSkinRow];
    float normals[kTogether * kSkinRow];
};

/// What a thread keeps: the numbers of some joints in its pose, from the palette, and its part of
/// the vertices that come next.
template <int Numbers>
struct SkinCache {
    Four next = {};
    int joint[kSkinInfluences] = {-1, -1, -1, -1};
    float numbers[kSkinInfluences][Numbers] = {};
};

/// Reads a joint's numbers; those of a motion with the sign of the lead's.
template <int Numbers>
ULNA_GPU_FUNCTION void takeNumbers(const float* palette, int joint, int lane, const float* lead,
                                   float* to) {
    const float* from = palette + joint * Numbers * kTogether + lane;
    for (int i = 0; i < Numbers; ++i) to[i] = from[i * kTogether];
    // q and -q are the same rotation, but not half of it.
    if (lead == nullptr ||
        !(to[0] * lead[0] + to[1] * lead[1] + to[2] * lead[2] + to[3] * lead[3] < 0.0f))
        return;
    for (int i = 0; i < Numbers; ++i) to[i] = -to[i];
}

/// The weighted mean of the numbers of a vertex's joints.
template <int Numbers, bool Motion>
ULNA_GPU_FUNCTION void blend(const SkinMesh& mesh, const SkinVertex& vertex, const float* palette,
                             int lane, SkinCache<Numbers>& cache, float* sum) {
    ULNA_GPU_UNROLL
    for (int k = 0; k < kSkinInfluences; ++k) {
        const float weight = vertex.weight[k];
        // The heaviest come first: after one without weight there are none.
        if (k > 0 && weight == 0.0f) return;
        const int joint = vertex.joint[k];
        if (joint != cache.joint[k]) {
            takeNumbers<Numbers>(palette, joint, lane, Motion && k > 0 ? cache.numbers[0] : nullptr,
                                 cache.numbers[k]);
            cache.joint[k] = joint;
            // The signs of the others follow the first.
            if (Motion && k == 0) cache.joint[1] = cache.joint[2] = cache.joint[3] = -1;
        }
        for (int i = 0; i < Numbers; ++i)
            sum[i] = k == 0 ? weight * cache.numbers[k][i] : sum[i] + weight * cache.numbers[k][i];
    }
    for (int k = vertex.further; k < vertex.further + vertex.further_count; ++k) {
        const float weight = mesh.further_weight[k];
        float own[Numbers];
        takeNumbers<Numbers>(palette, mesh.further_joint[k], lane,
                             Motion ? cache.numbers[0] : nullptr, own);
        for (int i = 0; i < Numbers; ++i) sum[i] += weight * own[i];
    }
}

// Below this, squared, linear blend has flattened a direction: it stays as it was.
ULNA_GPU_FUNCTION V3<float> directionOr(const V3<float>& v, const V3<float>& otherwise) {
    const float length2 = dot(v, v);
    return length2 > 1e-30f ? v * inverseRoot(length2) : otherwise;
}

/// A vertex moved by the rows of a matrix.
ULNA_GPU_FUNCTION void moveByMatrix(const float* m, bool plain, bool normals, V3<float>& position,
                                    V3<float>& normal) {
    const V3<float> a = {m[0], m[1], m[2]}, b = {m[4], m[5], m[6]}, c = {m[8], m[9], m[10]};
    const V3<float> p = position, n = normal;
    position = {dot(a, p) + m[3], dot(b, p) + m[7], dot(c, p) + m[11]};
    if (!normals) return;
    normal = plain
                 ? directionOr({dot(a, n), dot(b, n), dot(c, n)}, n)
                 : directionOr({dot(cross(b, c), n), dot(cross(c, a), n), dot(cross(a, b), n)}, n);
}

/// And by a dual quaternion that need not have the length of one.
ULNA_GPU_FUNCTION void moveByMotion(const float* m, bool normals, V3<float>& position,
                                    V3<float>& normal) {
    const float inverse = inverseRoot(m[0] * m[0] + m[1] * m[1] + m[2] * m[2] + m[3] * m[3]);
    const V3<float> q = V3<float>{m[0], m[1], m[2]} * inverse, d = {m[4], m[5], m[6]};
    const float w = m[3] * inverse;
    const auto rotated = [&](const V3<float>& v) {
        const V3<float> u = cross(q, v) * 2.0f;
        return v + u * w + cross(q, u);
    };
    position = rotated(position) + (d * w - q * m[7] + cross(q, d)) * (2.0f * inverse);
    if (normals) normal = rotated(normal);
}

/// 32 vertices in 32 poses; what a thread keeps are matrices, or motions where they are dual.
template <bool Dual, class G>
ULNA_GPU_FUNCTION void skinVertices(G& group, const SkinMesh& mesh, const SkinTask& task, int row,
                                    long long first_pose) {
    const int vertices = least<int>(kTogether, mesh.vertices - row * kTogether);
    const int poses = static_cast<int>(least<long long>(kTogether, task.poses - first_pose));
    const bool normals = task.normals != nullptr;
    const long long entry = first_pose * (mesh.joints + 1);
    const float* matrices = task.matrices + 12 * entry;
    const float* motions = Dual ? task.motions + 8 * entry : nullptr;
    const bool stretched = Dual && task.stretched[first_pose / kTogether] != 0;
    SkinTile& tile = group.tile;
    // A vertex is as many accesses as threads have one each of a tile's.
    constexpr int kAccesses = kTogether / kSkinTile;
    static_assert(sizeof(SkinVertex) == kAccesses * sizeof(Four));
    const Four* from_mesh = reinterpret_cast<const Four*>(mesh.vertex + row * kTogether);
    group.each([&](int lane, auto& own) {
        if (lane < kAccesses * vertices) own.next = readAs<Four>(from_mesh + lane);
    });
    for (int tile_begin = 0; tile_begin < vertices; tile_begin += kSkinTile) {
        const int count = least<int>(kSkinTile, vertices - tile_begin);
        group.each([&](int lane, auto& own) {
            tile.vertices[lane] = own.next;
            const int next = kAccesses * (tile_begin + kSkinTile) + lane;
            if (next < kAccesses * vertices) own.next = readAs<Four>(from_mesh + next);
        });
        group.each([&](int lane, auto& cache) {
            if (lane >= poses) return;
            for (int i = 0; i < count; ++i) {
                const auto vertex = readAs<SkinVertex>(tile.vertices + kAccesses * i);
                V3<float> position = vector(vertex.position), normal = vector(vertex.normal);
                if constexpr (Dual) {
                    if (stretched) {
                        SkinCache<12> own;
                        float m[12];
                        blend<12, false>(mesh, vertex, matrices, lane, own, m);
                        moveByMatrix(m, task.plain_normals, normals, position, normal);
                    }
                    float m[8];
                    blend<8, true>(mesh, vertex, motions, lane, cache, m);
                    moveByMotion(m, normals, position, normal);
                } else {
                    float m[12];
                    blend<12, false>(mesh, vertex, matrices, lane, cache, m);
                    moveByMatrix(m, task.plain_normals, normals, position, normal);
                }
                float* to = tile.positions + lane * kSkinRow + 3 * i;
                to[0] = position.x, to[1] = position.y, to[2] = position.z;
                if (!normals) continue;
                to = tile.normals + lane * kSkinRow + 3 * i;
                to[0] = normal.x, to[1] = normal.y, to[2] = normal.z;
            }
        });
        group.each([&](int lane, auto&) {
            if (lane >= 3 * count) return;
            const long long at =
                3 * (first_pose * mesh.vertices + row * kTogether + tile_begin) + lane;
            const float* from = tile.positions + lane;
            float* to = task.positions + at;
            ULNA_GPU_UNROLL_4
            for (int pose = 0; pose < poses; ++pose, to += 3 * mesh.vertices)
                writeOnce(from[pose * kSkinRow], to);
            if (!normals) return;
            from = tile.normals + lane;
            to = task.normals + at;
            ULNA_GPU_UNROLL_4
            for (int pose = 0; pose < poses; ++pose, to += 3 * mesh.vertices)
                writeOnce(from[pose * kSkinRow], to);
        });
    }
}

}  // namespace ulna::gpu::kernel
