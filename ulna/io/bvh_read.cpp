// SPDX-License-Identifier: Apache-2.0

// The HIERARCHY part of a BVH file, read as tokens, never as lines.
#include <cmath>

#include "ulna/core/text.h"
#include "ulna/io/bvh.h"
#include "ulna/io/detail/bvh_text.h"
#include "ulna/io/file.h"

namespace ulna::io {
namespace {

using detail::BvhText;
using MaybeError = std::optional<Diagnostic>;

constexpr std::string_view kChannelNames[] = {"Xposition", "Yposition", "Zposition",
                                              "Xrotation", "Yrotation", "Zrotation"};

std::optional<BvhChannel> channelFromName(std::string_view name) {
    for (std::size_t i = 0; i < std::size(kChannelNames); ++i) {
        if (equalIgnoringCase(name, kChannelNames[i])) return static_cast<BvhChannel>(i);
    }
    return std::nullopt;
}

class HierarchyReader {
  public:
    HierarchyReader(BvhText& text, BvhFile& file) : text_(text), file_(file) {}

    /// Reads up to and including the keyword MOTION; `has_motion` says whether it was there.
    MaybeError read(bool& has_motion) {
        has_motion = false;
        skipHeader();
        for (;;) {
            text_.skipBlank();
            const std::size_t at = text_.position;
            const std::string_view word = text_.word();
            if (word.empty() && text_.atEnd()) break;
            if (equalIgnoringCase(word, "MOTION")) {
                has_motion = true;
                break;
            }
            const bool joint = equalIgnoringCase(word, "JOINT");
            if (joint)
                text_.warn("top joint", at, "a JOINT outside any joint is read as a ROOT", word);
            if (!joint && !equalIgnoringCase(word, "ROOT")) {
                return text_.error(at, "ROOT or MOTION was expected", text_.tokenAt(at),
                                   file_.joints.empty() ? "is this a BVH file?" : "");
            }
            if (MaybeError error = readTree(at)) return error;
        }
        if (file_.joints.empty()) return text_.error(text_.position, "the file has no joints");
        return std::nullopt;
    }

  private:
    struct Open {
        std::size_t joint = 0;
        std::size_t at = 0;  // its keyword
        bool has_offset = false;
        bool has_channels = false;
    };

    void skipHeader() {
        const std::size_t at = text_.position;
        if (equalIgnoringCase(text_.word(), "HIERARCHY")) return;
        text_.position = at;
        text_.warn("no header", at, "the keyword HIERARCHY is missing", text_.tokenAt(at));
    }

    /// Reads one root with all below it; its keyword has been read. Open joints are on a stack of
    /// ours, so that depth costs memory and never the program's own stack.
    MaybeError readTree(std::size_t at) {
        if (MaybeError error = openJoint(at, false)) return error;
        while (!open_.empty()) {
            text_.skipBlank();
            const std::size_t keyword = text_.position;
            if (text_.atEnd()) {
                return text_.error(open_.back().at, "the file ends inside this joint",
                                   file_.joints[open_.back().joint].name, "a '}' is missing");
            }
            if (text_.peek() == '}') {
                ++text_.position;
                closeJoint(keyword);
                continue;
            }
            const std::string_view word = text_.word();
            MaybeError error;
            if (equalIgnoringCase(word, "OFFSET"))
                error = readOffset(keyword);
            else if (equalIgnoringCase(word, "CHANNELS"))
                error = readChannels(keyword);
            else if (equalIgnoringCase(word, "JOINT"))
                error = openJoint(keyword, false);
            else if (equalIgnoringCase(word, "End"))
                error = openJoint(keyword, true);
            else
                error = unexpected(keyword);
            if (error) return error;
        }
        return std::nullopt;
    }

    MaybeError unexpected(std::size_t at) {
        const std::string_view token = text_.tokenAt(at);
        if (channelFromName(token) && open_.back().has_channels) {
            return text_.error(at, "more channel names than CHANNELS says", token);
        }
        return text_.error(at, "OFFSET, CHANNELS, JOINT, End Site or '}' was expected", token);
    }

    MaybeError openJoint(std::size_t at, bool end_site) {
        BvhJoint joint;
        joint.parent = open_.empty() ? -1 : static_cast<std::int32_t>(open_.back().joint);
        joint.end_site = end_site;
        const Location location = text_.locate(at);
        joint.line = location.line;
        joint.column = location.column;
        joint.name = std::string(text_.name());
        if (end_site) {
            // "End Site", or "End Site NAME", or "End NAME".
            std::string_view name = joint.name;
            if (name.size() >= 4 && equalIgnoringCase(name.substr(0, 4), "Site") &&
                (name.size() == 4 || detail::isSpace(name[4]))) {
                name.remove_prefix(4);
                while (!name.empty() && detail::isSpace(name.front())) name.remove_prefix(1);
            }
            joint.name = std::string(name);
        } else if (joint.name.empty()) {
            text_.warn("no name", at, "a joint has no name; it is named 'joint'");
            joint.name = "joint";
        }
        if (readableText(joint.name).size() > kLongestName) {
            return text_.error(at, "a name has over 255 bytes", joint.name);
        }
        if (!open_.empty() && file_.joints[open_.back().joint].end_site) {
            return text_.error(at, "an End Site cannot have joints", joint.name,
                               "a '}' may be missing");
        }
        text_.skipBlank();
        if (text_.atEnd() || text_.peek() != '{') {
            return text_.error(
                text_.position, "'{' was expected", text_.tokenAt(text_.position),
                joint.name.empty() ? "" : "after the name '" + excerpt(joint.name) + "'");
        }
        ++text_.position;
        open_.push_back({file_.joints.size(), at, false, false});
        file_.joints.push_back(std::move(joint));
        return std::nullopt;
    }

    void closeJoint(std::size_t at) {
        const Open& open = open_.back();
        if (!open.has_offset) {
            text_.warn("no offset", at, "a joint without OFFSET gets its parent's position",
                       file_.joints[open.joint].name);
        }
        open_.pop_back();
    }

    MaybeError readOffset(std::size_t at) {
        Vec3& offset = file_.joints[open_.back().joint].offset;
        if (open_.back().has_offset) {
            text_.warn("offset twice", at, "a joint has two OFFSET lines; the last one is used");
        }
        open_.back().has_offset = true;
        for (std::size_t i = 0; i < 3; ++i) {
            const Result<double> value = text_.number();
            if (!value) return value.error();
            offset[i] = *value;
        }
        return std::nullopt;
    }

    MaybeError readChannels(std::size_t at) {
        if (open_.back().has_channels) return text_.error(at, "a joint has two CHANNELS lines");
        open_.back().has_channels = true;
        text_.skipBlank();
        const std::size_t count_at = text_.position;
        const Result<double> count = text_.number();
        if (!count) return count.error();
        if (*count < 0.0 || *count != std::floor(*count)) {
            return text_.error(count_at, "a number of channels was expected",
                               text_.tokenAt(count_at));
        }
        std::vector<BvhChannel>& channels = file_.joints[open_.back().joint].channels;
        for (double i = 0.0; i < *count; i += 1.0) {
            text_.skipBlank();
            const std::size_t name_at = text_.position;
            const std::string_view name = text_.word();
            const std::optional<BvhChannel> channel = channelFromName(name);
            if (!channel) {
                const std::vector<std::string> names(std::begin(kChannelNames),
                                                     std::end(kChannelNames));
                return text_.error(name_at, "a channel name was expected", text_.tokenAt(name_at),
                                   suggestNames(name, names));
            }
            channels.push_back(*channel);
        }
        file_.channel_count += channels.size();
        return std::nullopt;
    }

    BvhText& text_;
    BvhFile& file_;
    std::vector<Open> open_;
};

MaybeError checkEncoding(BvhText& text) {
    const std::string_view bytes = text.text();
    if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
        return text.error(0, "the file is UTF-16", {}, "save it as UTF-8 or plain text");
    }
    if (bytes.starts_with("\xEF\xBB\xBF")) text.position = 3;
    return std::nullopt;
}

}  // namespace

std::string_view bvhChannelName(BvhChannel channel) {
    return kChannelNames[static_cast<std::size_t>(channel)];
}

namespace {

Result<BvhFile> readText(BvhText& text, std::string_view source, const BvhReadOptions& options,
                         bool keep, std::size_t& rows_at) {
    BvhFile file;
    file.source = std::string(source);
    bool has_motion = false;
    MaybeError error = checkEncoding(text);
    if (!error) error = HierarchyReader(text, file).read(has_motion);
    if (!error && has_motion) error = detail::readMotion(text, options, keep, file, rows_at);
    if (error) return *std::move(error);
    if (!has_motion) {
        text.warn("no motion", text.position, "there is no MOTION; the file is a skeleton only");
    }
    file.warnings = text.takeWarnings();
    if (options.strict && !file.warnings.empty()) {
        Diagnostic first = std::move(file.warnings.front());
        first.advice += first.advice.empty() ? "a warning without strict input"
                                             : "; a warning without strict input";
        return first;
    }
    return file;
}

}  // namespace

Result<BvhFile> readBvh(std::string_view bytes, std::string_view source,
                        const BvhReadOptions& options) {
    BvhText text(bytes, source);
    std::size_t rows_at = 0;
    return readText(text, source, options, true, rows_at);
}

Result<BvhFile> loadBvh(const std::string& path, const BvhReadOptions& options) {
    const Result<FileBytes> bytes = readFile(path);
    if (!bytes) return bytes.error();
    BvhText text(bytes->view(), path);
    text.read_to = [&](std::size_t offset) { bytes->handBack(offset); };
    std::size_t rows_at = 0;
    return readText(text, path, options, true, rows_at);
}

Result<BvhFrames> streamBvh(const std::string& path, const BvhReadOptions& options,
                            const BvhMotionOptions& meaning) {
    // What the frames read from, shared by their copies: the text, and the rows again.
    struct Source {
        FileBytes bytes;
        BvhFile file;
        std::optional<detail::BvhRows> rows;
    };
    Result<FileBytes> bytes = readFile(path);
    if (!bytes) return bytes.error();
    const auto source = std::make_shared<Source>(Source{*std::move(bytes), {}, {}});
    const auto hand_back = [from = source.get()](std::size_t offset) {
        from->bytes.handBack(offset);
    };
    BvhText text(source->bytes.view(), path);
    text.read_to = hand_back;
    std::size_t rows_at = 0;
    Result<BvhFile> file = readText(text, path, options, false, rows_at);
    if (!file) return file.error();
    source->file = *std::move(file);
    source->rows.emplace(source->bytes.view(), rows_at, options, source->file.channel_count);
    source->rows->read_to = hand_back;
    return detail::framesFrom(source->file, meaning,
                              [source](std::size_t frame) { return source->rows->at(frame); });
}

}  // namespace ulna::io
