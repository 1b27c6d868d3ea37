// SPDX-License-Identifier: Apache-2.0
#include "os/partner.hpp"

#include <chrono>

#include <ridge/base/error.hpp>
#include <ridge/host/affinity.hpp>

namespace ridge::backends::probe_host {

partner::partner(int cpu, body work, std::function<void()> rouse)
    : rouse_(std::move(rouse)),
      thread_([this, cpu, work = std::move(work)](const std::stop_token& token) { live(cpu, work, token); }) {
}

partner::~partner() {
  thread_.request_stop();
  if (rouse_) rouse_();
}

void partner::live(int cpu, const body& work, const std::stop_token& token) noexcept {
  try {
    host::set_affinity({&cpu, 1});
    work(token);
  } catch (...) {
    why_ = std::current_exception();
  }
  ended_.store(true, std::memory_order_release);
  if (rouse_) rouse_();
}

void partner::rethrow() const {
  if (gone() && why_) std::rethrow_exception(why_);
}

void partner::lost() const {
  rethrow();
  throw failure({"the other thread of the probe did not answer within " +
                     std::to_string(static_cast<int>(patience_s)) + " s",
                 "measure again when the machine is less busy"});
}

watchdog::watchdog(double limit_s, std::function<void()> alarm)
    : thread_([this, limit_s, alarm = std::move(alarm)](const std::stop_token& token) {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, token, std::chrono::duration<double>(limit_s), [] { return false; });
        if (!token.stop_requested()) alarm();
      }) {}

}  // namespace ridge::backends::probe_host
