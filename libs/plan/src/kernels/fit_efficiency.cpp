// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/kernels/fit_efficiency.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <ridge/plan/kernels/simplex_search.hpp>

namespace ridge::plan::kernels {
namespace {

// Selects at most so many of the measurements, evenly.
constexpr std::size_t most_samples = 1500;
std::vector<timed_kernel> thinned(const std::vector<timed_kernel>& all) {
  if (all.size() <= most_samples) return all;
  std::vector<timed_kernel> some;
  for (std::size_t i = 0; i < most_samples; ++i) some.push_back(all[i * all.size() / most_samples]);
  return some;
}

efficiency curve_of(const std::vector<double>& x, double most_floor_s) {
  const auto at = [&](std::size_t i, double least, double most) {
    return std::clamp(std::exp(x[i]), least, most);
  };
  return {at(0, 1e-7, most_floor_s), at(1, 0.005, 1),  at(2, 0.005, 1),
          at(3, 1e-3, 1e9),          at(4, 1e-3, 1e9), at(5, 1e-3, 1e9)};
}

class fitter {
 public:
  fitter(const accelerator& gpu, const efficiency_entry& entry, const std::vector<timed_kernel>& measured)
      : samples_(thinned(measured)) {
    catalogue_.entries = {entry};
    times_ = analytic_times(gpu, catalogue_);
    // Experts of a few tokens lie far above the formula's traffic: their floor would be that of the larger
    // ones.
    if (entry.kernel == "experts")
      for (const auto& s : samples_) most_floor_s_ = std::min(most_floor_s_, std::max(s.seconds, 1e-7));
  }

  efficiency fit() {
    efficiency best;
    double least = 1e300;
    const auto value = [&](const std::vector<double>& x) { return error(x); };
    for (const double floor : {3e-6, 2e-5})
      for (const double half : {10.0, 1000.0}) {
        const std::vector<double> start{std::log(floor), std::log(0.7),  std::log(0.6),
                                        std::log(half),  std::log(half), std::log(half)};
        auto found = simplex_search(value, start, {1, 0.3, 0.3, 1.5, 1.5, 1.5}, 250);
        found = simplex_search(value, found.point, {0.5, 0.2, 0.2, 1, 1, 1}, 250);
        if (found.value < least) least = found.value, best = curve_of(found.point, most_floor_s_);
      }
    return best;
  }

 private:
  double error(const std::vector<double>& x) {
    catalogue_.entries.front().curve = curve_of(x, most_floor_s_);
    double sum = 0;
    for (const auto& s : samples_) sum += std::min(std::abs(std::log(s.predict(*times_) / s.seconds)), 1.0);
    return sum / static_cast<double>(samples_.size());
  }

  efficiency_catalogue catalogue_{};
  std::shared_ptr<const kernel_times> times_;
  std::vector<timed_kernel> samples_;
  double most_floor_s_ = 1e-3;
};

// Removes numbers that the time of a kernel does not depend on.
efficiency used(const std::string& kernel, efficiency c) {
  const bool exchange = kernel.starts_with("all_") || kernel == "reduce_scatter";
  if (exchange || kernel == "elementwise") c.flop_share = 1, c.half_rows = c.half_columns = c.half_depth = 0;
  if (kernel.ends_with("prefill") || kernel == "prefill_attention") c.half_columns = 0;
  if (kernel.ends_with("decode") || kernel == "decode_attention" || kernel == "experts") c.half_depth = 0;
  return c;
}

}  // namespace

double three_digits(double x) {
  if (x == 0) return 0;
  const double scale = std::pow(10, 3 - std::ceil(std::log10(std::abs(x))));
  return std::round(x * scale) / scale;
}

efficiency fit_efficiency(const accelerator& gpu, const efficiency_entry& entry,
                          const std::vector<timed_kernel>& measured) {
  if (measured.empty()) return {};
  const auto c = used(entry.kernel, fitter(gpu, entry, measured).fit());
  return {three_digits(c.floor_s),   three_digits(c.bandwidth_share), three_digits(c.flop_share),
          three_digits(c.half_rows), three_digits(c.half_columns),    three_digits(c.half_depth)};
}

fit_error error_of(const accelerator& gpu, const efficiency_entry& entry,
                   const std::vector<timed_kernel>& measured) {
  if (measured.empty()) return {};
  const efficiency_catalogue alone{.entries = {entry}};
  const auto times = analytic_times(gpu, alone);
  std::vector<double> off;
  for (const auto& s : measured) off.push_back(std::abs(s.predict(*times) / s.seconds - 1));
  std::ranges::sort(off);
  return {off[off.size() / 2], off[off.size() * 9 / 10]};
}

}  // namespace ridge::plan::kernels
