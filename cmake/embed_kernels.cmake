# SPDX-License-Identifier: Apache-2.0

# cmake -DFOLDER=... -DNAMES="a b" -DGENERAL=... -DOUT=... -P embed_kernels.cmake: the kernels' source, and the compiled
# ones where there are any, as ulna/gpu/detail/code.h declares them.
separate_arguments(NAMES)
set(rows "")
foreach(name ${NAMES})
  file(READ ${FOLDER}/ulna/gpu/detail/kernel/${name}.h text)
  string(APPEND rows "    {\"ulna/gpu/detail/kernel/${name}.h\", R\"kernel(${text})kernel\"},\n")
endforeach()
set(bytes "")
set(first "")
set(span "{}")
if(GENERAL)
  # The assembler takes bytes as they are; a compiler would read them one by one.
  set(bytes "asm(R\"(.pushsection .rodata
.balign 16
ulna_general_kernels:
.incbin \"${GENERAL}\"
ulna_general_kernels_end:
.popsection
)\");
extern \"C\" const std::byte ulna_general_kernels[], ulna_general_kernels_end[];
")
  set(span "{ulna_general_kernels, ulna_general_kernels_end}")
endif()
file(WRITE ${OUT} "// Made from ulna/gpu/detail/kernel.
#include \"ulna/gpu/detail/code.h\"

${bytes}
namespace ulna::gpu::detail {

std::span<const KernelFile> kernelFiles() {
    static const KernelFile kFiles[] = {
${rows}    };
    return kFiles;
}

std::span<const std::byte> generalKernels() {
    return ${span};
}

}  // namespace ulna::gpu::detail
")
