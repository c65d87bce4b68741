// SPDX-License-Identifier: Apache-2.0

// What the studio's server answers to a request: the page's assets, the named files, their list,
// and nothing else. A request's path is only ever compared, never turned into a path of the disk.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/cli/view/named_files.h"

namespace ulna::cli {

struct SiteRequest {
    std::string_view method;
    std::string_view target;  ///< as it was sent, nothing decoded
    std::string host = {};    ///< empty unless there is exactly one
    std::string accept_encoding = {};
    std::string if_none_match = {};
};

struct SiteResponse {
    int status = 200;
    std::string type = "text/plain; charset=utf-8";
    std::vector<std::pair<std::string, std::string>> headers = {};
    std::string body = {};
};

/// Headers of every response: the browser is to take nothing from elsewhere, hand nothing on, and
/// guess no types.
[[nodiscard]] const std::vector<std::pair<std::string, std::string>>& siteHeaders();

class Site {
  public:
    Site(NamedFiles files, int port) : files_(std::move(files)), port_(port) {}

    /// May be called by several threads at once.
    [[nodiscard]] SiteResponse answer(const SiteRequest& request) const;

  private:
    [[nodiscard]] bool isOurs(const std::string& host) const;

    NamedFiles files_;
    int port_;
};

}  // namespace ulna::cli
