// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/lanes.h"

#include <algorithm>
#include <limits>

#include "ulna/ik/detail/compile_batch.h"

namespace ulna::ik::detail {
namespace {

// Larger systems are better served one by one, by the recursion over the tree.
constexpr std::size_t kMostRows = 36;

void putFrame(const RigidFrame& f, float* out) {
    const Vec3 parts[4] = {f.x, f.y, f.z, f.p};
    for (const Vec3& v : parts) {
        for (std::size_t k = 0; k < 3; ++k) *out++ = static_cast<float>(v[k]);
    }
}

}  // namespace

bool makeLanesProgram(const Problem& problem, LanesProgram& program) {
    if (problem.rowCount() > kMostRows) return false;
    const Result<BatchProgram> batch = compileBatch(problem);
    if (!batch) return false;
    program = {};
    program.balls = batch->balls;
    for (const BatchProgram::Link& link : batch->links) {
        if (link.cone) return false;
        LanesProgram::Link out;
        out.parent = link.parent;
        out.kind = link.kind;
        out.rotated = link.rotated;
        out.column = link.column;
        out.ball = link.ball;
        putFrame(link.rest, out.rest);
        for (std::size_t k = 0; k < 3; ++k) out.axis[k] = static_cast<float>(link.axis[k]);
        program.links.push_back(out);
    }
    program.columns = static_cast<std::uint32_t>(batch->columns.size());
    for (const BatchProgram::Column& column : batch->columns) {
        // Rounded inwards, so that a clamped float is allowed in double too.
        float low = static_cast<float>(column.min);
        float high = static_cast<float>(column.max);
        constexpr float kFar = std::numeric_limits<float>::infinity();
        if (static_cast<double>(low) < column.min) low = std::nextafter(low, kFar);
        if (static_cast<double>(high) > column.max) high = std::nextafter(high, -kFar);
        program.min.push_back(std::min(low, high));
        program.max.push_back(std::max(low, high));
        program.scale.push_back(static_cast<float>(column.scale));
    }
    for (const BatchProgram::Row& row : batch->rows) {
        LanesProgram::Row out;
        out.point = row.point;
        out.first = program.residuals;
        out.target = program.target_numbers;
        out.link = row.link;
        for (std::size_t k = 0; k < 3; ++k)
            out.point_in_link[k] = static_cast<float>(row.point_in_link[k]);
        out.jacobian = program.jacobian_rows;
        out.first_range = static_cast<std::uint32_t>(program.ranges.size());
        for (const BatchProgram::Row::Range& range : row.above) {
            program.ranges.push_back({range.begin, range.end});
            out.length += range.end - range.begin;
        }
        out.ranges = static_cast<std::uint32_t>(program.ranges.size()) - out.first_range;
        program.jacobian_rows += 3 * out.length;
        program.residuals += 3;
        program.target_numbers += out.point ? 3 : 9;
        program.rows.push_back(out);
    }
    for (std::size_t a = 0; a < program.rows.size(); ++a) {
        for (std::size_t b = 0; b < program.rows.size(); ++b)
            program.shared.push_back(static_cast<std::uint32_t>(problem.sharedColumns(a, b)));
    }
    program.damping_floor = static_cast<float>(1e-9 * problem.reach() * problem.reach());
    return true;
}

LanesState::LanesState(const LanesProgram& program) : lanes(lanesCount()) {
    const std::size_t columns = program.columns * lanes;
    const std::size_t links = program.links.size() * 12 * lanes;
    const std::size_t m = program.residuals;
    const auto make = [](AlignedVector<float>& v, std::size_t count) { v.assign(count, 0.0f); };
    make(values, columns);
    make(tried_values, columns);
    make(step, columns);
    make(gradient, columns);
    make(twists, 6 * columns);
    make(turns, program.balls * 4 * lanes);
    make(tried_turns, program.balls * 4 * lanes);
    for (std::size_t b = 0; b < program.balls; ++b) {
        for (std::size_t l = 0; l < lanes; ++l) turns[(b * 4 + 3) * lanes + l] = 1.0f;
    }
    make(targets, program.target_numbers * lanes);
    make(factors, program.rows.size() * lanes);
    make(per_tolerance, program.rows.size() * lanes);
    make(frames, links);
    make(tried_frames, links);
    make(residual, m * lanes);
    make(tried_residual, m * lanes);
    make(rows_data, program.rows.size() * 4 * lanes);
    make(tried_rows_data, program.rows.size() * 4 * lanes);
    make(jacobian, program.jacobian_rows * lanes);
    make(dual, m * m * lanes);
    make(solution, m * lanes);
    for (AlignedVector<float>* v : {&cost, &tried_cost, &tried_worst}) make(*v, lanes);
    lambda.assign(lanes, 1.0f);
    fresh.assign(lanes, 1.0f);
    accepted.assign(lanes, 0.0f);
}

}  // namespace ulna::ik::detail
