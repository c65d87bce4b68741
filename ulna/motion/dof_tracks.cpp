// SPDX-License-Identifier: Apache-2.0
#include "ulna/motion/dof_tracks.h"

#include <algorithm>
#include <array>
#include <utility>

#include "ulna/core/assert.h"

namespace ulna {
namespace {

using Slides = std::array<Track<double>, 3>;

// Where a degree of freedom slides to, in the parent's frame, per unit.
Vec3 slideAxis(const Skeleton& skeleton, JointId joint, std::size_t i) {
    const JointDef& def = skeleton.joint(joint);
    const Vec3 axis =
        def.kind == JointKind::Prismatic ? def.axes[0] : unitAxis<double>(static_cast<int>(i));
    return rotate(def.rest.rotation, axis);
}

bool sameTimes(const Track<double>& a, const Track<double>& b) {
    return std::equal(a.keys().begin(), a.keys().end(), b.keys().begin(), b.keys().end(),
                      [](const auto& x, const auto& y) { return x.time == y.time; });
}

// A number's value and slope on one side of a time, outside the keys too.
struct Point {
    double value = 0.0, slope = 0.0;
};
Point pointAt(const Track<double>& track, double time, bool before) {
    Point out{sample(track, time), sampleRate(track, time)};
    std::size_t segment = findSegment(track, time);
    if (segment == kNoSegment) return out;
    const auto keys = track.keys();
    const double held = track.outside == Outside::Hold ? 0.0 : 1.0;  // beyond the ends
    if (before) {
        if (time <= track.startTime()) return {keys.front().value, out.slope * held};
        // The segment that ends here, if one does.
        while (keys[segment].time >= time) --segment;
        out.value = sampleSegment(track, segment, time);
    } else if (time >= track.endTime()) {
        return {out.value, out.slope * held};
    }
    out.slope = sampleSegmentRate(track, segment, time);
    return out;
}

class Joiner {
  public:
    Joiner(const Skeleton& skeleton, JointId joint, const Slides& slides)
        : rest_(skeleton.rest(joint).translation) {
        for (std::size_t i = 0; i < 3; ++i) {
            if (slides[i].empty()) continue;
            axes_.push_back(slideAxis(skeleton, joint, i));
            tracks_.push_back(&slides[i]);
        }
    }

    [[nodiscard]] Result<Track<Vec3>> join(const std::string& name) const {
        // A single key has neither an interpolation nor an outside of its own.
        const auto found = std::find_if(tracks_.begin(), tracks_.end(),
                                        [](const auto* track) { return track->keys().size() > 1; });
        const Track<double>& first = found == tracks_.end() ? *tracks_[0] : **found;
        bool same = true, stepped = false, smooth = false;
        for (const Track<double>* track : tracks_) {
            same = same && sameTimes(first, *track) &&
                   track->interpolation == first.interpolation && track->ends == first.ends;
            if (track->keys().size() < 2) continue;
            const bool step = track->interpolation == Interpolation::Step;
            stepped = stepped || step;
            smooth = smooth || !step;
            const bool other_loop =
                first.outside == Outside::Loop &&
                (track->startTime() != first.startTime() || track->endTime() != first.endTime());
            if (track->outside != first.outside || other_loop || (stepped && smooth))
                return Diagnostic{
                    .what =
                        "the displacements of one joint differ: some are stepped and others "
                        "not, or they behave differently outside their keys",
                    .text = name,
                    .advice = "give them the same interpolation, and loops the same length"};
        }
        Track<Vec3> out = same ? direct(first) : stepped ? steps() : hermite();
        out.outside = first.outside;
        return out;
    }

  private:
    template <class Get>
    [[nodiscard]] Vec3 sum(const Get& get) const {
        Vec3 out;
        for (std::size_t i = 0; i < tracks_.size(); ++i) out += axes_[i] * get(*tracks_[i]);
        return out;
    }
    [[nodiscard]] std::vector<double> times() const {
        std::vector<double> out;
        for (const Track<double>* track : tracks_)
            for (const auto& key : track->keys()) out.push_back(key.time);
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
        return out;
    }

    // Key by key, where all keys are at the same times.
    [[nodiscard]] Track<Vec3> direct(const Track<double>& first) const {
        std::vector<Key<Vec3>> keys;
        for (std::size_t k = 0; k < first.keys().size(); ++k)
            keys.push_back({first.keys()[k].time,
                            rest_ + sum([&](const auto& t) { return t.keys()[k].value; }),
                            sum([&](const auto& t) { return t.keys()[k].in; }),
                            sum([&](const auto& t) { return t.keys()[k].out; })});
        Track<Vec3> out(std::move(keys), first.interpolation);
        out.ends = first.ends;
        return out;
    }
    [[nodiscard]] Track<Vec3> steps() const {
        std::vector<Key<Vec3>> keys;
        for (const double time : times())
            keys.push_back({time, rest_ + sum([&](const auto& t) { return sample(t, time); })});
        return Track<Vec3>(std::move(keys), Interpolation::Step);
    }

    // A part of a cubic is the cubic with its own tangents there.
    [[nodiscard]] Track<Vec3> hermite() const {
        std::vector<Key<Vec3>> keys;
        for (const double time : times()) {
            const auto at = [&](bool before) {
                Key<Vec3> key{time, rest_};
                for (std::size_t i = 0; i < tracks_.size(); ++i) {
                    const Point point = pointAt(*tracks_[i], time, before);
                    key.value += axes_[i] * point.value;
                    key.in += axes_[i] * point.slope;
                }
                return key;
            };
            Key<Vec3> left = at(true);
            const Key<Vec3> right = at(false);
            left.out = right.in;
            keys.push_back(left);
            // A jump of one of them is a jump of all.
            if (left.value != right.value) keys.push_back({time, right.value, right.in, right.in});
        }
        return Track<Vec3>(std::move(keys), Interpolation::Hermite);
    }

    Vec3 rest_;
    std::vector<Vec3> axes_;
    std::vector<const Track<double>*> tracks_;
};

}  // namespace

Result<KeyedMotion> makeKeyedMotion(const Skeleton& skeleton, const std::vector<DofTrack>& tracks) {
    KeyedMotion out;
    out.base = restPose(skeleton);
    std::vector<Slides> slides(skeleton.jointCount());
    for (const DofTrack& track : tracks) {
        ULNA_ASSERT(track.dof < skeleton.dofCount(), "there is no such degree of freedom");
        const JointId joint = skeleton.jointOfDof(track.dof);
        const std::size_t i = track.dof - skeleton.firstDof(joint);
        JointTracks& at = out.at(joint);
        if (!skeleton.isAngle(track.dof)) {
            slides[index(joint)][i] = track.track;
            continue;
        }
        if (!std::holds_alternative<AngleTracks>(at.rotation))
            at.rotation = makeAngleTracks(skeleton, joint);
        auto& rotations = std::get<AngleTracks>(at.rotation).rotations;
        if (rotations.empty()) {
            return Diagnostic{
                .what = "the joint's coordinates are a rotation vector, which has no angles to key",
                .text = skeleton.name(joint),
                .advice = "key its rotation instead"};
        }
        rotations[i - (skeleton.dofCount(joint) - rotations.size())].angle = track.track;
    }
    for (JointTracks& at : out.joints) {
        const Slides& own = slides[index(at.joint)];
        if (own[0].empty() && own[1].empty() && own[2].empty()) continue;
        Result<Track<Vec3>> track = Joiner(skeleton, at.joint, own).join(skeleton.name(at.joint));
        if (!track) return track.error();
        at.translation = *std::move(track);
    }
    return out;
}

}  // namespace ulna
