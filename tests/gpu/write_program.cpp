// SPDX-License-Identifier: Apache-2.0

// write_gpu_program FILE: the program of gpu/own_problem.h as source.
#include <cstdio>

#include "gpu/own_problem.h"
#include "ulna/gpu/detail/source.h"

int main(int argc, char** argv) {
    using namespace ulna;
    if (argc != 2) return 2;
    const Skeleton skeleton = test::ownSkeleton();
    const std::vector<IkGoal> goals = test::ownGoals(skeleton);
    const Result<BatchProgram> program =
        makeBatchProgram(skeleton, goals, test::ownOptions(), middleOfLimits(skeleton));
    if (!program) {
        std::fprintf(stderr, "%s\n", describe(program.error()).c_str());
        return 1;
    }
    const std::string text =
        gpu::detail::programSource(gpu::detail::makeTables(skeleton, *program), 24);
    std::FILE* file = std::fopen(argv[1], "wb");
    if (file == nullptr) return 1;
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    return std::fclose(file) == 0 && written ? 0 : 1;
}
