// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/overwrite.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <vector>

#include "ulna/character/formats.h"
#include "ulna/core/text.h"
#include "ulna/io/file.h"
#include "ulna/io/gltf.h"

namespace ulna {
namespace {

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

std::string_view afterSpace(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

bool looksLikeBvh(std::string_view head) {
    return contains(lowerCase(head.substr(0, 4096)), "hierarchy");  // after a comment or two
}

bool looksLikeGlb(std::string_view head) {
    return head.starts_with("glTF");
}

bool looksLikeGltf(std::string_view head) {
    if (!afterSpace(head).starts_with('{')) return false;
    for (const char* key : {"\"asset\"", "\"nodes\"", "\"accessors\"", "\"bufferViews\"",
                            "\"buffers\"", "\"meshes\"", "\"scenes\"", "\"skins\""})
        if (contains(head, key)) return true;
    return false;
}

// Rigs, keys, goals, constraints and what --json prints: all have the version of the format.
bool looksLikeOurJson(std::string_view head) {
    return afterSpace(head).starts_with('{') && contains(head, "\"ulna\"");
}

// Lines of the words that the format has, and a vertex among them.
bool looksLikeObj(std::string_view head, bool whole) {
    bool vertex = false;
    while (!head.empty()) {
        const std::size_t end = head.find('\n');
        if (end == std::string_view::npos && !whole) break;  // the line goes on
        const std::string_view line = afterSpace(head.substr(0, end));
        head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
        if (line.empty() || line.front() == '#') continue;
        const std::string_view word = line.substr(0, line.find_first_of(" \t\r\n"));
        bool known = false;
        for (const char* each :
             {"v", "vn", "vt", "vp", "f", "l", "p", "o", "g", "s", "mg", "mtllib", "usemtl"})
            known = known || word == each;
        if (!known) return false;
        vertex = vertex || word == "v";
    }
    return vertex;
}

bool looksLikePly(std::string_view head) {
    return head.starts_with("ply\n") || head.starts_with("ply\r");
}

bool looksLikeOurCsv(std::string_view head) {
    return afterSpace(head).starts_with("frame,time");
}

// A header of ours, or a row of numbers: a position, a quaternion and perhaps joints.
bool looksLikeRobotCsv(std::string_view head) {
    const std::string_view row = head.substr(0, head.find('\n'));
    return row.starts_with("root_x,") ||
           (row.find_first_not_of("0123456789.,+-eE \r") == std::string_view::npos &&
            std::count(row.begin(), row.end(), ',') >= 6);
}

bool looksLikeOurNpz(std::string_view head) {
    return head.starts_with("PK\x03\x04") && head.substr(0, 64).find("fps.npy") == 30;
}

bool looksLikePointCache(std::string_view head) {
    return head.starts_with("POINTCACHE2");
}

bool looksLikeSvg(std::string_view head) {
    return contains(head.substr(0, 4096), "<svg");
}

bool looksLikePng(std::string_view head) {
    return head.starts_with("\x89PNG\r\n");
}

bool looksLikeWebp(std::string_view head) {
    return head.starts_with("RIFF") && head.substr(0, 12).ends_with("WEBP");
}

bool looksLikePackedClip(std::string_view head) {
    return head.starts_with("ulnaclip");
}

struct Kind {
    std::string_view ending;
    std::string_view name;
    bool (*looks)(std::string_view head);  // null for OBJ, which is judged by its lines
};

constexpr Kind kKinds[] = {
    {".bvh", "a BVH file", looksLikeBvh},
    {".glb", "a binary glTF file", looksLikeGlb},
    {".gltf", "a glTF document", looksLikeGltf},
    {".json", "a JSON file of Ulna's", looksLikeOurJson},  // with .rig.json and .keys.json
    {".obj", "an OBJ file", nullptr},
    {".ply", "a PLY file", looksLikePly},
    {".robot.csv", "a table of a robot's motion", looksLikeRobotCsv},
    {".csv", "a table of Ulna's", looksLikeOurCsv},
    {".npz", "a motion as a NumPy archive", looksLikeOurNpz},
    {".pc2", "a point cache", looksLikePointCache},
    {".ulnaclip", "a packed clip", looksLikePackedClip},
    {".svg", "an SVG picture", looksLikeSvg},
    {".png", "a PNG picture", looksLikePng},
    {".webp", "a WebP picture", looksLikeWebp},
};

// Whether the path is a regular file.
bool isThere(const std::string& path, struct stat& out) {
    return !path.empty() && path != "-" && ::stat(path.c_str(), &out) == 0 && S_ISREG(out.st_mode);
}

// The same for two paths where they are one file, or will be one where there is none yet.
std::string identityOf(const std::string& path) {
    struct stat there {};
    if (isThere(path, there))
        return std::to_string(there.st_dev) + ":" + std::to_string(there.st_ino);
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    const std::string name = path.substr(slash == std::string::npos ? 0 : slash + 1);
    char* real = ::realpath(folder.c_str(), nullptr);
    if (real == nullptr) return path;
    const std::string out = std::string(real) + "/" + name;
    std::free(real);
    return out;
}

OverwriteRefusal refusal(std::string what, const std::string& path) {
    return {{.what = std::move(what), .location = {.file = path}, .advice = "choose another name"}};
}

// The buffers and images that a glTF file names.
std::vector<std::string> partsOf(const std::string& path) {
    if (!lowerCase(path).ends_with(".gltf")) return {};
    const Result<io::FileBytes> bytes = io::readFile(path);
    if (!bytes) return {};
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    std::vector<std::string> out;
    for (const io::GltfPartFile& part : io::listGltfPartFiles(bytes->view(), folder))
        out.push_back(part.path);
    return out;
}

std::optional<OverwriteRefusal> findOtherKind(const std::string& path) {
    const std::string name = lowerCase(path);
    for (const Kind& kind : kKinds) {
        if (!name.ends_with(kind.ending)) continue;
        std::string head(std::size_t{1} << 16U, '\0');
        std::ifstream file(path, std::ios::binary);
        file.read(head.data(), static_cast<std::streamsize>(head.size()));
        const bool whole = static_cast<std::size_t>(file.gcount()) < head.size();
        head.resize(static_cast<std::size_t>(file.gcount()));
        const bool looks = kind.looks != nullptr ? kind.looks(head) : looksLikeObj(head, whole);
        if (looks) return std::nullopt;
        return refusal("there is a file already, and it is not " + std::string(kind.name), path);
    }
    return refusal("there is a file already, and its ending does not say what it is", path);
}

}  // namespace

OutputGuard::OutputGuard(std::span<const std::string> inputs)
    : inputs_(inputs.begin(), inputs.end()) {
    struct stat there {};
    for (const std::string& input : inputs) {
        if (!isThere(input, there)) continue;
        read_.emplace(identityOf(input), "the input file '" + input + "'");
        for (const std::string& part : partsOf(input))
            read_.emplace(identityOf(part), "a part of the input '" + input + "'");
    }
}

std::optional<OverwriteRefusal> OutputGuard::check(const std::string& path,
                                                   const OverwriteOptions& options) {
    struct stat there {};
    if (path.empty() || path == "-") return std::nullopt;
    const bool exists = ::stat(path.c_str(), &there) == 0;
    if (exists && !S_ISREG(there.st_mode)) return std::nullopt;
    const std::string identity = identityOf(path);
    if (const auto [other, added] = written_.emplace(identity, path); !added)
        return OverwriteRefusal{{.what = "this is another output too: '" + other->second + "'",
                                 .location = {.file = path},
                                 .advice = "each output needs a name of its own"},
                                false};
    if (!exists || options.force) return std::nullopt;
    if (const auto input = read_.find(identity); input != read_.end())
        return refusal("this is " + input->second + ", which would be written over", path);
    if (there.st_size == 0) return std::nullopt;
    if (std::optional<OverwriteRefusal> other = findOtherKind(path)) return other;
    for (const std::string& input : inputs_)
        if (options.among_inputs && formatOfName(input) == formatOfName(path))
            return refusal("there is a file already, of the same format as '" + input + "'", path);
    return std::nullopt;
}

}  // namespace ulna
