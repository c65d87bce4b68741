// SPDX-License-Identifier: Apache-2.0

// The user's browser, where there is a desktop to show it on.
#pragma once

#include <string>

namespace ulna::cli {

[[nodiscard]] bool hasDesktop();

/// A file of the user's own that leads a browser to a URL. Every user of a machine can read the
/// arguments of all programs, so a URL with a secret in it cannot be one. Removed when this goes.
class RedirectFile {
  public:
    explicit RedirectFile(const std::string& url);
    ~RedirectFile();
    RedirectFile(const RedirectFile&) = delete;
    RedirectFile& operator=(const RedirectFile&) = delete;

    /// Empty where it could not be written.
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    void removeFile();

    std::string folder_;
    std::string path_;
};

/// Asks the desktop to show a file and does not wait for it; false where nothing could be started.
[[nodiscard]] bool openBrowser(const std::string& path);

}  // namespace ulna::cli
