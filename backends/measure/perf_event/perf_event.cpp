// SPDX-License-Identifier: Apache-2.0
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <utility>

#include <ridge/host/topology.hpp>
#include <ridge/measure/counters.hpp>

#include "group_reading.hpp"
#include "refusal.hpp"

namespace ridge::backends::measure_perf_event {
namespace {

struct event {
  const char* name;
  std::uint64_t config;
};

// The first event leads the group; another one that the CPU lacks is left out.
constexpr event events[] = {{"cycles", PERF_COUNT_HW_CPU_CYCLES},
                            {"instructions", PERF_COUNT_HW_INSTRUCTIONS},
                            {"branch_misses", PERF_COUNT_HW_BRANCH_MISSES},
                            {"llc_misses", PERF_COUNT_HW_CACHE_MISSES}};

int open_event(std::uint64_t config, int leader) {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.size = sizeof(attributes);
  attributes.config = config;
  if (leader < 0) attributes.disabled = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.read_format =
      PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, leader, PERF_FLAG_FD_CLOEXEC));
}

class group final : public measure::counters {
 public:
  group() {
    for (const auto& e : events) add(e);
  }
  ~group() override {
    for (const int descriptor : descriptors_) close(descriptor);
  }
  group(const group&) = delete;
  group& operator=(const group&) = delete;

  std::string_view unavailable_because() const override { return reason_; }

  void start() override {
    control(PERF_EVENT_IOC_RESET);
    control(PERF_EVENT_IOC_ENABLE);
  }
  void stop() override { control(PERF_EVENT_IOC_DISABLE); }

  std::vector<measure::counter_value> read() const override {
    if (descriptors_.empty()) return {};
    std::array<std::uint64_t, 3 + std::size(events)> words{};
    const auto got = ::read(descriptors_.front(), words.data(), sizeof(words));
    if (got < 0) return {};
    return decode_group(std::span(words).first(static_cast<std::size_t>(got) / sizeof(words[0])), names_);
  }

 private:
  void add(const event& e) {
    if (!reason_.empty()) return;
    const int descriptor = open_event(e.config, descriptors_.empty() ? -1 : descriptors_.front());
    if (descriptor >= 0) {
      descriptors_.push_back(descriptor);
      names_.emplace_back(e.name);
    } else if (descriptors_.empty()) {
      const int code = errno;
      const auto system = host::read_topology().system;
      reason_ = refusal(code, system.perf_event_paranoid, system.hypervisor);
    }
  }

  void control(unsigned long request) const {
    if (!descriptors_.empty()) ioctl(descriptors_.front(), request, PERF_IOC_FLAG_GROUP);
  }

  std::vector<int> descriptors_{};
  std::vector<std::string> names_{};
  std::string reason_{};
};

}  // namespace

std::unique_ptr<measure::counters> make() { return std::make_unique<group>(); }

}  // namespace ridge::backends::measure_perf_event
