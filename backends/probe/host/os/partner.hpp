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

// Seconds that a thread waits for a partner before it gives up.
inline constexpr double patience_s = 2;

// A second thread, pinned to a CPU, for the time of one probe. Its body ends soon after a stop is requested.
class partner final {
 public:
  using body = std::function<void(std::stop_token)>;
  // `rouse` ends a wait of the body that does not look at its token. It is called at the end, and when the
  // body has ended (so that whoever waits for it wakes), by either thread.
  partner(int cpu, body work, std::function<void()> rouse = {});
  ~partner();
  partner(const partner&) = delete;
  partner& operator=(const partner&) = delete;
  // Returns whether its body has ended.
  [[nodiscard]] bool gone() const { return ended_.load(std::memory_order_acquire); }
  // Throws the exception that ended the body, if any.
  void rethrow() const;
  // Throws the exception that ended the body; failure where there was none, since it did not answer.
  [[noreturn]] void lost() const;

 private:
  void live(int cpu, const body& work, const std::stop_token& token) noexcept;
  std::function<void()> rouse_;
  std::exception_ptr why_{};
  std::atomic<bool> ended_{false};
  std::jthread thread_;
};

// Calls `alarm` once, from a thread of its own, unless it is destroyed within `limit_s` seconds.
class watchdog final {
 public:
  watchdog(double limit_s, std::function<void()> alarm);

 private:
  std::mutex mutex_{};
  std::condition_variable_any changed_{};
  std::jthread thread_;
};

}  // namespace ridge::backends::probe_host
