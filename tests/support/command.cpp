// SPDX-License-Identifier: Apache-2.0
#include "support/command.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/paths.h"

namespace ulna::test {

namespace {

// One per process, because CTest runs processes side by side; gone when the process ends. Each test
// finds it empty.
class ScratchFolder {
  public:
    ~ScratchFolder() { std::filesystem::remove_all(path_); }

    const std::string& forThisTest() {
        const testing::TestInfo* const now = testing::UnitTest::GetInstance()->current_test_info();
        if (first_ || now != test_) {
            std::filesystem::remove_all(path_);
            std::filesystem::create_directories(path_);
        }
        first_ = false;
        test_ = now;
        return path_;
    }

  private:
    std::string path_ = testing::TempDir() + "/ulna_tests_" + std::to_string(::getpid());
    const testing::TestInfo* test_ = nullptr;
    bool first_ = true;
};

}  // namespace

std::string scratchFolder() {
    static ScratchFolder folder;
    return folder.forThisTest();
}

std::string readText(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream out;
    out << file.rdbuf();
    return out.str();
}

void writeText(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

CommandResult shell(const std::string& command) {
    const std::string folder = scratchFolder();
    const std::string setup = "cd '" + folder + "'; export ULNA='" + toolPath() + "' ASSETS='" +
                              sourcePath("assets") + "' SOURCE='" + sourcePath("") + "'; ";
    const std::string whole =
        setup + "{ " + command + "\n} >'" + folder + "/.out' 2>'" + folder + "/.err' </dev/null";
    const int status = std::system(whole.c_str());
    CommandResult out;
    out.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    out.out = readText(folder + "/.out");
    out.err = readText(folder + "/.err");
    return out;
}

}  // namespace ulna::test
