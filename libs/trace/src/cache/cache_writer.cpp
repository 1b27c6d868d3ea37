// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cerrno>
#include <span>
#include <string>
#include <string_view>

#include "cache/cache_checksum.hpp"
#include "cache/cache_facts.hpp"
#include "cache/cache_file.hpp"
#include "cache/cache_layout.hpp"

namespace ridge::trace {
namespace {

template <class T>
std::string_view bytes_of_rows(std::span<const T> rows) {
  return {reinterpret_cast<const char*>(rows.data()), rows.size_bytes()};
}

// Appends to a file and computes the checksum of what it appended.
class summed_file {
 public:
  explicit summed_file(int file) : file_(file) {}

  void append(std::string_view bytes) {
    sum_.add(bytes);
    position_ += bytes.size();
    while (fine_ && !bytes.empty()) {
      const auto n = ::write(file_, bytes.data(), bytes.size());
      if (n >= 0)
        bytes.remove_prefix(static_cast<std::size_t>(n));
      else
        fine_ = errno == EINTR;
    }
  }
  void append_at(std::uint64_t offset, std::string_view bytes) {
    append(std::string(offset - position_, '\0'));
    append(bytes);
  }
  [[nodiscard]] bool finish() {
    const auto sum = sum_.value();
    append({reinterpret_cast<const char*>(&sum), sizeof sum});
    return fine_;
  }

 private:
  int file_;
  checksum sum_{};
  std::uint64_t position_ = 0;
  bool fine_ = true;
};

cached_span place_behind(std::uint64_t end, std::size_t bytes) {
  return {.offset = (end + cached_alignment - 1) / cached_alignment * cached_alignment, .bytes = bytes};
}

cache_header header_of(const cache_key& key, const trace& t, std::size_t fact_bytes) {
  cache_header head{.layout = layout_hash(), .key_low = key.low, .key_high = key.high};
  auto last = place_behind(sizeof head, fact_bytes);
  head.facts = last;
  int i = 0;
  each_span(t, [&](const auto& rows) {
    last = place_behind(last.offset + last.bytes, rows.size_bytes());
    head.spans[i++] = last;
  });
  head.file_bytes = last.offset + last.bytes + sizeof(std::uint64_t);
  return head;
}

}  // namespace

bool write_cached(int file, const cache_key& key, const trace& t) {
  const auto facts = facts_to_bytes(t);
  const auto head = header_of(key, t, facts.size());
  summed_file to(file);
  to.append({reinterpret_cast<const char*>(&head), sizeof head});
  to.append_at(head.facts.offset, facts);
  int i = 0;
  each_span(t, [&](const auto& rows) { to.append_at(head.spans[i++].offset, bytes_of_rows(rows)); });
  return to.finish();
}

}  // namespace ridge::trace
