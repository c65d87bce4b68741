// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/detail/format.h"
#include "ulna/character/open.h"
#include "ulna/character/save.h"
#include "ulna/io/mjcf.h"
#include "ulna/io/urdf.h"

namespace ulna::character::detail {
namespace {

Result<Character> fromRobot(Result<io::RobotFile> file) {
    if (!file) return file.error();
    Character out;
    out.robot = *std::move(file);
    out.skeleton = out.robot->skeleton;
    out.meshes = io::meshesOf(*out.robot);
    for (const DofClip& pose : out.robot->poses)
        out.clips.emplace_back(computeMotion(out.skeleton, pose));
    out.warnings = out.robot->warnings;
    return out;
}

Result<Character> openUrdf(std::string_view bytes, std::string_view name, const OpenOptions&) {
    return fromRobot(io::readUrdf(bytes, name));
}

Result<Character> openMjcf(std::string_view bytes, std::string_view name,
                           const OpenOptions& options) {
    return fromRobot(io::readMjcf(bytes, name, {.folder = options.folder}));
}

Result<Warnings> refuseRobot(const SaveJob&) {
    return Diagnostic{.what = "robot descriptions are read, not written",
                      .advice = "a .rig.json file holds joints, limits and clips"};
}

constexpr std::string_view kUrdfEndings[] = {".urdf"};
constexpr std::string_view kMjcfEndings[] = {".mjcf", ".xml"};

}  // namespace

const FormatInfo kUrdfInfo = {.format = FileFormat::Urdf,
                              .name = "URDF",
                              .word = "urdf",
                              .endings = kUrdfEndings,
                              .readable = true,
                              .writable = false,
                              .skeleton = true};
const Format kUrdfFormat = {.open = openUrdf, .save = refuseRobot};

const FormatInfo kMjcfInfo = {.format = FileFormat::Mjcf,
                              .name = "MuJoCo XML",
                              .word = "mjcf",
                              .endings = kMjcfEndings,
                              .shared_ending = ".xml",
                              .readable = true,
                              .writable = false,
                              .skeleton = true,
                              .several = true};
const Format kMjcfFormat = {.open = openMjcf, .save = refuseRobot};

}  // namespace ulna::character::detail
