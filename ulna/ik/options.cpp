// SPDX-License-Identifier: Apache-2.0
#include "ulna/ik/options.h"

namespace ulna {

std::string_view ikMethodName(IkMethod method) {
    constexpr std::string_view kNames[] = {
        "auto",     "two-bone",           "ccd",  "fabrik", "transpose",
        "gradient", "projected-gradient", "pinv", "dls"};
    return kNames[static_cast<std::size_t>(method)];
}

std::optional<IkMethod> ikMethodFromName(std::string_view name) {
    for (const IkMethod method : kAllIkMethods) {
        if (ikMethodName(method) == name) return method;
    }
    return {};
}

}  // namespace ulna
