// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/contacts_json.h"

#include <gtest/gtest.h>

namespace ulna::io {
namespace {

std::string errorOf(const std::string& text) {
    const Result<Contacts> read = readContacts(text, "walk.contacts.json");
    return read ? std::string() : describe(read.error());
}

std::string withContact(const std::string& contact) {
    return R"({"floor":0,"contacts":[{"side":"left","part":"heel","first":0,"last":9},)" + contact +
           "]}";
}

TEST(ContactsJson, ReadsWhatItWrites) {
    const Contacts contacts{.floor = -0.0123456789012345,
                            .contacts = {{BodySide::Left, SolePart::Heel, 0, 12},
                                         {BodySide::Right, SolePart::Ball, 3, 3},
                                         {BodySide::Left, SolePart::Heel, 13, 4000000000}}};
    const std::string text = writeContacts(contacts);
    const Result<Contacts> read = readContacts(text, "again");
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_EQ(read->floor, contacts.floor);
    EXPECT_EQ(read->contacts, contacts.contacts);
    EXPECT_EQ(writeContacts(*read), text);
}

TEST(ContactsJson, IsOneContactALine) {
    EXPECT_EQ(writeContacts({.floor = 0.5, .contacts = {{BodySide::Right, SolePart::Ball, 3, 9}}}),
              "{\n  \"ulna\": 1,\n  \"floor\": 0.5,\n  \"contacts\": [\n"
              "    {\"side\":\"right\",\"part\":\"ball\",\"first\":3,\"last\":9}\n  ]\n}\n");
    EXPECT_EQ(writeContacts({}), "{\n  \"ulna\": 1,\n  \"floor\": 0.0,\n  \"contacts\": []\n}\n");
}

TEST(ContactsJson, KeepsTheOrderOfTheFile) {
    const Result<Contacts> read = readContacts(
        R"({"contacts":[{"last":90,"first":80,"part":"ball","side":"left"},
            {"side":"left","part":"ball","first":2,"last":5}],"floor":1})",
        "x");
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_EQ(read->contacts[0].first, 80u);
    EXPECT_EQ(read->contacts[1].last, 5u);
}

TEST(ContactsJson, ErrorsHaveTheirPath) {
    EXPECT_EQ(errorOf(withContact(R"({"side":"left","part":"heel","first":9,"last":12})")),
              "walk.contacts.json: contacts[1]: the contact overlaps another one of the same part "
              "of the same foot (make contacts[0] and it one contact, or shorten one of them)");
    EXPECT_EQ(errorOf(withContact(R"({"side":"left","part":"ball","first":12,"last":9})")),
              "walk.contacts.json: contacts[1]: the contact ends before it begins");
    const auto has = [](const std::string& text, const char* what) {
        const std::string error = errorOf(text);
        EXPECT_NE(error.find(what), std::string::npos) << error;
    };
    has(withContact(R"({"side":"both","part":"ball","first":1,"last":9})"), "contacts[1].side");
    has(withContact(R"({"side":"left","part":"toe","first":1,"last":9})"), "contacts[1].part");
    has(withContact(R"({"side":"left","part":"ball","first":1.5,"last":9})"),
        "contacts[1].first: a frame was expected");
    has(withContact(R"({"side":"left","part":"ball","first":-1,"last":9})"),
        "contacts[1].first: a frame was expected");
    has(withContact(R"({"side":"left","part":"ball","first":1,"last":1e300})"), "contacts[1].last");
    has(withContact(R"({"side":"left","part":"ball","first":1})"), "last");
    has(withContact(R"({"side":"left","part":"ball","first":1,"last":2,"hand":1})"), "hand");
    has(R"({"contacts":[]})", "floor");
    has(R"({"floor":0})", "contacts");
    has(R"({"floor":0,"contacts":{}})", "contacts");
    has(R"({"ulna":2,"floor":0,"contacts":[]})", "this version of the format is unknown");
    has(R"([])", "walk.contacts.json");
    has(R"({"floor":0,)", "walk.contacts.json:1");
}

}  // namespace
}  // namespace ulna::io
