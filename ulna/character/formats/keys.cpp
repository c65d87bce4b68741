// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/keys.h"
#include "ulna/character/detail/format.h"
#include "ulna/character/detail/only_clip.h"
#include "ulna/character/open.h"
#include "ulna/character/save.h"

namespace ulna::character::detail {
namespace {

Result<Character> refuseKeys(std::string_view, std::string_view name, const OpenOptions&) {
    return Diagnostic{.what = "a file of keys has no skeleton",
                      .location = {.file = std::string(name)},
                      .advice = "'ulna key' takes both"};
}

Result<Warnings> saveKeys(const SaveJob& job) {
    Warnings warnings;
    const Clip* clip = onlyClip(job.content, warnings);
    warnings.push_back({.what = "a file of keys holds no skeleton; 'ulna key' puts both together"});
    KeyedMotion keys;
    if (clip != nullptr) {
        const auto* own = std::get_if<KeyedMotion>(clip);
        keys = own != nullptr ? *own : makeKeyed(*std::get_if<Motion>(clip));
    }
    job.sink(io::writeKeysJson(job.content.skeleton, keys));
    return warnings;
}

constexpr std::string_view kKeysEndings[] = {".keys.json"};

}  // namespace

const FormatInfo kKeysInfo = {.format = FileFormat::Keys,
                              .name = "keys",
                              .word = "keys",
                              .endings = kKeysEndings,
                              .keys = true};
const Format kKeysFormat = {.open = refuseKeys, .save = saveKeys};

}  // namespace ulna::character::detail
