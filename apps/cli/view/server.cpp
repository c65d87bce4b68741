// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/view/server.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <list>
#include <vector>

#include "apps/cli/view/site.h"

namespace ulna::cli {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Error = boost::system::error_code;

constexpr std::chrono::seconds kHeadTime{5};
constexpr std::chrono::seconds kSendTime{30};  // for each piece
constexpr std::chrono::seconds kLingerTime{1};
constexpr std::size_t kLingerBytes = 1U << 18U;
constexpr std::size_t kPiece = 1U << 16U;
constexpr std::size_t kMostConnections = 256;

// Each connection takes a descriptor, and another for a file that it sends.
std::size_t connectionLimit() {
    constexpr rlim_t kOthers = 32;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return kMostConnections;
    const rlim_t left = limit.rlim_cur > kOthers ? (limit.rlim_cur - kOthers) / 2 : 0;
    return std::clamp<std::size_t>(left, 4, kMostConnections);
}

class Connection;
using Connections = std::list<std::shared_ptr<Connection>>;

// One request and its answer. Whatever is under way holds a reference; a connection is over when
// its socket is closed, which ends what is under way.
class Connection : public std::enable_shared_from_this<Connection> {
  public:
    Connection(tcp::socket socket, Site& site, Connections& all)
        : socket_(std::move(socket)), timer_(socket_.get_executor()), site_(site), all_(all) {}

    void start(Connections::iterator self) {
        self_ = self;
        wait(kHeadTime);
        read();
    }

    /// Whether the request had the token.
    [[nodiscard]] bool isTrusted() const { return response_.trusted; }

    void close() {
        if (closed_) return;
        closed_ = true;
        Error ignored;
        socket_.close(ignored);
        timer_.cancel(ignored);
        all_.erase(self_);  // whoever called holds a reference
    }

  private:
    // Closes the connection unless the next step comes in time.
    void wait(std::chrono::seconds time) {
        timer_.expires_after(time);
        timer_.async_wait([self = shared_from_this()](const Error& error) {
            // A step that came in time may have moved the end after this was on its way.
            if (!error && self->timer_.expiry() <= asio::steady_timer::clock_type::now())
                self->close();
        });
    }

    void read() {
        socket_.async_read_some(asio::buffer(received_),
                                [self = shared_from_this()](const Error& error, std::size_t size) {
                                    if (error)
                                        self->close();
                                    else
                                        self->take({self->received_.data(), size});
                                });
    }

    void take(std::string_view bytes) {
        const RequestReader::State state = reader_.feed(bytes);
        if (state == RequestReader::State::Incomplete) return read();
        response_ = state == RequestReader::State::Complete ? site_.answer(reader_.request())
                                                            : Site::refusal(state);
        head_ = response_.head();
        left_ = response_.has_body ? response_.bodySize() : 0;
        std::string_view body;
        if (const auto* text = std::get_if<std::string>(&response_.body)) body = *text;
        if (const auto* asset = std::get_if<std::string_view>(&response_.body)) body = *asset;
        body = body.substr(0, left_);
        left_ -= body.size();  // what is left is a file's
        wait(kSendTime);
        const std::array<asio::const_buffer, 2> both = {asio::buffer(head_),
                                                        asio::buffer(body.data(), body.size())};
        asio::async_write(socket_, both,
                          [self = shared_from_this()](const Error& error, std::size_t) {
                              if (error)
                                  self->close();
                              else
                                  self->sendFile();
                          });
    }

    void sendFile() {
        if (left_ == 0) return linger();
        const OpenFile& file = std::get<OpenFile>(response_.body);
        piece_.resize(kPiece);
        const std::size_t count =
            file.read(file.size - left_, piece_.data(), std::min(left_, kPiece));
        // The file has become shorter: the size that was said is missed, and the browser sees that.
        if (count == 0) return close();
        left_ -= count;
        wait(kSendTime);
        asio::async_write(socket_, asio::buffer(piece_.data(), count),
                          [self = shared_from_this()](const Error& error, std::size_t) {
                              if (error)
                                  self->close();
                              else
                                  self->sendFile();
                          });
    }

    // A socket that is closed with bytes unread resets the connection, and the answer may be lost.
    // So the other side has a moment to read it and to close.
    void linger() {
        Error ignored;
        socket_.shutdown(tcp::socket::shutdown_send, ignored);
        wait(kLingerTime);
        discard();
    }

    void discard() {
        socket_.async_read_some(asio::buffer(received_),
                                [self = shared_from_this()](const Error& error, std::size_t size) {
                                    self->discarded_ += size;
                                    if (error || self->discarded_ > kLingerBytes)
                                        self->close();
                                    else
                                        self->discard();
                                });
    }

    tcp::socket socket_;
    asio::steady_timer timer_;
    Site& site_;
    Connections& all_;
    Connections::iterator self_;
    bool closed_ = false;
    RequestReader reader_;
    std::array<char, 4096> received_{};
    SiteResponse response_;
    std::string head_;
    std::size_t left_ = 0;  // of the body, not sent yet
    std::vector<char> piece_;
    std::size_t discarded_ = 0;
};

}  // namespace

struct Server::State {
    asio::io_context io{1};
    tcp::acceptor acceptor{io};
    asio::signal_set signals{io};
    asio::steady_timer pause{io};
    Connections connections;
    std::size_t limit = connectionLimit();
    bool failed = false;
    int error = 0;
    int port = 0;

    void listen(int wanted);  ///< 0 is any that is free
    void accept(Site& site);
    void welcome(tcp::socket socket, Site& site);
    bool closeOldest();
};

// A browser keeps what it stores by host and port, and work that was kept should be found again the
// next time. Below the ports that systems hand out by themselves.
int usualPort() {
    constexpr int kFirst = 21000, kCount = 10000;
    return kFirst + static_cast<int>(::getuid() % kCount);
}

void Server::State::listen(int wanted) {
    Error problem;
    const tcp::endpoint end(asio::ip::address_v4::loopback(), static_cast<unsigned short>(wanted));
    if (acceptor.is_open()) acceptor.close(problem);
    acceptor.open(end.protocol(), problem);
    // Connections that just ended do not keep the port from the next server.
    if (!problem) acceptor.set_option(tcp::acceptor::reuse_address(true), problem);
    if (!problem) acceptor.bind(end, problem);
    if (!problem) acceptor.listen(tcp::acceptor::max_listen_connections, problem);
    if (!problem) port = acceptor.local_endpoint(problem).port();
    error = problem.value();
}

// False where every connection has shown the token.
bool Server::State::closeOldest() {
    for (const std::shared_ptr<Connection>& each : connections) {
        if (each->isTrusted()) continue;
        const std::shared_ptr<Connection> held = each;
        held->close();
        return true;
    }
    return false;
}

void Server::State::welcome(tcp::socket socket, Site& site) {
    if (connections.size() >= limit && !closeOldest()) return;  // the socket closes itself
    connections.push_back(std::make_shared<Connection>(std::move(socket), site, connections));
    const std::shared_ptr<Connection> added = connections.back();
    added->start(std::prev(connections.end()));
}

void Server::State::accept(Site& site) {
    acceptor.async_accept([this, &site](const Error& problem, tcp::socket socket) {
        if (!problem) {
            accept(site);
            welcome(std::move(socket), site);
        } else if (problem == asio::error::no_descriptors || problem == asio::error::no_memory ||
                   problem == asio::error::no_buffer_space || problem.value() == ENFILE) {
            // Until then some connection ends; asked at once, the system would say the same again.
            closeOldest();
            pause.expires_after(std::chrono::milliseconds(20));
            pause.async_wait([this, &site](const Error&) { accept(site); });
        } else if (problem == asio::error::connection_aborted || problem.value() == EPROTO) {
            accept(site);
        } else if (problem != asio::error::operation_aborted) {
            failed = true;
            io.stop();
        }
    });
}

Server::Server(std::optional<int> port) : state_(std::make_unique<State>()) {
    Error ignored;
    state_->signals.add(SIGINT, ignored);
    state_->signals.add(SIGTERM, ignored);
    struct sigaction hangup {};
    if (::sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        state_->signals.add(SIGHUP, ignored);
    state_->listen(port.value_or(usualPort()));
    if (!port && state_->port == 0) state_->listen(0);
}

Server::~Server() = default;

int Server::port() const {
    return state_->port;
}

int Server::error() const {
    return state_->error;
}

bool Server::run(Site& site) {
    State& state = *state_;
    state.signals.async_wait([&state](const Error&, int) { state.io.stop(); });
    state.accept(site);
    // Memory may end while a request is answered. Its connection goes with what was thrown, or with
    // its timer, and the others go on.
    while (!state.io.stopped()) {
        try {
            state.io.run();
        } catch (const std::exception&) {
            continue;
        }
    }
    return !state.failed;
}

}  // namespace ulna::cli
