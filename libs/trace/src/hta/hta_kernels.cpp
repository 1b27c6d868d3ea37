// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "hta/hta_breakdown.hpp"
#include "hta/hta_folding.hpp"
#include "hta/hta_kernel_type.hpp"

namespace ridge::trace {
namespace {

std::vector<hta_kernel_time> kernels_by_name(const trace& t, const hta_rows& rows, hta_kernel_type type) {
  std::map<std::string_view, std::vector<double>> times;
  for (const auto& r : rows.device) {
    if (r.type == type) times[t.names[r.name]].push_back(static_cast<double>(r.length_ns()));
  }
  std::vector<hta_kernel_time> out;
  for (const auto& [name, lengths] : times)
    out.push_back(hta_kernel_time_of(std::string(name), type, lengths));
  return out;
}

}  // namespace

std::vector<hta_kernel_time> hta_kernels(const trace& t, const hta_rows& rows, const hta_options& options) {
  std::vector<hta_kernel_time> out;
  for (const auto type :
       {hta_kernel_type::communication, hta_kernel_type::computation, hta_kernel_type::memory}) {
    if (type == hta_kernel_type::memory && !options.memory_kernels) continue;
    const auto some = hta_folded(kernels_by_name(t, rows, type), {options.names_shown, options.sums_shown});
    out.insert(out.end(), some.begin(), some.end());
  }
  return out;
}

}  // namespace ridge::trace
