// SPDX-License-Identifier: Apache-2.0

// A row is a frame. With a header, columns are NAME.x, NAME.y, NAME.z and perhaps NAME.c, the
// confidence, in any order, beside `frame` and `time`; without one, three columns are a point.
#include <fast_float/fast_float.h>

#include <array>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "ulna/core/text.h"
#include "ulna/io/detail/csv_cell.h"
#include "ulna/io/detail/point_builder.h"

namespace ulna::io::detail {
namespace {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\"";
    const std::size_t first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// A number, NaN for an empty cell and for words that say "none"; nothing for other text.
std::optional<double> numberOf(std::string_view cell) {
    if (cell.empty()) return std::numeric_limits<double>::quiet_NaN();
    double out = 0.0;
    const char* end = cell.data() + cell.size();
    const auto [stop, status] = fast_float::from_chars(cell.data(), end, out);
    if (status == std::errc() && stop == end) return out;
    for (const std::string_view word : {"na", "n/a", "null", "none"})
        if (equalIgnoringCase(cell, word)) return std::numeric_limits<double>::quiet_NaN();
    return std::nullopt;
}

// What a column holds: a component of a point, or the time.
struct Column {
    std::size_t point = 0;
    int component = -1;  // x, y, z, confidence; -1: not used
    bool time = false;
};

class CsvReader {
  public:
    CsvReader(std::string_view text, std::string_view source) : text_(text), source_(source) {
        if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    }

    [[nodiscard]] Result<PointFile> read() {
        std::vector<std::string_view> cells;
        while (at_ < text_.size()) {
            row_ = at_;
            nextRow(cells);
            if (cells.size() == 1 && cells[0].empty()) continue;
            if (columns_.empty()) {
                const bool header = !numberOf(cells[0]);
                Status ok = header ? readHeader(cells) : countColumns(cells.size());
                if (!ok) return ok.error();
                if (header) continue;
            }
            if (Status ok = readRow(cells); !ok) return ok.error();
        }
        if (out_.clip.positions.empty())
            return Diagnostic{.what = "the table has no frames",
                              .location = {.file = std::string(source_)}};
        takeTimes();
        return std::move(out_);
    }

  private:
    [[nodiscard]] Diagnostic error(std::size_t at, std::string what, std::string_view text = {},
                                   std::string advice = {}) const {
        return {.what = std::move(what),
                .location = locationAt(text_, at, source_),
                .text = excerpt(text),
                .advice = std::move(advice)};
    }
    [[nodiscard]] std::size_t offsetOf(std::string_view cell) const {
        return cell.empty() ? row_ : static_cast<std::size_t>(cell.data() - text_.data());
    }

    void nextRow(std::vector<std::string_view>& cells) {
        cells.clear();
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        std::string_view line = text_.substr(at_, end - at_);
        at_ = std::min(end + 1, text_.size());
        if (separator_ == 0) {
            for (const char c : {',', ';', '\t'})
                if (separator_ == 0 && line.find(c) != std::string_view::npos) separator_ = c;
        }
        while (true) {
            const std::size_t cut =
                separator_ == 0 ? line.size() : std::min(line.find(separator_), line.size());
            cells.push_back(trimmed(line.substr(0, cut)));
            if (cut == line.size()) break;
            line.remove_prefix(cut + 1);
        }
    }

    [[nodiscard]] Status readHeader(const std::vector<std::string_view>& cells) {
        constexpr std::array<std::pair<std::string_view, int>, 7> kSuffixes = {{{"x", 0},
                                                                                {"y", 1},
                                                                                {"z", 2},
                                                                                {"c", 3},
                                                                                {"confidence", 3},
                                                                                {"score", 3},
                                                                                {"visibility", 3}}};
        std::vector<std::string>& names = out_.clip.names;
        std::vector<int> seen;
        std::unordered_map<std::string, std::size_t> known;
        for (const std::string_view cell : cells) {
            Column column{.time = equalIgnoringCase(cell, "time")};
            const std::size_t cut = cell.find_last_of("._: ");
            for (const auto& [suffix, component] : kSuffixes)
                if (cut != std::string_view::npos && cut > 0 &&
                    equalIgnoringCase(cell.substr(cut + 1), suffix))
                    column.component = component;
            if (column.component >= 0) {
                const std::string name(textOfCsvCell(cell.substr(0, cut)));
                if (name.size() > kLongestName)
                    return error(offsetOf(cell), "the name of a point is too long", cell);
                column.point = known.emplace(name, names.size()).first->second;
                if (column.point == names.size()) {
                    names.push_back(name);
                    seen.push_back(0);
                }
                int& bits = seen[column.point];
                const int bit = 1 << column.component;
                if ((bits & bit) != 0)
                    return error(offsetOf(cell), "there are two columns of this name", cell);
                bits |= bit;
            }
            columns_.push_back(column);
        }
        for (std::size_t i = 0; i < names.size(); ++i)
            if ((seen[i] & 7) != 7)
                return error(
                    row_, "a point does not have columns of x, y and z", names[i],
                    "name them " + names[i] + ".x, " + names[i] + ".y, " + names[i] + ".z");
        if (names.empty())
            return error(row_, "no column is a coordinate of a point", cells[0],
                         "name columns NAME.x, NAME.y and NAME.z, or leave the header out");
        out_.clip.point_count = names.size();
        return Done{};
    }

    [[nodiscard]] Status countColumns(std::size_t count) {
        if (count % 3 != 0)
            return error(row_, "a row has " + std::to_string(count) + " numbers", {},
                         "three per point were expected; with confidences or other columns, begin "
                         "with a header");
        out_.clip.point_count = count / 3;
        for (std::size_t i = 0; i < count; ++i)
            columns_.push_back({.point = i / 3, .component = static_cast<int>(i % 3)});
        return Done{};
    }

    [[nodiscard]] Status readRow(const std::vector<std::string_view>& cells) {
        if (cells.size() != columns_.size())
            return error(row_, "the row has " + std::to_string(cells.size()) +
                                   " cells instead of " + std::to_string(columns_.size()));
        values_.assign(out_.clip.point_count * 4, 0.0);
        for (std::size_t i = 3; i < values_.size(); i += 4) values_[i] = 1.0;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const Column& column = columns_[i];
            if (column.component < 0 && !column.time) continue;
            const std::optional<double> value = numberOf(cells[i]);
            if (!value) return error(offsetOf(cells[i]), "this is not a number", cells[i]);
            if (column.time) {
                times_.push_back(*value);
                continue;
            }
            if (column.component < 3 && tooLarge(*value))
                return error(offsetOf(cells[i]), "the coordinate is too large", cells[i]);
            values_[column.point * 4 + static_cast<std::size_t>(column.component)] = *value;
        }
        for (std::size_t i = 0; i < values_.size(); i += 4)
            addPosition({values_[i], values_[i + 1], values_[i + 2]}, values_[i + 3], out_.clip);
        return Done{};
    }

    // A frame takes what the first and the last time say, where these are times.
    void takeTimes() {
        if (times_.size() < 2) return;
        const double step =
            (times_.back() - times_.front()) / static_cast<double>(times_.size() - 1);
        if (!(step >= kShortestFrameTime && step <= kLongestFrameTime)) return;
        out_.clip.frame_time = step;
        out_.timed = true;
    }

    std::string_view text_, source_;
    std::size_t at_ = 0, row_ = 0;
    char separator_ = 0;
    std::vector<Column> columns_;
    std::vector<double> values_, times_;
    PointFile out_;
};

}  // namespace

Result<PointFile> readPointsCsv(std::string_view text, std::string_view source) {
    return CsvReader(text, source).read();
}

}  // namespace ulna::io::detail
