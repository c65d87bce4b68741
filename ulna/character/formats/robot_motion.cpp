// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/robot_motion.h"

#include "ulna/character/detail/format.h"
#include "ulna/character/detail/only_clip.h"
#include "ulna/character/open.h"
#include "ulna/character/save.h"
#include "ulna/character/warnings.h"
#include "ulna/motion/speed_limits.h"

namespace ulna::character::detail {
namespace {

Result<Character> refuseTable(std::string_view, std::string_view name, const OpenOptions&) {
    return Diagnostic{.what = "a table of a robot's motion is no character: it has no skeleton",
                      .location = {.file = std::string(name)},
                      .advice = "'ulna convert ROBOT OUT --motion TABLE' takes both"};
}

// The one clip of the content as rows, or its rest pose where it has none.
struct Rows {
    io::RobotTable table;
    io::RobotMotion motion;
};

Result<Rows> makeRows(const SaveJob& job, Warnings& warnings) {
    const Skeleton& skeleton = job.content.skeleton;
    if (skeleton.jointCount() == 0)
        return Diagnostic{.what = "a table of motion has at least one joint"};
    Result<Motion> motion = onlyMotion(job, warnings);
    if (!motion) return motion.error();
    if (motion->frameCount() == 0) *motion = Motion(restPose(skeleton), 1, 1.0 / 30.0, {});
    bool cancelled = false;
    const Progress watched = [&](double fraction) {
        cancelled = cancelled || (job.progress && !job.progress(fraction));
        return !cancelled;
    };
    DofClipFit fit = computeDofClip(skeleton, *motion, {}, watched);
    if (cancelled) return cancellation();
    append(residualWarnings(skeleton, fit.worst), warnings);
    const io::RobotFile* robot = job.content.robot;
    if (robot != nullptr)
        append(speedWarnings(skeleton, fit.clip, io::speedLimitsOf(*robot)), warnings);
    if (skeleton.roots().size() > 1)
        warnings.push_back({.what = "one base is written; the others' motion is left out"});
    Rows out;
    out.table = robot != nullptr ? io::tableOf(*robot) : io::tableOf(skeleton);
    out.motion = io::makeRobotMotion(out.table, *motion, std::move(fit.clip));
    return out;
}

Result<Warnings> saveRobotCsv(const SaveJob& job) {
    Warnings warnings;
    const Result<Rows> rows = makeRows(job, warnings);
    if (!rows) return rows.error();
    io::writeRobotCsv(rows->table, rows->motion, job.options.robot_csv, job.sink);
    return warnings;
}

Result<Warnings> saveRobotNpz(const SaveJob& job) {
    Warnings warnings;
    const Result<Rows> rows = makeRows(job, warnings);
    if (!rows) return rows.error();
    if (const Status status = io::writeRobotNpz(rows->table, rows->motion, job.sink); !status)
        return status.error();
    return warnings;
}

constexpr std::string_view kRobotCsvEndings[] = {".robot.csv"};
constexpr std::string_view kNpzEndings[] = {".npz"};

}  // namespace

const FormatInfo kRobotCsvInfo = {.format = FileFormat::RobotCsv,
                                  .name = "robot CSV",
                                  .word = "robot-csv",
                                  .endings = kRobotCsvEndings};
const Format kRobotCsvFormat = {.open = refuseTable, .save = saveRobotCsv};

const FormatInfo kNpzInfo = {
    .format = FileFormat::Npz, .name = "NumPy archive", .word = "npz", .endings = kNpzEndings};
const Format kNpzFormat = {.open = refuseTable, .save = saveRobotNpz};

}  // namespace ulna::character::detail
