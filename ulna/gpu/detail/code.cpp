// SPDX-License-Identifier: Apache-2.0
#include "ulna/gpu/detail/code.h"

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
    if (compiler.nvrtcCreateProgram(&program, source.c_str(), "ulna_kernels.cu",
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

Code::~Code() {
    if (module_ == nullptr) return;
    const Current current(*context_);
    context_->driver().cuModuleUnload(module_);
}

Result<Code> Code::load(const std::shared_ptr<Context>& context, const void* image) {
    const Current current(*context);
    const Driver& d = context->driver();
    Code out;
    out.context_ = context;
    if (const Status s = d.check(d.cuModuleLoadData(&out.module_, image), "load the kernels"); !s) {
        out.module_ = nullptr;
        return s.error();
    }
    return out;
}

Result<Code> Code::compile(const std::shared_ptr<Context>& context, const std::string& source) {
    const Result<const Compiler*> compiler = openCompiler();
    if (!compiler) return compiler.error();
    const std::string architecture = "sm_" + std::to_string(context->attribute(kComputeMajor)) +
                                     std::to_string(context->attribute(kComputeMinor));
    const Result<std::vector<char>> image = compileSource(**compiler, source, architecture);
    if (!image) return image.error();
    return load(context, image->data());
}

Result<Code> Code::loadOrCompile(const std::shared_ptr<Context>& context,
                                 const std::string& source) {
    if (!generalKernels().empty()) return load(context, generalKernels().data());
    Result<Code> out = compile(context, source);
    if (out) return out;
    return Diagnostic{.what = "there are no kernels for this machine: " + describe(out.error()),
                      .advice = "build Ulna with -DULNA_GPU=ON (nvcc), or install NVRTC"};
}

Result<FunctionHandle*> Code::find(const std::string& name) const {
    const Driver& d = context_->driver();
    FunctionHandle* out = nullptr;
    if (const Status s =
            d.check(d.cuModuleGetFunction(&out, module_, name.c_str()), "find a kernel");
        !s)
        return s.error();
    return out;
}

}  // namespace ulna::gpu::detail
