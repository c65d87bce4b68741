# SPDX-License-Identifier: Apache-2.0
"""The names that a C++ file of ours declares at namespace scope.

A reader of our own formatted code, not of C++ at large: it knows comments, literals, preprocessor lines, namespaces and
braces, and takes a declaration apart by the few forms that stand at namespace scope."""
import re
from typing import NamedTuple


class Declaration(NamedTuple):
    namespace: tuple  # such as ("ulna", "ik", "detail"); "" is an anonymous namespace
    name: str
    kind: str  # "type", "function", "variable", or "using" for `using a::name;`
    line: int
    defined: bool  # False for `struct Name;` and for functions without a body


_TOKEN = re.compile(
    r"""R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])'"""
    r"""|^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*$""", re.S | re.M | re.X)
_NAMESPACE = re.compile(r"(?:inline\s+)?namespace\s*([\w:]*)\s*$")
_TYPE = re.compile(r"(?:struct|class|union|enum(?:\s+class)?)\s+(\w+)\b(?!\s*[\w*&(]|\s*::)")
_ALIAS = re.compile(r"using\s+(\w+)\s*=")


def _blanked(text):
    """The text with comments, literals and preprocessor lines as spaces, so that lines stay where they are."""
    return _TOKEN.sub(lambda match: re.sub(r"[^\n]", " ", match.group(0)), text)


def _without_angles(text):
    """Without template arguments, whose commas and parentheses would be taken for the declaration's own."""
    text = re.sub(r"<=>|<<|>=|<=|->", "  ", re.sub(r"operator\s*[<>=!+*/&|^~%,()\[\]-]+", "operator", text))
    while True:
        shorter = re.sub(r"<[^<>]*>", " ", text)
        if shorter == text:
            return text
        text = shorter


def _declared(statement):
    """(name, kind) of one statement at namespace scope up to its `;` or `{`, or None."""
    text = re.sub(r"\[\[[^\]]*\]\]|\balignas\s*\([^)]*\)", " ", statement)
    text = re.sub(r"^(\s*template\s*<[^;{}]*?>\s*(?=[\w\[:]))+", " ", _first_template_removed(text)).strip()
    if not text or text.startswith(("using namespace", "namespace", "friend", "static_assert", "extern template", "public", "HWY_", "ULNA_")):
        return None
    alias = _ALIAS.match(text)
    if alias:
        return alias.group(1), "type"
    kind = _TYPE.match(text)
    if kind:
        return kind.group(1), "type"
    taken = re.match(r"using\s+[\w:]*::(\w+)$", text)
    if taken:
        return taken.group(1), "using"
    plain = _without_angles(text)
    head = plain.split("=")[0]
    if "operator" in head:
        return None
    call = re.search(r"([\w:~]+)\s*\(", head)
    if call:
        name = call.group(1)
        if "::" in name or "~" in name or not head[:call.start()].strip():
            return None  # a member's definition, or a macro
        return name, "function"
    variable = re.search(r"([\w:]+)\s*(?:\[[^\]]*\]\s*)*$", head.strip())
    if variable and "::" not in variable.group(1) and re.search(r"\w\W+\w", head.strip()):
        return variable.group(1), "variable"
    return None


def _first_template_removed(text):
    """Without a leading `template <...>`, whose angle brackets may be nested."""
    match = re.match(r"\s*template\s*<", text)
    while match:
        depth, at = 1, match.end()
        while at < len(text) and depth:
            depth += {"<": 1, ">": -1}.get(text[at], 0)
            at += 1
        text = text[at:]
        match = re.match(r"\s*template\s*<", text)
    return text


def declarations(text):
    """Every name that `text`, a whole file, declares at namespace scope, in order."""
    text = _blanked(text)
    found, spaces, start, at = [], [], 0, 0

    def note(end, defined):
        declared = _declared(text[start:end])
        if declared:
            first = start + len(text[start:end]) - len(text[start:end].lstrip())
            found.append(Declaration(tuple(name for space in spaces for name in space), *declared,
                                     text.count("\n", 0, first) + 1, defined))

    parentheses = 0
    while at < len(text):
        character = text[at]
        if character in "([":
            parentheses += 1
        elif character in ")]":
            parentheses -= 1
        elif parentheses:
            pass
        elif character == ";":
            note(at, bool(re.search(r"=|^\s*(?:inline\s+)?(?:constexpr|const)\b", text[start:at])))
            start = at + 1
        elif character == "{":
            space = _NAMESPACE.search(text[start:at])
            if space and not text[start:at][:space.start()].strip():
                spaces.append(tuple(space.group(1).split("::")))
                start = at + 1
            else:
                note(at, True)
                depth = 1
                while depth and at + 1 < len(text):
                    at += 1
                    depth += {"{": 1, "}": -1}.get(text[at], 0)
                rest = re.match(r"\s*(?:[^;{}]*;)", text[at + 1:]) if _is_declaration_with_end(text[start:at]) else None
                if rest:
                    at += rest.end()
                start = at + 1
        elif character == "}":
            if spaces:
                spaces.pop()
            start = at + 1
        at += 1
    return found


def _is_declaration_with_end(head):
    """Whether what opened this brace goes on to a `;` after it: a type or a variable, not a function."""
    declared = _declared(head.split("{")[0])
    return declared is not None and declared[1] != "function"
