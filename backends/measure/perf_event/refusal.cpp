// SPDX-License-Identifier: Apache-2.0
#include "refusal.hpp"

#include <cerrno>
#include <cstring>

namespace ridge::backends::measure_perf_event {
namespace {

std::string no_hardware(const std::string& hypervisor) {
  if (hypervisor.empty()) return "perf_event_open: this kernel offers no hardware counters for this CPU";
  const auto under = hypervisor == "unknown" ? "" : " (" + hypervisor + ")";
  return "perf_event_open: no hardware counters in this virtual machine" + under;
}

}  // namespace

std::string refusal(int code, std::optional<int> paranoid, const std::string& hypervisor) {
  switch (code) {
    case ENOENT:
    case EOPNOTSUPP:
    case ENODEV:
      return no_hardware(hypervisor);
    case ENOSYS:
      return "perf_event_open: this kernel or sandbox does not have it";
    case EACCES:
    case EPERM:
      if (paranoid && *paranoid > 2) {
        return "perf_event_open: kernel.perf_event_paranoid is " + std::to_string(*paranoid) +
               "; sudo sysctl kernel.perf_event_paranoid=2";
      }
      return "perf_event_open: not permitted; a container needs CAP_PERFMON or a seccomp profile that allows "
             "it";
    case EMFILE:
      return "perf_event_open: too many open files; raise ulimit -n";
    default:
      return std::string("perf_event_open: ") + std::strerror(code);
  }
}

}  // namespace ridge::backends::measure_perf_event
