// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include <ridge/trace/hta_programs.hpp>

#include "hta/hta_distribution.hpp"
#include "hta/hta_host_rows.hpp"
#include "hta/hta_steps.hpp"

namespace ridge::trace {
namespace {

constexpr double shortest_of_step = 0.01;  // a shorter kernel makes nobody late

struct long_kernel {
  std::size_t rank = 0;
  std::int32_t stream = 0;
  std::int64_t step = 0;
  std::string_view name{};
  std::uint64_t offset = 0;
  time_range range{};
};

// The chosen steps of all ranks: their times and the communication kernels in them.
struct chosen_steps {
  nanoseconds start_ns = std::numeric_limits<nanoseconds>::max();
  nanoseconds end_ns = std::numeric_limits<nanoseconds>::min();
  std::set<std::int64_t> steps{};
  std::vector<long_kernel> kernels{};

  [[nodiscard]] double mean_step_ns() const {
    return static_cast<double>(end_ns - start_ns) / static_cast<double>(steps.size());
  }
  void take(std::int64_t step, time_range at) {
    steps.insert(step);
    start_ns = std::min(start_ns, at.start_ns);
    end_ns = std::max(end_ns, at.end_ns);
  }
};

void take_rank(const trace& t, std::size_t rank, const std::set<std::int64_t>& wanted,
               const hta_options& options, chosen_steps& out) {
  const auto rows = hta_rows_of(t, options);
  const hta_step_clock clock(t, rows, options);
  for_each_host_row(t, rows, options, [&](event_id, time_range at, bool kept) {
    const auto step = kept ? clock.step_at(at.start_ns) : -1;
    if (wanted.contains(step)) out.take(step, at);
  });
  for (const auto& r : rows.device) {
    const auto calls = rows.calls_of(r.correlation);
    if (!r.is_work || r.stream <= 0 || calls.empty()) continue;
    const auto step = clock.step_at(calls.back().start_ns);
    if (!wanted.contains(step)) continue;
    const time_range at{r.start_ns, r.end_ns};
    out.take(step, at);
    const auto name = t.names[r.name];
    if (step > 0 && name.starts_with("ncclKernel"))
      out.kernels.push_back({rank, r.stream, step, name, t.events.offset[t.works[r.work].event], at});
  }
}

using kernel_key = std::pair<std::int32_t, std::string_view>;  // stream and name

// The last long kernel of each rank, stream, step and name.
std::vector<long_kernel> last_kernels(const chosen_steps& chosen) {
  std::map<std::tuple<std::size_t, std::int32_t, std::int64_t, std::string_view>, long_kernel> last;
  const double shortest = chosen.mean_step_ns() * shortest_of_step;
  for (const auto& k : chosen.kernels) {
    if (static_cast<double>(k.range.end_ns - k.range.start_ns) < shortest) continue;
    auto& of = last[{k.rank, k.stream, k.step, k.name}];
    if (of.name.empty() || k.offset >= of.offset) of = k;
  }
  std::vector<long_kernel> out;
  for (const auto& [key, kernel] : last) out.push_back(kernel);
  return out;
}

// The kernel whose length varies most between ranks, on the mean of the steps; nothing where no step has it
// on two.
std::optional<kernel_key> most_varied(std::span<const long_kernel> kernels) {
  std::map<kernel_key, std::map<std::int64_t, std::vector<double>>> lengths;
  for (const auto& k : kernels)
    lengths[{k.stream, k.name}][k.step].push_back(static_cast<double>(k.range.end_ns - k.range.start_ns));
  std::optional<kernel_key> best;
  double most = -1;
  for (const auto& [key, steps] : lengths) {
    double sum = 0;
    int count = 0;
    for (const auto& [step, x] : steps) {
      if (x.size() < 2) continue;
      sum += sample_deviation(x);
      ++count;
    }
    if (count > 0 && sum / count > most) {
      most = sum / count;
      best = key;
    }
  }
  return best;
}

// Counts for each rank the steps in which it is among the `candidates` that begin the kernel last.
std::map<std::size_t, int> late_counts(std::span<const long_kernel> kernels, kernel_key which,
                                       std::size_t candidates) {
  std::map<std::int64_t, std::vector<const long_kernel*>> steps;
  std::map<std::size_t, int> counts;
  for (const auto& k : kernels) {
    if (kernel_key(k.stream, k.name) != which) continue;
    steps[k.step].push_back(&k);
    counts[k.rank];
  }
  for (const auto& [step, of_step] : steps) {
    std::vector<nanoseconds> starts;
    for (const auto* k : of_step) starts.push_back(k->range.start_ns);
    std::ranges::sort(starts, std::greater{});
    const auto limit = starts[std::min(candidates, starts.size()) - 1];
    for (const auto* k : of_step) counts[k->rank] += k->range.start_ns >= limit;
  }
  return counts;
}

}  // namespace

result<std::vector<std::size_t>> hta_stragglers(std::span<const trace* const> ranks,
                                                const hta_straggler_options& which,
                                                const hta_options& options) {
  std::set<std::int64_t> there, wanted;
  for (const auto* t : ranks) {
    const auto steps = hta_profiler_steps(*t, options);
    there.insert(steps.begin(), steps.end());
  }
  for (const auto step : which.steps.empty() ? std::vector(there.begin(), there.end()) : which.steps)
    if (there.contains(step)) wanted.insert(step);
  if (wanted.empty())
    return error{"none of the steps asked for is in these traces",
                 there.empty() ? "they hold no ProfilerStep that counts: --last-step counts the last one, too"
                               : "they hold the steps " + std::to_string(*there.begin()) + " to " +
                                     std::to_string(*there.rbegin())};
  chosen_steps chosen;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    take_rank(*ranks[rank], rank, wanted, options, chosen);
  const auto kernels = last_kernels(chosen);
  const auto key = most_varied(kernels);
  if (!key)
    return error{
        "no kernel named ncclKernel... of a hundredth of a step is in the same stream and step of two ranks",
        "`ridge trace comm` tells who waits for whom by any collective"};
  const auto candidates = std::max<std::size_t>(which.candidates, 1);
  const auto counts = late_counts(kernels, *key, candidates);
  std::vector<std::pair<std::size_t, int>> order(counts.begin(), counts.end());
  std::ranges::stable_sort(order, std::greater{}, &std::pair<std::size_t, int>::second);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < std::min(candidates, order.size()); ++i) out.push_back(order[i].first);
  return out;
}

}  // namespace ridge::trace
