// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/search.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include <ridge/base/expects.hpp>
#include <ridge/base/usable_processors.hpp>

#include "search_walk.hpp"

namespace ridge::plan::train {
namespace {

using steady = std::chrono::steady_clock;

// Threads take the next part when they are free; the result does not depend on which thread takes which.
class search_crew {
 public:
  search_crew(const search_ground& ground, const search_progress& progress)
      : ground_(ground), parts_(parts_of(ground)), progress_(progress), found_(ground.asked) {}

  void work(int threads) {
    {
      std::vector<std::jthread> others;
      for (int i = 1; i < threads; ++i) others.emplace_back([this] { take_parts(); });
      take_parts();
    }
  }

  [[nodiscard]] const search_findings& found() const { return found_; }
  [[nodiscard]] bool stopped() const { return stopped_; }
  [[nodiscard]] std::size_t parts() const { return parts_.size(); }

 private:
  void take_parts() {
    search_findings mine(ground_.asked);
    for (auto i = next_++; i < parts_.size() && !stopped_; i = next_++) {
      walk(ground_, parts_[i], mine);
      tell();
    }
    const std::scoped_lock lock(merging_);
    found_.merge(mine);
  }

  void tell() {
    const auto done = ++done_;
    if (!progress_) return;
    const std::unique_lock lock(telling_, std::try_to_lock);
    if (!lock) return;
    if (!progress_(static_cast<double>(done) / static_cast<double>(parts_.size()))) stopped_ = true;
  }

  const search_ground& ground_;
  std::vector<search_part> parts_;
  const search_progress& progress_;
  search_findings found_;
  std::atomic<std::size_t> next_{0}, done_{0};
  std::atomic<bool> stopped_{false};
  std::mutex telling_{}, merging_{};
};

search_ground ground_of(const search_request& asked, const search_axes& axes,
                        std::span<const plan_models* const> precisions) {
  search_ground on{asked, axes, precisions};
  for (const int t : axes.tensor) on.expert_tensor.push_back(expert_tensor_of(asked.job, asked.space, t));
  return on;
}

int threads_for(const search_request& asked, std::size_t parts) {
  const int wanted = asked.threads > 0 ? asked.threads : static_cast<int>(usable_processors());
  return std::clamp(wanted, 1, static_cast<int>(std::max<std::size_t>(parts, 1)));
}

search_result result_of(const search_findings& found) {
  search_result out;
  for (const auto& p : found.best.all()) out.best.push_back(p.scored);
  std::vector<ranked_plan> fronts;
  for (const auto& f : found.fronts) fronts.insert(fronts.end(), f.all().begin(), f.all().end());
  out.front = undominated(std::move(fronts));
  out.evaluated = found.evaluated;
  out.timed = found.timed;
  std::ranges::copy(found.rejected, out.rejected);
  out.least_memory_bytes = found.least_memory_bytes;
  out.least_memory = found.least_memory;
  out.least_memory_precision = found.least_memory_precision;
  return out;
}

}  // namespace

std::string_view name_of(objective o) {
  constexpr std::array<std::string_view, 3> names{"time", "cost", "memory"};
  return names[static_cast<std::size_t>(o)];
}

std::string_view name_of(rejection r) {
  constexpr std::array<std::string_view, rejection_kinds> names{"memory", "gpus", "batch", "schedule",
                                                                "experts"};
  return names[static_cast<std::size_t>(r)];
}

double score(const scored_plan& p, const search_request& request) {
  const double price = request.dollars_per_gpu_hour > 0 ? request.dollars_per_gpu_hour / 3600 : 1;
  switch (request.objective) {
    case objective::time:
      return p.step_s;
    case objective::cost:
      return p.step_s * static_cast<double>(p.gpus) * price;
    case objective::memory:
      return p.memory_bytes;
  }
  return p.step_s;
}

search_result search(const search_request& request, const search_axes& axes,
                     std::span<const plan_models* const> precisions, const search_progress& progress) {
  expects(!precisions.empty() && precisions.size() < 256, "search: one to 255 precisions");
  const auto begin = steady::now();
  const auto on = ground_of(request, axes, precisions);
  search_crew crew(on, progress);
  const int threads = threads_for(request, crew.parts());
  crew.work(threads);
  auto out = result_of(crew.found());
  out.threads = threads;
  out.stopped = crew.stopped();
  out.wall_s = std::chrono::duration<double>(steady::now() - begin).count();
  return out;
}

}  // namespace ridge::plan::train
