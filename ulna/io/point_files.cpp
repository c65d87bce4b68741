// SPDX-License-Identifier: Apache-2.0
#include "ulna/io/point_files.h"

#include <array>
#include <utility>

#include "ulna/core/text.h"
#include "ulna/io/detail/point_builder.h"
#include "ulna/io/file.h"
#include "ulna/io/npy.h"

namespace ulna::io {
namespace {

constexpr std::array<std::pair<std::string_view, PointFormat>, 4> kEndings = {{
    {".npy", PointFormat::Npy},
    {".csv", PointFormat::Csv},
    {".json", PointFormat::Json},
    {".c3d", PointFormat::C3d},
}};

std::string shapeText(const std::vector<std::size_t>& shape) {
    std::string out;
    for (const std::size_t n : shape) out += (out.empty() ? "" : " x ") + std::to_string(n);
    return out.empty() ? "one value" : out;
}

Result<PointFile> readPointsNpy(std::string_view bytes, std::string_view source) {
    Result<NpyArray> array = readNpy(bytes, source);
    if (!array) return array.error();
    const std::vector<std::size_t>& shape = array->shape;
    const Location location{.file = std::string(source)};
    const std::size_t rank = shape.size();
    const bool fits = (rank == 2 || rank == 3) && (shape.back() == 3 || shape.back() == 4);
    if (!fits)
        return Diagnostic{.what = "the array is not one of points",
                          .location = location,
                          .text = shapeText(shape),
                          .advice = "frames x points x 3 was expected, or 4 with confidences"};
    if (array->values.empty())
        return Diagnostic{
            .what = "the array is empty", .location = location, .text = shapeText(shape)};
    PointFile out;
    out.warnings = std::move(array->warnings);
    out.clip.point_count = shape[rank - 2];
    const std::size_t width = shape.back();
    for (std::size_t i = 0; i < array->values.size(); i += width) {
        const double* v = array->values.data() + i;
        if (detail::tooLarge(v[0]) || detail::tooLarge(v[1]) || detail::tooLarge(v[2])) {
            const std::size_t k = i / width;
            return Diagnostic{.what = "a coordinate is too large",
                              .location = location,
                              .text = "point " + std::to_string(k % out.clip.point_count) +
                                      " of frame " + std::to_string(k / out.clip.point_count)};
        }
        detail::addPosition({v[0], v[1], v[2]}, width == 4 ? v[3] : 1.0, out.clip);
    }
    return out;
}

}  // namespace

std::optional<PointFormat> pointFormatOfName(std::string_view name) {
    const std::string lower = lowerCase(name);
    for (const auto& [ending, format] : kEndings)
        if (lower.ends_with(ending)) return format;
    return std::nullopt;
}

Result<PointFile> readPoints(std::string_view bytes, PointFormat format, std::string_view source) {
    switch (format) {
        case PointFormat::Npy:
            return readPointsNpy(bytes, source);
        case PointFormat::Csv:
            return detail::readPointsCsv(bytes, source);
        case PointFormat::Json:
            return detail::readPointsJson(bytes, source);
        case PointFormat::C3d:
            break;
    }
    return detail::readPointsC3d(bytes, source);
}

Result<PointFile> loadPoints(const std::string& path) {
    const std::optional<PointFormat> format = pointFormatOfName(path);
    if (!format)
        return Diagnostic{.what = "the name does not say what kind of points the file has",
                          .location = {.file = path},
                          .advice = "points are read from .npy, .csv, .json and .c3d files"};
    const Result<FileBytes> bytes = readFile(path);
    if (!bytes) return bytes.error();
    return readPoints(bytes->view(), *format, path);
}

Status readConfidences(std::string_view bytes, std::string_view source, PointClip& clip) {
    const Result<NpyArray> array = readNpy(bytes, source);
    if (!array) return array.error();
    const std::vector<std::size_t> wanted = {clip.frameCount(), clip.point_count};
    if (array->shape != wanted)
        return Diagnostic{.what = "the array does not have a confidence for every point",
                          .location = {.file = std::string(source)},
                          .text = shapeText(array->shape),
                          .advice = shapeText(wanted) + " was expected"};
    for (std::size_t i = 0; i < clip.weights.size(); ++i) {
        const double given = array->values[i];
        if (clip.weights[i] > 0.0) clip.weights[i] = given > 0.0 ? std::min(given, 1.0) : 0.0;
        if (!(clip.weights[i] > 0.0)) clip.positions[i] = {};
    }
    return Done{};
}

}  // namespace ulna::io
