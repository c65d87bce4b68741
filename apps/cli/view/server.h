// SPDX-License-Identifier: Apache-2.0

// Connections on 127.0.0.1, and what each may cost. One thread does everything, by Boost.Asio,
// whose headers are included by the source only.
//
// A connection is for one request: what follows it, such as a body, is never taken for another. It
// has five seconds for the head of its request, and is closed when the other side takes nothing for
// half a minute. Where there are too many connections, the oldest one whose request has not shown
// the token is closed for the newest. So nobody without the token holds anything for long.
#pragma once

#include <memory>
#include <optional>

namespace ulna::cli {

class Site;

class Server {
  public:
    /// Listens on a port; where none is said on the user's usual one, or where that is taken on any
    /// that is free. From here on SIGINT, SIGTERM and SIGHUP are for
    /// run(), except SIGHUP where it was ignored, as nohup has it.
    explicit Server(std::optional<int> port);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// 0 where there is none; then error() is the reason of the system.
    [[nodiscard]] int port() const;
    [[nodiscard]] int error() const;

    /// Serves until a signal. False where no connection can be accepted any more.
    [[nodiscard]] bool run(Site& site);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace ulna::cli
