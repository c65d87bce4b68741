// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/detail/null_space.h"

#include <algorithm>
#include <cmath>

#include "ulna/math/dense.h"

namespace ulna::ik::detail {

void NullSpaceBasis::reserve(std::size_t n) {
    for (auto* v : {&basic_, &others_, &place_}) v->reserve(n);
    for (auto* v : {&factor_, &coupling_, &rows_}) v->reserve(n * n);
    for (auto* v : {&diagonal_, &column_}) v->reserve(n);
}

// Row by row of L for all that are chosen at once: after step k each knows its products with the
// first k pivots. The largest that is left of the diagonal is the next pivot.
void NullSpaceBasis::compute(std::span<const double> matrix, std::size_t count,
                             std::span<const std::size_t> chosen, double cutoff) {
    const std::size_t n = chosen.size();
    rows_.assign(n * n, 0.0);
    diagonal_.resize(n);
    place_.assign(n, n);  // the step at which a row was the pivot
    double largest = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        diagonal_[i] = matrix[chosen[i] * count + chosen[i]];
        largest = std::max(largest, diagonal_[i]);
    }
    std::size_t rank = 0;
    basic_.clear();
    for (; rank < n; ++rank) {
        std::size_t pivot = n;
        for (std::size_t i = 0; i < n; ++i) {
            if (place_[i] == n && (pivot == n || diagonal_[i] > diagonal_[pivot])) pivot = i;
        }
        if (!(diagonal_[pivot] > cutoff * largest)) break;
        place_[pivot] = rank;
        basic_.push_back(chosen[pivot]);
        const double root = std::sqrt(diagonal_[pivot]);
        const double* const pivot_row = rows_.data() + pivot * n;
        rows_[pivot * n + rank] = root;
        for (std::size_t i = 0; i < n; ++i) {
            if (place_[i] != n) continue;
            double* const row = rows_.data() + i * n;
            double sum = matrix[chosen[i] * count + chosen[pivot]];
            for (std::size_t k = 0; k < rank; ++k) sum -= row[k] * pivot_row[k];
            row[rank] = sum / root;
            diagonal_[i] -= row[rank] * row[rank];
        }
    }
    // L of the basic ones in order, its diagonal inverted as solveCholesky wants it.
    factor_.assign(rank * rank, 0.0);
    others_.clear();
    for (std::size_t i = 0; i < n; ++i) {
        if (place_[i] == n) {
            others_.push_back(chosen[i]);
            continue;
        }
        double* const row = factor_.data() + place_[i] * rank;
        std::copy_n(rows_.data() + i * n, place_[i] + 1, row);
        row[place_[i]] = 1.0 / row[place_[i]];
    }
    // How the basic ones follow each of the others: Lt x = its row of L.
    coupling_.resize(others_.size() * rank);
    double* out = coupling_.data();
    for (std::size_t i = 0; i < n; ++i) {
        if (place_[i] != n) continue;
        std::copy_n(rows_.data() + i * n, rank, out);
        for (std::size_t k = rank; k-- > 0;) {
            const double x = out[k] * factor_[k * rank + k];
            out[k] = x;
            for (std::size_t j = 0; j < k; ++j) out[j] -= factor_[k * rank + j] * x;
        }
        out += rank;
    }
}

void NullSpaceBasis::solveBasic(std::span<double> x) const {
    solveCholesky(factor_, basic_.size(), x);
}

void NullSpaceBasis::restrict(std::span<const double> v, std::span<double> out) const {
    const std::size_t rank = basic_.size();
    for (std::size_t i = 0; i < others_.size(); ++i) {
        double sum = v[others_[i]];
        for (std::size_t k = 0; k < rank; ++k) sum -= coupling_[i * rank + k] * v[basic_[k]];
        out[i] = sum;
    }
}

void NullSpaceBasis::extend(std::span<const double> z, std::span<double> v) const {
    const std::size_t rank = basic_.size();
    for (std::size_t i = 0; i < others_.size(); ++i) {
        v[others_[i]] += z[i];
        for (std::size_t k = 0; k < rank; ++k) v[basic_[k]] -= coupling_[i * rank + k] * z[i];
    }
}

void NullSpaceBasis::restrictMatrix(std::span<const double> matrix, std::size_t count,
                                    std::span<double> out) {
    const std::size_t rank = basic_.size();
    const std::size_t dimension = others_.size();
    column_.resize(count);
    for (std::size_t i = 0; i < dimension; ++i) {
        // A column of M Z from rows of M, which is symmetric.
        const double* const own = matrix.data() + others_[i] * count;
        std::copy_n(own, count, column_.begin());
        for (std::size_t k = 0; k < rank; ++k) {
            const double factor = coupling_[i * rank + k];
            const double* const row = matrix.data() + basic_[k] * count;
            for (std::size_t c = 0; c < count; ++c) column_[c] -= factor * row[c];
        }
        restrict(column_, out.subspan(i * dimension, dimension));
    }
}

void NullSpaceBasis::metric(std::span<double> out) const {
    const std::size_t rank = basic_.size();
    const std::size_t dimension = others_.size();
    for (std::size_t i = 0; i < dimension; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = i == j ? 1.0 : 0.0;
            for (std::size_t k = 0; k < rank; ++k)
                sum += coupling_[i * rank + k] * coupling_[j * rank + k];
            out[i * dimension + j] = out[j * dimension + i] = sum;
        }
    }
}

void NullSpaceStep::build(const Problem& problem) {
    const std::size_t n = problem.columnCount();
    at_.build(problem);
    hessian_.build(problem);
    basis_.reserve(n);
    repair_.reserve(n);
    for (auto* v : {&columns_, &free_, &step_free_}) v->reserve(n);
    released_.reserve(n);
    straight_.reserve(problem.goalRows().size());
    for (auto* v : {&first_, &second_, &ahead_, &reduced_, &metric_, &factor_}) v->reserve(n * n);
    for (auto* v : {&own_, &fixed_, &multipliers_, &own_step_, &pull_, &small_, &basic_})
        v->reserve(n);
    for (auto* v : {&gradient_one_, &gradient_two_, &step_, &moves_}) v->assign(n, 0.0);
}

// Second derivatives over columns_, whole, of the levels that count now.
void NullSpaceStep::gather(Problem& problem, const Evaluation& now,
                           std::span<const double> gradient, std::vector<double>& out) {
    hessian_.free().assign(columns_.begin(), columns_.end());
    if (problem.mechanism().hasVectors())
        hessian_.estimate(problem, now, at_);
    else
        hessian_.compute(problem, now, gradient, straight_);
    const std::size_t count = columns_.size();
    out = hessian_.matrix();
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < i; ++j) out[j * count + i] = out[i * count + j];
    }
}

// Coordinates that level 1 pushes against their limits stay there: no gain of level 2 is worth its
// loss. Where level 1 is met it pushes nothing.
void NullSpaceStep::chooseColumns(const Problem& problem, const Evaluation& now) {
    const double weak = kStationary * problem.reach() * std::sqrt(2.0 * now.cost[0]);
    const bool met = std::all_of(
        problem.goalRows().begin(), problem.goalRows().end(), [&](const Problem::Row& row) {
            return row.level != 1 || row.factor == 0.0 || now.errors[row.goal] <= row.tolerance;
        });
    columns_.clear();
    for (std::size_t c = 0; c < at_.value.size(); ++c) {
        const double pull = gradient_one_[c];
        const bool held = (at_.up[c] <= 0.0 && pull < -weak) || (at_.down[c] >= 0.0 && pull > weak);
        if (at_.up[c] > at_.down[c] && (met || !held)) columns_.push_back(c);
    }
}

// The gradient of level 2 within the null space, per coordinate in at_.value, and the multipliers
// with which level 1 takes up the rest of it.
void NullSpaceStep::projectGradient() {
    const std::size_t count = columns_.size();
    basis_.compute(first_, count, free_, cutoff_);
    const std::size_t dimension = basis_.dimension();
    small_.resize(dimension);
    basis_.restrict(own_, small_);
    metric_.resize(dimension * dimension);
    basis_.metric(metric_);
    factor_ = metric_;
    solveShifted(factor_, dimension, 0.0, small_);
    fixed_.assign(count, 0.0);
    basis_.extend(small_, fixed_);
    std::fill(at_.value.begin(), at_.value.end(), 0.0);
    for (std::size_t i = 0; i < count; ++i) at_.value[columns_[i]] = fixed_[i];

    basic_.clear();
    for (const std::size_t i : basis_.basic()) basic_.push_back(-own_[i]);
    basis_.solveBasic(basic_);
    multipliers_.assign(count, 0.0);
    for (std::size_t k = 0; k < basic_.size(); ++k) multipliers_[basis_.basic()[k]] = basic_[k];
}

// What still pulls at a coordinate that is not free: its gradient with what level 1 takes up.
double NullSpaceStep::pullAt(std::size_t i) const {
    const std::size_t count = columns_.size();
    double sum = own_[i];
    for (const std::size_t k : basis_.basic()) sum += first_[i * count + k] * multipliers_[k];
    return sum;
}

void NullSpaceStep::look(Problem& problem, const Evaluation& now) {
    constexpr int kRounds = 40;
    problem.linearize(now);
    if (problem.mechanism().bounded()) problem.mechanism().computeRoom(now.at, at_.down, at_.up);
    std::fill(gradient_one_.begin(), gradient_one_.end(), 0.0);
    problem.addGoalGradient(now, 1, gradient_one_);
    problem.computeGradient(now, 2, gradient_two_);
    chooseColumns(problem, now);
    const auto rows = problem.goalRows();
    straight_.resize(rows.size());
    // Of goals that are met only the first derivatives are left.
    cutoff_ = problem.mechanism().hasVectors() ? kCutoff : kMetCutoff;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const bool met = now.errors[rows[r].goal] <= kMet * rows[r].tolerance;
        straight_[r] = met ? 1 : 0;
        if (!met && rows[r].level == 1) cutoff_ = kCutoff;
    }
    problem.setLevels(1);
    gather(problem, now, gradient_one_, first_);
    problem.setLevels(3);

    const std::size_t count = columns_.size();
    own_.resize(count);
    for (std::size_t i = 0; i < count; ++i) own_[i] = gradient_two_[columns_[i]];
    free_.resize(count);
    for (std::size_t i = 0; i < count; ++i) free_[i] = i;
    released_.assign(count, 0);
    for (int round = 0; round < kRounds; ++round) {
        projectGradient();
        const std::size_t were = free_.size();
        std::erase_if(free_, [&](std::size_t i) { return at_.isBlocked(columns_[i]); });
        if (free_.size() < were) continue;
        // One at a time and each once, so that this ends.
        std::size_t leaving = count;
        double most = 0.0;
        for (std::size_t i = 0, next = 0; i < count; ++i) {
            if (next < free_.size() && free_[next] == i) {
                ++next;
                continue;
            }
            if (released_[i] != 0) continue;
            const double pull = pullAt(i);
            const bool leaves =
                pull < 0.0 ? at_.up[columns_[i]] > 0.0 : at_.down[columns_[i]] < 0.0;
            if (leaves && std::abs(pull) > most) leaving = i, most = std::abs(pull);
        }
        if (leaving == count) break;
        free_.insert(std::lower_bound(free_.begin(), free_.end(), leaving), leaving);
        released_[leaving] = 1;
    }
    at_.stationarity = problem.stationarity(now, at_.value, at_.down, at_.up);
}

void NullSpaceStep::curve(Problem& problem, const Evaluation& now, Curvature curvature,
                          Evaluation& trial) {
    constexpr double kStep = 1e-5;
    const std::size_t count = columns_.size();
    const bool full = curvature == Curvature::Full;
    std::fill(straight_.begin(), straight_.end(), full ? 0 : 1);
    problem.setLevels(2);
    std::fill(moves_.begin(), moves_.end(), 0.0);
    gather(problem, now, full ? gradient_two_ : moves_, second_);
    double longest = 0.0;
    for (const double x : multipliers_) longest = std::max(longest, std::abs(x));
    if (full && longest > 0.0) {
        // The null space bends: by how level 1's second derivatives change along the multipliers.
        const auto scale = problem.columnScale();
        problem.setLevels(1);
        for (const double side : {1.0, -1.0}) {
            std::fill(moves_.begin(), moves_.end(), 0.0);
            for (std::size_t i = 0; i < count; ++i)
                moves_[columns_[i]] = side * kStep / longest * multipliers_[i] * scale[columns_[i]];
            problem.mechanism().retract(now.at, moves_, trial.at);
            problem.evaluate(trial);
            problem.linearize(trial);
            std::fill(moves_.begin(), moves_.end(), 0.0);
            problem.addGoalGradient(trial, 1, moves_);
            gather(problem, trial, moves_, ahead_);
            for (std::size_t k = 0; k < count * count; ++k)
                second_[k] += side * ahead_[k] * longest / (2.0 * kStep);
        }
    }
    problem.setLevels(3);
}

double NullSpaceStep::largestCurvature() const {
    const std::size_t count = columns_.size();
    double largest = 0.0;
    for (std::size_t i = 0; i < count; ++i)
        largest = std::max(largest, std::abs(second_[i * count + i]));
    return largest;
}

// p = p0 + Z z: p0 brings level 1 to rest beside what goes to limits, z lowers level 2.
bool NullSpaceStep::solve(const Problem& problem, double damping) {
    constexpr int kRounds = 8;
    const std::size_t count = columns_.size();
    const auto scale = problem.columnScale();
    repaired_ = false;
    step_free_ = free_;
    fixed_.assign(count, 0.0);
    for (int round = 0; round < kRounds; ++round) {
        basis_.compute(first_, count, step_free_, cutoff_);
        const std::size_t dimension = basis_.dimension();
        basic_.clear();
        for (const std::size_t i : basis_.basic()) {
            double right = -gradient_one_[columns_[i]];
            for (std::size_t k = 0; k < count; ++k)
                if (fixed_[k] != 0.0) right -= first_[i * count + k] * fixed_[k];
            basic_.push_back(right);
        }
        basis_.solveBasic(basic_);
        own_step_ = fixed_;
        for (std::size_t k = 0; k < basic_.size(); ++k) own_step_[basis_.basic()[k]] = basic_[k];
        // What level 2 feels after that.
        pull_.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            double sum = own_[i];
            for (std::size_t k = 0; k < count; ++k) sum += second_[i * count + k] * own_step_[k];
            pull_[i] = -sum;
        }
        small_.resize(dimension);
        basis_.restrict(pull_, small_);
        reduced_.resize(dimension * dimension);
        metric_.resize(dimension * dimension);
        basis_.restrictMatrix(second_, count, reduced_);
        basis_.metric(metric_);
        for (std::size_t k = 0; k < reduced_.size(); ++k) reduced_[k] += damping * metric_[k];
        if (!solveShifted(reduced_, dimension, 0.0, small_)) return false;
        basis_.extend(small_, own_step_);
        const std::size_t were = step_free_.size();
        std::erase_if(step_free_, [&](std::size_t i) {
            const std::size_t c = columns_[i];
            const double move = own_step_[i] * scale[c];
            if (move <= at_.up[c] && move >= at_.down[c]) return false;
            fixed_[i] = at_.toLimit(c, move, scale[c]);
            return true;
        });
        if (step_free_.size() == were) break;
    }
    std::fill(step_.begin(), step_.end(), 0.0);
    for (std::size_t i = 0; i < count; ++i) step_[columns_[i]] = own_step_[i];
    return true;
}

double NullSpaceStep::solveRepair(Problem& problem, const Evaluation& there, bool anew) {
    problem.linearize(there);
    std::fill(moves_.begin(), moves_.end(), 0.0);
    problem.addGoalGradient(there, 1, moves_);
    if (anew) {
        std::fill(straight_.begin(), straight_.end(), cutoff_ == kCutoff ? 0 : 1);
        gather(problem, there, moves_, ahead_);
        repair_.compute(ahead_, columns_.size(), step_free_, cutoff_);
        repaired_ = true;
    }
    const NullSpaceBasis& basis = repaired_ ? repair_ : basis_;
    basic_.clear();
    for (const std::size_t i : basis.basic()) basic_.push_back(-moves_[columns_[i]]);
    basis.solveBasic(basic_);
    std::fill(step_.begin(), step_.end(), 0.0);
    double fall = 0.0;
    for (std::size_t k = 0; k < basic_.size(); ++k) {
        const std::size_t c = columns_[basis.basic()[k]];
        step_[c] = basic_[k];
        fall -= 0.5 * basic_[k] * moves_[c];
    }
    return fall;
}

}  // namespace ulna::ik::detail
