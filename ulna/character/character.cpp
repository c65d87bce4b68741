// SPDX-License-Identifier: Apache-2.0
#include "ulna/character/character.h"

#include <algorithm>
#include <cmath>

#include "ulna/core/text.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/size.h"

namespace ulna {
namespace {

// Below this nothing has an extent: joints that rounding alone keeps apart.
constexpr double kNoExtent = 1e-9;

double extentIn(const Skeleton& skeleton, const Pose& pose) {
    return largestExtent(boneBox(skeleton, computeModelPose(skeleton, pose)));
}

struct Unit {
    const char* name;
    const char* symbol;  // empty where there is none
    double per_metre;
};
constexpr Unit kUnits[] = {{"metres", "m", 1.0},
                           {"centimetres", "cm", 100.0},
                           {"millimetres", "mm", 1000.0},
                           {"inches", "in", 39.3701},
                           {"units of 5.64 cm, as in CMU's files", "", 17.7165}};

// Formats whose conventions are metres and z up.
bool isRobot(FileFormat format) {
    return format == FileFormat::Urdf || format == FileFormat::Mjcf;
}

bool hasFrames(const Clip& clip) {
    const auto* motion = std::get_if<Motion>(&clip);
    return motion == nullptr || motion->frameCount() > 0;
}

}  // namespace

UpGuess guessUp(const Character& character) {
    if (character.format == FileFormat::Gltf) return {UpAxis::Y, 1.0};
    if (isRobot(character.format)) return {UpAxis::Z, 1.0};
    if (character.up) return *character.up;
    constexpr int kPoses = 16;  // enough to see whether it walks
    std::vector<Pose> poses;
    if (!character.clips.empty() && hasFrames(character.clips.front())) {
        const Clip& clip = character.clips.front();
        const double duration = durationOf(clip);
        for (int i = 0; i < kPoses; ++i)
            poses.push_back(samplePose(clip, duration * i / (kPoses - 1.0)));
    }
    return guessUp(character.skeleton, poses);
}

UpAxis upAxisOf(const Character& character) {
    return guessUp(character).up;
}

double sizeOf(const Character& character) {
    const Skeleton& skeleton = character.skeleton;
    double size = extentIn(skeleton, restPose(skeleton));
    if (!character.clips.empty() && hasFrames(character.clips.front()))
        size = std::max(size, extentIn(skeleton, samplePose(character.clips.front(), 0.0)));
    if (size > kNoExtent) return size;
    Box surface;
    for (const Mesh& mesh : character.meshes)
        for (const Vec3f& p : mesh.positions) surface.add(Vec3{p.x, p.y, p.z});
    size = largestExtent(surface);
    return size > kNoExtent ? size : 1.0;
}

HeightGuess guessHeight(const Character& character) {
    // The joints of a standing adult span about 1.3 to 2.2 m; CMU's files count 0.45 to the inch.
    constexpr double kShortest = 1.3, kTallest = 2.2;
    HeightGuess out;
    const UpGuess up = guessUp(character);
    out.up = up.up;
    out.confidence = up.confidence;
    out.height = bodyHeight(character.skeleton, out.up);
    for (const Unit& unit : kUnits) {
        const double metres = out.height / unit.per_metre;
        if (metres < kShortest || metres > kTallest) continue;
        out.unit = unit.name;
        out.metres = metres;
        break;
    }
    return out;
}

std::string unitSymbol(const Character& character) {
    if (character.format == FileFormat::Gltf || isRobot(character.format)) return "m";
    const std::string name = guessHeight(character).unit;
    for (const Unit& unit : kUnits)
        if (name == unit.name) return unit.symbol;
    return {};
}

std::optional<std::size_t> findClip(const Character& character, std::string_view name) {
    for (std::size_t i = 0; i < character.clips.size(); ++i)
        if (name.empty() || nameOf(character.clips[i]) == name) return i;
    return std::nullopt;
}

std::optional<std::size_t> usualClip(const Character& character) {
    const auto isInWord = [](char c) {
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
    };
    const auto stands = [&](const Clip& clip) {
        const std::string name = lowerCase(nameOf(clip));
        std::string word;
        for (const char c : name + ' ') {
            if (isInWord(c)) {
                word += c;
                continue;
            }
            if (word == "idle" || word == "stand" || word == "standing") return true;
            word.clear();
        }
        return false;
    };
    const std::vector<Clip>& clips = character.clips;
    if (clips.empty()) return std::nullopt;
    const auto found = std::find_if(clips.begin(), clips.end(), stands);
    return found == clips.end() ? 0 : static_cast<std::size_t>(found - clips.begin());
}

}  // namespace ulna
