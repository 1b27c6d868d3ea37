// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/contention.hpp>

#include <algorithm>
#include <map>
#include <tuple>

#include "communication/covered.hpp"
#include "timeline/integer_median.hpp"

namespace ridge::trace {
namespace {

using shape = std::tuple<name_id, std::array<std::uint32_t, 3>, std::array<std::uint32_t, 3>>;

struct runs {
  std::vector<nanoseconds> beside{}, alone{};
};

std::map<shape, runs> runs_of(const trace& t, std::int32_t device, std::span<const work_class> classes) {
  const auto communication = times_of(t, device, classes, work_class::communication);
  std::map<shape, runs> found;
  for (const auto& w : t.works_of(device)) {
    const auto at = static_cast<std::size_t>(&w - t.works.data());
    if (classes[at] != work_class::compute || w.duration_ns() <= 0) continue;
    const auto covered = covered_ns(communication, {w.start_ns, w.end_ns});
    auto& of = found[{w.name, w.grid, w.block}];
    if (covered == 0) of.alone.push_back(w.duration_ns());
    if (2 * covered >= w.duration_ns()) of.beside.push_back(w.duration_ns());
  }
  return found;
}

contended_kernel contended_kernel_of(const shape& size, const runs& measured) {
  contended_kernel k{.name = std::get<0>(size), .grid = std::get<1>(size), .block = std::get<2>(size)};
  k.beside = measured.beside.size();
  k.alone = measured.alone.size();
  k.beside_median_ns = median(measured.beside, middle::lower);
  k.alone_median_ns = median(measured.alone, middle::lower);
  for (const auto d : measured.beside) k.beside_total_ns += d;
  k.excess_ns = k.beside_total_ns - static_cast<nanoseconds>(k.beside) * k.alone_median_ns;
  return k;
}

}  // namespace

std::optional<double> contention_report::slowdown() const {
  if (expected_ns == 0) return std::nullopt;
  return static_cast<double>(beside_ns) / static_cast<double>(expected_ns);
}

contention_report contention_of(const trace& t, std::int32_t device, std::span<const work_class> classes,
                                std::uint64_t least_runs) {
  contention_report report;
  const auto least = std::max<std::uint64_t>(least_runs, 1);
  for (const auto& [what, of] : runs_of(t, device, classes)) {
    if (of.beside.size() < least || of.alone.size() < least) continue;
    const auto k = contended_kernel_of(what, of);
    report.beside_ns += k.beside_total_ns;
    report.expected_ns += k.beside_total_ns - k.excess_ns;
    report.kernels.push_back(k);
  }
  std::ranges::stable_sort(report.kernels, std::ranges::greater{}, &contended_kernel::excess_ns);
  return report;
}

}  // namespace ridge::trace
