// SPDX-License-Identifier: Apache-2.0
#include "perf_attributes.hpp"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>

#include <fmt/format.h>

namespace ridge::backends::profile_perf_event {

perf_event_attr attributes_of(sampled event, std::uint32_t frequency_hz) {
  perf_event_attr a{};
  a.size = sizeof a;
  a.type = event == sampled::cycles ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE;
  a.config = event == sampled::cycles ? std::uint64_t{PERF_COUNT_HW_CPU_CYCLES}
                                      : std::uint64_t{PERF_COUNT_SW_CPU_CLOCK};
  a.freq = 1;
  a.sample_freq = frequency_hz;
  a.sample_type =
      PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN;
  a.sample_id_all = 1;
  a.exclude_kernel = a.exclude_hv = a.exclude_callchain_kernel = 1;
  a.disabled = a.enable_on_exec = a.inherit = 1;
  a.mmap = a.mmap2 = a.comm = a.comm_exec = a.task = a.context_switch = 1;
  a.use_clockid = 1;
  a.clockid = CLOCK_MONOTONIC;
  a.watermark = 1;
  a.wakeup_watermark = 16 << 10;
  return a;
}

error refusal(int code, std::optional<int> paranoid) {
  const auto setting = paranoid ? fmt::format("kernel.perf_event_paranoid is {}", *paranoid) : "";
  switch (code) {
    case EACCES:
    case EPERM:
      if (paranoid.value_or(0) > 2)
        return {"the kernel allows only root to sample processors: " + setting,
                "sudo sysctl kernel.perf_event_paranoid=2"};
      return {"perf_event_open is not permitted here" + (setting.empty() ? "" : " (" + setting + ")"),
              "start the container with --cap-add PERFMON, or with a seccomp profile that allows it"};
    case ENOSYS:
      return {"perf_event_open: this kernel or sandbox does not have it",
              "profile on a Linux kernel with perf events"};
    case EMFILE:
      return {"perf_event_open: too many open files, one a processor is needed", "raise `ulimit -n`"};
    default:
      return {fmt::format("perf_event_open failed: {}", std::strerror(code)), ""};
  }
}

error refusal_here(int code) {
  int level = 0;
  const bool told = static_cast<bool>(std::ifstream("/proc/sys/kernel/perf_event_paranoid") >> level);
  return refusal(code, told ? std::optional(level) : std::nullopt);
}

}  // namespace ridge::backends::profile_perf_event
