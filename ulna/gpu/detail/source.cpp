// SPDX-License-Identifier: Apache-2.0
#include "ulna/gpu/detail/source.h"

#include <fmt/format.h>

#include <iterator>

namespace ulna::gpu::detail {
namespace {

// Numbers as they are: the shortest text that reads back as the same double.
std::string listOf(const double* values, std::size_t count) {
    return fmt::format("{{{}}}", fmt::join(values, values + count, ", "));
}

std::string rowOf(const kernel::Link& l) {
    return fmt::format("{{{}, {}, {}, Kind({}), {}, {}, {}, {}, {}, {}, {}, {}, {}}}", l.root,
                       l.from, l.keep, static_cast<int>(l.kind), l.rotated, l.cone, l.column,
                       l.ball, listOf(l.rest, 12), listOf(l.axis, 3), l.swing_max, l.twist_min,
                       l.twist_max);
}

std::string rowOf(const kernel::Column& c) {
    return fmt::format("{{{}, {}, {}, {}, {}, {}, {}}}", c.min, c.max, c.scale, c.low, c.high,
                       c.spread, c.bounded);
}

std::string rowOf(const kernel::Row& r) {
    return fmt::format("{{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}}}", r.point, r.enabled, r.goal,
                       r.slot, listOf(r.point_in_link, 3), listOf(r.mount, 9), r.unit,
                       r.per_tolerance, r.weight, r.factor);
}

constexpr const char* kKernels = "#ifdef __CUDACC__\nULNA_GPU_KERNELS(Own, Program)\n#endif\n";

template <class T>
std::string tableOf(const char* type, const char* name, const std::vector<T>& rows) {
    std::string out = fmt::format("    static constexpr {} {}[] = {{\n", type, name);
    for (const T& row : rows) {
        if constexpr (std::is_same_v<T, unsigned char>)
            out += fmt::format("{}, ", row != 0);
        else
            out += fmt::format("        {},\n", rowOf(row));
    }
    return out + "    };\n";
}

}  // namespace

std::string programSource(const HostTables& tables, std::size_t most_unrolled) {
    std::string out =
        "#include \"ulna/gpu/detail/kernel/entry.h\"\n#include "
        "\"ulna/gpu/detail/kernel/unrolled.h\"\n";
    const std::string sizes = fmt::format("{}, {}, {}, {}", tables.columns.size(), tables.balls,
                                          tables.rows.size(), tables.slots);
    if (tables.columns.size() > most_unrolled)
        return out + fmt::format("using Program = ulna::gpu::kernel::TableProgram<{}>;\n{}", sizes,
                                 kKernels);
    out += "namespace ulna::gpu::kernel {\n";
    out += fmt::format("struct Program : UnrolledLoops<{}, {}> {{\n", tables.links.size(), sizes);
    out += tableOf("Link", "kLink", tables.links);
    out += tableOf("Column", "kColumn", tables.columns);
    out += tableOf("Row", "kRow", tables.rows);
    out += tableOf("bool", "kAbove", tables.above);
    out += tableOf("bool", "kSlides", tables.slides);
    out += R"(
    ULNA_GPU_FUNCTION explicit Program(const Tables&) {}
    // A device has no memory for these tables: each entry is taken when the kernel is compiled.
    template <int I>
    ULNA_GPU_FUNCTION static Link link(Int<I>) {
        constexpr Link out = kLink[I];
        return out;
    }
    template <int C>
    ULNA_GPU_FUNCTION static Column column(Int<C>) {
        constexpr Column out = kColumn[C];
        return out;
    }
    template <int R>
    ULNA_GPU_FUNCTION static Row row(Int<R>) {
        constexpr Row out = kRow[R];
        return out;
    }
    template <int R, int C>
    ULNA_GPU_FUNCTION static bool above(Int<R>, Int<C>) {
        constexpr bool out = kAbove[R * kColumns + C];
        return out;
    }
    template <int C>
    ULNA_GPU_FUNCTION static bool slides(Int<C>) {
        constexpr bool out = kSlides[C];
        return out;
    }
};
}  // namespace ulna::gpu::kernel
using ulna::gpu::kernel::Program;
)";
    return out + kKernels;
}

}  // namespace ulna::gpu::detail
