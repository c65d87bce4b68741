// SPDX-License-Identifier: Apache-2.0
#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "ulna/core/text.h"
#include "ulna/io/bounds.h"
#include "ulna/io/detail/csv_cell.h"
#include "ulna/io/keys.h"
#include "ulna/motion/dof_tracks.h"

namespace ulna::io {
namespace {

std::string_view trimmedText(std::string_view text) {
    constexpr std::string_view kBlank = " \t";
    const std::size_t first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// The cells of a table, one after the other (RFC 4180: quoted cells, doubled quotes).
class Table {
  public:
    Table(std::string_view text, std::string_view source) : text_(text), source_(source) {
        if (text_.rfind("\xEF\xBB\xBF", 0) == 0) at_ = 3;
    }

    struct Cell {
        std::string text;
        std::size_t offset = 0;
        bool last = false;  // of its line
    };
    [[nodiscard]] bool atEnd() const { return at_ >= text_.size(); }

    Cell next() {
        Cell cell{{}, at_, true};
        const std::size_t begin = text_.find_first_not_of(" \t", at_);
        if (begin != std::string_view::npos && text_[begin] == '"') {
            at_ = begin + 1;
            while (at_ < text_.size()) {
                if (text_[at_] == '"') {
                    if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') break;
                    ++at_;
                }
                cell.text += text_[at_++];
            }
            at_ = std::min(at_ + 1, text_.size());
        }
        const std::size_t end = std::min(text_.find_first_of(",\r\n", at_), text_.size());
        cell.text += trimmedText(text_.substr(at_, end - at_));
        at_ = end;
        if (at_ >= text_.size()) return cell;
        cell.last = text_[at_] != ',';
        const bool crlf = text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n';
        at_ += crlf ? 2 : 1;
        return cell;
    }

    [[nodiscard]] Diagnostic error(const Cell& cell, std::string what,
                                   std::string advice = {}) const {
        return {.what = std::move(what),
                .location = locationAt(text_, cell.offset, source_),
                .text = excerpt(cell.text),
                .advice = std::move(advice)};
    }
    [[nodiscard]] Result<double> number(const Cell& cell) const {
        double out = 0.0;
        const char* end = cell.text.data() + cell.text.size();
        const auto [stop, status] = fast_float::from_chars(cell.text.data(), end, out);
        if (status != std::errc() || stop != end) return error(cell, "this is not a number");
        if (!(std::abs(out) <= kLargestNumber)) return error(cell, "the number is too large");
        return out;
    }

  private:
    std::string_view text_, source_;
    std::size_t at_ = 0;
};

struct Column {
    enum class Kind : std::uint8_t { Skipped, Time, Dof } kind = Kind::Skipped;
    std::size_t dof = 0;
    std::vector<Key<double>> keys = {};
};

Result<std::vector<Column>> readHead(Table& table, const Skeleton& skeleton) {
    std::vector<std::string> names;
    for (std::size_t d = 0; d < skeleton.dofCount(); ++d) names.push_back(skeleton.dofName(d));
    std::vector<Column> out;
    std::vector<bool> used(names.size(), false);
    bool timed = false;
    for (bool more = true; more;) {
        const Table::Cell cell = table.next();
        more = !cell.last;
        if (cell.text.empty() && out.empty() && !more) break;
        if (equalIgnoringCase(cell.text, "frame") && skeleton.find(cell.text) == JointId::None) {
            out.push_back({Column::Kind::Skipped});
            continue;
        }
        if (equalIgnoringCase(cell.text, "time") && !timed) {
            timed = true;
            out.push_back({Column::Kind::Time});
            continue;
        }
        const auto found = std::find(names.begin(), names.end(), detail::textOfCsvCell(cell.text));
        if (found == names.end())
            return table.error(cell, "there is no such degree of freedom",
                               cell.text.find(';') != std::string::npos
                                   ? "cells are separated by commas"
                                   : suggestNames(cell.text, names));
        const auto dof = static_cast<std::size_t>(found - names.begin());
        if (used[dof]) return table.error(cell, "this column is duplicated");
        used[dof] = true;
        out.push_back({Column::Kind::Dof, dof});
    }
    if (!timed)
        return Diagnostic{.what = "the table has no column 'time'",
                          .advice = "the first line must have the names of the columns"};
    return out;
}

// One line of keys; nothing for a blank one.
Status readRow(Table& table, const Skeleton& skeleton, std::vector<Column>& columns) {
    std::vector<Table::Cell> cells;
    do {
        cells.push_back(table.next());
    } while (!cells.back().last);
    if (cells.size() == 1 && cells[0].text.empty()) return Done{};
    if (cells.size() != columns.size())
        return table.error(cells.back(), "this line has " + std::to_string(cells.size()) +
                                             " cells, the first " + std::to_string(columns.size()));
    double time = 0.0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (columns[i].kind != Column::Kind::Time) continue;
        const Result<double> value = table.number(cells[i]);
        if (!value) return value.error();
        time = *value;
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (columns[i].kind != Column::Kind::Dof || cells[i].text.empty()) continue;
        const Result<double> value = table.number(cells[i]);
        if (!value) return value.error();
        const bool angle = skeleton.isAngle(columns[i].dof);
        columns[i].keys.push_back({time, angle ? radians(*value) : *value});
    }
    return Done{};
}

}  // namespace

Result<KeyedMotion> readKeysCsv(std::string_view text, std::string_view source,
                                const Skeleton& skeleton, const KeysOptions& options) {
    if (options.interpolation == Interpolation::Hermite)
        return Diagnostic{.what = "a table has no tangents for hermite interpolation",
                          .location = {.file = std::string(source)},
                          .advice = "keys in JSON can have them"};
    Table table(text, source);
    Result<std::vector<Column>> columns = readHead(table, skeleton);
    if (!columns) {
        Diagnostic error = columns.error();
        error.location.file = source;
        return error;
    }
    while (!table.atEnd())
        if (const Status status = readRow(table, skeleton, *columns); !status)
            return status.error();
    std::vector<DofTrack> tracks;
    for (Column& column : *columns) {
        if (column.keys.empty()) continue;
        Track<double> track(std::move(column.keys), options.interpolation);
        track.ends = options.ends;
        track.outside = options.outside;
        tracks.push_back({column.dof, std::move(track)});
    }
    return makeKeyedMotion(skeleton, tracks);
}

}  // namespace ulna::io
