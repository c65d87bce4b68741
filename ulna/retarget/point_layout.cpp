// SPDX-License-Identifier: Apache-2.0
#include "ulna/retarget/point_layout.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ulna {
namespace {

constexpr std::array<std::pair<Landmark, std::string_view>, 32> kWords = {{
    {Landmark::None, "none"},
    {Landmark::Joint, "joint"},
    {Landmark::HipsMiddle, "hips_middle"},
    {Landmark::Pelvis, "pelvis"},
    {Landmark::LowerSpine, "lower_spine"},
    {Landmark::MiddleSpine, "middle_spine"},
    {Landmark::UpperSpine, "upper_spine"},
    {Landmark::ShouldersMiddle, "shoulders_middle"},
    {Landmark::Neck, "neck"},
    {Landmark::Head, "head"},
    {Landmark::HeadTop, "head_top"},
    {Landmark::Nose, "nose"},
    {Landmark::Hip, "hip"},
    {Landmark::Knee, "knee"},
    {Landmark::Ankle, "ankle"},
    {Landmark::Heel, "heel"},
    {Landmark::Ball, "ball"},
    {Landmark::BigToe, "big_toe"},
    {Landmark::SmallToe, "small_toe"},
    {Landmark::Collar, "collar"},
    {Landmark::Shoulder, "shoulder"},
    {Landmark::Elbow, "elbow"},
    {Landmark::Wrist, "wrist"},
    {Landmark::Hand, "hand"},
    {Landmark::Thumb, "thumb"},
    {Landmark::Index, "index"},
    {Landmark::Little, "little"},
    {Landmark::EyeInner, "eye_inner"},
    {Landmark::Eye, "eye"},
    {Landmark::EyeOuter, "eye_outer"},
    {Landmark::Ear, "ear"},
    {Landmark::Mouth, "mouth"},
}};

constexpr std::array<std::pair<PointUp, std::string_view>, 6> kUps = {{
    {PointUp::X, "x"},
    {PointUp::MinusX, "-x"},
    {PointUp::Y, "y"},
    {PointUp::MinusY, "-y"},
    {PointUp::Z, "z"},
    {PointUp::MinusZ, "-z"},
}};

template <class Table, class Key>
std::string_view wordOf(const Table& table, Key key) {
    for (const auto& [each, word] : table)
        if (each == key) return word;
    return {};
}

template <class Table>
auto keyOf(const Table& table, std::string_view name) {
    std::optional<typename Table::value_type::first_type> out;
    for (const auto& [each, word] : table)
        if (word == name) out = each;
    return out;
}

struct Preset {
    std::string_view name;
    std::string_view points;  // landmark words, `left_` and `right_` before those of a side
};

// In the order of each layout's own documentation.
constexpr std::array kPresets = {
    Preset{"coco-17",
           "nose left_eye right_eye left_ear right_ear left_shoulder right_shoulder left_elbow "
           "right_elbow left_wrist right_wrist left_hip right_hip left_knee right_knee left_ankle "
           "right_ankle"},
    Preset{"human36m-17",
           "hips_middle right_hip right_knee right_ankle left_hip left_knee left_ankle "
           "middle_spine shoulders_middle nose head_top left_shoulder left_elbow left_wrist "
           "right_shoulder right_elbow right_wrist"},
    Preset{"body-25",
           "nose shoulders_middle right_shoulder right_elbow right_wrist left_shoulder left_elbow "
           "left_wrist hips_middle right_hip right_knee right_ankle left_hip left_knee left_ankle "
           "right_eye left_eye right_ear left_ear left_big_toe left_small_toe left_heel "
           "right_big_toe right_small_toe right_heel"},
    Preset{"mediapipe-33",
           "nose left_eye_inner left_eye left_eye_outer right_eye_inner right_eye right_eye_outer "
           "left_ear right_ear left_mouth right_mouth left_shoulder right_shoulder left_elbow "
           "right_elbow left_wrist right_wrist left_little right_little left_index right_index "
           "left_thumb right_thumb left_hip right_hip left_knee right_knee left_ankle "
           "right_ankle left_heel right_heel left_big_toe right_big_toe"},
    Preset{"smpl-22",
           "pelvis left_hip right_hip lower_spine left_knee right_knee middle_spine left_ankle "
           "right_ankle upper_spine left_ball right_ball neck left_collar right_collar head "
           "left_shoulder right_shoulder left_elbow right_elbow left_wrist right_wrist"},
    Preset{"smpl-24",
           "pelvis left_hip right_hip lower_spine left_knee right_knee middle_spine left_ankle "
           "right_ankle upper_spine left_ball right_ball neck left_collar right_collar head "
           "left_shoulder right_shoulder left_elbow right_elbow left_wrist right_wrist left_hand "
           "right_hand"},
};

PointRole roleOfWord(std::string_view word) {
    PointRole out;
    if (word.starts_with("left_")) {
        out.side = BodySide::Left;
        word.remove_prefix(5);
    } else if (word.starts_with("right_")) {
        out.side = BodySide::Right;
        word.remove_prefix(6);
    }
    out.landmark = keyOf(kWords, word).value_or(Landmark::None);
    return out;
}

}  // namespace

std::string_view landmarkName(Landmark landmark) {
    return wordOf(kWords, landmark);
}

std::optional<Landmark> landmarkFromName(std::string_view name) {
    return keyOf(kWords, name);
}

std::vector<std::string> landmarkNames() {
    std::vector<std::string> out;
    for (const auto& each : kWords) out.emplace_back(each.second);
    return out;
}

std::string_view pointUpName(PointUp up) {
    return wordOf(kUps, up);
}

std::optional<PointUp> pointUpFromName(std::string_view name) {
    return keyOf(kUps, name);
}

std::span<const std::string_view> pointPresetNames() {
    static constexpr auto kNames = [] {
        std::array<std::string_view, kPresets.size()> out;
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = kPresets[i].name;
        return out;
    }();
    return kNames;
}

std::optional<PointLayout> pointPreset(std::string_view name) {
    for (const Preset& preset : kPresets) {
        if (preset.name != name) continue;
        PointLayout out{.name = std::string(name)};
        for (std::string_view rest = preset.points; !rest.empty();) {
            const std::size_t end = std::min(rest.find(' '), rest.size());
            out.names.emplace_back(rest.substr(0, end));
            out.roles.push_back(roleOfWord(out.names.back()));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        return out;
    }
    return std::nullopt;
}

std::vector<std::string> pointPresetsOf(std::size_t point_count) {
    std::vector<std::string> out;
    for (const std::string_view name : pointPresetNames())
        if (pointPreset(name)->names.size() == point_count) out.emplace_back(name);
    return out;
}

PointLayout layoutOfJoints(std::span<const std::string> names,
                           std::span<const std::string> joints) {
    PointLayout out{.name = "joints"};
    for (const std::string& name : names) {
        const bool known = std::find(joints.begin(), joints.end(), name) != joints.end();
        out.names.push_back(name);
        out.roles.push_back(known ? PointRole{.landmark = Landmark::Joint, .joint = name}
                                  : PointRole{});
    }
    return out;
}

}  // namespace ulna
