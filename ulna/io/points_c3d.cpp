// SPDX-License-Identifier: Apache-2.0

// C3D, the file of motion capture laboratories (www.c3d.org): a header, groups of parameters, and
// frames of markers, in blocks of 512 bytes. Numbers are those of the machine that wrote them:
// Intel, DEC (whose floats are those of the VAX) or MIPS (big-endian). Every offset of the file is
// checked before it is used.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "ulna/core/text.h"
#include "ulna/io/detail/point_builder.h"

namespace ulna::io::detail {
namespace {

constexpr std::size_t kBlock = 512;
constexpr unsigned char kMagic = 0x50;
// Files have a few hundred parameters; more are those of an attacker.
constexpr std::size_t kMostParameters = 65536;

enum class Machine : unsigned char { Intel = 84, Dec = 85, Mips = 86 };

// Bytes as numbers. What lies outside reads as zero and is remembered.
class Bytes {
  public:
    explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

    void setMachine(Machine machine) { machine_ = machine; }
    [[nodiscard]] bool overrun() const { return overrun_; }
    [[nodiscard]] std::size_t size() const { return bytes_.size(); }

    [[nodiscard]] unsigned byte(std::size_t at) const {
        if (at < bytes_.size()) return static_cast<unsigned char>(bytes_[at]);
        overrun_ = true;
        return 0;
    }
    [[nodiscard]] int signedByte(std::size_t at) const {
        return static_cast<std::int8_t>(static_cast<unsigned char>(byte(at)));
    }
    [[nodiscard]] unsigned word(std::size_t at) const {
        const unsigned a = byte(at), b = byte(at + 1);
        return machine_ == Machine::Mips ? a << 8U | b : b << 8U | a;
    }
    [[nodiscard]] int signedWord(std::size_t at) const {
        return static_cast<std::int16_t>(static_cast<std::uint16_t>(word(at)));
    }
    [[nodiscard]] double real(std::size_t at) const {
        // Halves of a VAX's float are in the other order, and its exponent is 2 larger.
        const std::uint32_t first = word(at), second = word(at + 2);
        const bool high_first = machine_ != Machine::Intel;
        const std::uint32_t bits = high_first ? first << 16U | second : second << 16U | first;
        float value = 0.0F;
        std::memcpy(&value, &bits, sizeof value);
        return machine_ == Machine::Dec ? static_cast<double>(value) / 4.0
                                        : static_cast<double>(value);
    }
    [[nodiscard]] std::string text(std::size_t at, std::size_t count) const {
        if (at > bytes_.size() || bytes_.size() - at < count) {
            overrun_ = true;
            return {};
        }
        std::string_view out = bytes_.substr(at, count);
        while (!out.empty() && (out.back() == ' ' || out.back() == '\0')) out.remove_suffix(1);
        return std::string(out);
    }

  private:
    std::string_view bytes_;
    Machine machine_ = Machine::Intel;
    mutable bool overrun_ = false;
};

// A parameter of a group, with its data where it lies in the file.
struct Parameter {
    int group = 0;
    std::string name = {};
    int type = 0;  // -1 characters, 1 bytes, 2 words, 4 floats
    std::vector<std::size_t> dimensions = {};
    std::size_t data = 0;
};

class C3dReader {
  public:
    C3dReader(std::string_view bytes, std::string_view source) : bytes_(bytes), source_(source) {}

    [[nodiscard]] Result<PointFile> read() {
        if (bytes_.size() < kBlock || bytes_.byte(1) != kMagic)
            return error("this is not a C3D file", "its second byte is 80");
        if (Status ok = readParameters(); !ok) return ok.error();
        if (Status ok = readHeader(); !ok) return ok.error();
        if (Status ok = readFrames(); !ok) return ok.error();
        readNames();
        readUnit();
        return std::move(out_);
    }

  private:
    [[nodiscard]] Diagnostic error(std::string what, std::string advice = {}) const {
        return {.what = std::move(what),
                .location = {.file = std::string(source_)},
                .advice = std::move(advice)};
    }
    void warn(std::string what, std::string text = {}) {
        out_.warnings.push_back({.what = std::move(what),
                                 .location = {.file = std::string(source_)},
                                 .text = std::move(text)});
    }

    [[nodiscard]] Status readParameters() {
        if (bytes_.byte(0) == 0) return error("the header states no section of parameters");
        const std::size_t begin = (bytes_.byte(0) - 1U) * kBlock;
        const unsigned machine = bytes_.byte(begin + 3);
        if (bytes_.overrun()) return error("the file ends before its parameters");
        if (machine < 84 || machine > 86)
            return error("the file states a machine that is unknown: " + std::to_string(machine),
                         "84 (Intel), 85 (DEC) and 86 (MIPS) can be read");
        bytes_.setMachine(static_cast<Machine>(machine));
        std::map<int, std::string> groups;
        std::size_t at = begin + 4;
        for (std::size_t k = 0; k < kMostParameters; ++k) {
            const auto name_length = static_cast<std::size_t>(std::abs(bytes_.signedByte(at)));
            const int id = bytes_.signedByte(at + 1);
            if (name_length == 0 || id == 0) break;
            const std::string name = bytes_.text(at + 2, name_length);
            const std::size_t next_at = at + 2 + name_length;
            const std::size_t next = bytes_.word(next_at);
            if (id < 0) {
                groups[-id] = lowerCase(name);
            } else {
                Parameter parameter{.group = id, .name = name};
                parameter.type = bytes_.signedByte(next_at + 2);
                const unsigned rank = bytes_.byte(next_at + 3);
                for (std::size_t d = 0; d < rank && d < 8; ++d)
                    parameter.dimensions.push_back(bytes_.byte(next_at + 4 + d));
                parameter.data = next_at + 4 + rank;
                parameters_.push_back(std::move(parameter));
            }
            if (bytes_.overrun()) return error("the file ends inside its parameters");
            if (next == 0) break;
            at = next_at + next;
        }
        for (std::size_t i = 0; i < parameters_.size(); ++i) {
            const auto group = groups.find(parameters_[i].group);
            if (group == groups.end()) continue;
            by_name_.emplace(group->second + ':' + lowerCase(parameters_[i].name), i);
        }
        return Done{};
    }

    // Names of groups and parameters are in any case.
    [[nodiscard]] const Parameter* find(std::string_view group, std::string_view name) const {
        const auto at = by_name_.find(lowerCase(group) + ':' + lowerCase(name));
        return at == by_name_.end() ? nullptr : &parameters_[at->second];
    }

    // The i-th value of a parameter of numbers.
    [[nodiscard]] std::optional<double> number(std::string_view group, std::string_view name,
                                               std::size_t i = 0) const {
        const Parameter* each = find(group, name);
        if (each == nullptr) return std::nullopt;
        std::size_t count = 1;
        for (const std::size_t d : each->dimensions) count *= d;
        const std::size_t width = each->type == 4 ? 4 : each->type == 2 ? 2 : 1;
        const std::size_t at = each->data + i * width;
        if (i >= count || at + width > bytes_.size()) return std::nullopt;
        if (each->type == 4) return bytes_.real(at);
        if (each->type == 2) return bytes_.word(at);
        if (each->type == 1) return bytes_.byte(at);
        return std::nullopt;
    }

    // The texts of a parameter of characters.
    [[nodiscard]] std::vector<std::string> texts(std::string_view group,
                                                 std::string_view name) const {
        const Parameter* each = find(group, name);
        if (each == nullptr || each->type != -1 || each->dimensions.empty()) return {};
        const std::size_t width = each->dimensions[0];
        std::size_t count = 1;
        for (std::size_t d = 1; d < each->dimensions.size(); ++d) {
            count *= each->dimensions[d];
            if (count > bytes_.size()) return {};
        }
        std::vector<std::string> out;
        for (std::size_t i = 0; i < count && each->data + (i + 1) * width <= bytes_.size(); ++i)
            out.push_back(bytes_.text(each->data + i * width, width));
        return out;
    }

    [[nodiscard]] Status readHeader() {
        point_count_ = bytes_.word(2);
        analog_ = bytes_.word(4);
        const unsigned first = bytes_.word(6), last = bytes_.word(8);
        scale_ = bytes_.real(12);
        const unsigned data_block = bytes_.word(16);
        double rate = bytes_.real(20);
        if (const auto stated = number("POINT", "RATE"); stated && *stated > 0.0) rate = *stated;
        frame_count_ = last >= first ? last - first + 1U : 0U;
        // Longer recordings than 65 535 frames state their length in parameters.
        if (const auto frames = number("POINT", "FRAMES"))
            if (*frames > static_cast<double>(frame_count_) && *frames < 1e9)
                frame_count_ = static_cast<std::size_t>(*frames);
        const auto low = number("TRIAL", "ACTUAL_END_FIELD", 0);
        const auto high = number("TRIAL", "ACTUAL_END_FIELD", 1);
        const auto begin_low = number("TRIAL", "ACTUAL_START_FIELD", 0);
        const auto begin_high = number("TRIAL", "ACTUAL_START_FIELD", 1);
        if (low && high && begin_low && begin_high) {
            const double frames = *low + 65536.0 * *high - *begin_low - 65536.0 * *begin_high + 1.0;
            if (frames > static_cast<double>(frame_count_) && frames < 1e9)
                frame_count_ = static_cast<std::size_t>(frames);
        }
        if (point_count_ == 0) return error("the file has no markers");
        if (frame_count_ == 0) return error("the file has no frames");
        if (data_block < 2) return error("the header does not say where the frames begin");
        if (!std::isfinite(scale_) || scale_ == 0.0)
            return error("the scale of the coordinates is no number above or below 0");
        begin_ = (data_block - 1U) * kBlock;
        const double frame_time = 1.0 / rate;
        out_.timed = frame_time >= kShortestFrameTime && frame_time <= kLongestFrameTime;
        if (out_.timed)
            out_.clip.frame_time = frame_time;
        else
            warn("the rate of the frames is no number above 0");
        return Done{};
    }

    [[nodiscard]] Status readFrames() {
        const bool real = scale_ < 0.0;
        const std::size_t width = real ? 4 : 2;
        const std::size_t frame_size = (point_count_ * 4 + analog_) * width;
        const std::size_t whole =
            begin_ < bytes_.size() ? (bytes_.size() - begin_) / frame_size : 0;
        if (whole == 0) return error("the file ends inside its first frame");
        if (whole < frame_count_) {
            warn("the file ends early; whole frames are kept",
                 std::to_string(whole) + " of " + std::to_string(frame_count_));
            frame_count_ = whole;
        }
        out_.clip.point_count = point_count_;
        out_.clip.positions.reserve(frame_count_ * point_count_);
        out_.clip.weights.reserve(frame_count_ * point_count_);
        for (std::size_t f = 0; f < frame_count_; ++f) {
            for (std::size_t p = 0; p < point_count_; ++p) {
                const std::size_t at = begin_ + f * frame_size + p * 4 * width;
                Vec3 position;
                for (std::size_t axis = 0; axis < 3; ++axis)
                    position[axis] = real ? bytes_.real(at + axis * 4)
                                          : bytes_.signedWord(at + axis * 2) * scale_;
                // Below zero the marker was not seen.
                const double residual = real ? bytes_.real(at + 12) : bytes_.signedWord(at + 6);
                if (tooLarge(position.x) || tooLarge(position.y) || tooLarge(position.z))
                    return error("a coordinate is too large: marker " + std::to_string(p) +
                                 " of frame " + std::to_string(f));
                addPosition(position, residual >= 0.0 ? 1.0 : 0.0, out_.clip);
            }
        }
        return Done{};
    }

    void readNames() {
        std::vector<std::string> names = texts("POINT", "LABELS");
        for (int k = 2; names.size() < point_count_ && k < 256; ++k) {
            const std::vector<std::string> more = texts("POINT", "LABELS" + std::to_string(k));
            if (more.empty()) break;
            names.insert(names.end(), more.begin(), more.end());
        }
        names.resize(std::min(names.size(), point_count_));
        for (std::string& each : names) each = readableText(each);
        for (std::size_t i = names.size(); i < point_count_; ++i)
            names.push_back("marker " + std::to_string(i));
        out_.clip.names = std::move(names);
    }

    void readUnit() {
        constexpr std::array<std::pair<std::string_view, double>, 4> kUnits = {
            {{"mm", 0.001}, {"cm", 0.01}, {"m", 1.0}, {"in", 0.0254}}};
        const std::vector<std::string> stated = texts("POINT", "UNITS");
        for (const auto& [word, metres] : kUnits)
            if (!stated.empty() && equalIgnoringCase(stated.front(), word)) out_.metres = metres;
    }

    Bytes bytes_;
    std::string_view source_;
    std::vector<Parameter> parameters_;
    std::map<std::string, std::size_t> by_name_;  // "group:name" in small letters
    std::size_t point_count_ = 0, analog_ = 0, frame_count_ = 0, begin_ = 0;
    double scale_ = 1.0;
    PointFile out_;
};

}  // namespace

Result<PointFile> readPointsC3d(std::string_view bytes, std::string_view source) {
    return C3dReader(bytes, source).read();
}

}  // namespace ulna::io::detail
