// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <isa-l/crc.h>

#include "archives/archive_zip.hpp"
#include "import/file_source.hpp"
#include "import/input_unpacker.hpp"
#include "import/unpacked_source.hpp"

namespace ridge::trace {
namespace {

// Passes bytes on and compares their checksum with the expected one.
class checked_bytes final : public byte_source {
 public:
  checked_bytes(std::unique_ptr<byte_source> source, const zip_entry& expected, std::string name)
      : source_(std::move(source)), expected_(expected), name_(std::move(name)) {}

  std::size_t read(std::span<char> buffer) override {
    const auto n = source_->read(buffer);
    crc_ = ::crc32_gzip_refl(crc_, reinterpret_cast<const unsigned char*>(buffer.data()), n);
    given_ += n;
    ended_ = ended_ || n < buffer.size();
    return n;
  }

  std::optional<error> ended_early() const override {
    if (auto early = source_->ended_early()) return early;
    if (!ended_ || (given_ == expected_.bytes && crc_ == expected_.crc)) return std::nullopt;
    return error{fmt::format("{}: {} bytes whose checksum is {:08x}; the zip says {} and {:08x}", name_,
                             given_, crc_, expected_.bytes, expected_.crc),
                 "copy or write the zip again"};
  }

  std::optional<std::uint64_t> size_hint() const override { return expected_.bytes; }

 private:
  std::unique_ptr<byte_source> source_;
  zip_entry expected_;
  std::string name_;
  std::uint32_t crc_ = 0;
  std::uint64_t given_ = 0;
  bool ended_ = false;
};

// The local header says how long its own name and extra fields are; they may differ from the directory's.
result<std::uint64_t> content_at(const std::string& path, const zip_entry& entry) {
  constexpr std::size_t header_bytes = 30;
  std::string header(header_bytes, '\0');
  const auto n = file_source({.path = path, .offset = entry.header_at})->read(header);
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint64_t>(static_cast<unsigned char>(header[i]));
  };
  if (n < header_bytes || !header.starts_with("PK\x03\x04"))
    return error{fmt::format("{} in {}: no such file where the zip's directory says", entry.name, path),
                 "copy or write the zip again"};
  return entry.header_at + header_bytes + (byte(26) | byte(27) << 8U) + (byte(28) | byte(29) << 8U);
}

std::unique_ptr<unpacker> unpacker_for(std::uint16_t method) {
  constexpr std::uint16_t deflate = 8, zstd = 93;
  if (method == deflate) return deflate_unpacker();
  return method == zstd ? zstd_unpacker() : nullptr;
}

}  // namespace

result<std::unique_ptr<byte_source>> zip_member(const std::string& path, const zip_entry& entry,
                                                const read_limits& limits) {
  const auto name = fmt::format("{} in {}", entry.name, path);
  auto by = unpacker_for(entry.method);
  if (entry.encrypted || (entry.method != 0 && by == nullptr))
    return error{entry.encrypted ? name + " is encrypted"
                                 : fmt::format("{} is packed by method {}, not stored, deflated or zstd",
                                               name, entry.method),
                 "unpack the zip and name the folder"};
  const auto at = content_at(path, entry);
  if (!at) return at.why();
  auto content = file_source({.path = path, .offset = *at, .length = entry.packed_bytes});
  if (by != nullptr) content = unpacked_source(std::move(content), std::move(by), limits, name);
  return std::unique_ptr<byte_source>(std::make_unique<checked_bytes>(std::move(content), entry, name));
}

}  // namespace ridge::trace
