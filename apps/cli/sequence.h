// SPDX-License-Identifier: Apache-2.0

// Several files that appear together or not at all, such as one for each frame.
#pragma once

#include <csignal>
#include <string>
#include <vector>

namespace ulna::cli {

/// Files are written into a folder of their own beside their destination, and moved when all are
/// there. Whatever ends the verb before, also SIGINT, SIGTERM or SIGHUP, removes that folder and
/// leaves existing files as they were. One at a time.
class FileSequence {
  public:
    /// All paths are in one folder. A single path is written directly: one file is whole by itself.
    explicit FileSequence(std::vector<std::string> paths);
    FileSequence(const FileSequence&) = delete;
    FileSequence& operator=(const FileSequence&) = delete;
    ~FileSequence();

    /// Where to write file i.
    [[nodiscard]] const std::string& pathToWrite(std::size_t i) const { return written_[i]; }
    /// Moves all files to their paths; ends the verb where one cannot be moved.
    void finish();

  private:
    static void removeAndEnd(int signal);
    void remove() const;  // calls only what a signal handler may

    std::vector<std::string> paths_, written_;
    std::string folder_;  // empty where there is none
};

}  // namespace ulna::cli
