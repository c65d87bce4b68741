// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/weights/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "ulna/core/number_text.h"

namespace ulna::cli {
namespace {

// Half the sum of all differences: 0 for equal rows, 1 for rows without a joint in common.
double difference(std::span<const Influence> a, std::span<const Influence> b) {
    double sum = 0.0;
    for (const Influence& i : a)
        sum += std::abs(static_cast<double>(i.weight) - static_cast<double>(weightOf(b, i.joint)));
    for (const Influence& i : b) {
        if (weightOf(a, i.joint) == 0.0f) sum += static_cast<double>(i.weight);
    }
    return sum / 2.0;
}

double areaOf(const Mesh& mesh, std::size_t first_index) {
    const auto corner = [&](std::size_t k) {
        const Vec3f& p = mesh.positions[mesh.indices[first_index + k]];
        return Vec3{p.x, p.y, p.z};
    };
    return length(cross(corner(1) - corner(0), corner(2) - corner(0))) / 2.0;
}

// What each joint moves of the surface: each corner has a third of its triangles.
std::vector<JointShare> sharesOf(const Skeleton& skeleton, const Mesh& mesh) {
    std::vector<double> area(mesh.positions.size(), 0.0);
    double whole = 0.0;
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
        const double own = areaOf(mesh, i);
        whole += own;
        for (std::size_t k = 0; k < 3; ++k) area[mesh.indices[i + k]] += own / 3.0;
    }
    std::vector<JointShare> all(skeleton.jointCount());
    for (std::size_t v = 0; v < mesh.weights.rowCount(); ++v) {
        for (const Influence& i : mesh.weights[v]) {
            JointShare& share = all[index(i.joint)];
            share.vertices += 1;
            if (whole > 0.0) share.area += area[v] / whole * static_cast<double>(i.weight);
            share.largest = std::max(share.largest, i.weight);
        }
    }
    std::vector<JointShare> out;
    for (std::size_t j = 0; j < all.size(); ++j) {
        if (all[j].vertices == 0) continue;
        all[j].joint = jointId(j);
        out.push_back(all[j]);
    }
    return out;
}

std::string listedNames(const Skeleton& skeleton, const std::vector<JointId>& joints) {
    std::string out;
    for (const JointId j : joints) out += (out.empty() ? "" : ", ") + skeleton.name(j);
    return out;
}

// The first few of a list, for people.
std::string firstFew(const std::vector<std::uint32_t>& vertices) {
    constexpr std::size_t kFew = 6;
    std::string out;
    for (std::size_t i = 0; i < std::min(kFew, vertices.size()); ++i)
        out += fmt::format("{}{}", i == 0 ? "" : ", ", vertices[i]);
    return out + (vertices.size() > kFew ? ", ..." : "");
}

std::string_view sourceText(std::string_view source) {
    return source == "heat"       ? "made by bone heat"
           : source == "distance" ? "made by distance"
                                  : "of the file";
}

}  // namespace

WeightsReport examineWeights(const Skeleton& skeleton, const Mesh& mesh) {
    WeightsReport out;
    const SkinWeights& weights = mesh.weights;
    for (std::size_t v = 0; v < weights.rowCount(); ++v) {
        const std::span<const Influence> row = weights[v];
        if (out.counts.size() <= row.size()) out.counts.resize(row.size() + 1, 0);
        ++out.counts[row.size()];
        double sum = 0.0;
        for (const Influence& i : row) sum += static_cast<double>(i.weight);
        if (!row.empty()) out.worst_sum = std::max(out.worst_sum, std::abs(sum - 1.0));
    }
    if (weights.rowCount() > 0)
        out.mean = static_cast<double>(weights.influences.size()) /
                   static_cast<double>(weights.rowCount());
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = mesh.indices[i + k], b = mesh.indices[i + (k + 1) % 3];
            const double jump = difference(weights[a], weights[b]);
            if (jump <= out.jump) continue;
            out.jump = jump;
            out.jump_vertices = {a, b};
        }
    }
    out.joints = sharesOf(skeleton, mesh);
    return out;
}

std::string weightsText(const Skeleton& skeleton, const Mesh& mesh, const WeightsWork& work) {
    const WeightsReport report = examineWeights(skeleton, mesh);
    std::string out;
    auto to = std::back_inserter(out);
    fmt::format_to(to, "  mesh        {}{} vertices, {} triangles\n",
                   mesh.name.empty() ? "" : "'" + mesh.name + "', ", mesh.positions.size(),
                   mesh.indices.size() / 3);
    fmt::format_to(to, "  weights     {}\n", sourceText(work.source));
    std::string counts;
    for (std::size_t n = 0; n < report.counts.size(); ++n) {
        if (report.counts[n] > 0)
            counts += fmt::format("{}{} vertices with {}", counts.empty() ? "" : ", ",
                                  report.counts[n], n);
    }
    fmt::format_to(to, "  influences  {} a vertex: {}\n", shortDecimals(report.mean, 2), counts);
    fmt::format_to(to, "  sums        1 to {}\n", shortNumber(report.worst_sum, 2));
    fmt::format_to(to, "  neighbours  differ by {} at most, vertices {} and {}\n",
                   shortDecimals(report.jump, 3), report.jump_vertices[0], report.jump_vertices[1]);
    if (work.heat && !work.heat->hidden.empty())
        fmt::format_to(to,
                       "  hidden      {} vertices see no bone and go with their neighbours: {}\n",
                       work.heat->hidden.size(), firstFew(work.heat->hidden));
    if (work.heat && !work.heat->loose.empty())
        fmt::format_to(
            to, "  loose       {} vertices of parts that see no bone go with the nearest: {}\n",
            work.heat->loose.size(), firstFew(work.heat->loose));
    if (work.heat && !work.heat->outside.empty())
        fmt::format_to(to,
                       "  outside     {} vertices of parts without a bone inside saw one from "
                       "outside: {}\n",
                       work.heat->outside.size(), firstFew(work.heat->outside));
    if (work.heat && !work.heat->idle.empty())
        fmt::format_to(to, "  idle        no vertex goes with {}\n",
                       listedNames(skeleton, work.heat->idle));
    if (work.loss)
        fmt::format_to(to, "  pruned      {} vertices lost {} at most, {} in the mean\n",
                       work.loss->vertices, shortDecimals(work.loss->worst, 4),
                       shortDecimals(work.loss->mean, 5));
    if (work.unmatched > 0)
        fmt::format_to(to, "  mirrored    {} vertices have no counterpart; the nearest was taken\n",
                       work.unmatched);
    std::size_t width = 5;
    for (const JointShare& share : report.joints)
        width = std::max(width, std::min<std::size_t>(skeleton.name(share.joint).size(), 40));
    fmt::format_to(to, "\n  {:<{}} {:>9} {:>7} {:>8}\n", "joint", width, "vertices", "area",
                   "largest");
    for (const JointShare& share : report.joints) {
        fmt::format_to(to, "  {:<{}} {:>9} {:>6}% {:>8}\n", skeleton.name(share.joint), width,
                       share.vertices, shortDecimals(100.0 * share.area, 2),
                       shortDecimals(static_cast<double>(share.largest), 3));
    }
    return out;
}

void writeWeights(const Skeleton& skeleton, const Mesh& mesh, const WeightsWork& work,
                  JsonWriter& json) {
    const WeightsReport report = examineWeights(skeleton, mesh);
    json.beginObject()
        .member("name", mesh.name)
        .member("vertices", mesh.positions.size())
        .member("triangles", mesh.indices.size() / 3)
        .member("weights", work.source)
        .beginObject("influences")
        .member("mean", report.mean)
        .member("counts", report.counts)
        .endObject()
        .member("worst_sum", report.worst_sum)
        .beginObject("largest_jump")
        .member("difference", report.jump)
        .member("vertices", report.jump_vertices)
        .endObject()
        .beginArray("joints");
    for (const JointShare& share : report.joints) {
        json.beginObject()
            .member("name", skeleton.name(share.joint))
            .member("vertices", share.vertices)
            .member("area", share.area)
            .member("largest", share.largest)
            .endObject();
    }
    json.endArray();
    if (work.heat) {
        json.beginObject("heat")
            .member("hidden", work.heat->hidden)
            .member("loose", work.heat->loose)
            .member("outside", work.heat->outside)
            .beginArray("idle");
        for (const JointId j : work.heat->idle) json.value(skeleton.name(j));
        json.endArray().endObject();
    }
    if (work.loss) {
        json.beginObject("pruned")
            .member("vertices", work.loss->vertices)
            .member("worst", work.loss->worst)
            .member("mean", work.loss->mean)
            .endObject();
    }
    if (work.unmatched > 0) json.member("unmatched", work.unmatched);
    json.endObject();
}

}  // namespace ulna::cli
