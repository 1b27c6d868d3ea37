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

// Returns the highest of a few samples, disturbed or not, which suffices to choose a kernel.
template <class Step>
double best_rate(double work, Step step) {
  double best = 0;
  for (int i = 0; i < tries; ++i) best = std::max(best, work / step().seconds);
  return best;
}

arithmetic_loop best_loop(sampler& sampler) {
  std::optional<arithmetic_loop> best;
  double most = 0;
  for (const auto* kernel : runnable_kernels(number::fp32)) {
    arithmetic_loop loop(sampler, *kernel);
    const auto rate = best_rate(loop.work(), [&] { return loop.step(sampler); });
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
  double fma(sampler& sampler) {
    auto found = fma_.find(sampler.threads());
    if (found == fma_.end()) found = fma_.emplace(sampler.threads(), best_loop(sampler)).first;
    const auto t = found->second.step(sampler);
    found->second.check();
    return t.clean ? found->second.work() / t.seconds : 0;
  }

  double triad(sampler& sampler) {
    if (!arrays_) {
      arrays_.emplace(array_bytes(host::read_topology()));
      arrays_->fill(sampler);
      walk_.emplace(*arrays_);
    }
    auto& kernel = triad_[sampler.threads()];
    if (kernel == nullptr) kernel = best_triad(sampler);
    const auto t = walk_->step(sampler, kernel);
    return t.clean ? 3 * walk_->window_bytes() / t.seconds : 0;
  }

  array_kernel best_triad(sampler& sampler) {
    const auto& kernels = best_memory_kernels();
    const auto rate_of = [&](array_kernel kernel) {
      walk_->settle(sampler, kernel);
      return best_rate(1, [&] { return walk_->step(sampler, kernel); });
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
