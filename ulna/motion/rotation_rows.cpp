// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/rotation_rows.h"

#include <algorithm>
#include <cmath>

#include "ulna/core/parallel.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

constexpr std::string_view kEulerPrefix = "euler-";

bool allFinite(std::span<const double> values) {
    for (const double value : values)
        if (!std::isfinite(value)) return false;
    return true;
}

// Gram and Schmidt: what both columns leave open is the rotation.
std::optional<Quat> fromColumns(const Vec3& first, const Vec3& second) {
    const double length_a = length(first);
    const double length_b = length(second);
    if (!(length_a > 0.0 && length_b > 0.0)) return std::nullopt;
    const Vec3 x = first / length_a;
    const Vec3 b = second / length_b;
    const Vec3 across = b - x * dot(x, b);
    const double rest = length(across);
    // Below this, rounding alone decides the direction.
    if (!(rest > 1e-12)) return std::nullopt;
    const Vec3 y = across / rest;
    return quatFromMatrix(Mat3::fromColumns(x, y, cross(x, y)));
}

Diagnostic noRotation(const RotationRows& rows, std::size_t pose, std::size_t joint) {
    return {.what = "these numbers are no rotation of the form '" +
                    rotationLayoutName(rows.layout) + "'",
            .location = {.json_path = "rotations[" + std::to_string(pose) + "][" +
                                      std::to_string(joint) + "]"},
            .advice = "numbers are finite, and quaternions and columns of matrices are not zero"};
}

Status readTranslations(const RotationRows& rows, std::size_t i, Pose& pose) {
    const std::size_t joints = pose.parent_from_joint.size();
    const std::size_t width = rows.translations.size() / rows.count / 3;
    for (std::size_t j = 0; j < std::min(width, joints); ++j) {
        const std::span<const double> row = rows.translations.subspan((i * width + j) * 3, 3);
        if (!allFinite(row))
            return Diagnostic{.what = "a translation is not finite",
                              .location = {.json_path = "translations[" + std::to_string(i) + "][" +
                                                        std::to_string(j) + "]"}};
        pose.parent_from_joint[j].translation = {row[0], row[1], row[2]};
    }
    return Done{};
}

template <class Real>
Status positionsOf(const Skeleton& skeleton, const RotationRows& rows, std::span<Real> out,
                   unsigned threads) {
    if (Status status = checkRows(skeleton, rows); !status) return status;
    const std::size_t joints = skeleton.jointCount();
    ULNA_ASSERT(out.size() == rows.count * joints * 3, "three numbers per pose and joint");
    constexpr std::size_t kChunk = 64;
    std::vector<std::optional<Diagnostic>> wrong((rows.count + kChunk - 1) / kChunk);
    parallelFor(rows.count, kChunk, threads, [&](std::size_t begin, std::size_t end) {
        Pose pose = restPose(skeleton);
        ModelPose model;
        for (std::size_t i = begin; i < end; ++i) {
            if (const Status status = readPose(skeleton, rows, i, pose); !status) {
                wrong[begin / kChunk] = status.error();
                return;
            }
            computeModelPose(skeleton, pose, model);
            Real* to = out.data() + i * joints * 3;
            for (std::size_t j = 0; j < joints; ++j, to += 3) {
                const double(&column)[4] = model.model_from_joint[j].columns[3];
                for (std::size_t k = 0; k < 3; ++k) to[k] = static_cast<Real>(column[k]);
            }
        }
    });
    for (std::optional<Diagnostic>& each : wrong)
        if (each) return *std::move(each);
    return Done{};
}

}  // namespace

std::string rotationLayoutName(const RotationLayout& layout) {
    switch (layout.form) {
        case RotationForm::Quaternion:
            return "quat";
        case RotationForm::Matrix:
            return "matrix";
        case RotationForm::SixD:
            return "6d";
        case RotationForm::RotationVector:
            return "rotation-vector";
        case RotationForm::Euler:
            break;
    }
    return std::string(kEulerPrefix) + std::string(eulerOrderName(layout.order));
}

std::optional<RotationLayout> rotationLayoutFromName(std::string_view name) {
    for (const RotationForm form : {RotationForm::Quaternion, RotationForm::Matrix,
                                    RotationForm::SixD, RotationForm::RotationVector})
        if (name == rotationLayoutName({.form = form})) return RotationLayout{.form = form};
    if (!name.starts_with(kEulerPrefix)) return std::nullopt;
    const std::optional<EulerOrder> order = eulerOrderFromName(name.substr(kEulerPrefix.size()));
    if (!order) return std::nullopt;
    return RotationLayout{.form = RotationForm::Euler, .order = *order};
}

std::size_t rotationSize(const RotationLayout& layout) {
    switch (layout.form) {
        case RotationForm::Quaternion:
            return 4;
        case RotationForm::Matrix:
            return 9;
        case RotationForm::SixD:
            return 6;
        case RotationForm::RotationVector:
        case RotationForm::Euler:
            break;
    }
    return 3;
}

std::optional<Quat> readRotation(const RotationLayout& layout, std::span<const double> row) {
    ULNA_ASSERT(row.size() == rotationSize(layout), "a rotation has as many numbers as its form");
    if (!allFinite(row)) return std::nullopt;
    switch (layout.form) {
        case RotationForm::Quaternion: {
            const double size =
                std::sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2] + row[3] * row[3]);
            if (!(size > 0.0 && std::isfinite(size))) return std::nullopt;
            return Quat{row[0] / size, row[1] / size, row[2] / size, row[3] / size};
        }
        case RotationForm::Matrix: {
            const Vec3 x{row[0], row[3], row[6]}, y{row[1], row[4], row[7]};
            if (dot(cross(x, y), Vec3{row[2], row[5], row[8]}) < 0.0) return std::nullopt;
            return fromColumns(x, y);
        }
        case RotationForm::SixD:
            return fromColumns({row[0], row[1], row[2]}, {row[3], row[4], row[5]});
        case RotationForm::RotationVector:
            return quatExp(Vec3{row[0], row[1], row[2]});
        case RotationForm::Euler:
            break;
    }
    return quatFromEuler(layout.order, Vec3{row[0], row[1], row[2]});
}

void writeRotation(const RotationLayout& layout, const Quat& rotation, std::span<double> row) {
    ULNA_ASSERT(row.size() == rotationSize(layout), "a rotation has as many numbers as its form");
    const auto put = [&](std::size_t at, const Vec3& v) {
        row[at] = v.x;
        row[at + 1] = v.y;
        row[at + 2] = v.z;
    };
    switch (layout.form) {
        case RotationForm::Quaternion: {
            const double same = row[0] * rotation.x + row[1] * rotation.y + row[2] * rotation.z +
                                row[3] * rotation.w;
            const Quat q = same < 0.0 ? -rotation : rotation;
            put(0, q.vector());
            row[3] = q.w;
            return;
        }
        case RotationForm::Matrix: {
            const Mat3 m = toMatrix(rotation);
            for (std::size_t i = 0; i < 3; ++i) put(3 * i, m.rows[i]);
            return;
        }
        case RotationForm::SixD: {
            const Mat3 m = toMatrix(rotation);
            put(0, {m.rows[0].x, m.rows[1].x, m.rows[2].x});
            put(3, {m.rows[0].y, m.rows[1].y, m.rows[2].y});
            return;
        }
        case RotationForm::RotationVector:
            put(0, quatLog(rotation));
            return;
        case RotationForm::Euler:
            break;
    }
    put(0, eulerFromQuat(layout.order, rotation, {row[0], row[1], row[2]}));
}

Status checkRows(const Skeleton& skeleton, const RotationRows& rows) {
    const auto is = [&](std::size_t size, std::size_t width) {
        return width > 0 && size % width == 0 && size / width == rows.count;
    };
    for (std::size_t i = 0; i < rows.joints.size(); ++i) {
        const JointId joint = rows.joints[i];
        if (index(joint) >= skeleton.jointCount())
            return Diagnostic{.what = "rotations are given for a joint that is not there"};
        if (std::find(rows.joints.begin(), rows.joints.begin() + static_cast<std::ptrdiff_t>(i),
                      joint) != rows.joints.begin() + static_cast<std::ptrdiff_t>(i))
            return Diagnostic{.what = "rotations are given twice for a joint",
                              .text = skeleton.name(joint)};
    }
    const std::size_t joints = rows.joints.empty() ? skeleton.jointCount() : rows.joints.size();
    if (!is(rows.rotations.size(), joints * rotationSize(rows.layout)) && rows.count > 0)
        return Diagnostic{.what = std::to_string(rows.count) + " poses of " +
                                  std::to_string(joints) + " joints have " +
                                  std::to_string(rows.count * joints * rotationSize(rows.layout)) +
                                  " numbers, and there are " +
                                  std::to_string(rows.rotations.size())};
    if (!rows.translations.empty() && !is(rows.translations.size(), 3) &&
        !is(rows.translations.size(), 3 * skeleton.jointCount()))
        return Diagnostic{.what = "translations are three numbers per pose, or per pose and joint",
                          .text = std::to_string(rows.translations.size()) + " numbers"};
    if (skeleton.jointCount() == 0) return Diagnostic{.what = "the skeleton has no joints"};
    return Done{};
}

Status readPose(const Skeleton& skeleton, const RotationRows& rows, std::size_t i, Pose& pose) {
    const std::size_t size = rotationSize(rows.layout);
    const std::size_t width = rows.joints.empty() ? skeleton.jointCount() : rows.joints.size();
    const std::span<const double> own = rows.rotations.subspan(i * width * size, width * size);
    if (!rows.joints.empty() && rows.space == RotationSpace::Model) {
        // Joints that are not stated keep their rotation against their parent.
        for (const JointId j : skeleton.joints()) pose[j].rotation = skeleton.rest(j).rotation;
        std::vector<Quat> model(skeleton.jointCount());
        std::vector<std::size_t> place(skeleton.jointCount(), width);
        for (std::size_t k = 0; k < width; ++k) place[index(rows.joints[k])] = k;
        for (const JointId j : skeleton.joints()) {
            const JointId parent = skeleton.parent(j);
            const Quat above = parent == JointId::None ? Quat{} : model[index(parent)];
            if (place[index(j)] < width) {
                const std::optional<Quat> q =
                    readRotation(rows.layout, own.subspan(place[index(j)] * size, size));
                if (!q) return noRotation(rows, i, place[index(j)]);
                model[index(j)] = *q;
                pose[j].rotation = conjugate(above) * *q;
            } else {
                model[index(j)] = above * pose[j].rotation;
            }
        }
        return readTranslations(rows, i, pose);
    }
    if (!rows.joints.empty())
        for (const JointId j : skeleton.joints()) pose[j].rotation = skeleton.rest(j).rotation;
    for (std::size_t k = 0; k < width; ++k) {
        const std::optional<Quat> q = readRotation(rows.layout, own.subspan(k * size, size));
        if (!q) return noRotation(rows, i, k);
        pose.parent_from_joint[rows.joints.empty() ? k : index(rows.joints[k])].rotation = *q;
    }
    if (rows.space == RotationSpace::Model) {
        // Children come after their parents, so that a parent's is still that in the model.
        for (std::size_t j = skeleton.jointCount(); j-- > 0;) {
            const JointId parent = skeleton.parents()[j];
            if (parent == JointId::None) continue;
            Quat& rotation = pose.parent_from_joint[j].rotation;
            rotation = conjugate(pose[parent].rotation) * rotation;
        }
    }
    return readTranslations(rows, i, pose);
}

Result<std::vector<Pose>> makePoses(const Skeleton& skeleton, const RotationRows& rows) {
    if (const Status status = checkRows(skeleton, rows); !status) return status.error();
    std::vector<Pose> out(rows.count, restPose(skeleton));
    for (std::size_t i = 0; i < rows.count; ++i)
        if (const Status status = readPose(skeleton, rows, i, out[i]); !status)
            return status.error();
    return out;
}

Status computePositions(const Skeleton& skeleton, const RotationRows& rows, std::span<double> out,
                        unsigned threads) {
    return positionsOf(skeleton, rows, out, threads);
}

Status computePositions(const Skeleton& skeleton, const RotationRows& rows, std::span<float> out,
                        unsigned threads) {
    return positionsOf(skeleton, rows, out, threads);
}

}  // namespace ulna
