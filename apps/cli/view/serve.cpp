// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/view/serve.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstring>

#include "apps/cli/command.h"
#include "apps/cli/json.h"
#include "apps/cli/output.h"
#include "apps/cli/view/browser.h"
#include "apps/cli/view/server.h"
#include "apps/cli/view/site.h"
#include "apps/cli/view/token.h"

namespace ulna::cli {
namespace {

constexpr const char* kAddress = "127.0.0.1";

[[noreturn]] void failToListen(std::optional<int> port, int error) {
    const char* reason = std::strerror(error);
    if (!port) fail(kFailed, {.what = fmt::format("{} has no free port: {}", kAddress, reason)});
    fail(kFailed, {.what = fmt::format("port {} of {} cannot be used: {}", *port, kAddress, reason),
                   .advice = "without --port a free one is taken"});
}

void printUrl(const std::string& url, const ViewSettings& settings) {
    JsonWriter json = beginDocument();
    json.member("url", url);
    print(settings.json ? endDocument(json) : url + "\n");
    finishStdout();
    if (::isatty(STDERR_FILENO) == 1) printNote("Ctrl-C ends it");
}

}  // namespace

int serveStudio(const ViewSettings& settings) {
    Result<NamedFiles> files = NamedFiles::open(settings.files);
    if (!files) fail(kBadInput, files.error());
    const std::string token = makeToken();
    if (token.empty()) fail(kFailed, {.what = "the system has no random numbers for the URL"});
    Server server(settings.port);
    if (server.port() == 0) failToListen(settings.port, server.error());
    Site site(*std::move(files), token, server.port());
    const std::string url = fmt::format("http://{}:{}/{}/", kAddress, server.port(), token);
    printUrl(url, settings);
    std::optional<RedirectFile> redirect;
    if (settings.open_browser && hasDesktop()) {
        redirect.emplace(url);
        if (redirect->path().empty() || !openBrowser(redirect->path()))
            printNote("no browser could be started; open the page by hand");
    }
    if (!server.run(site)) fail(kFailed, {.what = "the server can take no more connections"});
    return kDone;
}

}  // namespace ulna::cli
