// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/detail/xml.h"

#include <gtest/gtest.h>

#include "support/text.h"

namespace ulna::io::detail {
namespace {

using test::contains;

XmlDocument read(std::string_view text) {
    Result<XmlDocument> document = readXml(text, "test.xml");
    EXPECT_TRUE(document.ok()) << (document ? "" : describe(document.error()));
    return document ? *std::move(document) : XmlDocument{};
}
std::string errorOf(std::string_view text) {
    const Result<XmlDocument> document = readXml(text, "test.xml");
    return document ? "" : describe(document.error());
}

TEST(Xml, IsElementsInTheOrderOfTheFileWithParentsChildrenAndSiblings) {
    constexpr std::string_view kText =
        "<?xml version='1.0'?>\n<!-- a > b -->\n<a><b/><c><d></d></c ><b\n/></a>\n";
    const XmlDocument document = read(kText);
    ASSERT_EQ(document.elements.size(), 5U);
    const auto name = [&](std::size_t i) { return document.elements[i].name; };
    EXPECT_EQ(name(0), "a");
    EXPECT_EQ(name(1), "b");
    EXPECT_EQ(name(2), "c");
    EXPECT_EQ(name(3), "d");
    EXPECT_EQ(name(4), "b");
    EXPECT_EQ(document.elements[0].first_child, 1U);
    EXPECT_EQ(document.elements[1].next_sibling, 2U);
    EXPECT_EQ(document.elements[2].first_child, 3U);
    EXPECT_EQ(document.elements[2].next_sibling, 4U);
    EXPECT_EQ(document.elements[3].parent, 2U);
    EXPECT_EQ(document.elements[4].next_sibling, kNoElement);
}

TEST(Xml, HasValuesInEitherQuotesWithTheFiveEntitiesAndCharactersByNumber) {
    constexpr std::string_view kText =
        "<a one = '1 \"2\"' two=\"&lt;&gt;&amp;&quot;&apos;\" three='&#65;&#x20AC;&#x1F600;'/>";
    const XmlDocument document = read(kText);
    ASSERT_EQ(document.attributes.size(), 3U);
    EXPECT_EQ(document.attributes[0].name, "one");
    EXPECT_EQ(plainText(document.attributes[0].value), "1 \"2\"");
    EXPECT_EQ(plainText(document.attributes[1].value), "<>&\"'");
    EXPECT_EQ(plainText(document.attributes[2].value), "A\xE2\x82\xAC\xF0\x9F\x98\x80");
}

TEST(Xml, SkipsTextCommentsInstructionsAndCdata) {
    constexpr std::string_view kText =
        "\xEF\xBB\xBF<a>text &notread; <!-- <b/> --> <?pi <b/> ?><![CDATA[ <b/> ]]></a> <!-- end "
        "-->";
    const XmlDocument document = read(kText);
    EXPECT_EQ(document.elements.size(), 1U);
}

TEST(Xml, SaysLineAndColumnOfWhatIsNotWellFormed) {
    EXPECT_EQ(errorOf("<a>\n  <b></c></a>"),
              "test.xml:2:6: this closes another element than <b>, which is open: '</c>'");
    EXPECT_TRUE(contains(errorOf("<a>\n<b>"), "test.xml:2:1: the element is not closed: '<b"));
    EXPECT_TRUE(contains(errorOf("<a x='1' x='2'/>"),
                         "test.xml:1:10: the element has this attribute twice"));
    EXPECT_TRUE(contains(errorOf("<a x=1/>"), "no quotes"));
    EXPECT_TRUE(contains(errorOf("<a x='1/>"), "no closing quote"));
    EXPECT_TRUE(contains(errorOf("<a x='1><b y=''/>"), "'<' in the attribute's value"));
    EXPECT_TRUE(contains(errorOf("<a x/>"), "the attribute has no value"));
    EXPECT_TRUE(contains(errorOf("<a x='1'y='2'/>"), "no space before the attribute"));
    EXPECT_TRUE(contains(errorOf("<a"), "no '>'"));
    EXPECT_TRUE(contains(errorOf("</a>"), "nothing is open"));
    EXPECT_TRUE(contains(errorOf("<a/><b/>"), "second outermost element"));
    EXPECT_TRUE(contains(errorOf("<a/> text"), "text outside"));
    EXPECT_TRUE(contains(errorOf("<a>< b/></a>"), "a tag has no name"));
    EXPECT_TRUE(contains(errorOf("<a><!-- </a>"), "the comment has no end"));
    EXPECT_TRUE(contains(errorOf(""), "no XML element"));
    EXPECT_TRUE(contains(errorOf("<a></a "), "a closing tag has no '>'"));
}

TEST(Xml, RefusesWhatCouldGrowOrDeceive) {
    EXPECT_TRUE(contains(errorOf("<!DOCTYPE a [<!ENTITY b 'cc'>]><a x='&b;'/>"),
                         "test.xml:1:1: a document type is not read"));
    EXPECT_TRUE(contains(errorOf("<a><!ENTITY b 'c'></a>"), "a document type is not read"));
    for (const char* entity : {"&b;", "&;", "&", "&amp", "&#0;", "&#xD800;", "&#x110000;", "&#;",
                               "&#x;", "&#xZ;", "&#12a;", "&#99999999999999999999;"})
        EXPECT_TRUE(contains(errorOf(std::string("<a x='") + entity + "'/>"), "entity is unknown"))
            << entity;
    EXPECT_TRUE(contains(errorOf("\xFF\xFE<"), "UTF-16"));
    std::string many = "<a";
    for (int i = 0; i < 201; ++i) many += " x" + std::to_string(i) + "=''";
    EXPECT_TRUE(contains(errorOf(many + "/>"), "over 200 attributes"));
}

TEST(Xml, OfAnyDepthIsReadWithoutRecursion) {
    constexpr std::size_t kDeep = 200'000;
    std::string text;
    for (std::size_t i = 0; i < kDeep; ++i) text += "<a>";
    EXPECT_TRUE(contains(errorOf(text), "not closed"));
    for (std::size_t i = 0; i < kDeep; ++i) text += "</a>";
    EXPECT_EQ(read(text).elements.size(), kDeep);
}

TEST(Xml, HasAMillionElementsAtMost) {
    std::string text = "<a>";
    for (std::size_t i = 1; i < kMostXmlElements; ++i) text += "<b/>";
    EXPECT_EQ(read(text + "</a>").elements.size(), kMostXmlElements);
    EXPECT_TRUE(contains(errorOf(text + "<b/></a>"), "over 1000000 elements"));
}

TEST(Xml, CutAnywhereIsRefusedOrTheWhole) {
    constexpr std::string_view kText =
        "<?xml version='1.0'?><a x='&lt;'><!-- c --><b y=\"1\"></b></a>";
    for (std::size_t size = 0; size < kText.size(); ++size)
        EXPECT_FALSE(readXml(kText.substr(0, size), "cut").ok()) << size;
}

}  // namespace
}  // namespace ulna::io::detail
