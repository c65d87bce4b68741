// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/detail/curve_fit.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace ulna::motion::detail {
namespace {

class Fit {
  public:
    Fit(const TrackSamples& track, KeyCurve& curve)
        : track_(track), curve_(curve), count_(track.size(curve.rotates())) {}

    [[nodiscard]] Knot source(std::size_t sample) const {
        Knot out;
        out.frame = sample / track_.per_frame;
        if (curve_.rotates())
            out.rotation = track_.values.rotations[sample];
        else
            out.vector = track_.values.vectors[sample];
        return out;
    }

    // From the curve to the track, at every sample.
    void measure() {
        const double step = 1.0 / static_cast<double>(track_.per_frame);
        sampleCurve(curve_, 0.0, step, count_, now_);
        errors_.resize(count_);
        for (std::size_t s = 0; s < count_; ++s) {
            Knot at;
            if (curve_.rotates())
                at.rotation = now_.rotations[s];
            else
                at.vector = now_.vectors[s];
            errors_[s] = changeBetween(curve_, at, source(s));
        }
    }

    // The knots' best values: the normal equations reach three knots to each side.
    void solve() {
        const std::size_t n = curve_.knots.size();
        bands_.assign(n, {});
        right_.assign(n, {});
        const double step = 1.0 / static_cast<double>(track_.per_frame);
        std::size_t segment = 0;
        for (std::size_t s = 0; s < count_; ++s) {
            const double frame = step * static_cast<double>(s);
            while (segment + 2 < n && frame >= static_cast<double>(curve_.knots[segment + 1].frame))
                ++segment;
            const KnotWeights w = knotWeights(curve_, segment, frame);
            for (std::size_t i = 0; i < w.count; ++i) {
                right_[w.first + i] += errors_[s] * w.weight[i];
                for (std::size_t k = i; k < w.count; ++k)
                    bands_[w.first + i][k - i] += w.weight[i] * w.weight[k];
            }
        }
        factorAndSolve();
        for (std::size_t k = 0; k < n; ++k) changeBy(curve_, right_[k], curve_.knots[k]);
    }

    // The worst error of every segment.
    [[nodiscard]] std::vector<double> segmentErrors() const {
        std::vector<double> out;
        const std::size_t rate = track_.per_frame;
        for (std::size_t k = 0; k + 1 < curve_.knots.size(); ++k) {
            double worst = 0.0;
            for (std::size_t s = curve_.knots[k].frame * rate;
                 s <= curve_.knots[k + 1].frame * rate; ++s)
                worst = std::max(worst, length(errors_[s]));
            out.push_back(worst);
        }
        return out;
    }

    // A knot into the middle of every segment that is off; false when there is none to add.
    bool split(double tolerance) {
        std::vector<Knot> knots;
        const std::vector<double> errors = segmentErrors();
        for (std::size_t k = 0; k < curve_.knots.size(); ++k) {
            knots.push_back(curve_.knots[k]);
            if (k + 1 == curve_.knots.size() || !(errors[k] > tolerance)) continue;
            const std::size_t begin = curve_.knots[k].frame;
            const std::size_t end = curve_.knots[k + 1].frame;
            if (end - begin >= 2)
                knots.push_back(source((begin + (end - begin) / 2) * track_.per_frame));
        }
        const bool added = knots.size() > curve_.knots.size();
        curve_.knots = std::move(knots);
        return added;
    }

    // Knots anew, closer where the error is above the tolerance and wider where it is below. Their
    // distances change gradually: a Catmull-Rom curve is at its best on even knots.
    void respread(double tolerance) {
        const std::vector<double> until = wantedKnots(tolerance);
        const auto count = static_cast<std::size_t>(std::max(1.0, std::ceil(until.back() - 0.1)));
        std::vector<std::size_t> frames = {0};
        std::size_t k = 0;
        for (std::size_t i = 1; i < count; ++i) {
            const double wanted =
                until.back() * static_cast<double>(i) / static_cast<double>(count);
            while (until[k + 1] < wanted) ++k;
            const double u = (wanted - until[k]) / (until[k + 1] - until[k]);
            const std::size_t frame =
                curve_.knots[k].frame + static_cast<std::size_t>(std::lround(u * lengthOf(k)));
            if (frame > frames.back()) frames.push_back(frame);
        }
        placeAt(std::move(frames));
    }

    // Knots so many frames apart.
    void placeEvenly(std::size_t step) {
        std::vector<std::size_t> frames;
        for (std::size_t f = 0; f * track_.per_frame < count_; f += step) frames.push_back(f);
        placeAt(frames);
    }

    void placeAt(std::vector<std::size_t> frames) {
        const std::size_t last = (count_ - 1) / track_.per_frame;
        if (frames.back() != last) frames.push_back(last);
        curve_.knots.clear();
        for (const std::size_t frame : frames)
            curve_.knots.push_back(source(frame * track_.per_frame));
    }

    void fitValues() {
        // The weights are those of small rotations, so a second step settles what the first left.
        for (int i = 0; i < 2; ++i) {
            measure();
            solve();
        }
        measure();
    }

    [[nodiscard]] double worst() const {
        double out = 0.0;
        for (const Vec3& error : errors_) out = std::max(out, length(error));
        return out;
    }

  private:
    [[nodiscard]] double lengthOf(std::size_t segment) const {
        return static_cast<double>(curve_.knots[segment + 1].frame - curve_.knots[segment].frame);
    }

    // How many knots there should be up to each of the present ones.
    [[nodiscard]] std::vector<double> wantedKnots(double tolerance) const {
        const std::vector<double> errors = segmentErrors();
        const std::size_t n = errors.size();
        std::vector<double> logs(n);  // of how many per frame
        for (std::size_t k = 0; k < n; ++k) {
            // Between 1/2, the power of straight curves, and 1/3, that of smooth ones; a little
            // below the tolerance, since not every error shrinks as hoped.
            const double by = std::pow(errors[k] / (0.8 * tolerance), 0.4);
            logs[k] = std::log(std::clamp(by, 0.6, 1.7) / lengthOf(k));
        }
        std::vector<double> out = {0.0};
        for (std::size_t k = 0; k < n; ++k) {
            const double around = logs[k == 0 ? 0 : k - 1] + logs[std::min(k + 1, n - 1)];
            const double density = std::exp(0.5 * logs[k] + 0.25 * around);
            out.push_back(out.back() + lengthOf(k) * std::min(density, 1.0));
        }
        return out;
    }

    // Cholesky's factorisation of a matrix of seven diagonals.
    void factorAndSolve() {
        const std::size_t n = bands_.size();
        for (std::size_t i = 0; i < n; ++i) {
            // A knot that no sample depends on stays where it is.
            double& diagonal = bands_[i][0];
            diagonal = std::sqrt(std::max(diagonal, 1e-12));
            for (std::size_t k = 1; k < 4 && i + k < n; ++k) bands_[i][k] /= diagonal;
            for (std::size_t k = 1; k < 4 && i + k < n; ++k)
                for (std::size_t m = k; m < 4 && i + m < n; ++m)
                    bands_[i + k][m - k] -= bands_[i][k] * bands_[i][m];
        }
        for (std::size_t i = 0; i < n; ++i) {
            right_[i] *= 1.0 / bands_[i][0];
            for (std::size_t k = 1; k < 4 && i + k < n; ++k)
                right_[i + k] -= right_[i] * bands_[i][k];
        }
        for (std::size_t i = n; i-- > 0;) {
            for (std::size_t k = 1; k < 4 && i + k < n; ++k)
                right_[i] -= right_[i + k] * bands_[i][k];
            right_[i] *= 1.0 / bands_[i][0];
        }
    }

    const TrackSamples& track_;
    KeyCurve& curve_;
    std::size_t count_;
    CurveSamples now_;
    std::vector<Vec3> errors_;
    std::vector<std::array<double, 4>> bands_;  // the diagonal and those above it
    std::vector<Vec3> right_;
};

}  // namespace

Knot sourceKnot(const Pose& pose, const KeyCurve& curve, std::size_t frame) {
    const Trs& at = pose[curve.joint];
    Knot out;
    out.frame = frame;
    if (curve.part == CurvePart::Rotation) out.rotation = at.rotation;
    if (curve.part == CurvePart::Translation) out.vector = at.translation;
    if (curve.part == CurvePart::Scale) out.vector = at.scale;
    return out;
}

TrackSamples sampleTrack(const Motion& motion, const KeyCurve& curve, std::size_t track,
                         std::size_t per_frame) {
    TrackSamples out;
    out.per_frame = per_frame;
    Knot last, next;
    for (std::size_t f = 0; f < motion.frameCount(); ++f) {
        if (curve.part == CurvePart::Rotation) next.rotation = motion.rotations(f)[track];
        if (curve.part == CurvePart::Translation) next.vector = motion.translations(f)[track];
        if (curve.part == CurvePart::Scale) next.vector = motion.scales(f)[track];
        for (std::size_t i = f == 0 ? per_frame : 1; i <= per_frame; ++i) {
            const double u = static_cast<double>(i) / static_cast<double>(per_frame);
            if (curve.rotates())
                out.values.rotations.push_back(slerp(last.rotation, next.rotation, u));
            else
                out.values.vectors.push_back(lerp(last.vector, next.vector, u));
        }
        last = next;
    }
    return out;
}

void fitCurve(const TrackSamples& track, double tolerance, double constant_tolerance,
              KeyCurve& curve) {
    Fit fit(track, curve);
    curve.knots = {fit.source(0)};
    fit.measure();
    if (fit.worst() == 0.0) return;
    fit.solve();
    fit.measure();
    if (fit.worst() <= constant_tolerance) return;

    fit.placeEvenly(8);
    std::vector<Knot> best;
    for (int i = 0; i < 10; ++i) {
        fit.fitValues();
        if (fit.worst() <= tolerance && (best.empty() || curve.knots.size() < best.size()))
            best = curve.knots;
        fit.respread(tolerance);
    }
    // Few rounds are needed; where they do not suffice, all curves together find what is missing.
    for (int i = 0; i < 30; ++i) {
        fit.fitValues();
        if (!fit.split(tolerance)) break;
    }
    if (!best.empty() && best.size() <= curve.knots.size()) curve.knots = std::move(best);
}

void fixHalfTurns(const TrackSamples& track, KeyCurve& curve) {
    if (!curve.rotates() || curve.knots.size() < 2) return;
    // A twist of the bone moves its points little, so that rotations may be off by this much.
    constexpr double kSafe = 2.4;
    const auto& rotations = track.values.rotations;
    const std::size_t rate = track.per_frame;
    std::vector<Knot> fixed;
    for (std::size_t f = 0; (f + 1) * rate < rotations.size(); ++f) {
        if (!(angleBetween(rotations[f * rate], rotations[(f + 1) * rate]) > kSafe)) continue;
        for (const std::size_t at : {f, f + 1}) {
            if (!fixed.empty() && fixed.back().frame == at) continue;
            Knot knot;
            knot.frame = at;
            knot.corner = knot.fixed = true;
            knot.rotation = rotations[at * rate];
            fixed.push_back(knot);
        }
    }
    if (fixed.empty()) return;
    std::vector<Knot> merged;
    const auto isEarlier = [](const Knot& a, const Knot& b) { return a.frame < b.frame; };
    // Where both have a knot, the first of the two lists wins.
    std::set_union(fixed.begin(), fixed.end(), curve.knots.begin(), curve.knots.end(),
                   std::back_inserter(merged), isEarlier);
    curve.knots = std::move(merged);
}

}  // namespace ulna::motion::detail
