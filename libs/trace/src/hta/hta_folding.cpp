// SPDX-License-Identifier: Apache-2.0
#include "hta/hta_folding.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include <ridge/stats/quantile.hpp>

#include "hta/hta_distribution.hpp"

namespace ridge::trace {
namespace {

std::vector<double> running_sums(std::span<const hta_kernel_time> kernels) {
  std::vector<double> sums;
  double sum = 0;
  for (const auto& k : kernels) sums.push_back(sum += k.sum_ns);
  return sums;
}

bool is_kept(const std::string& name, std::span<const std::string> parts) {
  return std::ranges::any_of(parts, [&](const auto& part) { return name.find(part) != std::string::npos; });
}

}  // namespace

hta_kernel_time hta_kernel_time_of(std::string name, hta_kernel_type type, const std::vector<double>& times) {
  hta_kernel_time k{.name = std::move(name), .type = type};
  k.sum_ns = std::accumulate(times.begin(), times.end(), 0.0);
  k.max_ns = std::ranges::max(times);
  k.min_ns = std::ranges::min(times);
  k.mean_ns = k.sum_ns / static_cast<double>(times.size());
  k.deviation_ns = times.size() < 2 ? 0 : sample_deviation(times);
  return k;
}

std::vector<hta_kernel_time> hta_folded(std::vector<hta_kernel_time> kernels, const hta_folding& folding) {
  std::ranges::stable_sort(kernels, std::greater<>{}, &hta_kernel_time::sum_ns);
  if (kernels.size() > folding.names) {
    const auto sums = running_sums(kernels);
    const auto limit = stats::sorted_quantile(sums, folding.sums);
    std::map<std::string, std::vector<double>> shown;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      const bool past = sums[i] > limit || i >= folding.names;
      const bool others = past && !is_kept(kernels[i].name, folding.kept_parts);
      shown[others ? "others" : kernels[i].name].push_back(kernels[i].sum_ns);
    }
    const auto type = kernels.front().type;
    kernels.clear();
    for (const auto& [name, times] : shown) kernels.push_back(hta_kernel_time_of(name, type, times));
  }
  std::ranges::sort(kernels, {}, &hta_kernel_time::name);
  return kernels;
}

}  // namespace ridge::trace
