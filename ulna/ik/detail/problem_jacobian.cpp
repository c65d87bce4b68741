// SPDX-License-Identifier: Apache-2.0

// The derivatives of a problem: its Jacobian by parts, and products with it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ulna/ik/detail/problem.h"

namespace ulna::ik::detail {

void Problem::computeTwists(const Evaluation& e) {
    mechanism_.computeTwists(e.at, e.frames, twists_);
}

void Problem::linearize(const Evaluation& e) {
    jacobian_.resize(jacobian_size_);
    computeTwists(e);
    const double *ax = twists_.ax.data(), *ay = twists_.ay.data(), *az = twists_.az.data();
    const double *bx = twists_.bx.data(), *by = twists_.by.data(), *bz = twists_.bz.data();
    const double* scale = column_scale_.data();
    for (std::size_t g = 0; g < goal_rows_.size(); ++g) {
        const Row& row = goal_rows_[g];
        if (row.whole) {
            linearizeWhole(row, e);
            continue;
        }
        const GoalRows& rows = e.rows[g];
        const Vec3 p = row.point ? goalPoint(row, e.frames) : Vec3{};
        for (std::size_t i = row.first_part; i < row.first_part + row.parts; ++i) {
            const Part& part = parts_[i];
            double* out = jacobian_.data() + part.offset;
            std::size_t k = 0;
            for (std::size_t r = part.first_range; r < part.first_range + part.ranges; ++r) {
                const std::size_t begin = ranges_[r].begin;
                const std::size_t count = ranges_[r].end - begin;
                if (row.point) {
                    double* jx = out + k;
                    double* jy = jx + part.length;
                    double* jz = jy + part.length;  // in the plane there is no third row
                    for (std::size_t c = 0; c < count; ++c) {
                        const std::size_t d = begin + c;
                        const double f = row.factor * scale[d];
                        jx[c] = (ay[d] * p.z - az[d] * p.y + bx[d]) * f;
                        jy[c] = (az[d] * p.x - ax[d] * p.z + by[d]) * f;
                        if (row.count == 3) jz[c] = (ax[d] * p.y - ay[d] * p.x + bz[d]) * f;
                    }
                } else if (row.orientation) {
                    for (std::size_t n = 0; n < row.count; ++n) {
                        const Vec3 w = rows.wrench[0][n].moment * row.factor;
                        double* j = out + n * part.length + k;
                        for (std::size_t c = 0; c < count; ++c) {
                            const std::size_t d = begin + c;
                            j[c] = (w.x * ax[d] + w.y * ay[d] + w.z * az[d]) * scale[d];
                        }
                    }
                } else {
                    for (std::size_t n = 0; n < row.count; ++n) {
                        const Wrench& w = rows.wrench[part.body][n];
                        double* j = out + n * part.length + k;
                        for (std::size_t c = 0; c < count; ++c) {
                            const std::size_t d = begin + c;
                            j[c] = (w.moment.x * ax[d] + w.moment.y * ay[d] + w.moment.z * az[d] +
                                    w.force.x * bx[d] + w.force.y * by[d] + w.force.z * bz[d]) *
                                   (row.factor * scale[d]);
                        }
                    }
                }
                k += count;
            }
        }
    }
    if (isCoupled()) coupleColumns();
}

// Leaves each part what moves it, and gives what followers do to their leaders.
void Problem::coupleColumns() {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        const Part& part = parts_[p];
        const std::uint8_t* moves = moves_part_.data() + p * columnCount();
        double* j = jacobian_.data() + part.offset;
        for (std::size_t n = 0; n < goal_rows_[part.row].count; ++n, j += part.length) {
            for (std::size_t c = 0; c < part.length; ++c) {
                if (moves[c] == 0) j[c] = 0.0;
            }
            coupleGradient({j, part.length});
        }
    }
}

void Problem::coupleGradient(std::span<double> gradient) const {
    for (const Mechanism::Coupling& c : mechanism_.couplings()) {
        gradient[c.leader] += coupledBy(c) * gradient[c.column];
        gradient[c.column] = 0.0;
    }
}

// The wrenches of all bodies below a link work along the twists of its coordinates.
void Problem::linearizeWhole(const Row& row, const Evaluation& e) {
    const auto links = mechanism_.links();
    const Part& part = parts_[row.first_part];
    double* out = jacobian_.data() + part.offset;
    if (row.factor == 0.0) {
        std::fill_n(out, part.length * row.count, 0.0);
        return;
    }
    std::fill(sums_.begin(), sums_.end(), Wrench{});
    const auto add = [&](std::size_t link, std::size_t k, const Wrench& w) {
        sums_[link * kMaxGoalRows + k].moment += w.moment;
        sums_[link * kMaxGoalRows + k].force += w.force;
    };
    for (std::size_t b = row.first_body; b < row.first_body + row.bodies; ++b) {
        const int link = wholeLink(b);
        for (std::size_t k = 0; k < row.count && link >= 0; ++k)
            add(static_cast<std::size_t>(link), k, e.whole_wrenches[b][k]);
    }
    for (std::size_t i = links.size(); i-- > 0;) {
        for (std::size_t k = 0; k < row.count; ++k) {
            const Wrench w = sums_[i * kMaxGoalRows + k];
            if (links[i].parent >= 0) add(static_cast<std::size_t>(links[i].parent), k, w);
            for (std::size_t c = links[i].column; c < links[i].column + links[i].columns; ++c) {
                const Vec3 turn{twists_.ax[c], twists_.ay[c], twists_.az[c]};
                const Vec3 move{twists_.bx[c], twists_.by[c], twists_.bz[c]};
                out[k * part.length + c] =
                    (dot(w.moment, turn) + dot(w.force, move)) * (row.factor * column_scale_[c]);
            }
        }
    }
}

// The products of the rows of two parts, one of which has every coordinate.
void Problem::multiplyWhole(std::size_t part_a, std::size_t part_b,
                            const std::vector<double>& right, std::span<double> block) const {
    const Part& pa = parts_[part_a];
    const Part& pb = parts_[part_b];
    const Part& few = pa.whole ? pb : pa;
    for (std::size_t i = 0; i < goal_rows_[pa.row].count; ++i) {
        for (std::size_t j = 0; j < goal_rows_[pb.row].count; ++j) {
            const double* u = jacobian_.data() + pa.offset + i * pa.length;
            const double* v = right.data() + pb.offset + j * pb.length;
            double sum = 0.0;
            std::size_t k = 0;
            for (const Range& range : rangesOf(few)) {
                for (std::size_t c = range.begin; c < range.end; ++c, ++k)
                    sum += u[pa.whole ? c : k] * v[pb.whole ? c : k];
            }
            block[i * 3 + j] = sum;
        }
    }
}

void Problem::computeGradient(const Evaluation& e, int levels, std::span<double> gradient) const {
    computePostureGradient(e, gradient);
    addGoalGradient(e, levels, gradient);
}

void Problem::addGoalGradient(const Evaluation& e, int levels, std::span<double> gradient) const {
    for (const Part& part : parts_) {
        const Row& row = goal_rows_[part.row];
        if ((levels & row.level) != 0)
            accumulate(part, e.residual.data() + row.first, gradient.data());
    }
}

// The Jacobian with each coordinate divided by its number, in the same places.
void Problem::divideJacobian(std::span<const double> divide) {
    divided_.resize(jacobian_size_);
    for (std::size_t c = 0; c < divide.size(); ++c) inverse_[c] = 1.0 / divide[c];
    for (const Part& part : parts_) {
        std::size_t k = part.offset;
        for (std::size_t n = 0; n < goal_rows_[part.row].count; ++n) {
            for (const Range& range : rangesOf(part)) {
                for (std::size_t c = range.begin; c < range.end; ++c, ++k)
                    divided_[k] = jacobian_[k] * inverse_[c];
            }
        }
    }
}

void Problem::assembleDual(std::span<const double> divide, std::span<double> dual) {
    if (shared_.empty()) findShared();
    std::fill(dual.begin(), dual.end(), 0.0);
    if (!divide.empty()) divideJacobian(divide);
    const std::vector<double>& right = divide.empty() ? jacobian_ : divided_;
    std::array<double, kMaxGoalRows * kMaxGoalRows> block;
    for (std::size_t a = 0; a < parts_.size(); ++a) {
        const Part& pa = parts_[a];
        const Row& ra = goal_rows_[pa.row];
        const double* ja = jacobian_.data() + pa.offset;
        for (std::size_t b = 0; b < parts_.size(); ++b) {
            const Part& pb = parts_[b];
            if (pb.row > pa.row) break;
            const bool whole = pa.whole || pb.whole;
            const std::size_t common = shared_[a * parts_.size() + b];
            if (common == 0 && !whole) continue;
            const Row& rb = goal_rows_[pb.row];
            const double* jb = right.data() + pb.offset;
            block.fill(0.0);
            const double *a0 = ja, *a1 = a0 + pa.length, *a2 = a1 + pa.length;
            const double *b0 = jb, *b1 = b0 + pb.length, *b2 = b1 + pb.length;
            if (whole) {
                multiplyWhole(a, b, right, block);
            } else if (a == b && ra.count == 3) {
                double k00 = 0, k10 = 0, k11 = 0, k20 = 0, k21 = 0, k22 = 0;
                for (std::size_t k = 0; k < common; ++k) {
                    k00 += a0[k] * b0[k], k10 += a1[k] * b0[k], k11 += a1[k] * b1[k];
                    k20 += a2[k] * b0[k], k21 += a2[k] * b1[k], k22 += a2[k] * b2[k];
                }
                block = {k00, k10, k20, k10, k11, k21, k20, k21, k22};
            } else if (ra.count == 3 && rb.count == 3) {
                double k00 = 0, k01 = 0, k02 = 0, k10 = 0, k11 = 0, k12 = 0, k20 = 0, k21 = 0,
                       k22 = 0;
                for (std::size_t k = 0; k < common; ++k) {
                    k00 += a0[k] * b0[k], k01 += a0[k] * b1[k], k02 += a0[k] * b2[k];
                    k10 += a1[k] * b0[k], k11 += a1[k] * b1[k], k12 += a1[k] * b2[k];
                    k20 += a2[k] * b0[k], k21 += a2[k] * b1[k], k22 += a2[k] * b2[k];
                }
                block = {k00, k01, k02, k10, k11, k12, k20, k21, k22};
            } else {
                for (std::size_t i = 0; i < ra.count; ++i) {
                    for (std::size_t j = 0; j < rb.count; ++j) {
                        const double* u = ja + i * pa.length;
                        const double* v = jb + j * pb.length;
                        double sum = 0.0;
                        for (std::size_t k = 0; k < common; ++k) sum += u[k] * v[k];
                        block[i * 3 + j] = sum;
                    }
                }
            }
            for (std::size_t i = 0; i < ra.count; ++i) {
                for (std::size_t j = 0; j < rb.count; ++j)
                    dual[(ra.first + i) * rows_ + rb.first + j] += block[i * 3 + j];
            }
        }
    }
}

// out += Jt y for the rows of one part, three rows at a time where there are three.
void Problem::accumulate(const Part& part, const double* y, double* out) const {
    const std::size_t rows = goal_rows_[part.row].count;
    const double* j0 = jacobian_.data() + part.offset;
    if (rows == 3) {
        const double *j1 = j0 + part.length, *j2 = j1 + part.length;
        const double y0 = y[0], y1 = y[1], y2 = y[2];
        for (const Range& range : rangesOf(part)) {
            const std::size_t count = range.end - range.begin;
            double* o = out + range.begin;
            for (std::size_t k = 0; k < count; ++k) o[k] += j0[k] * y0 + j1[k] * y1 + j2[k] * y2;
            j0 += count, j1 += count, j2 += count;
        }
        return;
    }
    for (std::size_t n = 0; n < rows; ++n) {
        for (const Range& range : rangesOf(part)) {
            for (std::size_t c = range.begin; c < range.end; ++c) out[c] += *j0++ * y[n];
        }
    }
}

void Problem::applyTransposed(std::span<const double> y, std::span<double> out) const {
    std::fill(out.begin(), out.end(), 0.0);
    for (const Part& part : parts_)
        accumulate(part, y.data() + goal_rows_[part.row].first, out.data());
}

void Problem::apply(std::span<const double> d, std::span<double> out) const {
    std::fill(out.begin(), out.end(), 0.0);
    for (const Part& part : parts_) {
        const Row& row = goal_rows_[part.row];
        const double* j = jacobian_.data() + part.offset;
        for (std::size_t n = 0; n < row.count; ++n, j += part.length) {
            double sum = 0.0;
            std::size_t k = 0;
            for (std::size_t i = part.first_range; i < part.first_range + part.ranges; ++i) {
                for (std::size_t c = ranges_[i].begin; c < ranges_[i].end; ++c, ++k)
                    sum += j[k] * d[c];
            }
            out[row.first + n] += sum;
        }
    }
}

void Problem::freeze(std::size_t column) {
    for (const Part& part : parts_) {
        std::size_t k = 0;
        for (std::size_t i = part.first_range; i < part.first_range + part.ranges; ++i) {
            const Range& range = ranges_[i];
            if (column >= range.begin && column < range.end) {
                double* j = jacobian_.data() + part.offset + k + (column - range.begin);
                for (std::size_t n = 0; n < goal_rows_[part.row].count; ++n)
                    j[n * part.length] = 0.0;
                break;
            }
            k += range.end - range.begin;
        }
    }
}

void Problem::computeColumn(std::size_t column, std::span<double> out) const {
    std::fill(out.begin(), out.end(), 0.0);
    for (const Part& part : parts_) {
        std::size_t k = 0;
        const Row& row = goal_rows_[part.row];
        for (std::size_t i = part.first_range; i < part.first_range + part.ranges; ++i) {
            const Range& range = ranges_[i];
            if (column >= range.begin && column < range.end) {
                const double* j = jacobian_.data() + part.offset + k + (column - range.begin);
                for (std::size_t n = 0; n < row.count; ++n)
                    out[row.first + n] += j[n * part.length];
                break;
            }
            k += range.end - range.begin;
        }
    }
}

void Problem::computeRow(std::size_t row, std::span<double> out) const {
    std::fill(out.begin(), out.end(), 0.0);
    for (const Part& part : parts_) {
        const Row& r = goal_rows_[part.row];
        if (row < r.first || row >= r.first + r.count) continue;
        const double* j = jacobian_.data() + part.offset + (row - r.first) * part.length;
        for (std::size_t i = part.first_range; i < part.first_range + part.ranges; ++i) {
            for (std::size_t c = ranges_[i].begin; c < ranges_[i].end; ++c) out[c] += *j++;
        }
    }
}

bool Problem::isAbove(std::size_t column, const Part& part) const {
    if (isCoupled()) {
        const auto p = static_cast<std::size_t>(&part - parts_.data());
        return moves_part_[p * columnCount() + column] != 0;
    }
    for (std::size_t i = part.first_range; i < part.first_range + part.ranges; ++i) {
        if (column >= ranges_[i].begin && column < ranges_[i].end) return true;
    }
    return false;
}

double Problem::stationarity(const Evaluation& e, std::span<const double> gradient,
                             std::span<const double> down, std::span<const double> up) const {
    double largest = 0.0;
    for (std::size_t c = 0; c < gradient.size(); ++c) {
        const bool blocked = gradient[c] < 0.0 ? up[c] <= 0.0 : down[c] >= 0.0;
        if (!blocked) largest = std::max(largest, std::abs(gradient[c]));
    }
    const double scale = reach() * std::sqrt(2.0 * e.total());
    if (!std::isfinite(scale) || !std::isfinite(largest))
        return std::numeric_limits<double>::infinity();
    return scale > 0.0 ? largest / scale : 0.0;
}

}  // namespace ulna::ik::detail
