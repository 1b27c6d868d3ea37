// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "cache/cache_checksum.hpp"
#include "cache/cache_facts.hpp"
#include "cache/cache_file.hpp"
#include "cache/cache_layout.hpp"

namespace ridge::trace {
namespace {

// A file mapped for reading; empty where mapping fails.
class mapped_file {
 public:
  explicit mapped_file(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct ::stat facts {};
    if (::fstat(file, &facts) == 0 && facts.st_size > 0) map(file, static_cast<std::size_t>(facts.st_size));
    ::close(file);
  }
  ~mapped_file() {
    if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;
  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 private:
  void map(int file, std::size_t size) {
    auto* at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (at != MAP_FAILED) bytes_ = {static_cast<const char*>(at), size};
  }
  std::string_view bytes_{};
};

std::optional<cache_header> sound_header(std::string_view file, const cache_key& key) {
  cache_header head;
  if (file.size() < sizeof head + sizeof(std::uint64_t)) return std::nullopt;
  std::memcpy(&head, file.data(), sizeof head);
  const cache_header ours;
  if (head.magic != ours.magic || head.layout != layout_hash() || head.file_bytes != file.size())
    return std::nullopt;
  if (cache_key{head.key_low, head.key_high} != key) return std::nullopt;
  const auto body = file.substr(0, file.size() - sizeof(std::uint64_t));
  std::uint64_t told = 0;
  std::memcpy(&told, file.data() + body.size(), sizeof told);
  checksum sum;
  sum.add(body);
  return sum.value() == told ? std::optional(head) : std::nullopt;
}

bool lies_in(const cached_span& stored, std::string_view file) {
  return stored.offset % cached_alignment == 0 && stored.offset <= file.size() &&
         stored.bytes <= file.size() - stored.offset;
}

template <class T>
bool show(std::span<const T>& rows, const cached_span& stored, std::string_view file) {
  if (!lies_in(stored, file) || stored.bytes % sizeof(T) != 0) return false;
  rows = {reinterpret_cast<const T*>(file.data() + stored.offset), stored.bytes / sizeof(T)};
  return true;
}

}  // namespace

std::optional<trace> read_cached(const std::string& path, const cache_key& key) {
  auto mapped = std::make_shared<const mapped_file>(path);
  const auto file = mapped->bytes();
  const auto head = sound_header(file, key);
  if (!head || !lies_in(head->facts, file)) return std::nullopt;
  trace t;
  bool fine = facts_from_bytes(std::span(file).subspan(head->facts.offset, head->facts.bytes), t);
  int i = 0;
  each_span(t, [&](auto& rows) { fine = show(rows, head->spans[i++], file) && fine; });
  if (!fine) return std::nullopt;
  t.source.from_cache = true;
  t.storage = std::move(mapped);
  return t;
}

}  // namespace ridge::trace
