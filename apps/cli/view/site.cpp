// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/view/site.h"

#include <fmt/format.h>
#include <zlib.h>

#include <map>
#include <new>
#include <stdexcept>

#include "apps/cli/arguments.h"
#include "apps/cli/view/assets.h"
#include "ulna/core/text.h"

namespace ulna::cli {
namespace {

SiteResponse refusal(int status, std::string sentence) {
    return {.status = status,
            .headers = {{"Cache-Control", "no-store"}},
            .body = std::move(sentence) + "\n"};
}

std::string_view typeOf(std::string_view path) {
    static const std::map<std::string_view, std::string_view> kTypes = {
        {"html", "text/html; charset=utf-8"},
        {"js", "text/javascript; charset=utf-8"},
        {"mjs", "text/javascript; charset=utf-8"},
        {"css", "text/css; charset=utf-8"},
        {"json", "application/json"},
        {"wasm", "application/wasm"},
        {"svg", "image/svg+xml"},
        {"png", "image/png"},
        {"ico", "image/x-icon"},
        {"glb", "model/gltf-binary"},
        {"txt", "text/plain; charset=utf-8"},
    };
    const auto found = kTypes.find(path.substr(path.rfind('.') + 1));
    return found == kTypes.end() ? "application/octet-stream" : found->second;
}

bool takesGzip(const std::string& accept_encoding) {
    for (const std::string& choice : split(lowerCase(accept_encoding), ',')) {
        const std::vector<std::string> words = split(choice, ';');
        if (words[0] != "gzip" && words[0] != "*") continue;
        return words.size() < 2 || !words[1].starts_with("q=") ||
               numberOf(std::string_view(words[1]).substr(2)).value_or(0.0) > 0.0;
    }
    return false;
}

std::string unpacked(const Asset& asset) {
    constexpr int kGzip = 16 + MAX_WBITS;
    std::string out(asset.size, '\0');
    z_stream stream{};
    if (::inflateInit2(&stream, kGzip) != Z_OK) throw std::bad_alloc();
    stream.next_in = const_cast<Bytef*>(asset.gzip_begin);
    stream.avail_in = static_cast<uInt>(asset.gzip().size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int end = ::inflate(&stream, Z_FINISH);
    ::inflateEnd(&stream);
    if (end != Z_STREAM_END) throw std::runtime_error("a part of the page does not unpack");
    return out;
}

SiteResponse serveAsset(const Asset& asset, const SiteRequest& request) {
    // Weak, because packed and unpacked bytes share it.
    const std::string tag = fmt::format("W/\"{}\"", asset.content);
    SiteResponse out;
    out.type = typeOf(asset.path);
    // Asked for again each time, so that the page of a newer tool is seen.
    out.headers = {{"Cache-Control", "no-cache"}, {"ETag", tag}, {"Vary", "Accept-Encoding"}};
    if (request.if_none_match.find(tag) != std::string::npos) {
        out.status = 304;
    } else if (takesGzip(request.accept_encoding)) {
        out.headers.emplace_back("Content-Encoding", "gzip");
        out.body = asset.gzip();
    } else {
        out.body = unpacked(asset);
    }
    return out;
}

}  // namespace

const std::vector<std::pair<std::string, std::string>>& siteHeaders() {
    static const std::vector<std::pair<std::string, std::string>> kHeaders = {
        {"Content-Security-Policy",
         "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
         "img-src 'self' blob: data:; media-src blob:; connect-src 'self'; "
         "worker-src 'self' blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Accept-Ranges", "none"},
    };
    return kHeaders;
}

// A page elsewhere can have its own name lead to 127.0.0.1; its requests still say that name.
bool Site::isOurs(const std::string& host) const {
    constexpr int kUnsaid = 80;  // browsers leave it out
    for (const char* name : {"127.0.0.1", "localhost"}) {
        if (equalIgnoringCase(host, fmt::format("{}:{}", name, port_))) return true;
        if (port_ == kUnsaid && equalIgnoringCase(host, name)) return true;
    }
    return false;
}

SiteResponse Site::answer(const SiteRequest& request) const {
    if (!isOurs(request.host)) return refusal(421, "This server is not for that host.");
    if (request.method != "GET" && request.method != "HEAD") {
        SiteResponse out = refusal(405, "There is nothing here to change.");
        out.headers.emplace_back("Allow", "GET, HEAD");
        return out;
    }
    std::string_view path = request.target.substr(0, request.target.find('?'));
    if (path == "/") path = "/index.html";
    if (!path.starts_with('/')) return refusal(404, "There is nothing of that name.");
    path.remove_prefix(1);
    for (const Asset& asset : studioAssets())
        if (asset.path == path) return serveAsset(asset, request);
    SiteResponse out{.headers = {{"Cache-Control", "no-store"}}};
    if (path == "files.json") {
        out.type = "application/json";
        out.body = files_.list();
        return out;
    }
    std::optional<ServedFile> file = files_.find(path);
    if (!file) return refusal(404, "There is nothing of that name.");
    out.type = std::move(file->type);
    out.body = std::move(file->bytes);
    return out;
}

}  // namespace ulna::cli
