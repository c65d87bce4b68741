// SPDX-License-Identifier: Apache-2.0

// Candidates are found as by Hampel's identifier (a running median, and the median absolute
// deviation from it), with two thresholds. Turning points of fast motions stand out from a median
// too; the curve through the frames around decides.
#include "ulna/motion/spikes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "ulna/motion/detail/tangent.h"
#include "ulna/skeleton/size.h"

namespace ulna {
namespace {

using motion::detail::difference;
using motion::detail::differenceNear;
using motion::detail::moved;

// The median of so many frames before and after: spikes are the minority among them.
constexpr std::size_t kMedian = 5;
// Every frame of a spike is off by this much of what one of them is off at least; its neighbours,
// at most by this much of what it is off at most. A smooth motion, however fast, has no such
// corners.
constexpr double kWeak = 0.5, kNeighbour = 0.2;
// Where a spike begins and ends, the step of the motion changes by this much of what it is off.
constexpr double kCorner = 0.5;
// A jump is so many times longer than the longest step beside it.
constexpr double kJump = 4.0;
constexpr std::size_t kBeside = 4;

double median(std::vector<double>& values) {
    if (values.empty()) return 0.0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

struct Gap {
    std::size_t first = 0, last = 0;
};

// What a frame of a gap should be: on the cubic curve through the frames beside the gap, whose
// slopes are those of the motion there. @pre a frame is before the gap, and one after it
template <class V>
V foretold(const std::vector<V>& track, const Gap& gap, std::size_t frame) {
    const std::size_t a = gap.first - 1, b = gap.last + 1;
    const double steps = static_cast<double>(b - a);
    const Vec3 whole = difference(track[a], track[b]);
    const Vec3 slope_a = a > 0 ? difference(track[a - 1], track[a]) * steps : whole;
    // Near the end the axes are those of the end: close enough for a few frames.
    const Vec3 slope_b = b + 1 < track.size() ? difference(track[b], track[b + 1]) * steps : whole;
    const double u = static_cast<double>(frame - a) / steps;
    const double u2 = u * u, u3 = u2 * u;
    return moved(track[a], whole * (3.0 * u2 - 2.0 * u3) + slope_a * (u3 - 2.0 * u2 + u) +
                               slope_b * (u3 - u2));
}

template <class V>
double offCurve(const std::vector<V>& track, const Gap& gap, std::size_t frame) {
    return length(difference(foretold(track, gap, frame), track[frame]));
}

// Finds the spikes and jumps of one track.
template <class V>
class Finder {
  public:
    Finder(const std::vector<V>& track, double least, double least_jump, double frame_time,
           const SpikeOptions& options)
        : track_(track),
          least_(least),
          least_jump_(least_jump),
          window_(static_cast<std::size_t>(std::max(8.0, std::round(options.window / frame_time)))),
          options_(options) {}

    template <class Found>
    void find(const Found& found) {
        if (track_.size() < 3) return;
        measure();
        spike_.assign(track_.size(), 0);
        for (std::size_t f = 1; f + 1 < track_.size(); ++f) {
            if (spike_[f] || !standsOut(f)) continue;
            const std::optional<Gap> gap = gapAt(f);
            if (!gap) continue;
            double most = 0.0;
            for (std::size_t k = gap->first; k <= gap->last; ++k) {
                spike_[k] = 1;
                most = std::max(most, offCurve(track_, *gap, k));
            }
            found(SpikeKind::Spike, *gap, most);
        }
        for (std::size_t f = 1; f < track_.size(); ++f) {
            if (isJump(f)) found(SpikeKind::Jump, Gap{f, f}, step(f));
        }
    }

  private:
    [[nodiscard]] double step(std::size_t f) const {
        return length(difference(track_[f - 1], track_[f]));
    }

    // How far every frame is from the median of those around it, coordinate by coordinate.
    void measure() {
        off_.resize(track_.size());
        std::array<Vec3, 2 * kMedian + 1> values = {};
        for (std::size_t f = 0; f < track_.size(); ++f) {
            const std::size_t half = std::min({kMedian, f, track_.size() - 1 - f});
            const V& origin = track_[f - half];
            const auto end = values.begin() + static_cast<std::ptrdiff_t>(2 * half + 1);
            Vec3 last, middle;
            for (std::size_t k = 0; k <= 2 * half; ++k)
                last = values[k] = differenceNear(origin, track_[f - half + k], last);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const auto nth = values.begin() + static_cast<std::ptrdiff_t>(half);
                std::nth_element(values.begin(), nth, end,
                                 [&](const Vec3& a, const Vec3& b) { return a[axis] < b[axis]; });
                middle[axis] = (*nth)[axis];
            }
            off_[f] = length(difference(moved(origin, middle), track_[f]));
        }
    }

    [[nodiscard]] std::pair<std::size_t, std::size_t> around(std::size_t f) const {
        return {f > window_ ? f - window_ : 0, std::min(f + window_ + 1, track_.size())};
    }

    [[nodiscard]] bool standsOut(std::size_t f) {
        if (off_[f] < kWeak * least_) return false;
        const auto [begin, end] = around(f);
        values_.assign(off_.begin() + static_cast<std::ptrdiff_t>(begin),
                       off_.begin() + static_cast<std::ptrdiff_t>(end));
        return off_[f] > kWeak * options_.factor * median(values_);
    }

    // The gap around a frame that is a spike and leaves its neighbours nearest to their curves.
    [[nodiscard]] std::optional<Gap> gapAt(std::size_t f) {
        std::optional<Gap> out;
        double best = kNeighbour;
        for (std::size_t width = 1; width <= options_.frames; ++width) {
            for (std::size_t before = 0; before < width && before < f; ++before) {
                const Gap gap{f - before, f - before + width - 1};
                if (gap.last + 1 >= track_.size() || spike_[gap.first]) continue;
                const double most = offAtMost(gap);
                if (!(most > 0.0) || !leavesAndReturns(gap)) continue;
                const double neighbours = neighboursOff(gap) / most;
                if (neighbours >= best || !(most > options_.factor * usual(gap))) continue;
                best = neighbours;
                out = gap;
            }
        }
        return out;
    }

    // How far a gap is off its curve at most; 0 where it is no spike.
    [[nodiscard]] double offAtMost(const Gap& gap) const {
        double most = 0.0, smallest = HUGE_VAL;
        for (std::size_t f = gap.first; f <= gap.last; ++f) {
            const double off = offCurve(track_, gap, f);
            most = std::max(most, off);
            smallest = std::min(smallest, off);
        }
        return most > least_ && smallest > kWeak * least_ ? most : 0.0;
    }

    // Whether the motion has a corner where a gap begins, and where it ends. Beside a jump there is
    // one alone.
    [[nodiscard]] bool leavesAndReturns(const Gap& gap) const {
        const auto steps = [&](std::size_t from, std::size_t to) {
            return difference(track_[from], track_[to]);
        };
        Vec3 out = steps(gap.first - 1, gap.first), back = steps(gap.last + 1, gap.last);
        if (gap.first > 1) out -= steps(gap.first - 2, gap.first - 1);
        if (gap.last + 2 < track_.size()) back -= steps(gap.last + 2, gap.last + 1);
        return length(out) > kCorner * offCurve(track_, gap, gap.first) &&
               length(back) > kCorner * offCurve(track_, gap, gap.last);
    }

    // How far the frames beside a gap are off at most, foretold without it and themselves.
    [[nodiscard]] double neighboursOff(const Gap& gap) const {
        const Gap left{gap.first - 1, gap.last}, right{gap.first, gap.last + 1};
        double out = 0.0;
        if (left.first > 0) out = offCurve(track_, left, left.first);
        if (right.last + 1 < track_.size())
            out = std::max(out, offCurve(track_, right, right.last));
        return out;
    }

    // How far gaps as wide as this one usually are off, around it and outside of it.
    [[nodiscard]] double usual(const Gap& gap) {
        const std::size_t width = gap.last - gap.first + 1;
        const auto [begin, end] = around(gap.first);
        values_.clear();
        for (std::size_t f = std::max<std::size_t>(begin, 1); f + width < end; ++f) {
            const Gap other{f, f + width - 1};
            if (other.last + 2 >= gap.first && other.first <= gap.last + 2) continue;
            double most = 0.0;
            for (std::size_t k = other.first; k <= other.last; ++k)
                most = std::max(most, offCurve(track_, other, k));
            values_.push_back(most);
        }
        return median(values_);
    }

    [[nodiscard]] bool isJump(std::size_t f) const {
        const double own = step(f);
        if (!(own > least_jump_) || spike_[f] || spike_[f - 1]) return false;
        for (std::size_t k = f > kBeside ? f - kBeside : 1; k < track_.size() && k <= f + kBeside;
             ++k) {
            if (k == f || spike_[k] || spike_[k - 1]) continue;
            if (own < kJump * step(k)) return false;
        }
        return true;
    }

    const std::vector<V>& track_;
    double least_, least_jump_;
    std::size_t window_;
    const SpikeOptions& options_;
    std::vector<double> off_, values_;
    std::vector<char> spike_;
};

// The values of one joint over the clip.
std::vector<Quat> rotationTrack(const Motion& motion, std::size_t i) {
    std::vector<Quat> out(motion.frameCount());
    for (std::size_t f = 0; f < out.size(); ++f) out[f] = motion.rotations(f)[i];
    return out;
}
std::vector<Vec3> translationTrack(const Motion& motion, std::size_t i) {
    std::vector<Vec3> out(motion.frameCount());
    for (std::size_t f = 0; f < out.size(); ++f) out[f] = motion.translations(f)[i];
    return out;
}

}  // namespace

std::vector<Spike> findSpikes(const Skeleton& skeleton, const Motion& motion,
                              const SpikeOptions& options) {
    ULNA_ASSERT(motion.jointCount() == skeleton.jointCount(), "the motion is of another skeleton");
    std::vector<Spike> out;
    const auto keep = [&](JointId joint, bool translated) {
        return [&out, joint, translated](SpikeKind kind, const Gap& gap, double amount) {
            out.push_back({kind, joint, translated, gap.first, gap.last, amount});
        };
    };
    const MotionTracks& tracks = motion.tracks();
    for (std::size_t i = 0; i < tracks.rotated.size(); ++i) {
        const std::vector<Quat> track = rotationTrack(motion, i);
        Finder(track, options.rotation, options.jump, motion.frameTime(), options)
            .find(keep(tracks.rotated[i], false));
    }
    const double size = bodySize(skeleton);
    for (std::size_t i = 0; i < tracks.translated.size(); ++i) {
        const std::vector<Vec3> track = translationTrack(motion, i);
        Finder(track, options.translation * size, options.jump_distance * size, motion.frameTime(),
               options)
            .find(keep(tracks.translated[i], true));
    }
    std::stable_sort(out.begin(), out.end(), [](const Spike& a, const Spike& b) {
        return a.first != b.first ? a.first < b.first : index(a.joint) < index(b.joint);
    });
    return out;
}

Motion withoutSpikes(const Motion& motion, std::span<const Spike> spikes) {
    Motion out = motion;
    Pose pose = motion.base();
    const MotionTracks& tracks = motion.tracks();
    const auto at = [](const std::vector<JointId>& joints, JointId joint) {
        const auto found = std::find(joints.begin(), joints.end(), joint);
        ULNA_ASSERT(found != joints.end(), "the joint of a spike has no such track");
        return static_cast<std::size_t>(found - joints.begin());
    };
    for (const Spike& spike : spikes) {
        if (spike.kind == SpikeKind::Jump) continue;
        ULNA_ASSERT(
            spike.first > 0 && spike.first <= spike.last && spike.last + 1 < motion.frameCount(),
            "a spike has a frame before it and one after it");
        const Gap gap{spike.first, spike.last};
        const std::size_t i =
            at(spike.translated ? tracks.translated : tracks.rotated, spike.joint);
        const auto repair = [&](const auto& track, auto Trs::*component) {
            for (std::size_t f = gap.first; f <= gap.last; ++f) {
                out.getPose(f, pose);
                pose[spike.joint].*component = foretold(track, gap, f);
                out.setPose(f, pose);
            }
        };
        if (spike.translated)
            repair(translationTrack(out, i), &Trs::translation);
        else
            repair(rotationTrack(out, i), &Trs::rotation);
    }
    return out;
}

}  // namespace ulna
