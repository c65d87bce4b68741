// SPDX-License-Identifier: Apache-2.0

// The server itself, by cpp-httplib. Debian has it as a library, so that its macros have to be the
// ones it was compiled with; apps/cli/CMakeLists.txt says which.
#include "apps/cli/view/serve.h"

#include <fmt/format.h>
#include <httplib.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>

#include "apps/cli/command.h"
#include "apps/cli/json.h"
#include "apps/cli/output.h"
#include "apps/cli/view/browser.h"
#include "apps/cli/view/site.h"

namespace ulna::cli {
namespace {

constexpr const char* kAddress = "127.0.0.1";

std::string onlyHeader(const httplib::Request& request, const char* name) {
    return request.get_header_value_count(name) == 1 ? request.get_header_value(name) : "";
}

// Before any routing of the library's own, whatever the method: it has no say in what is served.
void handle(const Site& site, const httplib::Request& request, httplib::Response& response) {
    // The library would cut the ranges out without a look at the size. To ignore them is allowed.
    const_cast<httplib::Request&>(request).ranges.clear();
    SiteResponse answer = site.answer({.method = request.method,
                                       .target = request.target,
                                       .host = onlyHeader(request, "Host"),
                                       .accept_encoding = onlyHeader(request, "Accept-Encoding"),
                                       .if_none_match = onlyHeader(request, "If-None-Match")});
    response.status = answer.status;
    for (const auto& [name, value] : answer.headers) response.set_header(name, value);
    if (answer.body.empty()) {  // the library would ask for pieces of nothing for ever
        response.set_content("", answer.type);
        return;
    }
    // Handed over piece by piece, because a body is compressed behind our back, even twice.
    const auto body = std::make_shared<const std::string>(std::move(answer.body));
    response.set_content_provider(
        body->size(), answer.type,
        [body](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
            return sink.write(body->data() + offset, length);
        });
}

void configure(httplib::Server& server) {
    // The library lets several programs share a port by default; then requests go to any of them.
    server.set_socket_options([](int socket) {
        const int yes = 1;
        ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        ::fcntl(socket, F_SETFD, FD_CLOEXEC);
    });
    // A connection is for one request: what follows it, such as a body, is never taken for another.
    server.set_keep_alive_max_count(1);
    // Browsers open connections ahead of need; each holds a thread until it is used or timed out.
    constexpr std::size_t kThreads = 16;
    server.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    httplib::Headers headers;
    for (const auto& [name, value] : siteHeaders()) headers.emplace(name, value);
    server.set_default_headers(std::move(headers));
    server.set_exception_handler([](const httplib::Request&, httplib::Response& response,
                                    const std::exception_ptr&) { response.status = 500; });
}

// The port, which is someone's choice or the system's.
int bindServer(httplib::Server& server, std::optional<int> port) {
    errno = 0;
    if (!port) {
        const int free = server.bind_to_any_port(kAddress);
        if (free > 0) return free;
    } else if (server.bind_to_port(kAddress, *port)) {
        return *port;
    }
    const char* reason = std::strerror(errno);
    if (!port) fail(kFailed, {.what = fmt::format("{} has no free port: {}", kAddress, reason)});
    fail(kFailed, {.what = fmt::format("port {} of {} cannot be used: {}", *port, kAddress, reason),
                   .advice = "without --port a free one is taken"});
}

// SIGINT and SIGTERM come to whoever waits for them, and interrupt nothing.
sigset_t blockSignals() {
    sigset_t signals;
    ::sigemptyset(&signals);
    ::sigaddset(&signals, SIGINT);
    ::sigaddset(&signals, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    return signals;
}

// Serves until a signal. False where the server ended of itself.
bool serveUntilSignal(httplib::Server& server, const sigset_t& signals) {
    // A connection on which nothing comes holds the server for seconds; nothing is lost with it.
    constexpr auto kPatience = std::chrono::milliseconds(400);
    std::mutex mutex;
    std::condition_variable ended;
    bool done = false, asked = false;
    std::thread waiter([&] {
        int signal = 0;
        ::sigwait(&signals, &signal);
        std::unique_lock lock(mutex);
        asked = !done;
        // It may come before the server runs, when there is nothing to stop yet.
        const auto late = std::chrono::steady_clock::now() + kPatience;
        while (!done && !server.is_running() && std::chrono::steady_clock::now() < late)
            ended.wait_for(lock, std::chrono::milliseconds(5));
        if (!done) server.stop();
        if (!ended.wait_until(lock, late, [&] { return done; })) std::_Exit(kDone);
    });
    server.listen_after_bind();
    {
        const std::lock_guard lock(mutex);
        done = true;
    }
    ended.notify_all();
    // The thread may still wait for a signal; it takes this one as what it waits for.
    ::pthread_kill(waiter.native_handle(), SIGTERM);  // NOLINT(bugprone-bad-signal-to-kill-thread)
    waiter.join();
    return asked;
}

void showUrl(const std::string& url, const ViewSettings& settings) {
    JsonWriter json = beginDocument();
    json.member("url", url);
    print(settings.json ? endDocument(json) : url + "\n");
    finishStdout();
    if (::isatty(STDERR_FILENO) == 1) printNote("Ctrl-C ends it");
    if (settings.open_browser && hasDesktop() && !openBrowser(url))
        printNote("there is no xdg-open; open the page by hand");
}

}  // namespace

int serveStudio(const ViewSettings& settings) {
    const sigset_t signals = blockSignals();
    httplib::Server server;
    configure(server);
    const int port = bindServer(server, settings.port);
    const Site site(NamedFiles(settings.files), port);
    server.set_pre_routing_handler(
        [&site](const httplib::Request& request, httplib::Response& response) {
            handle(site, request, response);
            return httplib::Server::HandlerResponse::Handled;
        });
    showUrl(fmt::format("http://{}:{}/", kAddress, port), settings);
    if (!serveUntilSignal(server, signals))
        fail(kFailed, {.what = "the server can take no more connections"});
    return kDone;
}

}  // namespace ulna::cli
