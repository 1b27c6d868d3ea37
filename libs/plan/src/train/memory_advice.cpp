// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/memory_advice.hpp>

#include <algorithm>
#include <optional>
#include <tuple>

#include "memory_changes.hpp"
#include "memory_tables.hpp"

namespace ridge::plan::train {
namespace {

constexpr double least_saving =
    0.01;  // relative to the need; smaller savings are within the error of the model
constexpr int most_changes_together = 6;

struct advice_question {
  const training_job& job;
  const advice_clock& clock;
  training_plan plan{};  // the original plan
  double need_bytes = 0, capacity_bytes = 0, step_s = 0;
};

// Recomputed norms and activation functions read and write the memory that they save once more each.
double pointwise_s(const advice_question& q, const training_plan& plan, const memory_settings& s) {
  if (!s.recompute_pointwise || plan.recompute != recomputation::selective ||
      q.clock.bandwidth_bytes_per_s <= 0)
    return 0;
  auto plain = s;
  plain.recompute_pointwise = false;
  double spared = 0;
  for (std::size_t k = 0; k < q.job.model.kinds.size(); ++k) {
    const auto kept = [&](const memory_settings& settings) {
      double sum = 0;
      for (const auto& t : kept_by_layer(q.job, settings, q.job.model.kinds[k], plan))
        sum += t.bytes_per_token;
      return sum;
    };
    spared += (kept(plain) - kept(s)) * static_cast<double>(q.job.model.layers_of(k));
  }
  const double tokens = static_cast<double>(micro_batches_of(q.job, plan)) * plan.micro_batch *
                        static_cast<double>(q.job.sequence) / plan.layout.context / plan.layout.pipeline;
  return 2 * spared * tokens / q.clock.bandwidth_bytes_per_s;
}

double seconds(const advice_question& q, const training_plan& plan, const memory_settings& s) {
  return (q.clock.step_s ? q.clock.step_s(plan) : 0) + pointwise_s(q, plan, s);
}

memory_advice evaluated(const advice_question& q, memory_change c) {
  memory_advice a{.change = std::move(c.description),
                  .plan = c.plan,
                  .settings = c.settings,
                  .caution = std::move(c.caution)};
  a.remaining_bytes = memory_model(q.job, a.settings).worst(a.plan).total_bytes();
  a.saved_bytes = q.need_bytes - a.remaining_bytes;
  a.fits = a.remaining_bytes <= q.capacity_bytes;
  a.more_time = q.step_s > 0 ? seconds(q, a.plan, a.settings) / q.step_s - 1 : 0;
  return a;
}

std::vector<memory_advice> singles(const advice_question& q, const training_plan& plan,
                                   const memory_settings& s) {
  std::vector<memory_advice> all;
  for (auto& c : changes_of(q.job, s, plan)) all.push_back(evaluated(q, std::move(c)));
  return all;
}

// Of the changes that fit the one that costs least time; else the one that saves most bytes per time.
const memory_advice* best_of(const std::vector<memory_advice>& all, double from_saved, double from_time) {
  const auto worth = [&](const memory_advice& a) {
    const double time = std::max(a.more_time - from_time, 0.0) + 0.005;
    return std::tuple(a.fits, a.fits ? -time : (a.saved_bytes - from_saved) / time);
  };
  const auto best = std::ranges::max_element(all, {}, worth);
  return best == all.end() || best->saved_bytes <= from_saved ? nullptr : &*best;
}

// Applies changes one after another until the plan fits.
std::optional<memory_advice> all_changes_together(const advice_question& q, memory_advice advice) {
  for (int i = 0; i < most_changes_together && !advice.fits; ++i) {
    const auto all = singles(q, advice.plan, advice.settings);
    const auto* next = best_of(all, advice.saved_bytes, advice.more_time);
    if (next == nullptr) break;
    auto joined = *next;
    if (!advice.change.empty()) joined.change = advice.change + " + " + joined.change;
    if (!advice.caution.empty())
      joined.caution = advice.caution + (joined.caution.empty() ? "" : ", ") + joined.caution;
    advice = std::move(joined);
  }
  if (!advice.fits) return {};
  return advice;
}

std::optional<memory_advice> on_more_gpus(const advice_question& q, const memory_settings& s) {
  for (int factor = 2; factor <= 64; factor *= 2) {
    std::optional<memory_advice> best;
    for (auto& c : enlargements_of(q.job, s, q.plan, factor)) {
      auto fitting = all_changes_together(q, evaluated(q, std::move(c)));
      if (fitting && (!best || fitting->more_time < best->more_time)) best = std::move(fitting);
    }
    if (best) return best;
  }
  return {};
}

void put_in_order(std::vector<memory_advice>& all, double need) {
  std::erase_if(all, [&](const auto& a) { return a.saved_bytes < least_saving * need; });
  std::ranges::stable_sort(
      all, {}, [](const memory_advice& a) { return std::tuple(!a.fits, a.more_time, -a.saved_bytes); });
}

}  // namespace

std::vector<memory_advice> advise(const memory_model& model, const training_plan& plan, double capacity_bytes,
                                  const advice_clock& clock) {
  advice_question q{.job = model.job(), .clock = clock, .plan = plan, .capacity_bytes = capacity_bytes};
  q.need_bytes = model.worst(plan).total_bytes();
  q.step_s = seconds(q, plan, model.settings());
  auto all = singles(q, plan, model.settings());
  put_in_order(all, q.need_bytes);
  if (q.need_bytes <= capacity_bytes || (!all.empty() && all.front().fits)) return all;
  auto fitting = all_changes_together(q, {.plan = plan, .settings = model.settings()});
  if (!fitting) fitting = on_more_gpus(q, model.settings());
  if (fitting) all.insert(all.begin(), std::move(*fitting));
  return all;
}

}  // namespace ridge::plan::train
