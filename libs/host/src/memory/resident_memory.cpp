// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/resident_memory.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <ridge/base/error.hpp>
#include <ridge/host/text_file.hpp>

namespace ridge::host {

std::optional<resident_memory> parse_resident_memory(std::string_view status) {
  const auto now = to_bytes(value_after(status, "VmRSS"));
  const auto peak = to_bytes(value_after(status, "VmHWM"));
  if (!now || !peak) return std::nullopt;
  return resident_memory{*now, *peak};
}

resident_memory read_resident_memory() {
  const auto found = parse_resident_memory(read_text("/proc/self/status").value_or(""));
  if (!found) throw unavailable("resident memory: /proc/self/status has no VmRSS and VmHWM", "mount procfs");
  return *found;
}

bool reset_peak_resident() {
  const int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool done = write(file, "5", 1) == 1;
  close(file);
  return done;
}

}  // namespace ridge::host
