// SPDX-License-Identifier: Apache-2.0
#include "ulna/gpu/detail/module.h"

#include <vector>

#include "ulna/gpu/detail/source.h"

namespace ulna::gpu::detail {
namespace {

Result<std::vector<char>> compileSource(const Compiler& compiler, const std::string& source,
                                        const std::string& architecture) {
    std::vector<const char*> texts, names;
    for (const KernelFile& file : kernelFiles()) {
        texts.push_back(file.text);
        names.push_back(file.name);
    }
    CompilerHandle* program = nullptr;
    if (compiler.nvrtcCreateProgram(&program, source.c_str(), "ulna_batch.cu",
                                    static_cast<int>(texts.size()), texts.data(),
                                    names.data()) != 0)
        return Diagnostic{.what = "NVRTC could not be started"};
    const std::string target = "--gpu-architecture=" + architecture;
    // Lambdas have no mark of where they run.
    const char* const options[] = {target.c_str(), "--std=c++17", "--use_fast_math",
                                   "--device-as-default-execution-space"};
    std::vector<char> out;
    const bool compiled = compiler.nvrtcCompileProgram(program, 4, options) == 0;
    std::size_t size = 0;
    if (compiled) {
        if (compiler.nvrtcGetCUBINSize(program, &size) == 0 && size > 0) {
            out.resize(size);
            if (compiler.nvrtcGetCUBIN(program, out.data()) != 0) out.clear();
        }
    } else if (compiler.nvrtcGetProgramLogSize(program, &size) == 0) {
        out.resize(size);
        compiler.nvrtcGetProgramLog(program, out.data());
    }
    compiler.nvrtcDestroyProgram(&program);
    if (!compiled)
        return Diagnostic{.what = "NVRTC could not compile the kernels",
                          .text = std::string(out.begin(), out.end())};
    if (out.empty()) return Diagnostic{.what = "NVRTC made no code for " + architecture};
    return out;
}

}  // namespace

Module::~Module() {
    if (module_ == nullptr) return;
    const Current current(*context_);
    context_->driver().cuModuleUnload(module_);
}

Status Module::load(const void* image, const char* suffix) {
    const Driver& d = context_->driver();
    const std::string names[] = {std::string("ulnaAttempts") + suffix,
                                 std::string("ulnaSettle") + suffix};
    if (const Status s = d.check(d.cuModuleLoadData(&module_, image), "load the kernels"); !s)
        return s.error();
    for (const auto& [name, function] :
         {std::pair{&names[0], &attempts_}, std::pair{&names[1], &settle_}}) {
        if (const Status s =
                d.check(d.cuModuleGetFunction(function, module_, name->c_str()), "find a kernel");
            !s)
            return s.error();
    }
    int blocks = 0;
    if (const Status s = d.check(d.cuOccupancyMaxActiveBlocksPerMultiprocessor(
                                     &blocks, attempts_, static_cast<int>(kThreads), 0),
                                 "say how many threads it runs");
        !s)
        return s.error();
    resident_blocks_ = std::max(1, blocks * context_->attribute(kMultiprocessors));
    return Done{};
}

Result<std::unique_ptr<Module>> Module::make(const std::shared_ptr<Context>& context,
                                             const HostTables& tables, const GpuOptions& options,
                                             std::string& message) {
    const Current current(*context);
    std::unique_ptr<Module> out(new Module(context));
    message = "kernels of its own were not asked for";
    if (options.compile) {
        const Result<const Compiler*> compiler = openCompiler();
        if (!compiler) {
            message = describe(compiler.error());
        } else {
            const std::string architecture = "sm_" +
                                             std::to_string(context->attribute(kComputeMajor)) +
                                             std::to_string(context->attribute(kComputeMinor));
            const Result<std::vector<char>> code = compileSource(
                **compiler, programSource(tables, options.most_unrolled), architecture);
            if (code) {
                if (const Status s = out->load(code->data(), "Own"); !s) return s.error();
                out->compiled_ = true;
                message.clear();
                return out;
            }
            message = describe(code.error());
        }
    }
    if (generalKernels().empty())
        return Diagnostic{.what = "there are no kernels for this machine: " + message,
                          .advice = "build Ulna with -DULNA_GPU=ON (nvcc), or install NVRTC"};
    const auto fits = [&](int columns, int balls, int rows, int slots) {
        const kernel::Tables t = tables.view();
        return t.columns <= columns && t.balls <= balls && t.rows <= rows && t.slots <= slots;
    };
    using kernel::LargeTables, kernel::SmallTables;
    const bool small =
        fits(SmallTables::kColumns, SmallTables::kBalls, SmallTables::kRows, SmallTables::kSlots);
    if (!small &&
        !fits(LargeTables::kColumns, LargeTables::kBalls, LargeTables::kRows, LargeTables::kSlots))
        return Diagnostic{.what = "the skeleton is too large for the general kernels",
                          .advice = "with NVRTC there is no bound"};
    if (const Status s = out->load(generalKernels().data(), small ? "Small" : "Large"); !s)
        return s.error();
    return out;
}

}  // namespace ulna::gpu::detail
