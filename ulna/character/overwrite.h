// SPDX-License-Identifier: Apache-2.0

// What would be lost if files were written: a file that is read, or one of another kind.
//
//     OutputGuard guard(inputs);
//     if (const auto refusal = guard.check("walk.glb")) return report(refusal->why);
//
// Every front end that writes files asks here first. A file of the output's own kind is replaced
// without a question, so that a command can be repeated; so is an empty file.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ulna/core/diagnostic.h"

namespace ulna {

struct OverwriteOptions {
    bool force = false;  ///< the user consents to the loss
    /// The output stands among the inputs, where a shell's pattern may have put it (`*.bvh`): a
    /// file of the format of an input is then kept too.
    bool among_inputs = false;
};

struct OverwriteRefusal {
    Diagnostic why;
    bool forcible = true;  ///< `force` would allow it
};

/// Knows what a command reads. For one thread at a time.
class OutputGuard {
  public:
    /// Inputs that do not exist are skipped; `-` and the empty path are no file.
    explicit OutputGuard(std::span<const std::string> inputs);

    /// Why a path must not be written; nothing where it may be.
    ///
    /// It must not where it is one of the inputs, by device and inode and so through links too, or
    /// one of the separate buffers and images of a glTF input; nor where a file is there already
    /// whose bytes are not of the kind that the ending of its name says, or whose ending says no
    /// kind; nor, whatever the options say, where it was checked as another output before. Pipes
    /// and devices may always be written.
    [[nodiscard]] std::optional<OverwriteRefusal> check(const std::string& path,
                                                        const OverwriteOptions& options = {});

  private:
    std::vector<std::string> inputs_;
    std::map<std::string, std::string> read_;     // what each file is called, by its identity
    std::map<std::string, std::string> written_;  // the same of outputs
};

}  // namespace ulna
