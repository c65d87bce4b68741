// SPDX-License-Identifier: Apache-2.0

// The files that were named to `ulna view`, as the page gets them.
//
// Their folders are opened once, at the start, and files are opened in these folders by name
// whenever they are asked for: a file that was saved meanwhile is seen when the page is loaded
// again, and a folder or a file that was replaced by a link is not followed. A file that now
// belongs to another user is not served either.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/view/handle.h"
#include "ulna/core/result.h"

namespace ulna::cli {

struct ServedFile {
    std::string type;  ///< for the header
    OpenFile file;
};

class NamedFiles {
  public:
    /// Fails where a file cannot be opened or is not a regular one. Links in these paths, which the
    /// user chose, are followed now and never again.
    [[nodiscard]] static Result<NamedFiles> open(const std::vector<std::string>& paths);

    /// `{"files":[{"name":"walk.bvh","url":"files/0/walk.bvh"}]}`. A .gltf file with buffers or
    /// images in files of their own has `parts` too:
    /// `[{"name":"walk.bin","url":"files/0/parts/0"}]`, each by the name that the .gltf has for it.
    /// Parts are in the folder of the .gltf or below it, belong to its owner, to the user or to
    /// root, and have no name or folder that begins with a dot.
    [[nodiscard]] std::string list();

    /// The file of such a URL; none where it is not one of them, or the file is gone.
    [[nodiscard]] std::optional<ServedFile> find(std::string_view url);

  private:
    struct Part {
        std::string uri;   // as in the document
        std::string path;  // from the folder
    };
    struct Named {
        std::string shown_name;  // as the user named it
        std::string file_name;   // in the folder; another one where the user named a link
        std::size_t folder = 0;
        uid_t owner = 0;
        // What the document named when it was this version of the file.
        std::string version = {};
        std::vector<Part> parts = {};
    };

    [[nodiscard]] std::optional<OpenFile> openNamed(const Named& named) const;
    [[nodiscard]] std::optional<OpenFile> openPart(const Named& named, const Part& part) const;
    const std::vector<Part>& partsOf(Named& named) const;

    std::vector<Handle> folders_;
    std::vector<Named> files_;
};

}  // namespace ulna::cli
