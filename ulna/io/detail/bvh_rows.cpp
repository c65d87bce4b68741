// SPDX-License-Identifier: Apache-2.0

// The MOTION part of a BVH file: rows of numbers, mostly plain, read at memory speed; anything
// unusual goes through BvhText::number, one number at a time.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "ulna/core/text.h"
#include "ulna/io/detail/bvh_text.h"
#include "ulna/io/detail/number.h"

namespace ulna::io::detail {
namespace {

using MaybeError = std::optional<Diagnostic>;
constexpr std::size_t kUnknown = std::numeric_limits<std::size_t>::max();
constexpr double kDefaultFrameTime = 1.0 / 30.0;

struct MotionHeader {
    std::size_t frames = kUnknown;
    std::size_t frames_at = 0;
};

void skipColon(BvhText& text) {
    text.skipBlank();
    if (!text.atEnd() && text.peek() == ':') ++text.position;
}

bool startsNumber(const BvhText& text) {
    if (text.atEnd()) return false;
    const char c = text.peek();
    return isDigit(c) || c == '-' || c == '+' || c == '.';
}

MaybeError readFrameCount(BvhText& text, std::size_t at, MotionHeader& header) {
    skipColon(text);
    text.skipBlank();
    const std::size_t number_at = text.position;
    const Result<double> frames = text.number();
    if (!frames) return frames.error();
    if (*frames < 0.0 || *frames != std::floor(*frames)) {
        return text.error(number_at, "a number of frames was expected", text.tokenAt(number_at));
    }
    // More than fit in memory is as good as unknown: the rows decide.
    header.frames = *frames < 1e15 ? static_cast<std::size_t>(*frames) : kUnknown - 1;
    header.frames_at = at;
    return std::nullopt;
}

MaybeError readFrameTime(BvhText& text, BvhFile& file) {
    skipColon(text);
    text.skipBlank();
    const std::size_t number_at = text.position;
    const Result<double> time = text.number();
    if (!time) return time.error();
    file.frame_time = *time;
    if (!(*time >= kShortestFrameTime && *time <= kLongestFrameTime)) {
        file.frame_time = kDefaultFrameTime;
        text.warn("frame time", number_at, "the frame time is not usable; 1/30 s is used",
                  text.tokenAt(number_at));
    }
    return std::nullopt;
}

MaybeError readHeader(BvhText& text, BvhFile& file, MotionHeader& header) {
    const std::size_t motion_at = text.position;
    bool has_time = false;
    for (;;) {
        text.skipBlank();
        if (text.atEnd() || startsNumber(text)) break;
        const std::size_t at = text.position;
        const std::string_view word = text.word();
        MaybeError error;
        if (equalIgnoringCase(word, "Frames")) {
            error = readFrameCount(text, at, header);
        } else if (equalIgnoringCase(word, "FrameTime") ||
                   (equalIgnoringCase(word, "Frame") && equalIgnoringCase(text.word(), "Time"))) {
            error = readFrameTime(text, file);
            has_time = true;
        } else {
            error = text.error(at, "'Frames:', 'Frame Time:' or a number was expected",
                               text.tokenAt(at));
        }
        if (error) return error;
        if (header.frames != kUnknown && has_time) break;
    }
    if (header.frames == kUnknown) {
        header.frames_at = motion_at;
        text.warn("no frames", motion_at, "'Frames:' is missing; every row is read");
    }
    if (!has_time) {
        text.warn("frame time", motion_at, "'Frame Time:' is missing; 1/30 s is used");
    }
    return std::nullopt;
}

class RowReader {
  public:
    RowReader(BvhText& text, const BvhReadOptions& options, std::size_t width)
        : text_(text), options_(options), width_(width), row_(width) {}

    /// Reads the next row that counts into row(); `more` says whether there was one.
    MaybeError next(bool& more) {
        for (;;) {
            text_.skipBlank();
            more = !text_.atEnd();
            if (!more) return std::nullopt;
            bool keep = true;
            if (MaybeError error = readRow(keep)) return error;
            if (keep) return std::nullopt;
        }
    }
    [[nodiscard]] const std::vector<double>& row() const { return row_; }

  private:
    MaybeError readRow(bool& keep) {
        const std::size_t begin = text_.position;
        for (std::size_t i = 0; i < width_;) {
            i += readPlain(i);
            if (i == width_) break;
            text_.skipBlank();
            if (text_.atEnd()) return shortLastRow(begin, i, keep);
            const Result<double> value = text_.number();
            if (!value) return value.error();
            row_[i++] = *value;
        }
        return free_form_ ? std::nullopt : checkRowEnd(begin, keep);
    }

    /// Reads numbers of the plain form, each with white space behind it, from column `from` on;
    /// returns how many.
    std::size_t readPlain(std::size_t from) {
        const char* const base = text_.text().data();
        const char* const safe_end = base + text_.size();
        const char* p = base + text_.position;
        std::size_t i = from;
        while (i<width_&& static_cast<std::size_t>(safe_end - p)> kPlainNumberBytes) {
            const char* end = parsePlainNumber(p, row_[i]);
            if (end == nullptr || !isSpace(*end)) break;
            ++i;
            // The white space behind the last number of a row is left for checkRowEnd.
            p = end;
            if (i == width_) break;
            while (p != safe_end && isSpace(*p)) ++p;
        }
        text_.position = static_cast<std::size_t>(p - base);
        return i - from;
    }

    MaybeError shortLastRow(std::size_t begin, std::size_t values, bool& keep) {
        const std::string what = "the last row has " + std::to_string(values) + " of " +
                                 std::to_string(width_) + " values";
        if (!options_.lenient) {
            return text_.error(begin, what, {}, "--lenient drops it");
        }
        text_.warn("short row", begin, what + " and is dropped");
        keep = false;
        return std::nullopt;
    }

    /// A row should end where its line does. Where it does not, decides by the lines' lengths
    /// whether a row is short or long, or the numbers are one stream.
    MaybeError checkRowEnd(std::size_t begin, bool& keep) {
        std::size_t at = text_.position;
        while (at < text_.size() && isSpace(text_.text()[at]) && !isNewline(text_.text()[at])) ++at;
        if (at >= text_.size() || isNewline(text_.text()[at]) || text_.startsComment(at)) {
            return std::nullopt;
        }
        const std::size_t last_line = text_.lineStart(at);
        const std::size_t on_last = countValues(std::max(last_line, begin));
        if (last_line <= begin) {
            if (on_last % width_ != 0) return longRow(begin, on_last);
            free_form_ = true;
            text_.warn("stream", begin, "several frames stand on one line");
            return std::nullopt;
        }
        const std::size_t on_first = countValues(begin);
        const bool next_is_whole = on_first < width_ && on_last == width_;
        const bool both_short = on_first == on_last && on_first + on_last > width_;
        if (next_is_whole || both_short) return shortRow(begin, on_first, last_line, keep);
        free_form_ = true;
        text_.warn("stream", begin,
                   "frames do not end at line ends; all lines are read as one sequence of numbers");
        return std::nullopt;
    }

    MaybeError longRow(std::size_t begin, std::size_t values) {
        const std::string what =
            "the row has " + std::to_string(values) + " values, not " + std::to_string(width_);
        if (!options_.lenient) {
            return text_.error(begin, what, {}, "--lenient keeps the first ones");
        }
        text_.warn("long row", begin, what + "; the first ones are kept");
        text_.position = text_.lineEnd(begin);
        return std::nullopt;
    }

    MaybeError shortRow(std::size_t begin, std::size_t values, std::size_t next, bool& keep) {
        const std::string what =
            "the row has " + std::to_string(values) + " values, not " + std::to_string(width_);
        if (!options_.lenient) return text_.error(begin, what, {}, "--lenient drops it");
        text_.warn("short row", begin, what + " and is dropped");
        text_.position = next;
        keep = false;
        return std::nullopt;
    }

    /// How many values stand from `begin` to the end of its line.
    [[nodiscard]] std::size_t countValues(std::size_t begin) const {
        std::size_t count = 0;
        const std::size_t end = text_.lineEnd(begin);
        for (std::size_t i = begin; i < end; ++i) {
            const bool starts =
                !isSpace(text_.text()[i]) && (i == begin || isSpace(text_.text()[i - 1]));
            if (starts && text_.startsComment(i)) break;
            count += starts ? 1 : 0;
        }
        return count;
    }

    BvhText& text_;
    BvhReadOptions options_;
    std::size_t width_;
    std::vector<double> row_;
    bool free_form_ = false;  // rows no longer have to end where lines do
};

// Reads at most `limit` rows into the file, or only counts them.
MaybeError readRows(BvhText& text, const BvhReadOptions& options, std::size_t limit, bool keep,
                    BvhFile& file) {
    const std::size_t width = file.channel_count;
    // Every number takes two bytes or more, so a row count that lies cannot ask for much.
    const std::size_t possible = (text.size() - text.position) / (2 * width) + 1;
    if (keep) file.values.reserve(std::min(limit, possible) * width);
    RowReader reader(text, options, width);
    while (file.frame_count < limit) {
        bool more = false;
        if (MaybeError error = reader.next(more)) return error;
        if (!more) break;
        if (keep) file.values.insert(file.values.end(), reader.row().begin(), reader.row().end());
        ++file.frame_count;
        constexpr std::size_t kOften = 4096;  // frames: a few megabytes of text
        if (text.read_to && file.frame_count % kOften == 0) text.read_to(text.position);
    }
    return std::nullopt;
}

std::size_t countLinesWithText(const BvhText& text, std::size_t from) {
    std::size_t count = 0;
    for (std::size_t at = from; at < text.size();) {
        while (at < text.size() && isSpace(text.text()[at])) ++at;
        if (at < text.size()) ++count;
        at = text.lineEnd(at);
    }
    return count;
}

}  // namespace

struct BvhRows::State {
    State(std::string_view bytes, std::string_view source, std::size_t rows_at,
          const BvhReadOptions& options, std::size_t width)
        : text(bytes, source), reader(text, options, width) {
        text.position = rows_at;
    }
    BvhText text;
    RowReader reader;
};

BvhRows::BvhRows(std::string_view bytes, std::size_t rows_at, const BvhReadOptions& options,
                 std::size_t width)
    : bytes_(bytes), rows_at_(rows_at), options_(options), width_(width) {}
BvhRows::~BvhRows() = default;
BvhRows::BvhRows(BvhRows&&) noexcept = default;

const double* BvhRows::at(std::size_t frame) {
    if (state_ == nullptr || frame + 1 < next_) {
        state_ = std::make_unique<State>(bytes_, std::string_view(), rows_at_, options_, width_);
        next_ = 0;
    }
    for (; next_ <= frame; ++next_) {
        bool more = false;
        // The rows were read before; should the file have changed since, the last one holds.
        static_cast<void>(state_->reader.next(more));
        constexpr std::size_t kOften = 4096;
        if (read_to && next_ % kOften == 0) read_to(state_->text.position);
    }
    return state_->reader.row().data();
}

MaybeError readMotion(BvhText& text, const BvhReadOptions& options, bool keep, BvhFile& file,
                      std::size_t& rows_at) {
    MotionHeader header;
    if (MaybeError error = readHeader(text, file, header)) return error;
    rows_at = text.position;
    if (file.channel_count == 0) {
        text.warn("no channels", header.frames_at,
                  "no joint has channels; there is no motion to read");
        return std::nullopt;
    }
    if (MaybeError error = readRows(text, options, header.frames, keep, file)) return error;
    text.skipBlank();
    if (!text.atEnd()) {
        const std::size_t rows = countLinesWithText(text, text.position);
        text.warn("more rows", text.position,
                  "the file goes on after the " + std::to_string(file.frame_count) +
                      " frames that 'Frames:' announces; " + std::to_string(rows) +
                      (rows == 1 ? " line is left out" : " lines are left out"),
                  text.tokenAt(text.position));
    }
    if (header.frames != kUnknown && file.frame_count < header.frames) {
        text.warn(
            "fewer rows", header.frames_at,
            "'Frames:' announces more rows than there are; " + std::to_string(file.frame_count) +
                " are read",
            text.text().substr(header.frames_at, text.lineEnd(header.frames_at) - header.frames_at),
            "--strict-input refuses such files");
    }
    if (file.frame_count == 0) {
        text.warn("no rows", header.frames_at, "there are no frames; the file is a skeleton only");
    }
    return std::nullopt;
}

}  // namespace ulna::io::detail
