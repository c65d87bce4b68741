// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ulna::ik::detail {

/// A visitor of variants made of lambdas, one per type or one for several.
template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

}  // namespace ulna::ik::detail
