// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <ridge/stats/quantile.hpp>

#include "hta/hta_breakdown.hpp"
#include "hta/hta_distribution.hpp"
#include "hta/hta_kernel_type.hpp"

namespace ridge::trace {
namespace {

constexpr std::size_t names_shown = 10;  // HTA's num_kernels
constexpr double sums_shown = 0.8;       // its duration_ratio

hta_kernel_time kernel_time_of(std::string name, hta_kernel_type type, const std::vector<double>& times) {
  hta_kernel_time k{.name = std::move(name), .type = type};
  k.sum_ns = std::accumulate(times.begin(), times.end(), 0.0);
  k.max_ns = std::ranges::max(times);
  k.min_ns = std::ranges::min(times);
  k.mean_ns = k.sum_ns / static_cast<double>(times.size());
  k.deviation_ns = times.size() < 2 ? 0 : sample_deviation(times);
  return k;
}

std::vector<hta_kernel_time> kernels_by_name(const trace& t, const hta_rows& rows, hta_kernel_type type) {
  std::map<std::string_view, std::vector<double>> times;
  for (const auto& r : rows.device) {
    if (r.type == type) times[t.names[r.name]].push_back(static_cast<double>(r.length_ns()));
  }
  std::vector<hta_kernel_time> out;
  for (const auto& [name, lengths] : times) out.push_back(kernel_time_of(std::string(name), type, lengths));
  std::ranges::stable_sort(out, std::greater<>{}, &hta_kernel_time::sum_ns);
  return out;
}

std::vector<double> running_sums(std::span<const hta_kernel_time> kernels) {
  std::vector<double> sums;
  double sum = 0;
  for (const auto& k : kernels) sums.push_back(sum += k.sum_ns);
  return sums;
}

std::vector<hta_kernel_time> folded(std::vector<hta_kernel_time> kernels, hta_kernel_type type) {
  if (kernels.size() <= names_shown) return kernels;
  const auto sums = running_sums(kernels);
  const auto limit = stats::sorted_quantile(sums, sums_shown);
  std::map<std::string, std::vector<double>> kept;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const bool others = sums[i] > limit || i >= names_shown;
    kept[others ? "others" : kernels[i].name].push_back(kernels[i].sum_ns);
  }
  std::vector<hta_kernel_time> out;
  for (const auto& [name, times] : kept) out.push_back(kernel_time_of(name, type, times));
  return out;
}

}  // namespace

std::vector<hta_kernel_time> hta_kernels(const trace& t, const hta_rows& rows) {
  std::vector<hta_kernel_time> out;
  for (const auto type :
       {hta_kernel_type::communication, hta_kernel_type::computation, hta_kernel_type::memory}) {
    auto some = folded(kernels_by_name(t, rows, type), type);
    std::ranges::sort(some, {}, &hta_kernel_time::name);
    out.insert(out.end(), some.begin(), some.end());
  }
  return out;
}

}  // namespace ridge::trace
