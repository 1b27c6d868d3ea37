// SPDX-License-Identifier: Apache-2.0
#include "os/turn.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <ctime>

#include "os/partner.hpp"

namespace ridge::backends::probe_host {
namespace {

constexpr double slice_s = 0.05;
constexpr long slice_ns = 50'000'000;
static_assert(sizeof(std::atomic<std::uint32_t>) == 4);

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb");
#endif
}

}  // namespace

void turn::give(std::uint32_t owner) {
  word_.store(owner, std::memory_order_release);
  syscall(SYS_futex, &word_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

bool turn::sleep_until(std::uint32_t mine, const std::stop_token& token) {
  for (double waited_s = 0; waited_s < patience_s;) {
    const auto now = word_.load(std::memory_order_acquire);
    if (now == mine) return true;
    if (token.stop_requested()) return false;
    const timespec slice{0, slice_ns};
    // An early return only costs a second look; only a slice that has passed counts as waiting.
    if (syscall(SYS_futex, &word_, FUTEX_WAIT_PRIVATE, now, &slice, nullptr, 0) != 0) waited_s += slice_s;
  }
  return false;
}

bool turn::spin_until(std::uint32_t mine, const std::stop_token& token) const {
  using clock = std::chrono::steady_clock;
  constexpr int looks = 4096;
  const auto begin = clock::now();
  while (clock::now() - begin < std::chrono::duration<double>(patience_s)) {
    for (int i = 0; i < looks; ++i) {
      if (word_.load(std::memory_order_acquire) == mine) return true;
      pause();
    }
    if (token.stop_requested()) return false;
  }
  return false;
}

}  // namespace ridge::backends::probe_host
