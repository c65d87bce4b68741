// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/detail/mjcf_files.h"

#include "ulna/io/detail/file_beside.h"

namespace ulna::io::detail {

std::vector<XmlCursor> MjcfFiles::children(const XmlCursor& element) {
    std::vector<XmlCursor> out;
    std::vector<XmlCursor> open;  // the next one last
    const auto push = [&](const XmlCursor& parent) {
        const std::vector<XmlCursor> all = parent.children();
        open.insert(open.end(), all.rbegin(), all.rend());
    };
    push(element);
    while (!open.empty()) {
        const XmlCursor next = open.back();
        open.pop_back();
        if (next.name() != "include") {
            out.push_back(next);
        } else if (const XmlCursor* root = included(next); root != nullptr) {
            push(*root);
        }
    }
    return out;
}

const XmlCursor* MjcfFiles::included(const XmlCursor& include) {
    const auto known = roots_.find(include.identity());
    if (known != roots_.end()) return &known->second;
    const std::optional<XmlValue> name = include.at("file");
    if (!name || errors_.first) return nullptr;
    const auto refuse = [&](const Diagnostic& error) {
        include.fail(error.what, {}, error.advice);
        return nullptr;
    };
    const std::string file = "the file '" + excerpt(name->text()) + "' ";
    if (folder_.empty() && staysInside(name->text()))
        return refuse({.what = file + "is a separate file",
                       .advice = "load the model by its path, or put all of it into one file"});
    const Result<std::string> path = findInFolder(file, name->text(), folder_);
    if (!path) return refuse(path.error());
    if (!paths_.insert(*path).second)
        return refuse(
            {.what = file + "is included twice", .advice = "MuJoCo includes a file once"});
    Result<FileBytes> bytes = readFile(*path);
    if (!bytes) return refuse(bytes.error());
    files_.push_back({.bytes = *std::move(bytes), .document = {}});
    Result<XmlDocument> document = readXml(files_.back().bytes.view(), *path);
    if (!document) {
        errors_.first = document.error();
        return nullptr;
    }
    files_.back().document = *std::move(document);
    const XmlCursor root(files_.back().document, 0, errors_);
    return &roots_.emplace(include.identity(), root).first->second;
}

}  // namespace ulna::io::detail
