// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "ulna/core/text.h"
#include "ulna/io/bounds.h"
#include "ulna/io/detail/csv_cell.h"
#include "ulna/io/detail/csv_table.h"
#include "ulna/io/keys.h"
#include "ulna/motion/dof_tracks.h"

namespace ulna::io {
namespace {

using detail::CsvTable;

struct Column {
    enum class Kind : std::uint8_t { Skipped, Time, Dof } kind = Kind::Skipped;
    std::size_t dof = 0;
    std::vector<Key<double>> keys = {};
};

Result<std::vector<Column>> readHead(CsvTable& table, const Skeleton& skeleton) {
    std::vector<std::string> names;
    for (std::size_t d = 0; d < skeleton.dofCount(); ++d) names.push_back(skeleton.dofName(d));
    std::vector<Column> out;
    std::vector<bool> used(names.size(), false);
    bool timed = false;
    for (bool more = true; more;) {
        const CsvTable::Cell cell = table.next();
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
Status readRow(CsvTable& table, const Skeleton& skeleton, std::vector<Column>& columns) {
    std::vector<CsvTable::Cell> cells;
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
    CsvTable table(text, source);
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
