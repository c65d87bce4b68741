// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/fit/targets.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "apps/cli/output.h"
#include "apps/cli/surface.h"
#include "ulna/character/warnings.h"
#include "ulna/core/text.h"
#include "ulna/io/gltf.h"
#include "ulna/io/mesh_files.h"
#include "ulna/io/point_cache.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kUsualRate = 30.0;
constexpr const char* kPatternCharacters = "*?#[";

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

// Text by its letters, runs of digits by their numbers: frame-9 before frame-10.
bool comesBefore(std::string_view a, std::string_view b) {
    std::size_t i = 0, k = 0;
    while (i < a.size() && k < b.size()) {
        if (!isDigit(a[i]) || !isDigit(b[k])) {
            if (a[i] != b[k]) return a[i] < b[k];
            ++i;
            ++k;
            continue;
        }
        const auto run = [](std::string_view text, std::size_t& at) {
            while (at < text.size() && text[at] == '0') ++at;
            const std::size_t begin = at;
            while (at < text.size() && isDigit(text[at])) ++at;
            return text.substr(begin, at - begin);
        };
        const std::string_view x = run(a, i), y = run(b, k);
        if (x.size() != y.size()) return x.size() < y.size();
        if (x != y) return x < y;
    }
    if (a.size() - i != b.size() - k) return a.size() - i < b.size() - k;
    return a < b;
}

[[noreturn]] void failSystem(const std::string& path, const std::error_code& error) {
    fail(kBadInput, {.what = "cannot be opened: " + error.message(), .location = inFile(path)});
}

// The files that a pattern of the shell's names, # being a digit; the path itself where it is none.
std::vector<std::string> expand(const std::string& path) {
    std::error_code error;
    if (path.empty()) failUsage("the name of a target is empty");
    if (fs::exists(path, error) || path.find_first_of(kPatternCharacters) == std::string::npos)
        return {path};
    const fs::path whole(path);
    const fs::path folder = whole.parent_path();
    if (folder.string().find_first_of(kPatternCharacters) != std::string::npos)
        failUsage("the pattern '" + path + "' is in the name of a folder",
                  "patterns are for the names of files");
    std::string pattern;
    for (const char c : whole.filename().string())
        pattern += c == '#' ? "[0-9]" : std::string(1, c);
    std::vector<std::string> out;
    fs::directory_iterator entry(folder.empty() ? "." : folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD) == 0)
            out.push_back((folder / name).string());
    }
    if (error) failSystem(path, error);
    std::sort(out.begin(), out.end(), comesBefore);
    if (out.empty())
        fail(kBadInput, {.what = "no file matches the pattern", .location = inFile(path)});
    return out;
}

std::vector<Vec3> widened(std::span<const Vec3f> points) {
    std::vector<Vec3> out;
    out.reserve(points.size());
    for (const Vec3f& p : points) out.push_back({p.x, p.y, p.z});
    return out;
}

class SurfaceTarget : public TargetSource {
  public:
    explicit SurfaceTarget(std::string path) : path_(std::move(path)) {}
    std::size_t frameCount() const override { return 1; }
    std::string nameOf(std::size_t) const override { return path_; }
    Result<std::vector<Vec3>> read(std::size_t) const override {
        const Result<io::MeshFile> file = io::loadMesh(path_, {.points = true});
        if (!file) return file.error();
        // Seams differ from program to program, and from frame to frame: positions do not.
        return widened(std::span(file->mesh.positions).first(file->position_count));
    }

  private:
    std::string path_;
};

class CacheTarget : public TargetSource {
  public:
    CacheTarget(std::string path, io::PointCache cache, double fps)
        : path_(std::move(path)), cache_(std::move(cache)), fps_(fps) {}
    double frameTime() const override { return cache_.header().step / fps_; }
    std::size_t frameCount() const override { return cache_.header().sample_count; }
    std::string nameOf(std::size_t frame) const override {
        return fmt::format("{}, sample {}", path_, frame);
    }
    Result<std::vector<Vec3>> read(std::size_t frame) const override {
        std::vector<Vec3f> points;
        cache_.getSample(frame, points);
        return widened(points);
    }

  private:
    std::string path_;
    io::PointCache cache_;
    double fps_;
};

// Meshes of a glTF file as one of its clips moves them: by joints, nodes and morph targets.
class AnimatedTarget : public TargetSource {
  public:
    AnimatedTarget(io::GltfFile file, const std::string& path, const TargetOptions& options,
                   Warnings& warnings)
        : file_(std::move(file)), path_(path) {
        Input named;  // only to choose by names
        named.path = path;
        named.meshes = file_.meshes;
        for (const KeyedMotion& clip : file_.clips) named.motions.emplace_back().name = clip.name;
        SurfaceOptions surface;
        surface.mesh_name = options.mesh_name;
        chosen_ = chooseMeshes(named, surface);
        if (file_.clips.empty())
            fail(kBadInput, {.what = "the file has no clip, so its meshes do not move",
                             .location = inFile(path)});
        clip_ = static_cast<std::size_t>(&named.clip(options.clip) - named.motions.data());
        countFrames(options, warnings);
    }
    std::size_t frameCount() const override { return frame_count_; }
    double frameTime() const override { return frame_time_; }
    std::string nameOf(std::size_t frame) const override {
        return fmt::format("{}, frame {}", path_, frame);
    }
    std::string clipName() const override { return file_.clips[clip_].name; }
    Result<std::vector<Vec3>> read(std::size_t frame) const override {
        const double time = static_cast<double>(frame) * frame_time_;
        const ModelPose model =
            computeModelPose(file_.skeleton, samplePose(file_.clips[clip_], time));
        std::vector<Vec3> out;
        for (const std::size_t i : chosen_) {
            Mesh morphed = file_.meshes[i];
            for (const io::GltfMorph& morph : file_.morphs)
                if (morph.mesh == i)
                    morphed.positions = io::morphedPositions(file_.meshes[i], morph, clip_, time);
            const std::vector<Vec3> vertices =
                deformReference(file_.skeleton, morphed, model).positions;
            out.insert(out.end(), vertices.begin(), vertices.end());
        }
        return out;
    }

  private:
    // Frames are as far apart as keys are, of joints or of morph targets.
    void countFrames(const TargetOptions& options, Warnings& warnings) {
        KeyedMotion timing = file_.clips[clip_];
        std::vector<Key<Vec3>> keys;
        for (const io::GltfMorph& morph : file_.morphs) {
            if (morph.clips[clip_].empty()) continue;
            for (const Key<double>& key : morph.clips[clip_].front().keys())  // all have its times
                keys.push_back({.time = key.time});
        }
        if (!keys.empty())
            timing.joints.push_back(
                {JointId::None, Track<Vec3>(std::move(keys), Interpolation::Linear)});
        if (!options.fps) append(frameRateWarnings(timing, path_), warnings);
        const double rate = options.fps ? *options.fps : frameRateOf(timing);
        frame_time_ = 1.0 / rate;
        constexpr double kMostFrames = 1e7, kSlack = 1e-4;  // a last key's rounding, in frames
        const double count = std::floor(timing.endTime() * rate + kSlack) + 1.0;
        if (!(count <= kMostFrames))
            fail(kBadInput, {.what = "the clip has more than ten million frames",
                             .location = inFile(path_),
                             .advice = "a lower --fps takes fewer"});
        frame_count_ = static_cast<std::size_t>(count);
        append(cutWarnings(timing.name, rate, (count - 1.0) * frame_time_, timing.endTime()),
               warnings);
    }

    io::GltfFile file_;
    std::string path_;
    std::vector<std::size_t> chosen_;
    std::size_t clip_ = 0;
    double frame_time_ = 0.0;
    std::size_t frame_count_ = 0;
};

std::unique_ptr<TargetSource> openTarget(const std::string& path, const TargetOptions& options,
                                         const InputOptions& reading, Warnings& warnings) {
    const std::string lower = lowerCase(path);
    if (lower.ends_with(".pc2")) {
        Result<io::PointCache> cache = io::loadPointCache(path);
        if (!cache) fail(kBadInput, cache.error());
        if (reading.strict && !cache->warnings().empty())
            fail(kBadInput, cache->warnings().front());
        append(cache->warnings(), warnings);
        return std::make_unique<CacheTarget>(path, *std::move(cache),
                                             options.fps.value_or(kUsualRate));
    }
    if (lower.ends_with(".obj") || lower.ends_with(".ply")) {
        std::error_code error;
        if (!fs::exists(path, error)) {
            if (error) failSystem(path, error);
            fail(kBadInput, {.what = "there is no such file", .location = inFile(path)});
        }
        return std::make_unique<SurfaceTarget>(path);
    }
    if (lower.ends_with(".glb") || lower.ends_with(".gltf")) {
        Result<io::GltfFile> file = io::loadGltf(path, {.morphs = true});
        if (!file) fail(kBadInput, file.error());
        if (reading.strict && !file->warnings.empty()) fail(kBadInput, file->warnings.front());
        append(file->warnings, warnings);
        return std::make_unique<AnimatedTarget>(*std::move(file), path, options, warnings);
    }
    failUsage("'" + path + "' is not a shape that can be fitted",
              "targets are .obj and .ply files, .pc2 caches, and .glb and .gltf files");
}

}  // namespace

Targets::Targets(const TargetOptions& options, const InputOptions& reading) {
    if (options.fps && !(*options.fps > 0.0 && *options.fps <= 1e6))
        failUsage("--fps must be above 0 and at most 1000000");
    for (const std::string& path : options.paths) {
        const std::vector<std::string> found = expand(path);
        files_.insert(files_.end(), found.begin(), found.end());
    }
    if (options.paths.size() > 1 && !std::is_sorted(files_.begin(), files_.end(), comesBefore)) {
        const auto at = std::is_sorted_until(files_.begin(), files_.end(), comesBefore);
        warnings_.push_back({.what = "the files are not in the order of their numbers",
                             .text = *at + " after " + *std::prev(at),
                             .advice = "a pattern in quotes is expanded in that order"});
    }
    for (const std::string& path : files_) {
        sources_.push_back(openTarget(path, options, reading, warnings_));
        const TargetSource& source = *sources_.back();
        for (std::size_t frame = 0; frame < source.frameCount(); ++frame)
            frames_.push_back({sources_.size() - 1, frame});
        if (frame_time_ == 0.0) frame_time_ = source.frameTime();
    }
    if (frame_time_ == 0.0) frame_time_ = 1.0 / options.fps.value_or(kUsualRate);
}

std::string Targets::clipName() const {
    return sources_.size() == 1 ? sources_.front()->clipName() : std::string();
}

std::string Targets::nameOf(std::size_t frame) const {
    return sources_[frames_[frame].source]->nameOf(frames_[frame].frame);
}

Result<std::vector<Vec3>> Targets::read(std::size_t frame) const {
    return sources_[frames_[frame].source]->read(frames_[frame].frame);
}

}  // namespace ulna::cli
