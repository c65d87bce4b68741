// SPDX-License-Identifier: Apache-2.0

#include "ulna/fit/skeleton_fit.h"

#include <utility>

#include "ulna/fit/detail/skeleton_run.h"

namespace ulna {

struct SkeletonFitter::State {
    fit::detail::SkeletonRun run;
};

Result<SkeletonFitter> SkeletonFitter::make(const Skeleton& skeleton, const Mesh& mesh,
                                            SkeletonFitOptions options) {
    Result<fit::detail::SkeletonSetup> setup =
        fit::detail::makeSkeletonSetup(skeleton, mesh, std::move(options));
    if (!setup) return setup.error();
    // A cold start need not be exact: the fit goes on from it.
    Result<Fitter> cold = Fitter::make(setup->rig, {.tolerance = 1e-6, .max_iterations = 10});
    if (!cold) return cold.error();
    auto shared = std::make_shared<const fit::detail::SkeletonSetup>(std::move(*setup));
    return SkeletonFitter(std::make_unique<State>(
        State{fit::detail::SkeletonRun(std::move(shared), std::move(*cold))}));
}

SkeletonFitter::SkeletonFitter(std::unique_ptr<State> state) : state_(std::move(state)) {}
SkeletonFitter::SkeletonFitter(const SkeletonFitter& other)
    : state_(std::make_unique<State>(*other.state_)) {}
SkeletonFitter& SkeletonFitter::operator=(const SkeletonFitter& other) {
    if (this != &other) state_ = std::make_unique<State>(*other.state_);
    return *this;
}
SkeletonFitter::SkeletonFitter(SkeletonFitter&&) noexcept = default;
SkeletonFitter& SkeletonFitter::operator=(SkeletonFitter&&) noexcept = default;
SkeletonFitter::~SkeletonFitter() = default;

const FitReport& SkeletonFitter::fit(const FitTargets& targets, FitStart start, Pose& pose) {
    return state_->run.fit(targets, start, pose);
}
void SkeletonFitter::setBudget(Budget budget) {
    state_->run.setBudget(std::move(budget));
}
const Skeleton& SkeletonFitter::skeleton() const {
    return *state_->run.setup().skeleton;
}
const SkeletonFitOptions& SkeletonFitter::options() const {
    return state_->run.setup().options;
}
double SkeletonFitter::size() const {
    return state_->run.setup().size;
}

}  // namespace ulna
