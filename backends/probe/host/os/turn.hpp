// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <stop_token>

namespace ridge::backends::probe_host {

// The values of a turn: that of the thread which starts an exchange, and that of the one which answers.
inline constexpr std::uint32_t starters_turn = 0, answerers_turn = 1;

// Whose turn it is among two threads: a word on which the kernel can wait (futex(2)).
class turn final {
 public:
  // Gives the turn to `owner` and wakes it where it sleeps.
  void give(std::uint32_t owner);
  void give_to_spinner(std::uint32_t owner) { word_.store(owner, std::memory_order_release); }
  // Sleeps until the turn is `mine`. Returns false when a stop was requested or patience_s have passed.
  [[nodiscard]] bool sleep_until(std::uint32_t mine, const std::stop_token& token = {});
  // Does the same without sleeping.
  [[nodiscard]] bool spin_until(std::uint32_t mine, const std::stop_token& token = {}) const;

 private:
  alignas(64) std::atomic<std::uint32_t> word_{0};
};

}  // namespace ridge::backends::probe_host
