// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/contacts_json.h"

#include <cmath>

#include "ulna/io/detail/json_cursor.h"
#include "ulna/io/file.h"

namespace ulna::io {
namespace {

using detail::Json;
using detail::JsonCursor;
using detail::JsonErrors;
using detail::OrderedJson;

std::size_t readFrame(const JsonCursor& json) {
    constexpr double kMost = 4294967295.0;
    const double number = json.number();
    if (number >= 0.0 && number <= kMost && number == std::floor(number))
        return static_cast<std::size_t>(number);
    json.fail("a frame was expected: 0, 1, 2, ...");
    return 0;
}

Contact readContact(const JsonCursor& json) {
    json.expectKeys({"side", "part", "first", "last"});
    Contact out;
    out.side =
        json.at("side").oneOf({"left", "right"}) == "right" ? BodySide::Right : BodySide::Left;
    out.part = json.at("part").oneOf({"heel", "ball"}) == "ball" ? SolePart::Ball : SolePart::Heel;
    out.first = readFrame(json.at("first"));
    out.last = readFrame(json.at("last"));
    if (out.last < out.first) json.fail("the contact ends before it begins");
    return out;
}

}  // namespace

Result<Contacts> readContacts(std::string_view text, std::string_view source) {
    const Result<Json> document = detail::parseJson(text, source);
    if (!document) return document.error();
    JsonErrors errors{std::string(source), {}};
    const JsonCursor json(*document, "", errors);
    json.expectKeys({"ulna", "floor", "contacts"});
    if (json.has("ulna") && json.at("ulna").number() != 1.0) {
        json.at("ulna").fail("this version of the format is unknown",
                             "this program reads version 1");
    }
    Contacts out;
    out.floor = json.at("floor").number();
    const JsonCursor list = json.at("contacts");
    for (std::size_t i = 0; i < list.size() && !errors.first; ++i)
        out.contacts.push_back(readContact(list[i]));
    if (!errors.first) {
        if (const auto both = overlappingContacts(out.contacts))
            list[(*both)[1]].fail(
                "the contact overlaps another one of the same part of the same "
                "foot",
                "make contacts[" + std::to_string((*both)[0]) +
                    "] and it one contact, or shorten one of them");
    }
    if (errors.first) return *std::move(errors.first);
    return out;
}

Result<Contacts> loadContacts(const std::string& path) {
    const Result<FileBytes> bytes = readFile(path);
    if (!bytes) return bytes.error();
    return readContacts(bytes->view(), path);
}

std::string writeContacts(const Contacts& contacts) {
    std::string out =
        "{\n  \"ulna\": 1,\n  \"floor\": " + detail::dumpJson(OrderedJson(contacts.floor)) +
        ",\n  \"contacts\": [";
    for (std::size_t i = 0; i < contacts.contacts.size(); ++i) {
        const Contact& each = contacts.contacts[i];
        OrderedJson entry;
        entry["side"] = sideName(each);
        entry["part"] = partName(each);
        entry["first"] = each.first;
        entry["last"] = each.last;
        out += (i == 0 ? "\n    " : ",\n    ") + detail::dumpJson(entry);
    }
    return out + (contacts.contacts.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

std::string_view sideName(const Contact& contact) {
    return contact.side == BodySide::Right ? "right" : "left";
}

std::string_view partName(const Contact& contact) {
    return contact.part == SolePart::Ball ? "ball" : "heel";
}

}  // namespace ulna::io
