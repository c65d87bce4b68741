// SPDX-License-Identifier: Apache-2.0
#include "ulna/gpu/detail/module.h"

#include <algorithm>

#include "ulna/gpu/detail/source.h"

namespace ulna::gpu::detail {
Status Module::take(const Context& context, Code code, const std::string& suffix) {
    const Result<FunctionHandle*> attempts = code.find("ulnaAttempts" + suffix);
    if (!attempts) return attempts.error();
    const Result<FunctionHandle*> settle = code.find("ulnaSettle" + suffix);
    if (!settle) return settle.error();
    code_ = std::move(code);
    attempts_ = *attempts;
    settle_ = *settle;
    int blocks = 0;
    const Driver& d = context.driver();
    if (const Status s = d.check(d.cuOccupancyMaxActiveBlocksPerMultiprocessor(
                                     &blocks, attempts_, static_cast<int>(kThreads), 0),
                                 "say how many threads it runs");
        !s)
        return s.error();
    resident_blocks_ = std::max(1, blocks * context.attribute(kMultiprocessors));
    return Done{};
}

Result<std::unique_ptr<Module>> Module::make(const std::shared_ptr<Context>& context,
                                             const HostTables& tables, const GpuOptions& options,
                                             std::string& message) {
    const Current current(*context);
    std::unique_ptr<Module> out(new Module);
    message = "kernels of its own were not asked for";
    if (options.compile) {
        Result<Code> code = Code::compile(context, programSource(tables, options.most_unrolled));
        if (code) {
            if (const Status s = out->take(*context, *std::move(code), "Own"); !s) return s.error();
            out->compiled_ = true;
            message.clear();
            return out;
        }
        message = describe(code.error());
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
    Result<Code> code = Code::load(context, generalKernels().data());
    if (!code) return code.error();
    if (const Status s = out->take(*context, *std::move(code), small ? "Small" : "Large"); !s)
        return s.error();
    return out;
}

}  // namespace ulna::gpu::detail
