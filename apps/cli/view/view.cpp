// SPDX-License-Identifier: Apache-2.0

// ulna view: the studio in the browser, with the named files open in it.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "apps/cli/input.h"
#include "apps/cli/view/serve.h"
#include "ulna/core/text.h"

namespace ulna::cli {
namespace {

struct ViewOptions {
    std::vector<std::string> files;
    std::optional<int> port;
    bool no_open = false;
};

void checkFormat(const std::string& path) {
    if (path == "-") failUsage("the studio opens files, not standard input", "name a file");
    if (lowerCase(path).ends_with(".pc2")) return;  // fitted to the character before it
    if (!isReadable(formatOf(path).format))
        failUsage("'" + path + "' has no skeleton",
                  "the studio opens .bvh, .glb, .gltf, .rig.json, .urdf, .xml, .obj, .ply and .pc2 "
                  "files");
}

// What is wrong inside a file is the page's to say; that it is there is said here.
void checkFile(const std::string& path) {
    struct stat status {};
    const auto refuse = [&](const std::string& what) {
        fail(kBadInput, {.what = what, .location = inFile(path)});
    };
    if (::stat(path.c_str(), &status) != 0)
        refuse(std::string("cannot be opened: ") + std::strerror(errno));
    if (S_ISDIR(status.st_mode)) refuse("cannot be opened: Is a directory");
    if (!S_ISREG(status.st_mode)) refuse("is not a plain file");
    if (::access(path.c_str(), R_OK) != 0)
        refuse(std::string("cannot be opened: ") + std::strerror(errno));
}

int run(const ViewOptions& options, const Common& common) {
    constexpr int kLargestPort = 65535;
    if (options.port && (*options.port < 1 || *options.port > kLargestPort))
        failUsage(fmt::format("--port {}: ports are 1 to {}", *options.port, kLargestPort),
                  "without --port a free one is taken");
    for (const std::string& path : options.files) checkFormat(path);
    for (const std::string& path : options.files) checkFile(path);
    return serveStudio({.files = options.files,
                        .port = options.port,
                        .open_browser = !options.no_open,
                        .json = common.json});
}

}  // namespace

void addView(Tool& tool, Common& common) {
    const auto [verb, options] = addVerb<ViewOptions>(
        tool, common, "view",
        "Open the studio in the browser: drag joints, edit motion, paint weights",
        "  ulna view\n"
        "  ulna view walk.bvh character.glb\n"
        "  ulna view walk.bvh --port 8000 --no-open",
        run);
    isFile(tool,
           verb->add_option(
               "files", options->files,
               "Files to open: .bvh, .glb, .gltf, .rig.json, .urdf, .xml, .obj, .ply or .pc2"));
    verb->add_option("--port", options->port,
                     "The port on 127.0.0.1 to serve on (default: any free port)")
        ->type_name("N");
    verb->add_flag("--no-open", options->no_open, "Print the URL without opening a browser");
}

}  // namespace ulna::cli
