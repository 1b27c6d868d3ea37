// SPDX-License-Identifier: Apache-2.0
#include "import/unpacked_source.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ridge/base/error.hpp>

namespace ridge::trace {
namespace {

// Packed bytes that wait to be unpacked.
class packed_window {
 public:
  explicit packed_window(std::unique_ptr<byte_source> source)
      : source_(std::move(source)), block_(block_bytes) {}

  [[nodiscard]] std::string_view waiting() const { return {block_.data() + begin_, end_ - begin_}; }
  [[nodiscard]] std::uint64_t consumed() const { return consumed_; }
  [[nodiscard]] const byte_source& from() const { return *source_; }

  void consume(std::size_t n) {
    begin_ += n;
    consumed_ += n;
  }

  // Makes sure that at least `wanted` bytes are waiting; false where there are no more.
  bool fill(std::size_t wanted) {
    if (waiting().size() >= wanted) return true;
    std::copy(block_.data() + begin_, block_.data() + end_, block_.data());
    end_ -= std::exchange(begin_, 0);
    end_ += source_->read(std::span(block_).subspan(end_));
    return end_ >= wanted;
  }

 private:
  static constexpr std::size_t block_bytes = std::size_t{256} << 10;
  std::unique_ptr<byte_source> source_;
  std::vector<char> block_;
  std::size_t begin_ = 0, end_ = 0;
  std::uint64_t consumed_ = 0;
};

class unpacked_bytes final : public byte_source {
 public:
  unpacked_bytes(std::unique_ptr<byte_source> packed, std::unique_ptr<unpacker> method,
                 const read_limits& limits, std::string name)
      : packed_(std::move(packed)), unpacker_(std::move(method)), limits_(limits), name_(std::move(name)) {}

  std::size_t read(std::span<char> buffer) override {
    std::size_t done = 0;
    while (done < buffer.size() && !ended_) done += advance(buffer.subspan(done));
    check_limits();
    return done;
  }
  std::optional<error> ended_early() const override { return early_; }
  std::uint64_t trailing_bytes() const override { return trailing_; }

 private:
  std::size_t advance(std::span<char> buffer) {
    const bool more = packed_.fill(1);
    const auto step = unpacker_->unpack(packed_.waiting(), buffer);
    packed_.consume(step.consumed);
    produced_ += step.produced;
    if (step.now == unpacker::state::frame_end) {
      next_frame();
    } else if (step.now == unpacker::state::damaged) {
      end_early(
          fmt::format("is damaged after {} of its bytes ({})", packed_.consumed(), unpacker_->damage()));
    } else if (!more && step.produced == 0) {
      end_early(fmt::format("ends in the middle, after {} bytes", packed_.consumed()));
    }
    return step.produced;
  }

  void next_frame() {
    static_cast<void>(packed_.fill(longest_magic));
    ended_ = !unpacker_->begins(packed_.waiting());
    if (ended_) return count_trailing();
    unpacker_->restart();
  }

  void count_trailing() {
    std::uint64_t seen = 0;
    while (packed_.fill(1)) {
      const auto rest = packed_.waiting();
      const auto last = rest.find_last_not_of('\0');
      if (last != std::string_view::npos) trailing_ = seen + last + 1;
      seen += rest.size();
      packed_.consume(rest.size());
    }
  }

  void end_early(std::string_view reason) {
    ended_ = true;
    early_ = packed_.from().ended_early();
    if (!early_)
      early_ = error{fmt::format("{}: its {} data {}", name_, unpacker_->format(), reason),
                     "what stands before is read; copy or write the file again to have all of it"};
  }

  void check_limits() const {
    const auto expansion = static_cast<double>(produced_) / static_cast<double>(packed_.consumed() + 1);
    if (produced_ > limits_.content_bytes)
      refuse(fmt::format("unpacks to more than {} bytes", limits_.content_bytes));
    if (produced_ > limits_.bomb_bytes && expansion > limits_.expansion)
      refuse(fmt::format("unpacks to over {:.0f} times its size, past {} bytes", limits_.expansion,
                         limits_.bomb_bytes));
  }

  [[noreturn]] void refuse(std::string_view why) const {
    throw failure({fmt::format("{}: {}, and was not read further", name_, why),
                   "if it is not a trap, raise --max-memory, or unpack it and name the unpacked file"});
  }

  static constexpr std::size_t longest_magic = 4;
  packed_window packed_;
  std::unique_ptr<unpacker> unpacker_;
  read_limits limits_;
  std::string name_;
  std::uint64_t produced_ = 0, trailing_ = 0;
  bool ended_ = false;
  std::optional<error> early_{};
};

}  // namespace

std::unique_ptr<byte_source> unpacked_source(std::unique_ptr<byte_source> packed,
                                             std::unique_ptr<unpacker> method, const read_limits& limits,
                                             std::string name) {
  return std::make_unique<unpacked_bytes>(std::move(packed), std::move(method), limits, std::move(name));
}

}  // namespace ridge::trace
