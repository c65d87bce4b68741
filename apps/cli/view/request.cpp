// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/view/request.h"

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
    pending_.append(bytes.substr(0, kLargestHead + 1 - std::min(pending_.size(), kLargestHead)));
    while (!pending_.empty() && !parser_->head.is_header_done()) {
        boost::beast::error_code error;
        const std::size_t taken =
            parser_->head.put(boost::asio::buffer(pending_.data(), pending_.size()), error);
        pending_.erase(0, taken);
        if (error == http::error::need_more) {
            if (pending_.size() > kLargestHead) state_ = State::TooLarge;
            return state_;
        }
        if (error) {
            const bool large =
                error == http::error::header_limit || error == http::error::buffer_overflow;
            return state_ = large ? State::TooLarge : State::Malformed;
        }
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
