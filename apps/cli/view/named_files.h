// SPDX-License-Identifier: Apache-2.0

// The files that were named to `ulna view`, as the page gets them: read anew whenever they are
// asked for, so that a saved file is seen when the page is loaded again.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ulna::cli {

struct ServedFile {
    std::string type;  ///< for the header
    std::string bytes;
};

class NamedFiles {
  public:
    explicit NamedFiles(std::vector<std::string> paths) : paths_(std::move(paths)) {}

    /// `{"files":[{"name":"walk.bvh","url":"files/0/walk.bvh"}]}`. A .gltf file with buffers in
    /// files of their own has `parts` too: `[{"name":"walk.bin","url":"files/0/parts/0"}]`, each by
    /// the name that the .gltf has for it.
    [[nodiscard]] std::string list() const;

    /// The file of such a URL; none where it is not one of them, or the file is gone.
    [[nodiscard]] std::optional<ServedFile> find(std::string_view url) const;

  private:
    [[nodiscard]] std::string urlOf(std::size_t file) const;
    [[nodiscard]] std::string partUrlOf(std::size_t file, std::size_t part) const;

    std::vector<std::string> paths_;
};

}  // namespace ulna::cli
