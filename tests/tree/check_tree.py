# SPDX-License-Identifier: Apache-2.0
"""tools/check-tree refuses what it should, in small trees made for it, and nothing else; tools/unity-groups keeps sources
with the same private names apart."""
import os
import subprocess
import sys
import tempfile

LICENCE = "// SPDX-License-Identifier: Apache-2.0\n"
ONCE = LICENCE + "#pragma once\n"


def header(namespace, text, *includes):
    lines = "".join(f'#include "{name}"\n' for name in includes)
    return f"{ONCE}{lines}namespace {namespace} {{\n{text}\n}}\n"


def source(namespace, text, *includes):
    return header(namespace, text, *includes).replace("#pragma once\n", "")


def tree(files):
    folder = tempfile.TemporaryDirectory()
    subprocess.run(["git", "init", "-q", folder.name], check=True)
    for path, text in files.items():
        os.makedirs(os.path.dirname(f"{folder.name}/{path}"), exist_ok=True)
        with open(f"{folder.name}/{path}", "w", encoding="utf-8") as file:
            file.write(text)
    return folder


def judged(files):
    with tree(files) as folder:
        return subprocess.run([sys.executable, "tools/check-tree", folder], capture_output=True, text=True)


def expect(what, files, *problems):
    out = judged(files)
    lines = out.stdout.splitlines()[:-1]
    if len(lines) != len(problems) or not all(p in line for p, line in zip(problems, lines)):
        sys.exit(f"{what}: expected {problems}, and check-tree says\n{out.stdout}{out.stderr}")
    if out.returncode != (1 if problems else 0):
        sys.exit(f"{what}: check-tree ends with {out.returncode}")


IK = "ulna/ik/detail/a.h"
FIT = "ulna/fit/detail/b.h"
for name, first, second in (
        ("kNone", "inline constexpr int kNone = -1;", "inline constexpr long kNone{-1};"),
        ("Box", "struct Box { int kOther; };", "template <typename T, int kN>\nclass Box : public Base<T> {};"),
        ("Range", "using Range = std::pair<int, int>;", "enum class Range : char { kA, kB };"),
        ("solveAll", "void solveAll(int n);", "[[nodiscard]] inline std::vector<int> solveAll(std::map<int, char> of) {\n"
                                              "    return std::vector<int>{of.at(1)};\n}")):
    expect(f"{name} in two modules", {IK: header("ulna::ik::detail", first), FIT: header("ulna::fit::detail", second)},
           f"the private name '{name}' stands in other modules too: {IK}")

expect("what is no repeated name",
       {IK: header("ulna::ik::detail", "// struct Box;\nstruct Slot { int size() const; };\nvoid add(int);\nvoid add(char);\n"
                   'inline constexpr const char* kText = "struct Range {};";'),
        "ulna/ik/detail/a.cpp": source("ulna::ik::detail", "namespace {\nint helper() { return 1; }\n}\n"
                                       "void add(int) {}\nint Slot::size() const { return 0; }", IK),
        FIT: header("ulna::fit::detail", "struct Range;\nstruct Box { void add(int); };"),
        "ulna/fit/detail/b.cpp": source("ulna::fit::detail", "namespace {\nint helper() { return 2; }\n}", FIT)})

expect("a public type in two headers",
       {"ulna/core/a.h": header("ulna", "struct Image { int width; };"), "ulna/io/b.h": header("ulna::io", "class Image {};")},
       "the type 'Image' stands in other headers too: ulna/io/b.h")
expect("a type announced and declared",
       {"ulna/core/a.h": header("ulna", "struct Image;\nstruct Picture {};"), "ulna/io/b.h": header("ulna", "struct Image {};")})

expect("a cycle of headers",
       {"ulna/core/a.h": header("ulna", "struct A {};", "ulna/core/b.h"), "ulna/core/b.h": header("ulna", "", "ulna/core/c.h"),
        "ulna/core/c.h": header("ulna", "", "ulna/core/a.h")},
       "ulna/core/a.h: in a cycle with ulna/core/b.h, ulna/core/c.h")
expect("a cycle by way of a source",
       {"ulna/core/a.h": header("ulna", ""), "ulna/core/a.cpp": source("ulna", "", "ulna/core/a.h", "ulna/core/b.h"),
        "ulna/core/b.h": header("ulna", "", "ulna/core/a.h")},
       "ulna/core/a: with its source in a cycle with ulna/core/b")
expect("modules out of order",
       {"ulna/core/a.h": header("ulna", "", "ulna/ik/b.h"), "ulna/ik/b.h": header("ulna", "")}, "core includes ik, which is below it")
expect("a public header with a private one",
       {"ulna/ik/b.h": header("ulna", "", IK), IK: header("ulna::ik::detail", "")}, f"'{IK}' is private to ulna/ik")
expect("no licence", {"ulna/core/a.h": "#pragma once\n"}, "no SPDX line at the top")

with tree({"m/a.cpp": source("ulna", "namespace {\nint helper() { return 1; }\n}"),
           "m/b.cpp": source("ulna", "namespace {\nconst int helper = 2;\n}"), "m/c.cpp": source("ulna", "int other() { return 3; }"),
           "n/d.cpp": source("ulna", "")}) as made:
    paths = [f"{made}/{name}" for name in ("m/a.cpp", "m/b.cpp", "m/c.cpp", "n/d.cpp")]
    groups = subprocess.run(["tools/unity-groups", "8", made, *paths], capture_output=True, text=True, check=True).stdout
    expected = "".join(f"{group};{made}/{name}\n"
                       for group, name in (("m_0", "m/a.cpp"), ("m_0", "m/c.cpp"), ("m_1", "m/b.cpp"), ("n_0", "n/d.cpp")))
    if groups != expected:
        sys.exit(f"tools/unity-groups: expected\n{expected}and got\n{groups}")
