// SPDX-License-Identifier: Apache-2.0
#include "net/windows.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <string>

#include "sampler.hpp"

namespace ridge::backends::probe_host {

void turned_out::tell() {
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  count_.store(used.ru_nivcsw, std::memory_order_relaxed);
}

void set_rate(model::ceiling& row, const std::vector<window>& windows) {
  constexpr std::size_t least = 6;
  std::vector<double> calm, all;
  for (std::size_t i = 1; i + 1 < windows.size(); ++i) {
    all.push_back(windows[i].rate);
    if (windows[i + 1].turned_out == windows[i - 1].turned_out) calm.push_back(windows[i].rate);
  }
  row.disturbed = calm.size() < least;
  const auto found = rate_of(row.disturbed ? all : calm);
  row.value = found.value, row.ci = found.ci;
  if (!row.disturbed) return;
  row.value = std::ranges::max(all);
  row.ci = {found.value, row.value};
  row.note = "the machine was busy: " + std::to_string(calm.size()) + " of " + std::to_string(all.size()) +
             " samples undisturbed, the fastest is shown";
}

}  // namespace ridge::backends::probe_host
