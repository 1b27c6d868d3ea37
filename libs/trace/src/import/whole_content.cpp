// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/whole_content.hpp>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace ridge::trace {
namespace {

constexpr std::size_t block = std::size_t{1} << 20;

// Memory that is not cleared before it is read into: clearing it would take as long as reading.
class growing_bytes {
 public:
  explicit growing_bytes(std::size_t expected) : room_(expected + block) { bytes_ = unset(room_); }

  [[nodiscard]] std::size_t size() const { return size_; }
  // Room for another block behind what is there.
  [[nodiscard]] std::span<char> next_block() {
    if (room_ - size_ < block) grow();
    return {bytes_.get() + size_, block};
  }
  void took(std::size_t bytes) { size_ += bytes; }
  [[nodiscard]] held_bytes made() && { return {std::move(bytes_), size_}; }

 private:
  static std::unique_ptr<char[]> unset(std::size_t size) {
    return std::make_unique_for_overwrite<char[]>(size);
  }

  void grow() {
    room_ *= 2;
    auto larger = unset(room_);
    std::memcpy(larger.get(), bytes_.get(), size_);
    bytes_ = std::move(larger);
  }

  std::size_t room_, size_ = 0;
  std::unique_ptr<char[]> bytes_{};
};

}  // namespace

std::optional<held_bytes> whole_content(byte_source& source, std::uint64_t most) {
  growing_bytes content(std::min<std::uint64_t>(source.size_hint().value_or(0), most));
  for (std::size_t got = 1; got > 0 && content.size() <= most;) {
    got = source.read(content.next_block());
    content.took(got);
  }
  if (content.size() > most) return std::nullopt;
  return std::move(content).made();
}

}  // namespace ridge::trace
