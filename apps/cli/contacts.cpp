// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/contacts.h"

#include <fmt/format.h>

#include <iterator>

#include "apps/cli/output.h"
#include "ulna/core/number_text.h"
#include "ulna/io/contacts_json.h"

namespace ulna::cli {

void addContactFiles(Tool& tool, CLI::App* verb, ContactFiles& files) {
    isFile(tool, verb->add_option("--contacts", files.in,
                                  "Take the contacts of the feet, and the floor, from a file that "
                                  "--contacts-out wrote"));
    isOutput(tool, verb->add_option("--contacts-out", files.out,
                                    "Write the contacts that were found, to correct them: "
                                    ".contacts.json"));
}

std::optional<Contacts> readContacts(const ContactFiles& files, std::size_t frames) {
    if (files.in.empty()) return std::nullopt;
    Result<Contacts> read = io::loadContacts(files.in);
    if (!read) fail(kBadInput, read.error());
    if (const Status status = checkContacts(*read, frames); !status) {
        Diagnostic error = status.error();
        error.location = inFile(files.in);
        fail(kBadInput, std::move(error));
    }
    return *std::move(read);
}

void saveContacts(const ContactFiles& files, const Contacts& contacts) {
    if (!files.out.empty()) writeOutput(files.out, io::writeContacts(contacts));
}

std::string contactTable(const Contacts& contacts) {
    std::string out = fmt::format("floor: {}\n{:<6} {:<5} {:>7} {:>7}\n",
                                  shortNumber(contacts.floor), "side", "part", "first", "last");
    for (const Contact& each : contacts.contacts)
        fmt::format_to(std::back_inserter(out), "{:<6} {:<5} {:>7} {:>7}\n", io::sideName(each),
                       io::partName(each), each.first, each.last);
    return out;
}

void writeContacts(const Contacts& contacts, JsonWriter& json) {
    json.beginObject("contacts").member("floor", contacts.floor).beginArray("spans");
    for (const Contact& each : contacts.contacts) {
        json.beginObject()
            .member("side", io::sideName(each))
            .member("part", io::partName(each))
            .member("first", each.first)
            .member("last", each.last)
            .endObject();
    }
    json.endArray().endObject();
}

}  // namespace ulna::cli
