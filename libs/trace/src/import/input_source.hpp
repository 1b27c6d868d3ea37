// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/trace/byte_source.hpp>

namespace ridge::trace {

// A source whose first bytes can be inspected before they are read.
class headed_source final : public byte_source {
 public:
  explicit headed_source(std::unique_ptr<byte_source> source);

  [[nodiscard]] std::string_view head() const { return {head_.data(), head_.size()}; }
  [[nodiscard]] std::uint64_t given() const { return given_; }  // bytes read from it so far
  [[nodiscard]] std::size_t read(std::span<char> buffer) override;
  [[nodiscard]] std::optional<error> ended_early() const override { return source_->ended_early(); }
  [[nodiscard]] std::uint64_t trailing_bytes() const override { return source_->trailing_bytes(); }
  [[nodiscard]] std::optional<std::uint64_t> size_hint() const override { return source_->size_hint(); }
  [[nodiscard]] std::optional<std::string> path() const override { return source_->path(); }

 private:
  std::unique_ptr<byte_source> source_;
  std::vector<char> head_;
  std::uint64_t given_ = 0;
};

// Removes compression layer by layer. `name` is used in errors; `layers` gains "gzip" or "zstd" for each
// layer.
[[nodiscard]] std::unique_ptr<headed_source> plain_source(std::unique_ptr<byte_source> packed,
                                                          const read_limits& limits, const std::string& name,
                                                          std::vector<std::string>* layers = nullptr);

}  // namespace ridge::trace
