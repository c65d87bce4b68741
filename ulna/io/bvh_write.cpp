// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "ulna/io/bvh.h"
#include "ulna/io/file.h"

namespace ulna::io {
namespace {

// Deep hierarchies would otherwise be mostly tabs, in quadratic size.
constexpr std::size_t kMostIndent = 64;
// Pieces handed to the sink are about this large.
constexpr std::size_t kPiece = 1 << 16;

class Writer {
  public:
    Writer(const BvhFile& file, const std::function<bool(std::string_view)>& sink)
        : file_(file), sink_(sink) {}

    void write() {
        writeHierarchy();
        fmt::format_to(out(), "MOTION\nFrames: {}\nFrame Time: {}\n", file_.frame_count,
                       file_.frame_time);
        for (std::size_t frame = 0; frame < file_.frame_count && flush(kPiece); ++frame) {
            writeRow(file_.values.data() + frame * file_.channel_count);
        }
        flush(1);
    }

  private:
    std::back_insert_iterator<fmt::memory_buffer> out() { return std::back_inserter(buffer_); }

    // Hands the buffer over when it has `enough`; false when the sink wants no more.
    bool flush(std::size_t enough) {
        if (buffer_.size() >= enough) {
            going_ = going_ && sink_({buffer_.data(), buffer_.size()});
            buffer_.clear();
        }
        return going_;
    }

    void indent(std::size_t depth) {
        for (std::size_t i = 0; i < std::min(depth, kMostIndent); ++i) buffer_.push_back('\t');
    }

    // Closes joints until `depth` are open.
    void closeTo(std::size_t depth) {
        while (open_.size() > depth) {
            open_.pop_back();
            indent(open_.size());
            fmt::format_to(out(), "}}\n");
        }
    }

    void writeHierarchy() {
        fmt::format_to(out(), "HIERARCHY\n");
        for (std::size_t i = 0; i < file_.joints.size() && flush(kPiece); ++i) {
            const BvhJoint& joint = file_.joints[i];
            std::size_t depth = open_.size();
            while (depth > 0 && open_[depth - 1] != joint.parent) --depth;
            closeTo(depth);
            indent(depth);
            if (joint.end_site) {
                fmt::format_to(out(), "End Site{}{}\n", joint.name.empty() ? "" : " ", joint.name);
            } else {
                fmt::format_to(out(), "{} {}\n", joint.parent < 0 ? "ROOT" : "JOINT", joint.name);
            }
            indent(depth);
            fmt::format_to(out(), "{{\n");
            open_.push_back(static_cast<std::int32_t>(i));
            indent(depth + 1);
            fmt::format_to(out(), "OFFSET {} {} {}\n", joint.offset.x, joint.offset.y,
                           joint.offset.z);
            if (joint.end_site && joint.channels.empty()) continue;
            indent(depth + 1);
            fmt::format_to(out(), "CHANNELS {}", joint.channels.size());
            for (const BvhChannel channel : joint.channels) {
                fmt::format_to(out(), " {}", bvhChannelName(channel));
            }
            buffer_.push_back('\n');
        }
        closeTo(0);
    }

    void writeRow(const double* row) {
        for (std::size_t i = 0; i < file_.channel_count; ++i) {
            if (i > 0) buffer_.push_back(' ');
            fmt::format_to(out(), "{}",
                           row[i]);  // the shortest text that reads back as the same double
        }
        buffer_.push_back('\n');
    }

    const BvhFile& file_;
    const std::function<bool(std::string_view)>& sink_;
    fmt::memory_buffer buffer_;
    std::vector<std::int32_t> open_;
    bool going_ = true;
};

}  // namespace

void writeBvh(const BvhFile& file, const std::function<bool(std::string_view)>& sink) {
    Writer(file, sink).write();
}

std::string writeBvh(const BvhFile& file) {
    std::string out;
    writeBvh(file, [&](std::string_view piece) {
        out += piece;
        return true;
    });
    return out;
}

Status saveBvh(const BvhFile& file, const std::string& path, const Progress& progress) {
    Result<AtomicFile> out = AtomicFile::create(path);
    if (!out) return out.error();
    // About ten bytes a number; only the progress bar depends on it.
    const double expected = 10.0 * static_cast<double>(file.values.size()) + 1.0;
    double written = 0.0;
    bool cancelled = false;
    writeBvh(file, [&](std::string_view piece) {
        out->write(piece);
        written += static_cast<double>(piece.size());
        cancelled = progress && !progress(std::min(1.0, written / expected));
        return !cancelled;
    });
    if (cancelled) return Diagnostic{.what = "cancelled", .location = {.file = path}};
    return out->finish();
}

}  // namespace ulna::io
