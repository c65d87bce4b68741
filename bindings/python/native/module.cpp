// SPDX-License-Identifier: Apache-2.0

// ulna._core: the C++ library as Python sees it. The package `ulna` around it re-exports its names.
#include "bindings/python/native/common.h"
#include "ulna/core/version.h"

PYBIND11_MODULE(_core, m) {
    using namespace ulna::python;
    py::options options;
    options.disable_enum_members_docstring();
    m.doc() = "The library behind the package ulna.";
    m.attr("__version__") = ulna::version();
    bindErrors(m);
    bindSkeleton(m);
    bindPose(m);
    bindClip(m);
    bindMesh(m);
    bindCharacter(m);
    bindEdit(m);
    bindPack(m);
    bindIk(m);
    bindGpu(m);
    bindSolver(m);
    bindSkin(m);
    bindRetarget(m);
    bindFit(m);
    bindDraw(m);
}
