// SPDX-License-Identifier: Apache-2.0

// The elements of a MuJoCo model, whichever of its files they are in.
#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ulna/io/detail/xml_cursor.h"
#include "ulna/io/file.h"

namespace ulna::io::detail {

class MjcfFiles {
  public:
    MjcfFiles(std::string folder, XmlErrors& errors)
        : folder_(std::move(folder)), errors_(errors) {}

    /// The children of an element; those of included files in the place of the include. As in
    /// MuJoCo a file is included once, so that no chain of includes has no end.
    [[nodiscard]] std::vector<XmlCursor> children(const XmlCursor& element);

  private:
    struct File {
        FileBytes bytes;
        XmlDocument document;
    };

    // The outermost element of the file that an include names; null where that failed.
    [[nodiscard]] const XmlCursor* included(const XmlCursor& include);

    std::string folder_;
    XmlErrors& errors_;
    std::deque<File> files_;
    std::unordered_set<std::string> paths_;
    std::unordered_map<const XmlElement*, XmlCursor> roots_;  // by include
};

}  // namespace ulna::io::detail
