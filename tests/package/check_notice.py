# SPDX-License-Identifier: Apache-2.0
"""Whatever is compiled, linked or packed into Ulna has its entry in NOTICE and in the bill of materials. Judged by what
the build read and linked: the headers that the compiler opened, the libraries that the tool names, the modules that the
page imports."""
import glob
import json
import os
import re
import subprocess
import sys

BUILD, TOOL, VIEW_TOOL = os.environ["ULNA_BUILD"], os.environ["ULNA"], os.environ["ULNA_VIEW_TOOL"]
# The compiler's own and the system's: the C and C++ libraries have exceptions for what is compiled with them.
SYSTEM_PACKAGES = (r"libc6-dev|linux-libc-dev|libstdc\+\+-\d+-dev|libgcc-\d+-dev|libclang-.*|libcrypt-dev"
                   r"|libpython3\.\d+-dev")
SYSTEM_LIBRARIES = r"libstdc\+\+|libm|libgcc_s|libc|libpthread|ld-linux-x86-64|libdl|librt"


def output_of(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout


def require(condition, what):
    if not condition:
        sys.exit(f"check_notice: {what}")


def header_packages():
    """The Debian packages of all headers that the objects of the library, the tool and the Python module depend on."""
    headers, ours = set(), False
    for line in output_of("ninja", "-C", BUILD, "-t", "deps").splitlines():
        if not line.startswith(" "):
            ours = re.match(r"(ulna|apps|tests|bindings)/\S*CMakeFiles/"
                            r"(ulna|ulna_cli|ulna_cli_parts|ulna_site|ulna_server|ulna_python)\.dir/", line)
        elif ours and line.strip().startswith("/usr/"):
            headers.add(os.path.realpath(line.strip()))
    # One file of each folder just below /usr/include: a package has whole folders.
    samples = {}
    for header in headers:
        samples.setdefault("/".join(header.split("/")[:5]), header)
    require(len(samples) > 5, "the build names hardly any headers: is it built with ninja?")
    lines = output_of("dpkg", "-S", *samples.values()).splitlines()
    return {name.split(":")[0] for line in lines for name in line.rsplit(": ", 1)[0].split(", ")}


def libraries(program):
    return re.findall(r"NEEDED\s+(\S+?)\.so", output_of("objdump", "-p", program))


def imported_modules():
    found = set()
    for path in glob.glob("studio/src/**/*.ts", recursive=True):
        with open(path, encoding="utf-8") as file:
            found |= set(re.findall(r'from "([a-z@][^"/]*(?:(?<=@)[^"/]*/[^"/]*)?)', file.read()))
    return {name for name in found if not name.startswith("@ulna")}


def check_bill(path, entries):
    with open(path, encoding="utf-8") as file:
        bill = json.load(file)
    require(bill["spdxVersion"] == "SPDX-2.3" and bill["dataLicense"] == "CC0-1.0", "the bill is not SPDX 2.3")
    for key in ("SPDXID", "name", "documentNamespace", "creationInfo"):
        require(bill.get(key), f"the bill has no {key}")
    ids = [package["SPDXID"] for package in bill["packages"]]
    require(len(ids) == len(set(ids)), "two packages of the bill have one SPDXID")
    require(all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", each) for each in ids), "an SPDXID has other characters")
    for package in bill["packages"]:
        for key in ("name", "downloadLocation", "licenseConcluded", "licenseDeclared", "copyrightText", "versionInfo"):
            require(package.get(key), f"{package['name']} has no {key} in the bill")
    related = {each["relatedSpdxElement"] for each in bill["relationships"]}
    require(related == set(ids), "the relationships of the bill name other packages than it has")
    names = {package["name"] for package in bill["packages"]}
    for entry in entries:
        require(entry["name"] in names, f"{entry['name']} is not in the bill")


def main():
    with open("cmake/dependencies.json", encoding="utf-8") as file:
        entries = json.load(file)
    with open("NOTICE", encoding="utf-8") as file:
        notice = file.read()
    subprocess.run([sys.executable, "tools/make-notice", "--check"], check=True)
    for program in (TOOL, VIEW_TOOL):
        for option in ("--licences", "--licenses"):
            require(output_of(program, option) == notice, f"{program} {option} prints another text than NOTICE")

    packages = {entry.get("package") for entry in entries}
    for package in sorted(header_packages()):
        known = package in packages or re.fullmatch(SYSTEM_PACKAGES, package)
        require(known, f"headers of {package} are compiled in, and it has no entry in cmake/dependencies.json")
    linked = {library for entry in entries for library in entry.get("libraries", [])}
    for library in libraries(TOOL) + libraries(VIEW_TOOL):
        known = library in linked or re.fullmatch(SYSTEM_LIBRARIES, library)
        require(known, f"{library} is linked, and it has no entry in cmake/dependencies.json")
    modules = {entry.get("npm") for entry in entries}
    for module in imported_modules():
        require(module in modules, f"the page imports {module}, which has no entry in cmake/dependencies.json")
    for path in glob.glob("studio/src/**/*.css", recursive=True):
        with open(path, encoding="utf-8") as file:
            require("@font-face" not in file.read(), f"{path} has a font, which needs an entry")

    bill = os.path.join(BUILD, "ulna.spdx.json.test")
    subprocess.run([sys.executable, "tools/make-sbom", bill, "--page"], check=True)
    of_tools = [e for e in entries if e["use"] != "python"]
    check_bill(bill, of_tools)
    first = open(bill, "rb").read()
    subprocess.run([sys.executable, "tools/make-sbom", bill, "--page"], check=True)
    require(open(bill, "rb").read() == first, "the bill differs from one time to the next")
    check_bill(os.path.join(BUILD, "ulna.spdx.json"), [e for e in of_tools if e["use"] != "page" and e["name"] != "Boost"])


main()
