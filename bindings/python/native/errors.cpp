// SPDX-License-Identifier: Apache-2.0
#include "bindings/python/native/common.h"

namespace ulna::python {

void bindErrors(py::module_& m) {
    py::class_<Diagnostic>(m, "Diagnostic",
                           R"(One error or warning about something that came from outside.

    >>> print(ulna.load_bytes(b"HIERARCHY ROOT Hips { OFFSET 0 0 0 CHANNELS 0 }", "a.bvh").warnings[0])
    a.bvh:1:48: there is no MOTION; the file is a skeleton only
    )")
        .def_property_readonly(
            "what", [](const Diagnostic& d) { return d.what; }, "A sentence without its full stop.")
        .def_property_readonly(
            "file", [](const Diagnostic& d) { return d.location.file; },
            "The file as it was named; empty where there was no name.")
        .def_property_readonly(
            "line", [](const Diagnostic& d) { return d.location.line; },
            "The line, from 1; 0 where it is unknown.")
        .def_property_readonly(
            "column", [](const Diagnostic& d) { return d.location.column; },
            "The column in bytes, from 1; 0 where it is unknown.")
        .def_property_readonly(
            "json_path", [](const Diagnostic& d) { return d.location.json_path; },
            "The location inside JSON or an array, such as joints[3].limits.")
        .def_property_readonly(
            "text", [](const Diagnostic& d) { return d.text; }, "The offending text.")
        .def_property_readonly(
            "hint", [](const Diagnostic& d) { return d.advice; }, "What to do.")
        .def("__str__", [](const Diagnostic& d) { return describe(d); })
        .def("__repr__",
             [](const Diagnostic& d) { return "<ulna.Diagnostic: " + describe(d) + ">"; });
}

}  // namespace ulna::python
