// SPDX-License-Identifier: Apache-2.0

// The head of an HTTP request, out of the bytes of a connection. Boost.Beast parses it; its
// headers are included by the source only.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace ulna::cli {

/// What of a request decides the answer.
struct SiteRequest {
    std::string method = {};
    std::string target = {};  ///< as it was sent, nothing decoded
    std::string host = {};    ///< empty unless there is exactly one
    std::string accept_encoding = {};
    std::string if_none_match = {};
};

/// The most bytes that the head of a request may have. Browsers send about one kilobyte; cookies of
/// other servers on this machine come on top, because cookies do not tell ports apart.
inline constexpr std::size_t kLargestHead = 16384;

/// Reads one request, as far as the empty line after its headers. What follows is not looked at.
class RequestReader {
  public:
    RequestReader();
    ~RequestReader();
    RequestReader(const RequestReader&) = delete;
    RequestReader& operator=(const RequestReader&) = delete;

    enum class State : unsigned char { Incomplete, Complete, Malformed, TooLarge };

    /// Takes the next bytes, in pieces of any size. Once it is not incomplete it stays as it is.
    State feed(std::string_view bytes);

    /// @pre feed returned Complete.
    [[nodiscard]] SiteRequest request() const;

  private:
    struct Parser;
    std::unique_ptr<Parser> parser_;
    std::string head_;       // all that came
    std::size_t taken_ = 0;  // by the parser
    State state_ = State::Incomplete;
};

}  // namespace ulna::cli
