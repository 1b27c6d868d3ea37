// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ridge::backends::probe_host {

// A ring of messages of one size in memory that processes may share, for one producer and one consumer. Each
// side remembers the position of the other and reads its line only when the remembered one is used up
// (Lamport, ACM TOPLAS 5, 1983; Lee, Bu and Chandranmenon, IPDPS 2010).
class ring final {
 public:
  // `slots` must be a power of two.
  ring(std::size_t slots, std::size_t message_bytes);
  ~ring();
  ring(const ring&) = delete;
  ring& operator=(const ring&) = delete;
  // Return false where the ring is full (put) or empty (get).
  [[nodiscard]] bool put(std::span<const std::byte> message);
  [[nodiscard]] bool take(std::span<std::byte> message);

 private:
  struct alignas(128) side {
    std::atomic<std::uint64_t> position{0};
    std::uint64_t others = 0;  // position of the other side when it was last read
  };
  static constexpr std::size_t head = 2 * sizeof(side);
  [[nodiscard]] std::byte* slot(std::uint64_t position) const;
  [[nodiscard]] std::size_t size() const { return head + slots_ * bytes_; }
  std::uint64_t slots_;
  std::size_t bytes_;
  std::byte* memory_;
  side *producer_, *consumer_;
};

}  // namespace ridge::backends::probe_host
