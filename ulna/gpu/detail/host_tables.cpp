// SPDX-License-Identifier: Apache-2.0
#include "ulna/gpu/detail/host_tables.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "ulna/skeleton/state.h"

namespace ulna::gpu::detail {
namespace {

// Where a coordinate has no limit: far beyond any, and finite in float.
constexpr double kFar = 1e30;

constexpr int kPrimes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};

kernel::Kind kindOf(LinkKind kind) {
    switch (kind) {
        case LinkKind::RotateX:
            return kernel::Kind::RotateX;
        case LinkKind::RotateY:
            return kernel::Kind::RotateY;
        case LinkKind::RotateZ:
            return kernel::Kind::RotateZ;
        case LinkKind::Slide:
            return kernel::Kind::Slide;
        case LinkKind::Slide3:
            return kernel::Kind::Slide3;
        case LinkKind::Ball:
        case LinkKind::Vector:  // no batch program has one
            break;
    }
    return kernel::Kind::Ball;
}

// Rounding of a rotation that should be 0 costs a product in every pose.
void put(const Vec3& v, double* out) {
    constexpr double kRounding = 1e-15;
    for (std::size_t k = 0; k < 3; ++k) out[k] = std::abs(v[k]) < kRounding ? 0.0 : v[k];
}

kernel::Link linkOf(const Skeleton& skeleton, const BatchProgram::Link& link) {
    kernel::Link out = {};
    out.root = link.parent < 0;
    out.from = out.keep = -1;
    out.kind = kindOf(link.kind);
    out.rotated = link.rotated;
    out.cone = link.cone;
    out.column = static_cast<int>(link.column);
    out.ball = static_cast<int>(link.ball);
    put(link.rest.x, out.rest);
    put(link.rest.y, out.rest + 3);
    put(link.rest.z, out.rest + 6);
    put(link.rest.p, out.rest + 9);
    put(link.axis, out.axis);
    if (link.cone) {
        const ConeLimit& cone = *skeleton.joint(link.joint).cone;
        put(cone.axis, out.axis);
        out.swing_max = cone.swing_max;
        out.twist_min = cone.limitsTwist() ? cone.twist_min : -kTwoPi;
        out.twist_max = cone.limitsTwist() ? cone.twist_max : kTwoPi;
    }
    return out;
}

kernel::Column columnOf(const BatchProgram::Column& column, std::size_t index, bool ball) {
    kernel::Column out = {};
    out.bounded = std::isfinite(column.min) || std::isfinite(column.max);
    out.min = std::max(column.min, -kFar);
    out.max = std::min(column.max, kFar);
    out.scale = column.scale;
    // Other starts are within the limits; where there are none, within a revolution, or at rest.
    const double range = column.angle ? kPi : 0.0;
    out.low = std::isfinite(column.min) ? column.min : std::min(-range, out.max);
    out.high = std::isfinite(column.max) ? column.max : std::max(range, out.min);
    if (ball) out.low = out.high = 0.0;
    // Richtmyer's sequence; a few more coordinates than primes only repeat its steps.
    out.spread = std::sqrt(static_cast<double>(kPrimes[index % std::size(kPrimes)]));
    return out;
}

kernel::Row rowOf(const BatchProgram::Row& row) {
    kernel::Row out = {};
    out.point = row.point;
    out.enabled = row.enabled;
    out.goal = static_cast<int>(row.goal);
    put(row.point_in_link, out.point_in_link);
    put(row.link_from_joint.x, out.mount);
    put(row.link_from_joint.y, out.mount + 3);
    put(row.link_from_joint.z, out.mount + 6);
    out.unit = row.unit;
    out.per_tolerance = 1.0 / row.tolerance;
    out.weight = row.weight;
    out.factor = std::sqrt(row.weight) * row.unit;
    return out;
}

// Gives a place to every frame that a later link or a goal needs.
void keepFrames(const BatchProgram& program, HostTables& out) {
    const auto slotOf = [&out](std::int32_t link) {
        int& keep = out.links[static_cast<std::size_t>(link)].keep;
        if (keep < 0) keep = out.slots++;
        return keep;
    };
    for (std::size_t i = 0; i < program.links.size(); ++i) {
        const std::int32_t parent = program.links[i].parent;
        if (parent >= 0 && parent + 1 != static_cast<std::int32_t>(i))
            out.links[i].from = slotOf(parent);
    }
    for (std::size_t r = 0; r < program.rows.size(); ++r)
        out.rows[r].slot = slotOf(program.rows[r].link);
}

}  // namespace

kernel::Tables HostTables::view() const {
    return {.links = static_cast<int>(links.size()),
            .columns = static_cast<int>(columns.size()),
            .balls = balls,
            .rows = static_cast<int>(rows.size()),
            .slots = slots,
            .link = links.data(),
            .column = columns.data(),
            .row = rows.data(),
            .above = above.data(),
            .slides = slides.data()};
}

HostTables makeTables(const Skeleton& skeleton, const BatchProgram& program) {
    HostTables out;
    out.balls = static_cast<int>(program.balls);
    out.slides.assign(program.columns.size(), 0);
    std::vector<bool> ball(program.columns.size(), false);
    for (const BatchProgram::Link& link : program.links) {
        out.links.push_back(linkOf(skeleton, link));
        const std::size_t count =
            link.kind == LinkKind::Slide3 || link.kind == LinkKind::Ball ? 3 : 1;
        for (std::size_t c = link.column; c < link.column + count; ++c) {
            out.slides[c] = link.kind == LinkKind::Slide || link.kind == LinkKind::Slide3;
            ball[c] = link.kind == LinkKind::Ball;
        }
    }
    for (std::size_t c = 0; c < program.columns.size(); ++c)
        out.columns.push_back(columnOf(program.columns[c], c, ball[c]));
    out.above.assign(program.rows.size() * program.columns.size(), 0);
    for (std::size_t r = 0; r < program.rows.size(); ++r) {
        out.rows.push_back(rowOf(program.rows[r]));
        for (const BatchProgram::Row::Range& range : program.rows[r].above) {
            for (std::size_t c = range.begin; c < range.end; ++c)
                out.above[r * program.columns.size() + c] = 1;
        }
    }
    keepFrames(program, out);
    return out;
}

void computeState(const Skeleton& skeleton, const BatchProgram& program,
                  std::span<const double> dofs, std::span<double> state) {
    for (std::size_t c = 0; c < program.columns.size(); ++c)
        state[c] = dofs[program.columns[c].dof];
    for (const BatchProgram::Link& link : program.links) {
        if (link.kind != LinkKind::Ball) continue;
        const double* angles = dofs.data() + program.columns[link.column].dof;
        const Quat q =
            computeBallRotation(skeleton.joint(link.joint), Vec3{angles[0], angles[1], angles[2]});
        double* own = state.data() + program.columns.size() + 4 * std::size_t{link.ball};
        own[0] = q.x, own[1] = q.y, own[2] = q.z, own[3] = q.w;
        for (std::size_t k = 0; k < 3; ++k) state[link.column + k] = 0.0;
    }
}

void computeDofs(const Skeleton& skeleton, const BatchProgram& program,
                 std::span<const double> state, std::span<double> dofs) {
    std::vector<bool> ball(program.columns.size(), false);
    for (const BatchProgram::Link& link : program.links) {
        if (link.kind != LinkKind::Ball) continue;
        const double* q = state.data() + program.columns.size() + 4 * std::size_t{link.ball};
        double* angles = dofs.data() + program.columns[link.column].dof;
        const Vec3 v = computeBallAngles(skeleton.joint(link.joint), Quat{q[0], q[1], q[2], q[3]},
                                         {angles[0], angles[1], angles[2]});
        for (std::size_t k = 0; k < 3; ++k) {
            angles[k] = v[k];
            ball[link.column + k] = true;
        }
    }
    for (std::size_t c = 0; c < program.columns.size(); ++c) {
        if (!ball[c]) dofs[program.columns[c].dof] = state[c];
    }
}

}  // namespace ulna::gpu::detail
