// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <stop_token>

namespace ridge::backends::probe_host {

// The values of a turn: of the thread that starts an exchange, and of the one that answers.
inline constexpr std::uint32_t starters_turn = 0, answerers_turn = 1;

// Whose turn it is of two threads: a word that the kernel can wait for (futex(2)).
class turn final {
 public:
  // Gives the turn away and, where the other sleeps, wakes it.
  void give(std::uint32_t to);
  void give_to_spinner(std::uint32_t to) { word_.store(to, std::memory_order_release); }
  // Sleeps until it is `mine`. False when a stop was asked for or patience_s are over.
  [[nodiscard]] bool sleep_until(std::uint32_t mine, const std::stop_token& token = {});
  // The same without sleeping.
  [[nodiscard]] bool spin_until(std::uint32_t mine, const std::stop_token& token = {}) const;

 private:
  alignas(64) std::atomic<std::uint32_t> word_{0};
};

}  // namespace ridge::backends::probe_host
