// SPDX-License-Identifier: Apache-2.0

// Any bytes as what a stranger or a browser sends to `ulna view`, in pieces of any size. What is
// below the token is served to those who know it, whoever sends the bytes; what is served has the
// size that its head says, and bytes that lack the token get nothing.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>

#include "apps/cli/view/assets.h"
#include "apps/cli/view/site.h"

namespace ulna::cli {

// A page of one file, "page" packed by gzip.
std::span<const Asset> studioAssets() {
    static const unsigned char kGzip[] = {0x1f, 0x8b, 0x08, 0,    0,    0,    0,    0,
                                          0x02, 0x03, 0x2b, 0x48, 0x4c, 0x4f, 0x05, 0,
                                          0x20, 0xb6, 0x0a, 0x14, 4,    0,    0,    0};
    static const Asset kAssets[] = {{"index.html", "0123456789abcdef", kGzip, std::end(kGzip), 4}};
    return kAssets;
}

}  // namespace ulna::cli

namespace {

using namespace ulna::cli;

constexpr const char* kToken = "00112233445566778899aabbccddeeff";
constexpr int kPort = 8000;

void require(bool condition) {
    if (!condition) std::abort();
}

// A .gltf with a buffer beside it, in a folder that is gone when this program ends.
struct Files {
    std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("ulna-server-fuzz-" + std::to_string(::getpid()));
    Files() {
        std::filesystem::create_directories(folder);
        std::ofstream(folder / "a.bin") << "part";
        std::ofstream(folder / "a.gltf")
            << R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":4,"uri":"a.bin"}]})";
    }
    ~Files() { std::filesystem::remove_all(folder); }
};

Site& site() {
    static const Files kFiles;
    static Site made(*NamedFiles::open({(kFiles.folder / "a.gltf").string()}), kToken, kPort);
    return made;
}

void judge(const SiteResponse& response, std::string_view bytes) {
    const std::string head = response.head();
    require(head.ends_with("\r\n\r\n") && head.find("\r\n\r\n") == head.size() - 4);
    const std::string size = "Content-Length: " + std::to_string(response.bodySize()) + "\r\n";
    require((head.find(size) != std::string::npos) == (response.status != 304));
    const bool knows_token = bytes.find(kToken) != std::string_view::npos;
    const bool knows_host = bytes.find(":8000") != std::string_view::npos;
    if (!knows_token || !knows_host) {
        require(!response.trusted && response.status >= 400);
        require(std::holds_alternative<std::string>(response.body));
        require(head.find(kToken) == std::string::npos);
    }
    if (const auto* file = std::get_if<OpenFile>(&response.body))
        require(readWhole(*file).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    // The first byte is the size of the pieces.
    const std::size_t piece = data[0] == 0 ? size : data[0];
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    RequestReader reader;
    RequestReader::State state = RequestReader::State::Incomplete;
    for (std::size_t i = 0; i < bytes.size() && state == RequestReader::State::Incomplete;
         i += piece)
        state = reader.feed(bytes.substr(i, piece));
    // What is a request depends on the bytes and not on how they come; only how soon the parser
    // finds others malformed does.
    RequestReader whole;
    const bool at_once = whole.feed(bytes) == RequestReader::State::Complete;
    if (bytes.size() <= kLargestHead) require(at_once == (state == RequestReader::State::Complete));
    if (state == RequestReader::State::Incomplete) return 0;
    const bool complete = state == RequestReader::State::Complete;
    judge(complete ? site().answer(reader.request()) : Site::refusal(state), bytes);
    return 0;
}
