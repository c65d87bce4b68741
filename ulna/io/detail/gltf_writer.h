// SPDX-License-Identifier: Apache-2.0

// A glTF file on its way out: the document, and the plan of its buffer.
//
// The document comes first in a file and has to know where everything lies, so the buffer is
// planned as sections of known size that write themselves when their turn comes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/io/detail/json_cursor.h"
#include "ulna/io/gltf.h"

namespace ulna::io::detail {

using GltfSink = std::function<bool(std::string_view)>;

/// Component types and targets of buffer views, by glTF's numbers.
inline constexpr int kGltfByte = 5121;  // unsigned, as are the next two
inline constexpr int kGltfShort = 5123;
inline constexpr int kGltfInt = 5125;
inline constexpr int kGltfFloat = 5126;
inline constexpr int kGltfVertices = 34962;
inline constexpr int kGltfIndices = 34963;

/// An animation in the making.
struct GltfAnimation {
    OrderedJson channels = OrderedJson::array();
    OrderedJson samplers = OrderedJson::array();

    void add(JointId joint, const char* path, const char* interpolation, std::size_t input,
             std::size_t output);
};

struct GltfWriter {
    struct Section {
        std::size_t bytes = 0;
        std::function<bool(const GltfSink&)> write;  ///< exactly `bytes`; false when stopped
    };

    const GltfContent& content;
    const Progress& progress;
    OrderedJson nodes = OrderedJson::array();  ///< joints in their order, then meshes
    std::vector<std::size_t> scene = {};       ///< nodes at the top
    OrderedJson skins = OrderedJson::array();
    OrderedJson meshes = OrderedJson::array();
    OrderedJson materials = OrderedJson::array();
    OrderedJson textures = OrderedJson::array();
    OrderedJson images = OrderedJson::array();
    OrderedJson samplers = OrderedJson::array();
    std::set<std::string> extensions = {};  ///< used
    OrderedJson animations = OrderedJson::array();
    OrderedJson accessors = OrderedJson::array();
    OrderedJson views = OrderedJson::array();
    std::vector<Section> sections = {};
    std::size_t size = 0;  ///< of the buffer so far; a multiple of 4
    std::map<std::vector<float>, std::size_t> times = {};  ///< accessors of key times
    /// The indices of materials with and without their texture, of images, and so on.
    struct {
        std::map<std::pair<std::uint32_t, bool>, std::size_t> materials = {};
        std::map<std::size_t, std::size_t> images = {};
        std::map<std::string, std::size_t> textures = {}, samplers = {};
    } planned = {};

    WarningCollector warnings = {};
    std::optional<Diagnostic> error = {};  ///< the first

    bool fail(const std::string& what, const std::string& advice = {});
    void warn(const std::string& what, std::string_view text = {});

    /// A buffer view that is written later; `target` 0 for none.
    std::size_t addView(std::size_t bytes, int target, std::function<bool(const GltfSink&)> write);
    /// A buffer view of numbers that are here already.
    template <class T>
    std::size_t addView(std::vector<T> numbers, int target) {
        const std::size_t bytes = numbers.size() * sizeof(T);
        return addView(bytes, target, [kept = std::move(numbers), bytes](const GltfSink& sink) {
            return sink({reinterpret_cast<const char*>(kept.data()), bytes});
        });
    }
    /// Returns the index; the accessor may be added to.
    std::size_t addAccessor(std::size_t view, std::size_t offset, int component, std::size_t count,
                            const char* type);
    /// The accessor of these key times, which strictly increase; equal ones are shared.
    std::size_t timesAccessor(std::vector<float> key_times);
    void addAnimation(const std::string& name, GltfAnimation animation);
};

/// Rounds to floats; false when one is too large for them.
[[nodiscard]] bool narrow(const double* from, std::size_t count, float* to);

/// Plans the animation of a keyed clip, or of a clip of frames. False with an error recorded.
[[nodiscard]] bool planClip(GltfWriter& writer, const KeyedMotion& clip);
[[nodiscard]] bool planFrames(GltfWriter& writer, const FrameClip& clip);

/// The index of a material in the file, planned when it is asked for first. A mesh without texture
/// coordinates cannot have it `textured`.
[[nodiscard]] std::size_t planMaterial(GltfWriter& writer, std::uint32_t material, bool textured);

/// Plans meshes and skins.
[[nodiscard]] bool planMeshes(GltfWriter& writer);

}  // namespace ulna::io::detail
