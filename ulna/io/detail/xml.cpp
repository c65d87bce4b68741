// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/detail/xml.h"

#include <cstdint>
#include <optional>

namespace ulna::io::detail {
namespace {

bool isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool startsName(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
           (static_cast<unsigned char>(c) & 0x80U) != 0;
}
bool continuesName(char c) {
    return startsName(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

struct Entity {
    std::string_view name;
    char character;
};
constexpr Entity kEntities[] = {
    {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};

// The code point of "#38" or "#x26"; nothing where it is none.
std::optional<std::uint32_t> codePointOf(std::string_view number) {
    number.remove_prefix(1);
    const bool hex = number.starts_with('x');
    if (hex) number.remove_prefix(1);
    if (number.empty() || number.size() > 8) return std::nullopt;
    std::uint64_t value = 0;
    for (const char c : number) {
        std::uint64_t digit = 16;
        if (c >= '0' && c <= '9') digit = static_cast<std::uint64_t>(c - '0');
        if (c >= 'a' && c <= 'f') digit = static_cast<std::uint64_t>(c - 'a') + 10;
        if (c >= 'A' && c <= 'F') digit = static_cast<std::uint64_t>(c - 'A') + 10;
        if (digit >= (hex ? 16U : 10U)) return std::nullopt;
        value = value * (hex ? 16 : 10) + digit;
    }
    const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    if (value == 0 || value > 0x10FFFF || surrogate) return std::nullopt;
    return static_cast<std::uint32_t>(value);
}

void appendUtf8(std::uint32_t c, std::string& out) {
    const auto byte = [&](std::uint32_t value) { out += static_cast<char>(value); };
    if (c < 0x80) return byte(c);
    if (c < 0x800) {
        byte(0xC0U | (c >> 6U));
    } else if (c < 0x10000) {
        byte(0xE0U | (c >> 12U));
        byte(0x80U | ((c >> 6U) & 0x3FU));
    } else {
        byte(0xF0U | (c >> 18U));
        byte(0x80U | ((c >> 12U) & 0x3FU));
        byte(0x80U | ((c >> 6U) & 0x3FU));
    }
    byte(0x80U | (c & 0x3FU));
}

// Appends what stands between `&` and `;`; false where it is no entity.
bool appendEntity(std::string_view name, std::string& out) {
    if (name.starts_with('#')) {
        const std::optional<std::uint32_t> c = codePointOf(name);
        if (c) appendUtf8(*c, out);
        return c.has_value();
    }
    for (const Entity& entity : kEntities) {
        if (name != entity.name) continue;
        out += entity.character;
        return true;
    }
    return false;
}

class Reader {
  public:
    Reader(std::string_view text, std::string_view source) {
        out_.source = source;
        out_.text = text;
    }

    Result<XmlDocument> read() {
        if (out_.text.starts_with("\xFF\xFE") || out_.text.starts_with("\xFE\xFF"))
            return error("the file is UTF-16", 0, 0, "save it as UTF-8");
        if (out_.text.starts_with("\xEF\xBB\xBF")) at_ = 3;
        while (at_ < out_.text.size() && !fault_) step();
        if (fault_) return *std::move(fault_);
        if (out_.elements.empty()) return error("there is no XML element", 0, 0);
        if (open_ != kNoElement) {
            const std::string_view name = out_.elements[open_].name;
            return error("the element is not closed", offsetOf(name) - 1, name.size() + 1);
        }
        return std::move(out_);
    }

  private:
    std::size_t offsetOf(std::string_view part) const {
        return static_cast<std::size_t>(part.data() - out_.text.data());
    }
    Diagnostic error(std::string what, std::size_t offset, std::size_t size,
                     std::string advice = {}) const {
        return {.what = std::move(what),
                .location = locationAt(out_.text, offset, out_.source),
                .text = excerpt(out_.text.substr(offset, size)),
                .advice = std::move(advice)};
    }
    void fail(std::string what, std::size_t offset, std::size_t size, std::string advice = {}) {
        if (!fault_) fault_ = error(std::move(what), offset, size, std::move(advice));
    }

    [[nodiscard]] bool sees(std::string_view word) const {
        return out_.text.substr(at_).starts_with(word);
    }
    void skipSpace() {
        while (at_ < out_.text.size() && isSpace(out_.text[at_])) ++at_;
    }
    // Moves behind `end`, which closes what begins at `from`.
    void skipPast(std::string_view end, const char* what, std::size_t from) {
        const std::size_t found = out_.text.find(end, from);
        if (found == std::string_view::npos)
            return fail(std::string("the ") + what + " has no end", at_, 20);
        at_ = found + end.size();
    }

    // Text up to the next tag, or one tag.
    void step() {
        if (out_.text[at_] != '<') return skipText();
        if (sees("<!--")) return skipPast("-->", "comment", at_ + 4);
        if (sees("<?")) return skipPast("?>", "processing instruction", at_ + 2);
        if (sees("<![CDATA[") && open_ != kNoElement) return skipPast("]]>", "CDATA", at_ + 9);
        if (sees("<!"))
            return fail("a document type is not read", at_, 40,
                        "remove the DOCTYPE: entities of its own are refused");
        if (sees("</")) return closeElement();
        openElement();
    }

    void skipText() {
        const std::size_t end = std::min(out_.text.find('<', at_), out_.text.size());
        if (open_ == kNoElement) {
            skipSpace();
            if (at_ < end) fail("there is text outside the outermost element", at_, 40);
        }
        at_ = end;
    }

    std::string_view takeName() {
        const std::size_t begin = at_;
        if (at_ < out_.text.size() && startsName(out_.text[at_])) {
            while (at_ < out_.text.size() && continuesName(out_.text[at_])) ++at_;
        }
        return out_.text.substr(begin, at_ - begin);
    }

    void closeElement() {
        const std::size_t begin = at_;
        at_ += 2;
        const std::string_view name = takeName();
        skipSpace();
        if (!sees(">")) return fail("a closing tag has no '>'", begin, 40);
        ++at_;
        if (open_ == kNoElement)
            return fail("nothing is open that this closes", begin, at_ - begin);
        if (out_.elements[open_].name != name)
            return fail("this closes another element than <" + excerpt(out_.elements[open_].name) +
                            ">, which is open",
                        begin, at_ - begin);
        open_ = out_.elements[open_].parent;
    }

    void openElement() {
        const std::size_t begin = at_;
        ++at_;
        const std::string_view name = takeName();
        if (name.empty())
            return fail("a tag has no name", begin, 20, "'<' in text is written &lt;");
        if (open_ == kNoElement && !out_.elements.empty())
            return fail("there is a second outermost element", begin, at_ - begin);
        if (out_.elements.size() == kMostXmlElements)
            return fail("the file has over " + std::to_string(kMostXmlElements) + " elements",
                        begin, at_ - begin);
        const std::size_t element = addElement(name);
        readAttributes(element);
        if (fault_) return;
        const bool closed = sees("/>");
        if (!closed && !sees(">")) return fail("the tag has no '>'", begin, 40);
        at_ += closed ? 2 : 1;
        if (!closed) open_ = element;
    }

    std::size_t addElement(std::string_view name) {
        const std::size_t element = out_.elements.size();
        out_.elements.push_back(
            {.name = name, .first_attribute = out_.attributes.size(), .parent = open_});
        last_child_.push_back(kNoElement);
        if (open_ == kNoElement) return element;
        std::size_t& last = last_child_[open_];
        (last == kNoElement ? out_.elements[open_].first_child : out_.elements[last].next_sibling) =
            element;
        last = element;
        return element;
    }

    void readAttributes(std::size_t element) {
        for (;;) {
            const std::size_t before = at_;
            skipSpace();
            const std::size_t begin = at_;
            const std::string_view name = takeName();
            if (name.empty()) return;
            if (begin == before) return fail("there is no space before the attribute", begin, 20);
            skipSpace();
            if (!sees("=")) return fail("the attribute has no value", begin, name.size());
            ++at_;
            skipSpace();
            const std::string_view value = takeQuoted(begin);
            if (fault_) return;
            addAttribute(out_.elements[element], {name, value});
            if (fault_) return;
        }
    }

    std::string_view takeQuoted(std::size_t begin) {
        if (!sees("\"") && !sees("'")) {
            fail("the attribute's value has no quotes", begin, 40);
            return {};
        }
        const char quote = out_.text[at_++];
        const std::size_t end = out_.text.find(quote, at_);
        if (end == std::string_view::npos) {
            fail("the attribute's value has no closing quote", begin, 40);
            return {};
        }
        const std::string_view value = out_.text.substr(at_, end - at_);
        at_ = end + 1;
        checkValue(value);
        return value;
    }

    void checkValue(std::string_view value) {
        if (const std::size_t tag = value.find('<'); tag != std::string_view::npos)
            return fail("there is a '<' in the attribute's value", offsetOf(value) + tag, 40,
                        "a closing quote is missing, or it is written &lt;");
        std::string ignored;
        for (std::size_t i = 0; i < value.size(); ++i) {
            if (value[i] != '&') continue;
            const std::size_t end = value.find(';', i);
            if (end == std::string_view::npos ||
                !appendEntity(value.substr(i + 1, end - i - 1), ignored))
                return fail("the entity is unknown", offsetOf(value) + i, 12,
                            "'&' itself is written &amp;");
            i = end;
        }
    }

    void addAttribute(XmlElement& element, const XmlAttribute& attribute) {
        constexpr std::size_t kMost = 200;  // they are compared with each other
        if (element.attribute_count == kMost)
            return fail("the element has over 200 attributes", offsetOf(attribute.name), 20);
        for (std::size_t i = 0; i < element.attribute_count; ++i) {
            if (out_.attributes[element.first_attribute + i].name == attribute.name)
                return fail("the element has this attribute twice", offsetOf(attribute.name),
                            attribute.name.size());
        }
        out_.attributes.push_back(attribute);
        ++element.attribute_count;
    }

    XmlDocument out_;
    std::vector<std::size_t> last_child_;  // of each element
    std::size_t at_ = 0;
    std::size_t open_ = kNoElement;  // the innermost element that is not closed
    std::optional<Diagnostic> fault_;
};

}  // namespace

Result<XmlDocument> readXml(std::string_view text, std::string_view source) {
    return Reader(text, source).read();
}

Location locate(const XmlDocument& document, std::string_view part) {
    return locationAt(document.text, static_cast<std::size_t>(part.data() - document.text.data()),
                      document.source);
}

std::string plainText(std::string_view value) {
    std::string out;
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (value[i] != '&') {
            out += value[i];
            continue;
        }
        const std::size_t end = value.find(';', i);
        appendEntity(value.substr(i + 1, end - i - 1), out);
        i = end;
    }
    return out;
}

}  // namespace ulna::io::detail
