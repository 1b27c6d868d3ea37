// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ridge::backends::probe_host {

// A ring of messages of one size in memory that processes may share, for one producer and one consumer. Each
// side remembers the other's position and looks at its line only when that is used up (Lamport, ACM TOPLAS 5,
// 1983; Lee, Bu and Chandranmenon, IPDPS 2010).
class ring final {
 public:
  // slots: a power of two.
  ring(std::size_t slots, std::size_t message_bytes);
  ~ring();
  ring(const ring&) = delete;
  ring& operator=(const ring&) = delete;
  // False where it is full, or empty.
  [[nodiscard]] bool put(std::span<const std::byte> message);
  [[nodiscard]] bool take(std::span<std::byte> message);

 private:
  struct alignas(128) side {
    std::atomic<std::uint64_t> position{0};
    std::uint64_t others = 0;  // last seen
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
