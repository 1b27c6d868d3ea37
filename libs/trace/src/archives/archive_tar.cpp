// SPDX-License-Identifier: Apache-2.0
#include "archives/archive_tar.hpp"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace ridge::trace {
namespace {

constexpr std::size_t tar_block_bytes = 512;

std::string_view field(std::span<const char> header, std::size_t offset, std::size_t size) {
  const std::string_view all(header.data() + offset, size);
  return all.substr(0, all.find('\0'));
}

// Octal digits, or GNU's big-endian bytes behind a first byte with its top bit set.
std::uint64_t tar_number(std::span<const char> header, std::size_t offset, std::size_t size) {
  std::uint64_t value = 0;
  if ((header[offset] & '\x80') != 0) {
    for (std::size_t i = offset + size - 8; i < offset + size; ++i)
      value = value << 8U | static_cast<unsigned char>(header[i]);
    return value;
  }
  auto digits = field(header, offset, size);
  digits.remove_prefix(std::min(digits.find_first_not_of(' '), digits.size()));
  std::from_chars(digits.data(), digits.data() + digits.size(), value, 8);
  return value;
}

// Returns the sum of the header's bytes, with the checksum's own field taken as blanks.
bool is_sound(std::span<const char> header) {
  std::uint64_t sum = 8U * ' ';
  for (std::size_t i = 0; i < tar_block_bytes; ++i) {
    if (i < 148 || i >= 156) sum += static_cast<unsigned char>(header[i]);
  }
  return tar_number(header, 148, 8) == sum;
}

std::string name_in(std::span<const char> header) {
  const std::string name(field(header, 0, 100));
  const bool is_posix = std::string_view(header.data() + 257, 6) == std::string_view("ustar\0", 6);
  const auto prefix = is_posix ? field(header, 345, 155) : std::string_view{};
  return prefix.empty() ? name : fmt::format("{}/{}", prefix, name);
}

// The value of "LENGTH KEY=VALUE\n" records of a pax header; the last one counts.
std::optional<std::string_view> pax_value(std::string_view records, std::string_view key) {
  std::optional<std::string_view> found;
  while (!records.empty()) {
    std::size_t length = 0;
    const auto [end, code] = std::from_chars(records.data(), records.data() + records.size(), length);
    const auto digits = static_cast<std::size_t>(end - records.data());
    if (code != std::errc{} || length <= digits + 1 || length > records.size()) break;
    const auto record = records.substr(digits + 1, length - digits - 2);
    if (record.starts_with(key) && record.substr(key.size()).starts_with('='))
      found = record.substr(key.size() + 1);
    records.remove_prefix(length);
  }
  return found;
}

}  // namespace

tar_walk::tar_walk(std::unique_ptr<byte_source> source, std::string name)
    : source_(std::move(source)), name_(std::move(name)) {}

std::optional<tar_walk::entry> tar_walk::next() {
  overrides of_next;
  while (auto head = next_header()) {
    left_ = tar_number(*head, 124, 12);
    padding_ = (tar_block_bytes - left_ % tar_block_bytes) % tar_block_bytes;
    if (take_override(*head, of_next)) continue;
    const auto over = std::exchange(of_next, {});
    if (over.bytes) {
      left_ = *over.bytes;
      padding_ = (tar_block_bytes - left_ % tar_block_bytes) % tar_block_bytes;
    }
    const char type = (*head)[156];
    if (type == '0' || type == '\0' || type == '7')
      return entry{over.name.empty() ? name_in(*head) : over.name, left_};
  }
  return std::nullopt;
}

std::optional<tar_walk::header> tar_walk::next_header() {
  skip(left_);
  skip(std::exchange(padding_, 0));
  if (ended_) return std::nullopt;
  header head{};
  const auto n = source_->read(head);
  position_ += n;
  const bool is_end = std::ranges::all_of(head, [](char c) { return c == '\0'; });
  ended_ = n < head.size() || is_end;
  if (n > 0 && n < head.size()) {
    end_early("ends in the middle of a header");
  } else if (!ended_ && !is_sound(head)) {
    end_early(fmt::format("has a damaged header at byte {}", position_ - tar_block_bytes));
  }
  return ended_ ? std::nullopt : std::optional(head);
}

// Returns whether the entry only describes the next one.
bool tar_walk::take_override(const header& entry, overrides& changes) {
  const char type = entry[156];
  if (type == 'L') {
    const auto text = short_text();
    changes.name = text.substr(0, text.find('\0'));
  } else if (type == 'x') {
    const auto text = short_text();
    if (const auto path = pax_value(text, "path")) changes.name = *path;
    if (const auto size = pax_value(text, "size")) {
      std::uint64_t bytes = 0;
      std::from_chars(size->data(), size->data() + size->size(), bytes);
      changes.bytes = bytes;
    }
  }
  return type == 'L' || type == 'x' || type == 'K' || type == 'g';
}

std::string tar_walk::short_text() {
  constexpr std::uint64_t longest = std::uint64_t{1} << 20;
  std::string text(std::min(left_, longest), '\0');
  text.resize(read(text));
  return text;
}

std::size_t tar_walk::read(std::span<char> buffer) {
  const auto wanted = std::min<std::uint64_t>(buffer.size(), left_);
  const auto n = source_->read(buffer.first(wanted));
  position_ += n;
  left_ -= n;
  if (n < wanted) {
    end_early(fmt::format("ends in the middle of a file, {} bytes before its end", left_));
    left_ = 0;
  }
  return n;
}

void tar_walk::skip(std::uint64_t bytes) {
  std::vector<char> passed(std::min<std::uint64_t>(bytes, std::uint64_t{1} << 20));
  while (bytes > 0 && !ended_) {
    const auto n = source_->read(std::span(passed).first(std::min<std::uint64_t>(bytes, passed.size())));
    position_ += n;
    bytes -= n;
    if (n == 0) end_early("ends in the middle of a file");
  }
  left_ = 0;
}

void tar_walk::end_early(std::string_view reason) {
  ended_ = true;
  if (!early_)
    early_ = source_->ended_early().value_or(
        error{fmt::format("{}: the tar {}", name_, reason),
              "what stands before is read; copy or write the file again to have all of it"});
}

std::optional<error> tar_walk::ended_early() const { return early_; }

}  // namespace ridge::trace
