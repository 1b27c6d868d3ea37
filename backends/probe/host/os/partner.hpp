// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace ridge::backends::probe_host {

// How long anything waits for a partner before it is given up as lost.
inline constexpr double patience_s = 2;

// A second thread, pinned to a CPU, for the time of one probe. Its body ends soon after a stop is asked for.
class partner final {
 public:
  using body = std::function<void(std::stop_token)>;
  // `rouse` brings a body out of a wait that does not look at its token; called at the end, and when the body
  // has ended (so that who waits for it wakes), from either thread.
  partner(int cpu, body work, std::function<void()> rouse = {});
  ~partner();
  partner(const partner&) = delete;
  partner& operator=(const partner&) = delete;
  // Whether its body has ended.
  [[nodiscard]] bool gone() const { return ended_.load(std::memory_order_acquire); }
  // Throws what ended the body, if anything did.
  void rethrow() const;
  // The same, and failure where nothing did: it did not answer.
  [[noreturn]] void lost() const;

 private:
  void live(int cpu, const body& work, const std::stop_token& token) noexcept;
  std::function<void()> rouse_;
  std::exception_ptr why_{};
  std::atomic<bool> ended_{false};
  std::jthread thread_;
};

// Calls `alarm` once, from a thread of its own, unless it is destroyed within `limit_s`.
class watchdog final {
 public:
  watchdog(double limit_s, std::function<void()> alarm);

 private:
  std::mutex mutex_{};
  std::condition_variable_any changed_{};
  std::jthread thread_;
};

}  // namespace ridge::backends::probe_host
