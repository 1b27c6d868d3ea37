// SPDX-License-Identifier: Apache-2.0
#include "archives/archive_zip.hpp"

#include <algorithm>
#include <concepts>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "import/file_source.hpp"

namespace ridge::trace {
namespace {

using namespace std::string_view_literals;

// Reads a little-endian number, as all numbers in a zip are; bytes past the end of the text count as 0.
template <std::unsigned_integral T>
T little_endian(std::string_view text, std::size_t offset) {
  std::uint64_t value = 0;
  for (std::size_t i = sizeof(T); i-- > 0;)
    value = value << 8U | (offset + i < text.size() ? static_cast<unsigned char>(text[offset + i]) : 0U);
  return static_cast<T>(value);
}

std::string bytes_of_file(const std::string& path, std::uint64_t offset, std::uint64_t length) {
  std::string text(length, '\0');
  text.resize(file_source({.path = path, .offset = offset, .length = length})->read(text));
  return text;
}

struct directory_place {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

std::optional<directory_place> directory64(const std::string& path, std::string_view tail,
                                           std::size_t end_at) {
  constexpr std::size_t locator_bytes = 20, record_bytes = 56;
  if (end_at < locator_bytes || tail.substr(end_at - locator_bytes, 4) != "PK\x06\x07"sv) return std::nullopt;
  const auto record_at = little_endian<std::uint64_t>(tail, end_at - locator_bytes + 8);
  const auto record = bytes_of_file(path, record_at, record_bytes);
  if (!record.starts_with("PK\x06\x06"sv)) return std::nullopt;
  return directory_place{.offset = little_endian<std::uint64_t>(record, 48),
                         .bytes = little_endian<std::uint64_t>(record, 40)};
}

// The end record stands last, before a comment of up to 64 KiB.
std::optional<directory_place> find_directory(const std::string& path, std::uint64_t file_bytes) {
  constexpr std::uint64_t longest_tail = 22 + 65535 + 20;
  const auto tail_bytes = std::min(file_bytes, longest_tail);
  const auto tail = bytes_of_file(path, file_bytes - tail_bytes, tail_bytes);
  const auto end_at = tail.rfind("PK\x05\x06"sv);
  if (end_at == std::string_view::npos || end_at + 22 > tail.size()) return std::nullopt;
  if (const auto wide = directory64(path, tail, end_at)) return wide;
  return directory_place{.offset = little_endian<std::uint32_t>(tail, end_at + 16),
                         .bytes = little_endian<std::uint32_t>(tail, end_at + 12)};
}

// Fields that did not fit into 32 bits stand in extra field 1, in this order.
void widen(zip_entry& e, std::string_view extra) {
  constexpr std::uint64_t elsewhere = 0xffffffffU;
  while (extra.size() >= 4) {
    const auto id = little_endian<std::uint16_t>(extra, 0), length = little_endian<std::uint16_t>(extra, 2);
    auto values = extra.substr(4, length);
    extra.remove_prefix(std::min<std::size_t>(extra.size(), 4U + length));
    if (id != 1) continue;
    for (auto* field : {&e.bytes, &e.packed_bytes, &e.header_at}) {
      if (*field != elsewhere || values.size() < 8) continue;
      *field = little_endian<std::uint64_t>(values, 0);
      values.remove_prefix(8);
    }
  }
}

constexpr std::size_t directory_record = 46;

zip_entry entry_at(std::string_view record) {
  const auto name_bytes = little_endian<std::uint16_t>(record, 28),
             extra_bytes = little_endian<std::uint16_t>(record, 30);
  zip_entry e{.name = std::string(record.substr(std::min(directory_record, record.size()), name_bytes)),
              .packed_bytes = little_endian<std::uint32_t>(record, 20),
              .bytes = little_endian<std::uint32_t>(record, 24),
              .header_at = little_endian<std::uint32_t>(record, 42),
              .crc = little_endian<std::uint32_t>(record, 16),
              .method = little_endian<std::uint16_t>(record, 10),
              .encrypted = (little_endian<std::uint16_t>(record, 8) & 1U) != 0};
  widen(e, record.substr(std::min<std::size_t>(record.size(), directory_record + name_bytes), extra_bytes));
  return e;
}

std::vector<zip_entry> entries_in(std::string_view directory) {
  std::vector<zip_entry> all;
  while (directory.size() >= directory_record && directory.starts_with("PK\x01\x02"sv)) {
    auto e = entry_at(directory);
    const auto length = directory_record + little_endian<std::uint16_t>(directory, 28) +
                        little_endian<std::uint16_t>(directory, 30) +
                        little_endian<std::uint16_t>(directory, 32);
    if (!e.name.ends_with('/')) all.push_back(std::move(e));
    directory.remove_prefix(std::min<std::size_t>(length, directory.size()));
  }
  return all;
}

}  // namespace

result<std::vector<zip_entry>> zip_directory(const std::string& path) {
  constexpr std::uint64_t most = std::uint64_t{256} << 20;
  const auto file_bytes = *file_source({.path = path})->size_hint();
  const auto place = find_directory(path, file_bytes);
  if (!place || place->offset > file_bytes || place->bytes > file_bytes - place->offset)
    return error{path + ": the directory of this zip, which stands at its end, is missing or damaged",
                 "copy the file again; it is most likely cut off"};
  if (place->bytes > most)
    return error{fmt::format("{}: the directory of this zip has {} bytes, over {}", path, place->bytes, most),
                 "unpack it and name the folder"};
  return entries_in(bytes_of_file(path, place->offset, place->bytes));
}

}  // namespace ridge::trace
