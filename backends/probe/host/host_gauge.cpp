// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <memory>
#include <optional>

#include <ridge/probe/gauge.hpp>

#include "arithmetic/arithmetic_probe.hpp"
#include "memory/memory_probe.hpp"

namespace ridge::backends::probe_host {
namespace {

constexpr int tries = 3;

// The highest of a few samples, disturbed or not: enough to choose a kernel by.
template <class Step>
double best_rate(double work, Step step) {
  double best = 0;
  for (int i = 0; i < tries; ++i) best = std::max(best, work / step().seconds);
  return best;
}

arithmetic_loop best_loop(sampler& on) {
  std::optional<arithmetic_loop> best;
  double most = 0;
  for (const auto* kernel : runnable_kernels(number::fp32)) {
    arithmetic_loop loop(on, *kernel);
    const auto rate = best_rate(loop.work(), [&] { return loop.step(on); });
    if (rate > most) most = rate, best = std::move(loop);
  }
  return std::move(*best);
}

class host_gauge final : public probe::gauge {
 public:
  explicit host_gauge(const measure::clock& clock) : clock_(clock) {}

  double read(std::string_view id, host::team* team) override {
    sampler on(clock_, team);
    if (id == "cpu.fma.fp32") return fma(on);
    if (id == "cpu.triad") return triad(on);
    return 0;
  }

 private:
  double fma(sampler& on) {
    auto found = fma_.find(on.threads());
    if (found == fma_.end()) found = fma_.emplace(on.threads(), best_loop(on)).first;
    const auto t = found->second.step(on);
    found->second.check();
    return t.clean ? found->second.work() / t.seconds : 0;
  }

  double triad(sampler& on) {
    if (!arrays_) {
      arrays_.emplace(array_bytes(host::read_topology()));
      arrays_->fill(on);
      walk_.emplace(*arrays_);
    }
    auto& kernel = triad_[on.threads()];
    if (kernel == nullptr) kernel = best_triad(on);
    const auto t = walk_->step(on, kernel);
    return t.clean ? 3 * walk_->window_bytes() / t.seconds : 0;
  }

  array_kernel best_triad(sampler& on) {
    const auto& kernels = best_memory_kernels();
    const auto rate_of = [&](array_kernel kernel) {
      walk_->settle(on, kernel);
      return best_rate(1, [&] { return walk_->step(on, kernel); });
    };
    if (kernels.triad_streaming.empty()) return kernels.triad.front().run;
    return rate_of(kernels.triad_streaming.front().run) > rate_of(kernels.triad.front().run)
               ? kernels.triad_streaming.front().run
               : kernels.triad.front().run;
  }

  const measure::clock& clock_;
  std::map<int, arithmetic_loop> fma_;
  std::optional<probe_arrays> arrays_{};
  std::optional<array_walk> walk_{};
  std::map<int, array_kernel> triad_;
};

}  // namespace

std::unique_ptr<probe::gauge> make_gauge(const measure::clock& clock) {
  return std::make_unique<host_gauge>(clock);
}

}  // namespace ridge::backends::probe_host
