// SPDX-License-Identifier: Apache-2.0
#include "search_walk.hpp"

#include <algorithm>

namespace ridge::plan::train {
namespace {

std::int64_t& count(search_findings& findings, rejection r) {
  return findings.rejected[static_cast<std::size_t>(r)];
}

class part_walk {
 public:
  part_walk(const search_ground& ground, const search_part& part, search_findings& findings)
      : ground_(ground), part_(part), findings_(findings), models_(*ground.precisions[part.precision]) {
    plan_.layout.tensor = ground.axes.tensor[part.tensor];
    plan_.layout.pipeline = stages().pipeline;
    plan_.layout.context = ground.axes.context[part.context];
  }

  void all() {
    const auto cut = plan_.layout.gpus();
    if (cut > gpus()) {
      ++count(findings_, rejection::gpus);
      return;
    }
    for (const int micro : ground_.axes.micro_batch) {
      plan_.micro_batch = micro;
      if (!data_ranks(gpus() / cut)) ++count(findings_, rejection::batch);
    }
  }

 private:
  [[nodiscard]] const search_axes::stages& stages() const { return ground_.axes.pipeline[part_.pipeline]; }
  [[nodiscard]] std::int64_t gpus() const { return ground_.asked.gpus[part_.gpus]; }

  // Every number of data ranks that divides the batch and uses enough of the GPUs.
  bool data_ranks(std::int64_t most) {
    const auto& data = ground_.axes.data;
    const double least = ground_.asked.space.min_used * static_cast<double>(most);
    bool any = false;
    for (auto d = std::ranges::upper_bound(data, most); d != data.begin();) {
      --d;
      if (static_cast<double>(*d) <= least) break;
      if (ground_.asked.job.global_batch % (*d * plan_.micro_batch) != 0) continue;
      plan_.layout.data = static_cast<int>(*d);
      any = true;
      experts();
    }
    return any;
  }

  void experts() {
    const auto& l = plan_.layout;
    const auto of_a_stage = std::int64_t{l.tensor} * l.context * l.data;
    for (const int tensor : ground_.expert_tensor[part_.tensor]) {
      for (const int ranks : ground_.axes.expert) {
        plan_.layout.expert = ranks;
        plan_.layout.expert_tensor = tensor;
        if (of_a_stage % (std::int64_t{ranks} * tensor) != 0)
          ++count(findings_, rejection::experts);
        else
          interleavings();
      }
    }
  }

  void interleavings() {
    const auto micro_batches =
        ground_.asked.job.global_batch / (std::int64_t{plan_.layout.data} * plan_.micro_batch);
    for (const int v : stages().virtual_pipeline) {
      plan_.layout.virtual_pipeline = v;
      for (const auto schedule : ground_.asked.space.schedule) {
        plan_.schedule = schedule;
        if (schedule_holds(plan_, micro_batches))
          ways();
        else
          ++count(findings_, rejection::schedule);
      }
    }
  }

  // Variants that do not change the layout; the best of them represents it.
  void ways() {
    best_ = {};
    found_ = false;
    const bool replicas = plan_.layout.data > 1 || plan_.layout.context > 1;
    for (const auto shard : ground_.asked.space.shard) {
      plan_.shard = shard;
      for (const auto recompute : ground_.asked.space.recompute) {
        plan_.recompute = recompute;
        for (const bool sequence : ground_.asked.space.sequence_parallel) {
          plan_.sequence_parallel = sequence;
          evaluate();
          if (plan_.layout.tensor == 1) break;
        }
      }
      if (!replicas) break;
    }
    if (found_) findings_.best.offer(best_);
  }

  void evaluate() {
    ++findings_.evaluated;
    const double bytes = models_.memory_bytes(plan_);
    findings_.note_memory(bytes, plan_, static_cast<std::uint8_t>(part_.precision));
    if (!(bytes <= ground_.asked.memory_bytes)) {
      ++count(findings_, rejection::memory);
      return;
    }
    ++findings_.timed;
    ranked_plan p{.scored = {.plan = plan_,
                             .precision = static_cast<std::uint8_t>(part_.precision),
                             .gpus = gpus(),
                             .step_s = models_.step_s(plan_),
                             .memory_bytes = bytes}};
    p.score = score(p.scored, ground_.asked);
    findings_.fronts[part_.gpus].offer(p);
    if (found_ && !better(p, best_)) return;
    best_ = p;
    found_ = true;
  }

  const search_ground& ground_;
  const search_part& part_;
  search_findings& findings_;
  const plan_models& models_;
  training_plan plan_{};
  ranked_plan best_{};
  bool found_ = false;
};

}  // namespace

std::vector<search_part> parts_of(const search_ground& ground) {
  std::vector<search_part> parts;
  for (std::size_t g = 0; g < ground.asked.gpus.size(); ++g)
    for (std::size_t precision = 0; precision < ground.precisions.size(); ++precision)
      for (std::size_t t = 0; t < ground.axes.tensor.size(); ++t)
        for (std::size_t c = 0; c < ground.axes.context.size(); ++c)
          for (std::size_t p = 0; p < ground.axes.pipeline.size(); ++p)
            parts.push_back({g, precision, t, p, c});
  return parts;
}

void search_findings::note_memory(double bytes, const training_plan& p, std::uint8_t precision) {
  const bool first = least_memory_bytes == 0;
  if (!first && bytes > least_memory_bytes) return;
  const bool earlier = p == least_memory && precision < least_memory_precision;
  if (!first && bytes == least_memory_bytes && !plainer(p, least_memory) && !earlier) return;
  least_memory_bytes = bytes;
  least_memory = p;
  least_memory_precision = precision;
}

void search_findings::merge(const search_findings& other) {
  for (const auto& p : other.best.all()) best.offer(p);
  for (std::size_t g = 0; g < fronts.size(); ++g)
    for (const auto& p : other.fronts[g].all()) fronts[g].offer(p);
  evaluated += other.evaluated;
  timed += other.timed;
  for (std::size_t r = 0; r < rejection_kinds; ++r) rejected[r] += other.rejected[r];
  if (other.evaluated > 0)
    note_memory(other.least_memory_bytes, other.least_memory, other.least_memory_precision);
}

void walk(const search_ground& ground, const search_part& part, search_findings& findings) {
  part_walk(ground, part, findings).all();
}

}  // namespace ridge::plan::train
