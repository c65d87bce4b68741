// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/detail/format.h"
#include "ulna/character/detail/only_clip.h"
#include "ulna/character/open.h"
#include "ulna/character/save.h"
#include "ulna/character/warnings.h"
#include "ulna/motion/dof_clip.h"

namespace ulna::character::detail {
namespace {

Result<Character> refuseCsv(std::string_view, std::string_view name, const OpenOptions&) {
    return Diagnostic{
        .what = "CSV is written, not read: a table does not say how joints hang together",
        .location = {.file = std::string(name)},
        .advice = "'ulna key' makes a clip of a table of keys"};
}

Result<Warnings> saveCsv(const SaveJob& job) {
    Warnings warnings;
    const Result<Motion> motion = onlyMotion(job, warnings);
    if (!motion) return motion.error();
    const Skeleton& skeleton = job.content.skeleton;
    if (job.options.csv == io::CsvContent::Dofs)
        append(residualWarnings(skeleton, computeDofClip(skeleton, *motion).worst), warnings);
    io::writeCsv(skeleton, *motion, job.options.csv, job.sink, job.progress);
    return warnings;
}

constexpr std::string_view kCsvEndings[] = {".csv"};

}  // namespace

const FormatInfo kCsvInfo = {
    .format = FileFormat::Csv, .name = "CSV", .word = "csv", .endings = kCsvEndings};
const Format kCsvFormat = {.open = refuseCsv, .save = saveCsv};

}  // namespace ulna::character::detail
