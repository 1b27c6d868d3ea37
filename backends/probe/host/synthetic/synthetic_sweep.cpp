// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/host/pages.hpp>
#include <ridge/host/topology.hpp>
#include <ridge/probe/synthetic.hpp>

#include "arithmetic/arithmetic_probe.hpp"
#include "memory/memory_probe.hpp"
#include "sampler.hpp"
#include "synthetic/synthetic_kernels.hpp"

namespace ridge::backends::probe_host {
namespace {

// Short enough for most samples to end undisturbed on a busy machine, and long compared with the start of a
// team.
constexpr double sweep_sample_s = 0.3e-3;
constexpr std::size_t least_rounds = 6, most_rounds = 400;

struct working_set {
  std::string level{};
  std::size_t elements = 0;  // elements of one thread
  bool resident = true;      // stays in its cache from call to call
};

std::size_t whole_blocks(std::size_t bytes) {
  return std::max<std::size_t>(bytes / sizeof(float) / synthetic_block, 1) * synthetic_block;
}

// Returns half of the first and of the second cache of a core, and memory. The last cache is left out, since
// hypervisors show that of the whole host.
std::vector<working_set> working_sets(const host::topology& machine, int threads) {
  const auto cores = std::max<std::size_t>(machine.cores.size(), 1);
  const auto l1 = machine.cache_bytes(1) / cores, l2 = machine.cache_bytes(2) / cores;
  std::vector<working_set> sets;
  if (l1 > 0) sets.push_back({"L1", whole_blocks(std::min<std::size_t>(l1, 32 << 10) / 2)});
  if (l2 > 0) sets.push_back({"L2", whole_blocks(l2 / 2)});
  sets.push_back({"DRAM", whole_blocks(3 * array_bytes(machine) / static_cast<std::size_t>(threads)), false});
  return sets;
}

// The stream of each thread, on pages that it touched first.
class streams final {
 public:
  streams(sampler& sampler, const working_set& set)
      : set_(set), parts_(static_cast<std::size_t>(sampler.threads())) {
    for (auto& p : parts_) {
      p.memory = host::region(set.elements * sizeof(float), host::huge_page_bytes,
                              host::huge_pages::transparent, host::first_touch::later);
    }
    sampler.run([&](int rank, int) {
      std::uint32_t state = 2463534242u + static_cast<std::uint32_t>(rank);
      for (float& x : elements(rank)) {
        state ^= state << 13, state ^= state >> 17, state ^= state << 5;
        x = 0.5f + static_cast<float>(state >> 8) * 0x1p-24f;
      }
    });
  }

  [[nodiscard]] std::span<float> elements(int rank) const {
    return parts_[static_cast<std::size_t>(rank)].memory.as<float>().first(set_.elements);
  }

  // Passes over all elements as often as fit into `count`; in memory it continues by `count` elements from
  // where the last call ended.
  void pass(const synthetic_kernel& kernel, int rank, std::size_t count) {
    auto& mine = parts_[static_cast<std::size_t>(rank)];
    const auto x = elements(rank);
    if (set_.resident)
      return kernel.run(x.data(), x.size(), std::max<std::size_t>(count / x.size(), 1), mine.result);
    while (count > 0) {
      const auto piece = std::min(count, x.size() - mine.next);
      kernel.run(x.data() + mine.next, piece, 1, mine.result);
      mine.next = mine.next + piece == x.size() ? 0 : mine.next + piece;
      count -= piece;
    }
  }

  [[nodiscard]] const working_set& set() const { return set_; }

 private:
  struct alignas(64) part {
    host::region memory{};
    std::size_t next = 0;
    synthetic_result result{};
  };
  working_set set_;
  std::vector<part> parts_;
};

// A kernel on all threads, with as many elements per sample as take sweep_sample_s.
class stepper final {
 public:
  stepper(sampler& sampler, streams& through, const synthetic_kernel& kernel)
      : through_(through), kernel_(kernel) {
    check();
    count_ = through_.set().resident ? through_.set().elements : synthetic_block;
    for (auto t = time(sampler); t.seconds < sweep_sample_s / 4 && count_ < (std::size_t{1} << 28);
         t = time(sampler))
      count_ *= 4;
    const double seconds = std::max(time(sampler).seconds, 1e-7);
    const auto wanted = whole_blocks(
        static_cast<std::size_t>(static_cast<double>(count_ * sizeof(float)) * sweep_sample_s / seconds));
    const auto all = through_.set().elements;
    count_ = through_.set().resident ? std::max(wanted / all, std::size_t{1}) * all : wanted;
  }
  timing time(sampler& sampler) {
    return sampler.time([&](int rank, int) { through_.pass(kernel_, rank, count_); });
  }
  [[nodiscard]] double work(int threads) const {
    const double a_element = kernel_.fma_per_element == 0 ? sizeof(float) : 2.0 * kernel_.fma_per_element;
    return a_element * static_cast<double>(count_) * threads;
  }
  [[nodiscard]] int fma_per_element() const { return kernel_.fma_per_element; }

 private:
  void check() const {
    const auto x = through_.elements(0).first(synthetic_block);
    synthetic_result found;
    kernel_.run(x.data(), x.size(), 1, found);
    if (!is_right(kernel_, x, found))
      throw failure({fmt::format("the kernel of {} multiply-adds per element computed a wrong value",
                                 kernel_.fma_per_element),
                     ""});
  }
  streams& through_;
  const synthetic_kernel& kernel_;
  std::size_t count_ = 0;
};

// Runs all kernels of a round one after the other, the limits among them.
class rounds final {
 public:
  rounds(sampler& sampler, streams& through)
      : sampler_(sampler), fma_(sampler, *runnable_kernels(number::fp32, operation::multiply_add).back()) {
    for (const auto& k : synthetic_kernels(through.set().resident ? from::cache : from::memory))
      steps_.emplace_back(sampler, through, k);
    seen_.resize(steps_.size());
    whole_.resize(steps_.size());
  }

  void take() {
    const auto peak = fma_.step(sampler_);
    std::vector<double> rates;
    std::vector<bool> clean;
    for (auto& s : steps_) {
      const auto t = s.time(sampler_);
      rates.push_back(s.work(sampler_.threads()) / t.seconds);
      clean.push_back(t.clean);
    }
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const probe::sweep_sample sample{rates[i], rates[0], fma_.work() / peak.seconds};
      seen_[i].push_back(sample);
      if (clean[i] && clean[0] && peak.clean) whole_[i].push_back(sample);
    }
    ++taken_;
  }

  [[nodiscard]] std::size_t taken() const { return taken_; }
  // Returns the number of rounds without disturbance of the kernel that has the fewest.
  [[nodiscard]] std::size_t undisturbed() const {
    return std::ranges::min_element(whole_, {}, [](const auto& w) { return w.size(); })->size();
  }

  void put(model::intensity_sweep& sweep) const {
    bool busy = false;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const bool enough = whole_[i].size() >= least_rounds;
      busy = busy || !enough;
      sweep.steps.push_back(
          probe::step_of(steps_[i].fma_per_element(), sizeof(float), enough ? whole_[i] : seen_[i]));
    }
    sweep.bandwidth = sweep.steps.front().flop_per_s;
    std::vector<double> peaks;
    for (const auto& s : whole_[0].size() >= least_rounds ? whole_[0] : seen_[0]) peaks.push_back(s.peak);
    sweep.peak = rate_of(peaks).value;
    if (busy) sweep.note = "the machine was busy: few rounds were undisturbed";
  }

 private:
  sampler& sampler_;
  arithmetic_loop fma_;
  std::vector<stepper> steps_{};
  std::vector<std::vector<probe::sweep_sample>> seen_{}, whole_{};
  std::size_t taken_ = 0;
};

model::intensity_sweep sweep_one(sampler& sampler, const working_set& set, double time_s) {
  streams through(sampler, set);
  rounds all(sampler, through);
  const auto begin = sampler.clock().now();
  const auto time_left = [&] {
    const double limit_s = all.undisturbed() < least_rounds ? 3 * time_s : time_s;
    return sampler.clock().seconds(sampler.clock().now() - begin) < limit_s;
  };
  while (all.taken() < least_rounds || (all.taken() < most_rounds && time_left())) all.take();
  model::intensity_sweep made{.level = set.level, .threads = sampler.threads()};
  made.working_set_bytes = static_cast<double>(set.elements * sizeof(float));
  all.put(made);
  probe::finish(made);
  return made;
}

class sweeper final : public probe::intensity_sweeper {
 public:
  std::vector<model::intensity_sweep> sweep(const measure::clock& clock,
                                            const probe::sweep_options& options) override {
    if (synthetic_kernels(from::cache).empty())
      throw unavailable("an intensity sweep needs AVX2 with FMA", "run it on a CPU that has them");
    const auto machine = host::read_topology();
    auto threads = options.threads;
    if (threads.empty()) threads = {1, static_cast<int>(machine.cores.size())};
    threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
    std::vector<model::intensity_sweep> sweeps;
    for (const int count : threads) {
      sampler on(clock, count);
      for (const auto& set : working_sets(machine, count))
        sweeps.push_back(sweep_one(on, set, options.time_s));
    }
    return sweeps;
  }
};

}  // namespace

std::unique_ptr<probe::intensity_sweeper> make_sweeper() { return std::make_unique<sweeper>(); }

}  // namespace ridge::backends::probe_host
