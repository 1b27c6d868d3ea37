// SPDX-License-Identifier: Apache-2.0
#include "plan_ranking.hpp"

#include <algorithm>

namespace ridge::plan::train {

void best_plans::offer(const ranked_plan& p) {
  if (most_ == 0 || (all_.size() == most_ && !better(p, all_.back()))) return;
  if (all_.size() == most_) all_.pop_back();
  all_.insert(std::ranges::upper_bound(all_, p, better), p);
}

void plan_front::offer(const ranked_plan& p) {
  const auto slower = [](double s, const ranked_plan& q) { return s < q.scored.step_s; };
  auto after = std::upper_bound(all_.begin(), all_.end(), p.scored.step_s, slower);
  if (after != all_.begin()) {
    const auto& before = *std::prev(after);  // no slower than p
    const bool same =
        before.scored.step_s == p.scored.step_s && before.scored.memory_bytes == p.scored.memory_bytes;
    if (same ? !better(p, before) : before.scored.memory_bytes <= p.scored.memory_bytes) return;
  }
  auto first = after;
  while (first != all_.begin() && std::prev(first)->scored.step_s == p.scored.step_s) --first;
  auto last = after;
  while (last != all_.end() && last->scored.memory_bytes >= p.scored.memory_bytes) ++last;
  all_.insert(all_.erase(first, last), p);
}

std::vector<scored_plan> undominated(std::vector<ranked_plan> all) {
  std::ranges::sort(all, [](const ranked_plan& a, const ranked_plan& b) {
    if (a.scored.gpus != b.scored.gpus) return a.scored.gpus < b.scored.gpus;
    if (a.scored.step_s != b.scored.step_s) return a.scored.step_s < b.scored.step_s;
    if (a.scored.memory_bytes != b.scored.memory_bytes) return a.scored.memory_bytes < b.scored.memory_bytes;
    return better(a, b);
  });
  plan_front so_far;
  std::vector<scored_plan> out;
  for (const auto& p : all) {
    const bool beaten = std::ranges::any_of(so_far.all(), [&](const ranked_plan& q) {
      return q.scored.step_s <= p.scored.step_s && q.scored.memory_bytes <= p.scored.memory_bytes;
    });
    if (beaten) continue;
    so_far.offer(p);
    out.push_back(p.scored);
  }
  return out;
}

}  // namespace ridge::plan::train
