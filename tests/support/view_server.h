// SPDX-License-Identifier: Apache-2.0

// `ulna view` as a process, and requests to it byte by byte: a library would tidy them up.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ulna::test {

struct HttpAnswer {
    int status = 0;                              ///< 0 where there was no answer
    std::map<std::string, std::string> headers;  ///< names in lower case
    std::string body;
};

/// Sends bytes to a port of an address and reads until the other side closes.
[[nodiscard]] HttpAnswer exchange(const std::string& address, int port, std::string_view bytes);

/// A connection to 127.0.0.1 on which nothing is sent; for close(). -1 where there is none.
[[nodiscard]] int connectTo(const std::string& address, int port);

/// A server in the scratch folder, with the page of tests/view/page; ended when this goes.
class ViewServer {
  public:
    using Environment = std::map<std::string, std::string>;

    /// Waits for the first line on stdout. DISPLAY and WAYLAND_DISPLAY are unset unless given.
    explicit ViewServer(std::vector<std::string> arguments, const Environment& environment = {});
    ~ViewServer();
    ViewServer(const ViewServer&) = delete;
    ViewServer& operator=(const ViewServer&) = delete;

    [[nodiscard]] const std::string& firstLine() const { return first_line_; }
    [[nodiscard]] int port() const { return port_; }

    /// The path of the page, `/TOKEN`, without the slash at its end.
    [[nodiscard]] const std::string& base() const { return base_; }

    /// A target that begins with a slash is below the token. `lines` are headers beside Host, each
    /// with its end.
    [[nodiscard]] HttpAnswer get(std::string_view target, std::string_view lines = {}) const {
        return request("GET", target, lines);
    }
    [[nodiscard]] HttpAnswer request(std::string_view method, std::string_view target,
                                     std::string_view lines = {}) const;

    struct End {
        int exit_code = -1;  ///< -1 for any other end
        double seconds = 0.0;
        std::string rest;  ///< of stdout
    };
    /// Sends a signal and waits for the end, half a minute at most.
    [[nodiscard]] End stop(int signal);

  private:
    pid_t process_ = -1;
    int output_ = -1;
    int port_ = 0;
    std::string base_;
    std::string first_line_;
};

}  // namespace ulna::test
