// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/open.h"

#include <cmath>
#include <utility>

#include "ulna/character/detail/format.h"
#include "ulna/io/file.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna {
namespace {

using character::detail::Format;
using character::detail::formatOf;

Diagnostic unknownFormat(std::string_view name, bool empty) {
    return {.what = empty ? "the file is empty" : "the format of the file is unknown",
            .location = {.file = std::string(name)},
            .advice = "files that end in " + knownEndings(FileUse::Read) + " are opened"};
}

// Numbers in files are bounded, but products of scales are not.
std::optional<Diagnostic> findOverflow(const Character& character) {
    constexpr double kLargest =
        1e200;  // of 1e308: products with weights and their sums stay finite
    const Skeleton& skeleton = character.skeleton;
    const ModelPose rest = computeModelPose(skeleton, restPose(skeleton));
    for (const JointId j : skeleton.joints()) {
        for (const auto& column : rest[j].columns) {
            for (const double value : column) {
                if (std::abs(value) <= kLargest) continue;
                return Diagnostic{.what = "a joint is farther away than numbers reach",
                                  .location = {.file = character.path},
                                  .text = skeleton.name(j)};
            }
        }
    }
    return std::nullopt;
}

// What holds for every format, once its reader is done.
Result<Character> checked(Result<Character> read, FileFormat format, std::string_view name,
                          const OpenOptions& options) {
    if (!read) return read;
    read->path = name;
    read->format = format;
    if (options.strict && !read->warnings.empty()) return read->warnings.front();
    if (std::optional<Diagnostic> fault = findOverflow(*read)) return *std::move(fault);
    read->up = guessUp(*read);
    return read;
}

}  // namespace

Result<Character> openCharacter(std::string_view bytes, std::string_view name,
                                const OpenOptions& options) {
    const std::optional<FileFormat> format = formatOfBytes(bytes, name);
    if (!format) return unknownFormat(name, bytes.empty());
    return checked(formatOf(*format).open(bytes, name, options), *format, name, options);
}

Result<Character> openCharacter(const std::string& path, const OpenOptions& options) {
    const std::optional<FileFormat> format = formatOfName(path);
    if (!format) return unknownFormat(path, false);
    const Format& known = formatOf(*format);
    if (known.load != nullptr) return checked(known.load(path, options), *format, path, options);
    if (!isReadable(*format)) return known.open({}, path, options);
    const Result<io::FileBytes> bytes = io::readFile(path);
    if (!bytes) return bytes.error();
    OpenOptions beside = options;
    const std::size_t slash = path.rfind('/');
    beside.folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    return openCharacter(bytes->view(), path, beside);
}

}  // namespace ulna
