// SPDX-License-Identifier: Apache-2.0
#include "support/view_server.h"
#include "support/paths.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "support/command.h"
#include "ulna/core/text.h"

namespace ulna::test {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kPatienceSeconds = 30;

// Whatever a descriptor has up to a line's end, or up to its own end; in bounded time.
std::string readFrom(int descriptor, bool one_line) {
    const auto late = Clock::now() + std::chrono::seconds(kPatienceSeconds);
    std::string out;
    while (Clock::now() < late && !(one_line && out.ends_with('\n'))) {
        pollfd ready{descriptor, POLLIN, 0};
        if (::poll(&ready, 1, 100) <= 0) continue;
        char c = 0;
        if (::read(descriptor, &c, 1) != 1) break;
        out += c;
    }
    return out;
}

HttpAnswer parseAnswer(const std::string& bytes) {
    HttpAnswer out;
    const std::size_t end = bytes.find("\r\n\r\n");
    if (end == std::string::npos || !bytes.starts_with("HTTP/1.1 ")) return out;
    out.status = std::atoi(bytes.c_str() + 9);
    out.body = bytes.substr(end + 4);
    std::size_t line = bytes.find("\r\n") + 2;
    while (line < end + 2) {
        const std::size_t next = bytes.find("\r\n", line);
        const std::size_t colon = bytes.find(": ", line);
        out.headers[lowerCase(bytes.substr(line, colon - line))] =
            bytes.substr(colon + 2, next - colon - 2);
        line = next + 2;
    }
    return out;
}

}  // namespace

int connectTo(const std::string& address, int port) {
    const int out = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = htons(static_cast<std::uint16_t>(port));
    ::inet_pton(AF_INET, address.c_str(), &where.sin_addr);
    const timeval patience{kPatienceSeconds, 0};
    ::setsockopt(out, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(out, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (::connect(out, reinterpret_cast<const sockaddr*>(&where), sizeof where) == 0) return out;
    ::close(out);
    return -1;
}

HttpAnswer exchange(const std::string& address, int port, std::string_view bytes) {
    const int connection = connectTo(address, port);
    if (connection < 0) return {};
    while (!bytes.empty()) {
        const ssize_t count = ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count <= 0) break;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    std::string answer;
    char piece[65536];
    for (ssize_t count = 1; count > 0;) {
        count = ::recv(connection, piece, sizeof piece, 0);
        if (count > 0) answer.append(piece, static_cast<std::size_t>(count));
    }
    ::close(connection);
    return parseAnswer(answer);
}

ViewServer::ViewServer(std::vector<std::string> arguments, const Environment& environment) {
    arguments.insert(arguments.begin(), {viewToolPath(), "view"});
    std::vector<char*> words;
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    const std::string folder = scratchFolder();
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
    process_ = ::fork();
    if (process_ == 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        ::unsetenv("DISPLAY");
        ::unsetenv("WAYLAND_DISPLAY");
        for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
        if (::chdir(folder.c_str()) == 0) ::execv(words[0], words.data());
        ::_exit(127);
    }
    ::close(ends[1]);
    output_ = ends[0];
    first_line_ = readFrom(output_, true);
    const std::size_t colon = first_line_.find("127.0.0.1:");
    if (colon == std::string::npos) return;
    port_ = std::atoi(first_line_.c_str() + colon + 10);
    const std::size_t begin = first_line_.find('/', colon);
    if (begin == std::string::npos) return;
    base_ = first_line_.substr(begin, first_line_.find('/', begin + 1) - begin);
}

ViewServer::~ViewServer() {
    if (process_ > 0) {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
    if (output_ >= 0) ::close(output_);
}

HttpAnswer ViewServer::request(std::string_view method, std::string_view target,
                               std::string_view lines) const {
    std::string bytes(method);
    bytes.append(" ").append(target.starts_with('/') ? base_ : std::string());
    bytes.append(target).append(" HTTP/1.1\r\nHost: 127.0.0.1:");
    bytes.append(std::to_string(port_)).append("\r\n").append(lines).append("\r\n");
    return exchange("127.0.0.1", port_, bytes);
}

ViewServer::End ViewServer::stop(int signal) {
    End out;
    const auto begin = Clock::now();
    ::kill(process_, signal);
    int status = 0;
    while (::waitpid(process_, &status, WNOHANG) == 0) {
        if (Clock::now() - begin > std::chrono::seconds(kPatienceSeconds)) return out;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    out.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    out.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    process_ = -1;
    out.rest = readFrom(output_, false);
    return out;
}

}  // namespace ulna::test
