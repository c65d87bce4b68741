// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/view/site.h"

#include <fmt/format.h>
#include <zlib.h>

#include <new>
#include <stdexcept>

#include "apps/cli/view/assets.h"
#include "apps/cli/view/token.h"
#include "ulna/core/text.h"

namespace ulna::cli {
namespace {

SiteResponse sentence(int status, std::string text) {
    return {.status = status,
            .headers = {{"Cache-Control", "no-store"}},
            .body = std::move(text) + "\n"};
}

// The same whether there is no such thing or no such token.
SiteResponse nothingThere() {
    return sentence(404, "There is nothing of that name.");
}

std::string_view reasonOf(int status) {
    switch (status) {
        case 200:
            return "OK";
        case 304:
            return "Not Modified";
        case 308:
            return "Permanent Redirect";
        case 400:
            return "Bad Request";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 421:
            return "Misdirected Request";
        case 431:
            return "Request Header Fields Too Large";
        default:
            return "Internal Server Error";
    }
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

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// What comes before a character, taken off the text.
std::string_view takeUntil(std::string_view& text, char end) {
    const std::size_t at = text.find(end);
    const std::string_view out = trimmed(text.substr(0, at));
    text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
    return out;
}

// Of RFC 9110's weights only zero, which forbids, makes a difference here.
bool takesGzip(std::string_view accept_encoding) {
    const std::string lower = lowerCase(accept_encoding);
    for (std::string_view rest = lower; !rest.empty();) {
        std::string_view choice = takeUntil(rest, ',');
        const std::string_view name = takeUntil(choice, ';');
        if (name != "gzip" && name != "*") continue;
        const std::string_view weight = trimmed(choice);
        return !weight.starts_with("q=0") ||
               weight.find_first_of("123456789") != std::string_view::npos;
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

// Headers of every response: the browser is to take nothing from elsewhere, hand nothing on, and
// guess no types.
constexpr std::string_view kCommonHeaders =
    "Content-Security-Policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "
    "style-src 'self'; img-src 'self' blob: data:; media-src blob:; connect-src 'self'; "
    "worker-src 'self' blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Accept-Ranges: none\r\n"
    "Connection: close\r\n";

}  // namespace

std::size_t SiteResponse::bodySize() const {
    if (const auto* file = std::get_if<OpenFile>(&body)) return file->size;
    if (const auto* view = std::get_if<std::string_view>(&body)) return view->size();
    return std::get<std::string>(body).size();
}

std::string SiteResponse::head() const {
    std::string out = fmt::format("HTTP/1.1 {} {}\r\n", status, reasonOf(status));
    out += kCommonHeaders;
    out += fmt::format("Content-Type: {}\r\n", type);
    // Of 304 the size would be that of what is not sent again.
    if (status != 304) out += fmt::format("Content-Length: {}\r\n", bodySize());
    for (const auto& [name, value] : headers) out += fmt::format("{}: {}\r\n", name, value);
    return out + "\r\n";
}

SiteResponse Site::refusal(RequestReader::State state) {
    return state == RequestReader::State::TooLarge
               ? sentence(431, "The request is too large.")
               : sentence(400, "This is not a request of HTTP/1.1.");
}

SiteResponse Site::serveAsset(const Asset& asset, const SiteRequest& request) {
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
        const auto found = unpacked_.find(asset.path);
        const std::string& bytes =
            found != unpacked_.end() ? found->second
                                     : unpacked_.emplace(asset.path, unpacked(asset)).first->second;
        out.body = std::string_view(bytes);
    }
    return out;
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

SiteResponse Site::answer(const SiteRequest& request) {
    if (!isOurs(request.host)) return sentence(421, "This server is not for that host.");
    std::string_view path = request.target;
    path = path.substr(0, path.find('?'));
    SiteResponse out = nothingThere();
    if (path.starts_with('/')) {
        path.remove_prefix(1);
        const std::size_t slash = path.find('/');
        if (equalInConstantTime(path.substr(0, slash), token_)) {
            if (request.method != "GET" && request.method != "HEAD") {
                out = sentence(405, "There is nothing here to change.");
                out.headers.emplace_back("Allow", "GET, HEAD");
            } else if (slash == std::string_view::npos) {
                // What the page asks for is relative to its folder.
                out = sentence(308, "The page is at the address with a slash at its end.");
                out.headers.emplace_back("Location", "/" + token_ + "/");
            } else {
                out = answerBelowToken(path.substr(slash + 1), request);
            }
            out.trusted = true;
        }
    }
    out.has_body = request.method != "HEAD";
    return out;
}

SiteResponse Site::answerBelowToken(std::string_view path, const SiteRequest& request) {
    if (path.empty()) path = "index.html";
    for (const Asset& asset : studioAssets())
        if (asset.path == path) return serveAsset(asset, request);
    SiteResponse out{.headers = {{"Cache-Control", "no-store"}}};
    if (path == "files.json") {
        out.type = "application/json";
        out.body = files_.list();
        return out;
    }
    std::optional<ServedFile> file = files_.find(path);
    if (!file) return nothingThere();
    out.type = std::move(file->type);
    out.body = std::move(file->file);
    return out;
}

}  // namespace ulna::cli
