// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "ulna/core/text.h"
#include "ulna/io/detail/csv_cell.h"
#include "ulna/io/detail/csv_table.h"
#include "ulna/io/robot_motion.h"

namespace ulna::io {
namespace {

using detail::CsvTable;
using Row = std::vector<CsvTable::Cell>;

constexpr std::size_t kBaseColumns = 7;  // a position and a quaternion

// The cells up to the end of the line; none at the end of the text or where lines are empty.
Row nextRow(CsvTable& table) {
    Row out;
    while (!table.atEnd()) {
        out.push_back(table.next());
        if (!out.back().last) continue;
        if (out.size() > 1 || !out.back().text.empty()) break;
        out.clear();
    }
    return out;
}

std::vector<std::string> namesOf(const RobotTable& table, bool w_first) {
    std::vector<std::string> out = {"root_x", "root_y", "root_z"};
    for (const char* name : {"root_qx", "root_qy", "root_qz"}) out.emplace_back(name);
    out.insert(w_first ? out.begin() + 3 : out.end(), "root_qw");
    for (const RobotColumn& column : table.columns) out.push_back(column.name);
    return out;
}

// Where in a row each value is: position, x, y, z, w, then the joints.
Result<std::vector<std::size_t>> columnsOf(const CsvTable& table, const Row& head,
                                           const std::vector<std::string>& names) {
    std::vector<std::size_t> out(names.size(), head.size());
    for (std::size_t i = 0; i < head.size(); ++i) {
        const auto found =
            std::find(names.begin(), names.end(), detail::textOfCsvCell(head[i].text));
        if (found == names.end())
            return table.error(head[i], "this is neither a joint nor part of the base",
                               suggestNames(head[i].text, names));
        std::size_t& column = out[static_cast<std::size_t>(found - names.begin())];
        if (column != head.size()) return table.error(head[i], "the table has this column twice");
        column = i;
    }
    const auto missing = std::find(out.begin(), out.end(), head.size());
    if (missing == out.end()) return out;
    return table.error(
        head.front(),
        "the table has no column '" + names[static_cast<std::size_t>(missing - out.begin())] + "'");
}

Result<std::vector<double>> numbersOf(const CsvTable& table, const Row& row,
                                      const std::vector<std::size_t>& columns) {
    if (row.size() != columns.size())
        return table.error(row.front(),
                           "the row has " + std::to_string(row.size()) + " values instead of " +
                               std::to_string(columns.size()),
                           "7 for the base and one for each joint that moves");
    std::vector<double> out;
    for (const std::size_t column : columns) {
        const Result<double> value = table.number(row[column]);
        if (!value) return value.error();
        out.push_back(*value);
    }
    return out;
}

}  // namespace

Result<Motion> readRobotCsv(std::string_view text, std::string_view source,
                            const Skeleton& skeleton, const RobotTable& table, double frame_time,
                            const RobotCsvOptions& options) {
    CsvTable cells(text, source);
    const std::vector<std::string> names = namesOf(table, false);
    Row row = nextRow(cells);
    if (row.empty())
        return Diagnostic{.what = "the table is empty", .location = {.file = std::string(source)}};
    std::vector<std::size_t> columns;
    if (cells.number(row.front())) {
        const std::vector<std::string> written = namesOf(table, options.w_first);
        for (const std::string& name : names)
            columns.push_back(static_cast<std::size_t>(
                std::find(written.begin(), written.end(), name) - written.begin()));
    } else {
        Result<std::vector<std::size_t>> found = columnsOf(cells, row, names);
        if (!found) return found.error();
        columns = *std::move(found);
        row = nextRow(cells);
    }
    DofClip clip{.name = {}, .frame_time = frame_time, .frames = {}};
    DofVector dofs(skeleton.dofCount(), 0.0);
    for (; !row.empty(); row = nextRow(cells)) {
        const Result<std::vector<double>> read = numbersOf(cells, row, columns);
        if (!read) return read.error();
        const std::vector<double>& v = *read;
        Trs base = skeleton.rest(table.base);
        base.translation = {v[0], v[1], v[2]};
        const Quat rotation = {v[3], v[4], v[5], v[6]};
        if (!(dot(rotation, rotation) > 1e-12))
            return cells.error(row[columns[3]], "the quaternion of the base has length zero");
        base.rotation = normalized(rotation);
        if (skeleton.kind(table.base) == JointKind::Free)
            computeJointDofs(skeleton, table.base, base,
                             jointDofs(skeleton, table.base, std::span<double>(dofs)));
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            dofs[table.columns[i].dof] = v[kBaseColumns + i] - table.columns[i].reference;
        clip.frames.push_back(dofs);
    }
    return computeMotion(skeleton, clip);
}

}  // namespace ulna::io
