// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/view/request.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>

#include "ulna/core/assert.h"

namespace ulna::cli {
namespace {

namespace http = boost::beast::http;

template <class Text>
std::string textOf(const Text& text) {
    return {text.data(), text.size()};
}

std::string onlyHeader(const http::fields& fields, http::field name) {
    return fields.count(name) == 1 ? textOf(fields[name]) : std::string();
}

}  // namespace

struct RequestReader::Parser {
    http::request_parser<http::empty_body> head;
};

RequestReader::RequestReader() : parser_(std::make_unique<Parser>()) {
    // The limit here is on all that comes; Beast's own is on each part of it.
    parser_->head.header_limit(static_cast<std::uint32_t>(kLargestHead));
}

RequestReader::~RequestReader() = default;

RequestReader::State RequestReader::feed(std::string_view bytes) {
    if (state_ != State::Incomplete || bytes.empty()) return state_;
    constexpr std::string_view kEnd = "\r\n\r\n";
    const std::size_t before = head_.size();
    head_.append(bytes.substr(0, kLargestHead + 1 - before));
    const std::size_t overlap = std::min(before, kEnd.size() - 1);
    const bool ended = head_.find(kEnd, before - overlap) != std::string::npos;
    if (!ended && head_.size() > kLargestHead) return state_ = State::TooLarge;
    // The first piece shows whether this is HTTP at all. Then the parser waits for the end: at
    // every piece it would begin the line anew, and pieces of one byte would take quadratic time.
    if (before > 0 && !ended) return state_;
    while (taken_ < head_.size() && !parser_->head.is_header_done()) {
        boost::beast::error_code error;
        taken_ += parser_->head.put(
            boost::asio::buffer(head_.data() + taken_, head_.size() - taken_), error);
        if (error == http::error::need_more) return state_;
        if (error == http::error::header_limit) return state_ = State::TooLarge;
        if (error) return state_ = State::Malformed;
    }
    if (parser_->head.is_header_done()) state_ = State::Complete;
    return state_;
}

SiteRequest RequestReader::request() const {
    ULNA_ASSERT(state_ == State::Complete, "a request is read to its end before it is asked for");
    const auto& head = parser_->head.get();
    return {.method = textOf(head.method_string()),
            .target = textOf(head.target()),
            .host = onlyHeader(head, http::field::host),
            .accept_encoding = onlyHeader(head, http::field::accept_encoding),
            .if_none_match = onlyHeader(head, http::field::if_none_match)};
}

}  // namespace ulna::cli
