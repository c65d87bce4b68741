// SPDX-License-Identifier: Apache-2.0

// Any bytes as a contacts file: must be refused with a sentence, or be the contacts of some clip,
// and come back as they were written.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "ulna/io/contacts_json.h"

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace ulna;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const Result<Contacts> read = io::readContacts(text, "fuzz.json");
    if (!read) {
        require(!describe(read.error()).empty());
        return 0;
    }
    std::size_t frames = 1;
    for (const Contact& each : read->contacts) frames = std::max(frames, each.last + 1);
    require(checkContacts(*read, frames).ok());
    const Result<Contacts> again = io::readContacts(io::writeContacts(*read), "again.json");
    require(again.ok() && again->floor == read->floor && again->contacts == read->contacts);
    return 0;
}
