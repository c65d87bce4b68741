// SPDX-License-Identifier: Apache-2.0

// The format: PKWARE, APPNOTE.TXT, .ZIP File Format Specification 6.3,
// sections 4.3.7, 4.3.12, 4.3.16.
#include "ulna/io/detail/stored_zip.h"

#include <array>

namespace ulna::io::detail {
namespace {

constexpr std::array<std::uint32_t, 256> makeCrcTable() {
    std::array<std::uint32_t, 256> out{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit)
            value = (value >> 1U) ^ ((value & 1U) != 0 ? 0xEDB88320U : 0U);
        out[i] = value;
    }
    return out;
}
constexpr std::array<std::uint32_t, 256> kCrcTable = makeCrcTable();

// Numbers with the lowest byte first.
class Record {
  public:
    Record& u16(std::uint64_t value) { return number(value, 2); }
    Record& u32(std::uint64_t value) { return number(value, 4); }
    std::string bytes;

  private:
    Record& number(std::uint64_t value, unsigned size) {
        for (unsigned i = 0; i < size; ++i) bytes += static_cast<char>((value >> (8U * i)) & 0xFFU);
        return *this;
    }
};

constexpr std::uint64_t kVersion = 20, kStored = 0, kFirstDate = 0x21;  // the first of January 1980

// What a file's own header and its entry in the directory have in common.
Record& describe(Record& record, std::string_view name, std::string_view bytes) {
    return record.u16(kVersion)
        .u16(0)
        .u16(kStored)
        .u16(0)
        .u16(kFirstDate)
        .u32(crc32Of(bytes))
        .u32(bytes.size())
        .u32(bytes.size())
        .u16(name.size())
        .u16(0);
}

}  // namespace

std::uint32_t crc32Of(std::string_view bytes) {
    std::uint32_t crc = 0xFFFFFFFFU;
    for (const char c : bytes)
        crc = (crc >> 8U) ^ kCrcTable[(crc ^ static_cast<unsigned char>(c)) & 0xFFU];
    return crc ^ 0xFFFFFFFFU;
}

void StoredZip::write(std::string_view bytes) {
    written_ += bytes.size();
    stopped_ = stopped_ || !sink_(bytes);
}

void StoredZip::add(std::string_view name, std::string_view bytes) {
    Record entry;
    describe(entry.u32(0x02014B50).u16(kVersion), name, bytes);
    entry.u16(0).u16(0).u16(0).u32(0).u32(written_);
    directory_ += entry.bytes;
    directory_ += name;
    ++count_;
    Record header;
    describe(header.u32(0x04034B50), name, bytes);
    write(header.bytes);
    write(name);
    write(bytes);
}

Status StoredZip::finish() {
    const std::uint64_t start = written_, size = directory_.size();
    write(directory_);
    Record end;
    end.u32(0x06054B50).u16(0).u16(0).u16(count_).u16(count_).u32(size).u32(start).u16(0);
    write(end.bytes);
    constexpr std::uint64_t kLargest = 0xFFFFFFFF;
    if (written_ > kLargest)
        return Diagnostic{.what = "the archive is over 4 GiB",
                          .advice = "write a part of the clip"};
    return Done{};
}

}  // namespace ulna::io::detail
