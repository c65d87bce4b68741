// SPDX-License-Identifier: Apache-2.0

// Contacts of feet in the tool: their files, their table and their JSON.
#pragma once

#include <optional>
#include <string>

#include "apps/cli/command.h"
#include "apps/cli/json.h"
#include "ulna/retarget/contacts.h"

namespace ulna::cli {

/// --contacts and --contacts-out
struct ContactFiles {
    std::string in, out;
};
void addContactFiles(Tool& tool, CLI::App* verb, ContactFiles& files);

/// The contacts of --contacts, or none. Fails with exit code 3 on a bad file, and on contacts that
/// are outside a clip of so many frames.
[[nodiscard]] std::optional<Contacts> readContacts(const ContactFiles& files, std::size_t frames);
/// Writes --contacts-out, where it was asked for.
void saveContacts(const ContactFiles& files, const Contacts& contacts);

/// A line for the floor, one for the head of the table, and one for each contact.
[[nodiscard]] std::string contactTable(const Contacts& contacts);
/// The member `contacts`: floor and spans.
void writeContacts(const Contacts& contacts, JsonWriter& json);

}  // namespace ulna::cli
