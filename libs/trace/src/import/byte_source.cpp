// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/byte_source.hpp>

#include <algorithm>
#include <limits>

namespace ridge::trace {
namespace {

class text_bytes final : public byte_source {
 public:
  explicit text_bytes(std::string_view bytes) : left_(bytes), size_(bytes.size()) {}

  std::size_t read(std::span<char> buffer) override {
    const auto n = left_.copy(buffer.data(), buffer.size());
    left_.remove_prefix(n);
    return n;
  }
  std::optional<std::uint64_t> size_hint() const override { return size_; }

 private:
  std::string_view left_;
  std::uint64_t size_;
};

}  // namespace

std::unique_ptr<byte_source> source_of(std::string_view bytes) { return std::make_unique<text_bytes>(bytes); }

read_limits limits_for(std::uint64_t memory_bytes) {
  constexpr std::uint64_t factor = 8;
  const auto largest = std::numeric_limits<std::uint64_t>::max() / factor;
  const read_limits usual;
  return {.memory_bytes = memory_bytes,
          .content_bytes = std::max(usual.content_bytes, std::min(memory_bytes, largest) * factor),
          .bomb_bytes = std::max(usual.bomb_bytes, memory_bytes / factor)};
}

}  // namespace ridge::trace
