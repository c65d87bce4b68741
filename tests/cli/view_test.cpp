// SPDX-License-Identifier: Apache-2.0

// `ulna view` as browsers, scripts and strangers on the same machine meet it.
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <regex>
#include <thread>

#include "support/command.h"
#include "support/paths.h"
#include "support/text.h"
#include "support/view_server.h"

namespace ulna::test {
namespace {

// For what should fail at once, and would serve for ever if it did not.
const std::string kView = "timeout 30 " + test::viewToolPath() + " view --no-open ";
const std::string kPage = test::sourcePath("tests/view/page/");

std::string unpack(const std::string& gzip) {
    std::string out(1U << 20U, '\0');
    z_stream stream{};
    ::inflateInit2(&stream, 16 + MAX_WBITS);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(gzip.data()));
    stream.avail_in = static_cast<uInt>(gzip.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int end = ::inflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    ::inflateEnd(&stream);
    return end == Z_STREAM_END ? out : "this is no gzip";
}

void expectStrict(const HttpAnswer& answer, const std::string& what) {
    const auto header = [&](const char* name) {
        const auto found = answer.headers.find(name);
        return found == answer.headers.end() ? "" : found->second;
    };
    EXPECT_EQ(header("content-security-policy"),
              "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
              "img-src 'self' blob: data:; media-src blob:; connect-src 'self'; "
              "worker-src 'self' blob:; object-src 'none'; base-uri 'none'; "
              "frame-ancestors 'none'")
        << what;
    EXPECT_EQ(header("x-content-type-options"), "nosniff") << what;
    EXPECT_EQ(header("referrer-policy"), "no-referrer") << what;
    EXPECT_EQ(header("cross-origin-resource-policy"), "same-origin") << what;
    EXPECT_EQ(answer.headers.count("access-control-allow-origin"), 0U) << what;
}

void expectFails(const std::string& command, int code, const std::string& message) {
    const CommandResult r = shell(command);
    EXPECT_EQ(r.exit_code, code) << command << r.err;
    EXPECT_TRUE(contains(r.err, message)) << command << r.err;
    EXPECT_EQ(r.out, "") << command;
}

TEST(View, PrintsOneLineTheUrlOfThePage) {
    ViewServer server({});
    EXPECT_TRUE(std::regex_match(server.firstLine(),
                                 std::regex("http://127\\.0\\.0\\.1:\\d+/[0-9a-f]{32}/\n")))
        << server.firstLine();
    const HttpAnswer page = server.get("/");
    EXPECT_EQ(page.status, 200);
    EXPECT_EQ(page.body, readText(kPage + "index.html"));
    EXPECT_EQ(page.headers.at("content-type"), "text/html; charset=utf-8");
    EXPECT_EQ(server.get("/index.html").body, page.body);
    EXPECT_EQ(server.get("/?tour=no").body, page.body);
    const ViewServer::End end = server.stop(SIGINT);
    EXPECT_EQ(end.exit_code, 0);
    EXPECT_EQ(end.rest, "");
}

TEST(View, JsonHasTheUrl) {
    const ViewServer server({"--json"});
    EXPECT_EQ(server.firstLine(), "{\"ulna\":1,\"url\":\"http://127.0.0.1:" +
                                      std::to_string(server.port()) + server.base() + "/\"}\n");
    EXPECT_EQ(server.get("/").status, 200);
}

TEST(View, WithoutTheTokenThereIsNothing) {
    writeText(scratchFolder() + "/secret.bvh", "root:");
    const ViewServer server({"secret.bvh"}), other({"secret.bvh"});
    EXPECT_NE(server.base(), other.base());
    const std::string port = std::to_string(server.port());
    const auto get = [&](const std::string& method, const std::string& target) {
        return exchange(
            "127.0.0.1", server.port(),
            method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n");
    };
    std::string longer = server.base() + "0", shorter = server.base(), changed = server.base();
    shorter.pop_back();
    changed.back() = changed.back() == '0' ? '1' : '0';
    std::string upper = server.base();
    for (char& c : upper) c = c == 'a' ? 'A' : c == 'f' ? 'F' : c;
    const HttpAnswer nothing = server.get("/none");
    for (const std::string& base :
         {std::string(), longer, shorter, changed, other.base(), "/." + server.base(),
          "/" + server.base(), "/x" + server.base()}) {
        for (const char* path : {"/", "/index.html", "/studio.js", "/engine.wasm", "/files.json",
                                 "/files/0/secret.bvh", "", "/none"}) {
            for (const char* method : {"GET", "POST", "OPTIONS"}) {
                const HttpAnswer answer = get(method, base + path);
                // The very answer of what is not there, with the token.
                if (base.empty() && *path == '\0') continue;
                EXPECT_EQ(answer.status, 404) << method << base << path;
                EXPECT_EQ(answer.body, nothing.body) << method << base << path;
                EXPECT_EQ(answer.headers, nothing.headers) << method << base << path;
            }
        }
    }
    if (upper != server.base()) {
        EXPECT_EQ(get("GET", upper + "/").status, 404);
    }
    EXPECT_EQ(get("GET", "/favicon.ico?token=" + server.base()).status, 404);
    EXPECT_EQ(server.get("/").status, 200);
    // What is typed without the slash leads to the page.
    const HttpAnswer without_slash = get("GET", server.base());
    EXPECT_EQ(without_slash.status, 308);
    EXPECT_EQ(without_slash.headers.at("location"), server.base() + "/");
}

TEST(View, LinksAndOtherFilesInPlaceOfANamedOneAreNotServed) {
    namespace fs = std::filesystem;
    const std::string folder = scratchFolder() + "/swapped";
    fs::remove_all(folder);
    fs::remove_all(folder + "-elsewhere");
    fs::create_directories(folder + "/inner");
    fs::create_directories(folder + "-elsewhere");
    writeText(folder + "/secret.bvh", "root:");
    writeText(folder + "-elsewhere/walk.bvh", "root:");
    writeText(folder + "/inner/walk.bvh", "walk");
    fs::create_symlink("inner/walk.bvh", folder + "/link.bvh");
    // A link that the user names is followed once, when the tool starts.
    const ViewServer server({folder + "/inner/walk.bvh", folder + "/link.bvh"});
    const std::string named = "/files/0/walk.bvh", linked = "/files/1/link.bvh";
    EXPECT_EQ(server.get(named).body, "walk");
    EXPECT_EQ(server.get(linked).body, "walk");
    fs::remove(folder + "/link.bvh");
    fs::create_symlink("secret.bvh", folder + "/link.bvh");
    EXPECT_EQ(server.get(linked).body, "walk");
    // A file that was saved by renaming is the new one.
    writeText(folder + "/inner/new", "saved");
    fs::rename(folder + "/inner/new", folder + "/inner/walk.bvh");
    EXPECT_EQ(server.get(named).body, "saved");
    fs::remove(folder + "/inner/walk.bvh");
    fs::create_symlink("../secret.bvh", folder + "/inner/walk.bvh");
    EXPECT_EQ(server.get(named).status, 404);
    EXPECT_EQ(server.get(linked).status, 404);
    fs::remove(folder + "/inner/walk.bvh");
    writeText(folder + "/inner/walk.bvh", "walk");
    EXPECT_EQ(server.get(named).body, "walk");
    // A folder in place of the one that was opened.
    fs::rename(folder + "/inner", folder + "/moved");
    fs::create_symlink("../swapped-elsewhere", folder + "/inner");
    EXPECT_EQ(server.get(named).body, "walk");
    if (::geteuid() == 0) {
        ASSERT_EQ(::chown((folder + "/moved/walk.bvh").c_str(), 65534, 65534), 0);
        EXPECT_EQ(server.get(named).status, 404);
    }
}

TEST(View, AssetsComeWithTheirTypesPackedOrNot) {
    const ViewServer server({});
    const std::pair<const char*, const char*> kAssets[] = {
        {"studio.js", "text/javascript; charset=utf-8"},
        {"studio.css", "text/css; charset=utf-8"},
        {"engine.wasm", "application/wasm"},
        {"deep/icon.svg", "image/svg+xml"},
        {"empty.txt", "text/plain; charset=utf-8"}};
    for (const auto& [name, type] : kAssets) {
        const std::string expected = readText(kPage + name);
        const std::string target = std::string("/") + name;
        const HttpAnswer plain = server.get(target);
        EXPECT_EQ(plain.status, 200) << name;
        EXPECT_EQ(plain.body, expected) << name;
        EXPECT_EQ(plain.headers.at("content-type"), type);
        EXPECT_EQ(plain.headers.count("content-encoding"), 0U) << name;
        EXPECT_EQ(plain.headers.at("vary"), "Accept-Encoding") << name;
        const HttpAnswer packed = server.get(target, "Accept-Encoding: br, gzip, deflate\r\n");
        EXPECT_EQ(packed.headers.at("content-encoding"), "gzip") << name;
        EXPECT_EQ(packed.headers.at("content-length"), std::to_string(packed.body.size())) << name;
        EXPECT_EQ(unpack(packed.body), expected) << name;
        EXPECT_EQ(packed.headers.at("content-type"), type);
        EXPECT_EQ(server.get(target, "Accept-Encoding: gzip;q=0, br\r\n").body, expected) << name;
    }
}

TEST(View, AssetsAreAskedForAgainAndSentOnlyWhenTheyDiffer) {
    const ViewServer server({});
    const HttpAnswer first = server.get("/studio.js");
    EXPECT_EQ(first.headers.at("cache-control"), "no-cache");
    const std::string tag = first.headers.at("etag");
    const HttpAnswer again = server.get("/studio.js", "If-None-Match: " + tag + "\r\n");
    EXPECT_EQ(again.status, 304);
    EXPECT_EQ(again.body, "");
    EXPECT_EQ(again.headers.count("content-length"), 0U);
    EXPECT_EQ(server.get("/studio.css", "If-None-Match: " + tag + "\r\n").status, 200);
}

TEST(View, HeadHasTheHeadersOfGetAndNoBody) {
    writeText(scratchFolder() + "/head.bvh", "twelve bytes");
    const ViewServer server({"head.bvh"});
    for (const char* target : {"/", "/engine.wasm", "/files.json", "/files/0/head.bvh", "/none"}) {
        const HttpAnswer get = server.get(target), head = server.request("HEAD", target);
        EXPECT_EQ(head.status, get.status) << target;
        EXPECT_EQ(head.headers, get.headers) << target;
        EXPECT_EQ(head.body, "") << target;
        EXPECT_EQ(head.headers.at("content-length"), std::to_string(get.body.size())) << target;
    }
}

TEST(View, NothingElseIsThere) {
    writeText(scratchFolder() + "/secret.txt", "root:");
    writeText(scratchFolder() + "/named.bvh", "HIERARCHY");
    const ViewServer server({"named.bvh"});
    const std::string_view kNul("/index.html\0/../../etc/passwd", 29);
    for (const std::string_view target : {std::string_view("/none"),
                                          std::string_view("/../etc/passwd"),
                                          std::string_view("/../../../../../../etc/passwd"),
                                          std::string_view("/etc/passwd"),
                                          std::string_view("/%2e%2e%2f%2e%2e%2fetc/passwd"),
                                          std::string_view("/..%2fetc%2fpasswd"),
                                          std::string_view("/%252e%252e%252fetc/passwd"),
                                          std::string_view("/..\\etc\\passwd"),
                                          std::string_view("//"),
                                          std::string_view("//etc/passwd"),
                                          std::string_view("/."),
                                          std::string_view("/./index.html"),
                                          std::string_view("/index.html/"),
                                          std::string_view("/deep"),
                                          std::string_view("/deep/"),
                                          std::string_view("/deep/../"),
                                          std::string_view("/INDEX.HTML"),
                                          std::string_view("/index%2ehtml"),
                                          std::string_view("/files"),
                                          std::string_view("/files/"),
                                          std::string_view("/files/0"),
                                          std::string_view("/files/0/"),
                                          std::string_view("/files/0/secret.txt"),
                                          std::string_view("/files/0/../secret.txt"),
                                          std::string_view("/files/1/named.bvh"),
                                          std::string_view("/files/-1/named.bvh"),
                                          std::string_view("/files/00/named.bvh"),
                                          std::string_view("/files/0/named%2Ebvh"),
                                          std::string_view("/files/0/parts/0"),
                                          std::string_view("/named.bvh"),
                                          std::string_view("/%00"),
                                          std::string_view("*"),
                                          std::string_view("http://127.0.0.1/"),
                                          std::string_view("file:///etc/passwd"),
                                          kNul}) {
        const HttpAnswer answer = server.get(target);
        // What is no request at all may be called so.
        EXPECT_TRUE(answer.status == 404 || answer.status == 400) << target << answer.status;
        EXPECT_FALSE(contains(answer.body, "root:")) << target;
        expectStrict(answer, std::string(target));
    }
    for (const std::size_t length : {5000U, 9000U, 200000U}) {
        const int status = server.get("/" + std::string(length, 'a')).status;
        EXPECT_TRUE(status == 404 || status == 431) << status;
    }
    EXPECT_EQ(server.get("/").status, 200);
}

TEST(View, NonsenseInPlaceOfRequestsHarmsNothing) {
    const ViewServer server({});
    for (const std::string_view bytes :
         {std::string_view("\r\n\r\n"), std::string_view("GET\r\n\r\n"),
          std::string_view("GET / HTTP/9.9\r\n\r\n"), std::string_view("\0\0\0\0\r\n\r\n", 8),
          std::string_view("\x16\x03\x01\x02\x00\x01\r\n\r\n", 10)}) {
        EXPECT_NE(exchange("127.0.0.1", server.port(), bytes).status, 200);
    }
    EXPECT_EQ(server.get("/").status, 200);
}

TEST(View, AnswersAs127001AndLocalhostOnly) {
    const ViewServer server({});
    const std::string port = std::to_string(server.port());
    const auto status = [&](const std::string& lines) {
        const HttpAnswer answer = exchange(
            "127.0.0.1", server.port(), "GET " + server.base() + "/ HTTP/1.1\r\n" + lines + "\r\n");
        expectStrict(answer, lines);
        if (answer.status != 200) {
            EXPECT_FALSE(contains(answer.body, "<html")) << lines;
        }
        return answer.status;
    };
    EXPECT_EQ(status("Host: 127.0.0.1:" + port + "\r\n"), 200);
    EXPECT_EQ(status("Host: localhost:" + port + "\r\n"), 200);
    EXPECT_EQ(status("hOST: LocalHost:" + port + "\r\n"), 200);
    for (const std::string& host :
         {"evil.example:" + port, std::string("evil.example"), std::string("127.0.0.1"),
          std::string("localhost"), std::string("127.0.0.1:1"), "127.0.0.1:" + port + "0",
          "localhost.evil.example:" + port, "127.0.0.2:" + port, "[::1]:" + port, std::string()})
        EXPECT_EQ(status("Host: " + host + "\r\n"), 421) << host;
    EXPECT_EQ(status(""), 421);
    EXPECT_EQ(status("Host: localhost:" + port + "\r\nHost: evil.example:" + port + "\r\n"), 421);
}

TEST(View, ListensOn127001Only) {
    const ViewServer server({});
    EXPECT_EQ(connectTo("127.0.0.2", server.port()), -1);
    const int own = connectTo("127.0.0.1", server.port());
    EXPECT_GE(own, 0);
    ::close(own);
}

TEST(View, OnlyGetAndHeadAreAnswered) {
    const ViewServer server({});
    for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS"}) {
        const HttpAnswer answer = server.request(method, "/", "Content-Length: 0\r\n");
        EXPECT_EQ(answer.status, 405) << method;
        EXPECT_EQ(answer.headers.at("allow"), "GET, HEAD") << method;
        expectStrict(answer, method);
    }
    for (const char* method : {"CONNECT", "TRACE", "BREW", "get"}) {
        const int status = server.request(method, "/").status;
        EXPECT_TRUE(status == 405 || status == 400) << method << status;
    }
}

TEST(View, ABodyIsNeverTakenForARequest) {
    const ViewServer server({});
    const std::string port = std::to_string(server.port());
    const std::string inner =
        "GET " + server.base() + "/studio.js HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n";
    const HttpAnswer answer =
        exchange("127.0.0.1", server.port(),
                 "POST " + server.base() + "/ HTTP/1.1\r\nHost: 127.0.0.1:" + port +
                     "\r\nContent-Type: text/plain\r\n" +
                     "Content-Length: " + std::to_string(inner.size()) + "\r\n\r\n" + inner);
    EXPECT_EQ(answer.status, 405);
    EXPECT_FALSE(contains(answer.body, "document.title"));
}

TEST(View, RangesAreIgnored) {
    writeText(scratchFolder() + "/range.bvh", "0123456789");
    const ViewServer server({"range.bvh"});
    for (const char* range : {"0-3", "5-", "-2", "8-3000000000", "0-1,4-5", "400-500"}) {
        const HttpAnswer answer =
            server.get("/files/0/range.bvh", std::string("Range: bytes=") + range + "\r\n");
        EXPECT_EQ(answer.status, 200) << range;
        EXPECT_EQ(answer.body, "0123456789") << range;
    }
}

TEST(View, NamedFilesAreListedAndReadAnew) {
    const std::string folder = scratchFolder() + "/named";
    std::filesystem::create_directories(folder + "/other");
    writeText(folder + "/my w\xC3\xA4lk \"1\".bvh", "one");
    writeText(folder + "/other/rig.JSON", "{}");
    const ViewServer server({folder + "/my w\xC3\xA4lk \"1\".bvh", "named/other/rig.JSON",
                             test::sourcePath("assets/ulna-character.glb"),
                             folder + "/my w\xC3\xA4lk \"1\".bvh"});
    const HttpAnswer list = server.get("/files.json");
    EXPECT_EQ(list.headers.at("content-type"), "application/json");
    EXPECT_EQ(list.headers.at("cache-control"), "no-store");
    EXPECT_EQ(list.body,
              "{\"files\":["
              "{\"name\":\"my w\xC3\xA4lk \\\"1\\\".bvh\","
              "\"url\":\"files/0/my%20w%C3%A4lk%20%221%22.bvh\"},"
              "{\"name\":\"rig.JSON\",\"url\":\"files/1/rig.JSON\"},"
              "{\"name\":\"ulna-character.glb\",\"url\":\"files/2/ulna-character.glb\"},"
              "{\"name\":\"my w\xC3\xA4lk \\\"1\\\".bvh\","
              "\"url\":\"files/3/my%20w%C3%A4lk%20%221%22.bvh\"}]}\n");
    const std::string target = "/files/0/my%20w%C3%A4lk%20%221%22.bvh";
    const HttpAnswer first = server.get(target);
    EXPECT_EQ(first.body, "one");
    EXPECT_EQ(first.headers.at("cache-control"), "no-store");
    EXPECT_EQ(first.headers.at("content-type"), "application/octet-stream");
    EXPECT_EQ(server.get("/files/1/rig.JSON").headers.at("content-type"), "application/json");
    const HttpAnswer character = server.get("/files/2/ulna-character.glb");
    EXPECT_EQ(character.headers.at("content-type"), "model/gltf-binary");
    EXPECT_EQ(character.body, readText(test::sourcePath("assets/ulna-character.glb")));

    const std::string path = folder + "/my w\xC3\xA4lk \"1\".bvh";
    writeText(path, std::string(3000000, 'x'));
    EXPECT_EQ(server.get(target).body, std::string(3000000, 'x'));
    writeText(path, "");
    EXPECT_EQ(server.get(target).status, 200);
    EXPECT_EQ(server.get(target).body, "");
    std::filesystem::remove(path);
    EXPECT_EQ(server.get(target).status, 404);
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    EXPECT_EQ(server.get(target).status, 404);
    std::filesystem::remove(path);
    std::filesystem::create_directory(path);
    EXPECT_EQ(server.get(target).status, 404);
}

TEST(View, WithoutFilesTheListIsEmpty) {
    EXPECT_EQ(ViewServer({}).get("/files.json").body, "{\"files\":[]}\n");
}

std::string gltfWith(const std::string& buffers) {
    return "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[" + buffers + "]}";
}

std::string bufferAt(const std::string& uri) {
    return "{\"byteLength\":4,\"uri\":\"" + uri + "\"}";
}

TEST(View, BuffersBesideAGltfAreServedWithIt) {
    const std::string folder = scratchFolder() + "/gltf";
    std::filesystem::create_directories(folder + "/below");
    writeText(folder + "/a b.bin", "near");
    writeText(folder + "/below/c.bin", "down");
    writeText(folder + "/unnamed.bin", "root:");
    writeText(scratchFolder() + "/outside.bin", "root:");
    std::filesystem::create_symlink("../outside.bin", folder + "/link.bin");
    writeText(folder + "/scene.gltf",
              gltfWith(bufferAt("a%20b.bin") + "," + bufferAt("../outside.bin") + "," +
                       bufferAt(".env") + "," + bufferAt(".git/config") + "," + bufferAt("%2Eenv") +
                       "," + bufferAt("below/../.env") + "," + bufferAt("inner_link.bin") + "," +
                       bufferAt("linked/c.bin") + "," + bufferAt("link.bin") + "," +
                       bufferAt("missing.bin") + "," +
                       bufferAt("data:application/octet-stream;base64,AAAAAA==") + "," +
                       bufferAt("/etc/passwd") + "," + bufferAt("file:///etc/passwd") + "," +
                       bufferAt("below/c.bin")));
    writeText(folder + "/.env", "root:");
    std::filesystem::create_directories(folder + "/.git");
    writeText(folder + "/.git/config", "root:");
    std::filesystem::create_symlink("a b.bin", folder + "/inner_link.bin");
    std::filesystem::create_directory_symlink("below", folder + "/linked");
    const ViewServer server({"gltf/scene.gltf"});
    EXPECT_EQ(server.get("/files.json").body,
              "{\"files\":[{\"name\":\"scene.gltf\",\"url\":\"files/0/scene.gltf\",\"parts\":["
              "{\"name\":\"a%20b.bin\",\"url\":\"files/0/parts/0\"},"
              "{\"name\":\"below/c.bin\",\"url\":\"files/0/parts/1\"}]}]}\n");
    EXPECT_EQ(server.get("/files/0/scene.gltf").headers.at("content-type"), "model/gltf+json");
    EXPECT_EQ(server.get("/files/0/parts/0").body, "near");
    EXPECT_EQ(server.get("/files/0/parts/1").body, "down");
    for (const char* target :
         {"/files/0/parts/2", "/files/0/parts/", "/files/0/parts/00", "/files/0/parts/a%20b.bin",
          "/files/0/unnamed.bin", "/files/0/link.bin", "/files/1/parts/0"})
        EXPECT_EQ(server.get(target).status, 404) << target;

    // A link in place of a part, or of a folder on its path.
    std::filesystem::rename(folder + "/a b.bin", folder + "/kept.bin");
    std::filesystem::create_symlink("../outside.bin", folder + "/a b.bin");
    EXPECT_EQ(server.get("/files/0/parts/0").status, 404);
    std::filesystem::rename(folder + "/below", folder + "/kept");
    std::filesystem::create_directory_symlink("kept", folder + "/below");
    EXPECT_EQ(server.get("/files/0/parts/1").status, 404);
    std::filesystem::remove(folder + "/below");
    std::filesystem::rename(folder + "/kept", folder + "/below");

    // The list is the file's own, as it is now.
    writeText(folder + "/scene.gltf", gltfWith(bufferAt("below/c.bin")));
    EXPECT_EQ(server.get("/files/0/parts/0").body, "down");
    EXPECT_EQ(server.get("/files/0/parts/1").status, 404);
    writeText(folder + "/scene.gltf", "{ no JSON");
    EXPECT_EQ(server.get("/files/0/parts/0").status, 404);
    EXPECT_EQ(server.get("/files.json").body,
              "{\"files\":[{\"name\":\"scene.gltf\",\"url\":\"files/0/scene.gltf\"}]}\n");
}

TEST(View, ImagesBesideAGltfAreServedWithIt) {
    const std::string folder = scratchFolder() + "/pictured";
    std::filesystem::create_directories(folder);
    writeText(folder + "/a.bin", "near");
    writeText(folder + "/skin.png", "picture");
    writeText(folder + "/unused.png", "root:");
    std::string text = gltfWith(bufferAt("a.bin"));
    text.pop_back();
    writeText(folder + "/scene.gltf",
              text + R"(,"images":[{"uri":"unused.png"},{"uri":"skin.png"}],)" +
                  R"("textures":[{"source":1}],"materials":[{"pbrMetallicRoughness":)" +
                  R"({"baseColorTexture":{"index":0}}}]})");
    const ViewServer server({"pictured/scene.gltf"});
    EXPECT_TRUE(contains(server.get("/files.json").body,
                         R"({"name":"skin.png","url":"files/0/parts/1"}]})"));
    EXPECT_EQ(server.get("/files/0/parts/1").body, "picture");
    EXPECT_EQ(server.get("/files/0/parts/2").status, 404);
}

TEST(View, TwoAtOnceHavePortsOfTheirOwn) {
    const ViewServer a({}), b({});
    EXPECT_NE(a.port(), b.port());
    EXPECT_EQ(a.get("/").status, 200);
    EXPECT_EQ(b.get("/").status, 200);
}

TEST(View, APortCanBeChosenAndOneThatIsTakenIsSaid) {
    int port = 0;
    {
        ViewServer first({});
        port = first.port();
        expectFails(kView + "--port " + std::to_string(port), 1,
                    "port " + std::to_string(port) +
                        " of 127.0.0.1 cannot be used: Address already in use (without --port a "
                        "free one is taken)");
        // Connections that just ended do not keep the next one from the port.
        EXPECT_EQ(first.get("/").status, 200);
        EXPECT_EQ(first.stop(SIGTERM).exit_code, 0);
    }
    const ViewServer second({"--port", std::to_string(port)});
    EXPECT_EQ(second.port(), port);
    EXPECT_EQ(second.get("/").status, 200);
}

// Whether a program has that port of 127.0.0.1.
bool isTaken(int port) {
    const int tried = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool taken =
        ::bind(tried, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0;
    ::close(tried);
    return taken;
}

TEST(View, HasTheUsersOwnPortUnlessItIsTaken) {
    const int usual = 21000 + static_cast<int>(::getuid() % 10000);
    // Other tests have servers of their own for a moment, and other people for long.
    bool had = false;
    for (int tries = 0; tries < 20 && !had; ++tries) had = ViewServer({}).port() == usual;
    EXPECT_TRUE(had || isTaken(usual)) << usual;
    const ViewServer first({}), second({});
    EXPECT_NE(first.port(), second.port());
    EXPECT_EQ(second.get("/").status, 200);
}

TEST(View, SaysWhatIsWrongBeforeItServes) {
    writeText(scratchFolder() + "/good.bvh", "");
    for (const char* port : {"0", "-1", "65536"})
        expectFails(kView + "--port " + port, 2,
                    std::string("--port ") + port + ": ports are 1 to 65535");
    expectFails(kView + "--port eighty", 2, "--port");
    expectFails(kView + "good.bvh missing.glb", 3, "missing.glb: cannot be opened: No such file");
    expectFails("mkdir -p folder.bvh; " + kView + "folder.bvh", 3,
                "folder.bvh: cannot be opened: Is a directory");
    expectFails("mkfifo pipe.bvh; " + kView + "pipe.bvh", 3, "pipe.bvh: is not a plain file");
    expectFails(kView + "good.fbx", 2, "known endings");
    expectFails(kView + "table.csv", 2, "'table.csv' has no skeleton");
    expectFails(kView + "walk.keys.json", 2, "'walk.keys.json' has no skeleton");
    expectFails(kView + "-", 2, "not standard input");
}

TEST(View, AToolWithoutThePageSaysSo) {
    expectFails("$ULNA view", 1, "error: this ulna was built without the studio (build it with");
    expectFails("$ULNA view missing.bvh", 3, "missing.bvh");
    EXPECT_TRUE(contains(shell("$ULNA view --help").out, "--no-open"));
}

TEST(View, EndsWithZeroOnSignalsWhateverIsOpen) {
    for (const int signal : {SIGINT, SIGTERM}) {
        ViewServer server({});
        const int idle = connectTo("127.0.0.1", server.port());
        const int half = connectTo("127.0.0.1", server.port());
        EXPECT_EQ(::send(half, "GET / HT", 8, MSG_NOSIGNAL), 8);
        EXPECT_EQ(server.get("/").status, 200);
        const ViewServer::End end = server.stop(signal);
        EXPECT_EQ(end.exit_code, 0);
        // Those connections alone would be open for five.
        EXPECT_LT(end.seconds, 3.0);
        ::close(idle);
        ::close(half);
    }
}

TEST(View, ASignalRightAfterTheStartEndsItToo) {
    for (int i = 0; i < 5; ++i) {
        ViewServer server({});
        EXPECT_EQ(server.stop(SIGINT).exit_code, 0);
    }
}

TEST(View, ManyRequestsAtOnceGetTheSameBytes) {
    const std::string expected = readText(test::sourcePath("assets/ulna-character.glb"));
    const ViewServer server({test::sourcePath("assets/ulna-character.glb")});
    std::vector<int> idle;
    for (int i = 0; i < 6; ++i) idle.push_back(connectTo("127.0.0.1", server.port()));
    std::vector<int> good(8, 0);
    std::vector<std::thread> clients;
    for (int& count : good) {
        clients.emplace_back([&] {
            for (int i = 0; i < 4; ++i)
                count += server.get("/files/0/ulna-character.glb").body == expected ? 1 : 0;
        });
    }
    for (std::thread& client : clients) client.join();
    EXPECT_EQ(good, std::vector<int>(8, 4));
    for (const int connection : idle) ::close(connection);
}

// A desktop that writes down what it is asked to show.
class ViewOnADesktop : public testing::Test {
  protected:
    void SetUp() override {
        const std::string bin = scratchFolder() + "/bin";
        std::filesystem::create_directories(bin);
        writeText(bin + "/xdg-open",
                  "#!/bin/sh\necho talk; echo \"$@\" >shown.part; mv shown.part shown\n");
        ASSERT_EQ(::chmod((bin + "/xdg-open").c_str(), 0700), 0);
        std::filesystem::remove(scratchFolder() + "/shown");
        environment_["PATH"] = bin + ":/usr/bin:/bin";
    }
    static std::string shown(int tenths) {
        const std::string path = scratchFolder() + "/shown";
        for (int i = 0; i < tenths && !std::filesystem::exists(path); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        return readText(path);
    }
    ViewServer::Environment environment_;
};

TEST_F(ViewOnADesktop, OpensABrowserThatIsSilentOnStdout) {
    for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY"}) {
        ViewServer::Environment desktop = environment_;
        desktop[variable] = ":7";
        ViewServer server({}, desktop);
        // All users can read the arguments of a program, so the URL is in a file of the user's own.
        const std::string page = shown(200);
        ASSERT_TRUE(page.ends_with("/studio.html\n")) << page;
        const std::string path = page.substr(0, page.size() - 1);
        const std::string url = server.firstLine().substr(0, server.firstLine().size() - 1);
        EXPECT_TRUE(contains(readText(path), "url=" + url + "\"")) << readText(path);
        struct stat status {};
        ASSERT_EQ(::stat(std::filesystem::path(path).parent_path().c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 0777U, 0700U);
        EXPECT_EQ(server.stop(SIGINT).rest, "");
        EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(path).parent_path()));
        std::filesystem::remove(scratchFolder() + "/shown");
    }
}

TEST_F(ViewOnADesktop, OpensNoneWhereNotAskedTo) {
    ViewServer::Environment desktop = environment_;
    const ViewServer without_desktop({}, desktop);
    desktop["DISPLAY"] = "";
    const ViewServer with_empty_display({}, desktop);
    desktop["DISPLAY"] = ":7";
    const ViewServer told_not_to({"--no-open"}, desktop);
    EXPECT_EQ(told_not_to.get("/").status, 200);
    EXPECT_EQ(shown(5), "");
}

}  // namespace
}  // namespace ulna::test
