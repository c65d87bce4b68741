// SPDX-License-Identifier: Apache-2.0

// Any bytes as a rig file: must be refused with a sentence, or read so that writing and reading
// again gives the same text.
#include <cstdint>
#include <cstdlib>

#include "ulna/io/bvh.h"
#include "ulna/io/rig_json.h"

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace ulna::io;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const ulna::Result<RigFile> rig = readRig(text, "fuzz.rig.json");
    if (!rig) {
        require(!describe(rig.error()).empty());
        return 0;
    }
    const ulna::Result<RigFile> again = readRig(writeRig(*rig), "again.rig.json");
    require(again.ok());
    require(again->skeleton.jointCount() == rig->skeleton.jointCount());
    require(again->clips.size() == rig->clips.size());
    for (const ulna::DofClip& clip : rig->clips) {
        static_cast<void>(makeBvh(rig->skeleton, computeMotion(rig->skeleton, clip)));
    }
    return 0;
}
