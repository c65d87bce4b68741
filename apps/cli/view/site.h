// SPDX-License-Identifier: Apache-2.0

// What the studio's server answers to a request: the page's assets, the named files, their list,
// and nothing else, and these only below the token. A request's path is only ever compared, never
// turned into a path of the disk. Nothing here knows of connections: view/server.h has these.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "apps/cli/view/named_files.h"
#include "apps/cli/view/request.h"

namespace ulna::cli {

struct Asset;

/// Text of its own, a part of the page that lives as long as the site, or a file to read from.
using SiteBody = std::variant<std::string, std::string_view, OpenFile>;

struct SiteResponse {
    int status = 200;
    std::string type = "text/plain; charset=utf-8";
    std::vector<std::pair<std::string, std::string>> headers = {};
    SiteBody body = {};
    bool has_body = true;  ///< false for HEAD: the headers tell its size, and it is not sent
    bool trusted = false;  ///< the request had the token

    [[nodiscard]] std::size_t bodySize() const;
    /// The status line and all headers, with the empty line after them.
    [[nodiscard]] std::string head() const;
};

class Site {
  public:
    Site(NamedFiles files, std::string token, int port)
        : files_(std::move(files)), token_(std::move(token)), port_(port) {}

    [[nodiscard]] SiteResponse answer(const SiteRequest& request);
    /// To bytes that are not a request, or a request that is too large.
    [[nodiscard]] static SiteResponse refusal(RequestReader::State state);

  private:
    [[nodiscard]] bool isOurs(const std::string& host) const;
    [[nodiscard]] SiteResponse answerBelowToken(std::string_view path, const SiteRequest& request);
    [[nodiscard]] SiteResponse serveAsset(const Asset& asset, const SiteRequest& request);

    NamedFiles files_;
    std::string token_;
    int port_;
    std::map<std::string_view, std::string> unpacked_;  // assets that were asked for unpacked
};

}  // namespace ulna::cli
