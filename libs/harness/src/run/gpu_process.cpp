// SPDX-License-Identifier: Apache-2.0
#include "run/gpu_process.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include <ridge/model/json.hpp>

#include "plan/family_frame.hpp"
#include "run/progress_mark.hpp"
#include "run/refusal.hpp"
#include "run/shared_mark.hpp"
#include "run/watched_child.hpp"

namespace ridge::harness {
namespace {

// Events tick at half a microsecond on older drivers; the sample is a thousand of these at least.
constexpr double event_resolution_s = 0.5e-6;

using plain_family_job = std::function<model::family(const planned_family&, const instruments&)>;

// Returns whether a fault has destroyed the GPU's context, which makes every later call fail.
bool is_lost(device::device& gpu) {
  try {
    gpu.synchronize();
    return false;
  } catch (const std::exception&) {
    return true;
  }
}

// As many families as could be done before the GPU was lost; the last one may hold only the reason why it
// could not.
std::string do_in_child(std::span<const planned_family> families, const instruments& equipment,
                        const plain_family_job& job, progress_mark& mark) {
  model::run done;
  try {
    const auto gpu = equipment.open_gpu();
    auto own = gpu_instruments(equipment, gpu);
    own.progress = &mark;
    if (equipment.peak) {
      done.peak = *equipment.peak;
      if (equipment.measure_gpu && !done.peak.find("cuda.copy")) {
        for (auto& c : equipment.measure_gpu()) done.peak.ceilings.push_back(std::move(c));
      }
      own.peak = &done.peak;
    }
    for (const auto& f : families) {
      try {
        done.families.push_back(job(f, own));
      } catch (const std::exception& thrown) {
        done.families.push_back(family_without_results(f, thrown));
        mark.lost.store(is_lost(*gpu.device));
        break;
      }
      if (is_lost(*gpu.device)) break;
    }
    return model::to_json(done);
  } catch (const std::exception& thrown) {  // the GPU cannot be opened, or was lost and cannot be closed
    if (done.families.empty()) {
      for (const auto& f : families) done.families.push_back(family_without_results(f, thrown));
    }
    return model::to_json(done);
  }
}

double limit_s(std::size_t families) {
  return gpu_process_limit_s + further_family_limit_s * static_cast<double>(families - 1);
}

// Notes the variant whose code ran when the process of a family ended or lost the GPU, to be refused. False
// where it is of no use to try the family again: there is none, or it was refused before.
bool refuse_the_last(const planned_family& family, progress_mark& mark, const refusal& failed,
                     std::vector<refused_variant>& refused) {
  // Which of a block it was shows when the samples are taken one by one.
  if (mark.in_block && !mark.one_by_one.exchange(true)) return true;
  const int variant = mark.variant.load();
  const auto& variants = family.experiment->variants;
  if (variant < 0 || variant >= static_cast<int>(variants.size())) return false;
  const auto& name = variants[static_cast<std::size_t>(variant)].name;
  if (std::ranges::find(refused, name, &refused_variant::name) != refused.end()) return false;
  const auto stage = mark.now.load();
  refused.push_back({.name = name,
                     .why = failed.why + " " + text(stage),
                     .failure = failed.failure,
                     .signal = failed.signal,
                     .stage = word_of(stage)});
  return true;
}

}  // namespace

instruments gpu_instruments(const instruments& equipment, const opened_gpu& gpu) {
  auto own = equipment;
  own.host = equipment.device;
  own.device = gpu.device.get();
  own.counters = nullptr;
  own.energy = gpu.energy.get();
  own.gpu_state = gpu.state.get();
  own.gauge = {};
  own.clock_resolution_s = event_resolution_s;
  return own;
}

std::vector<model::family> on_gpu(std::span<const planned_family> families, const instruments& equipment,
                                  const family_job& job, run_options options, model::peak* learned) {
  std::vector<model::family> all;
  std::size_t at_once = families.size();
  const auto refused_by_caller = options.refused;
  const shared_mark mark;
  std::string stopped = "was interrupted";
  while (all.size() < families.size()) {
    const auto rest = families.subspan(all.size());
    if (mark->stop) {
      all.push_back(family_without_results(rest.front(), stopped));
      continue;
    }
    const auto next = rest.first(std::min(at_once, rest.size()));
    if (!equipment.open_gpu) {
      all.push_back(family_without_results(rest.front(), "this build has no GPU backend"));
      continue;
    }
    mark->clear();
    const auto with_options = [&](const planned_family& f, const instruments& own) {
      return job(f, own, options);
    };
    const auto document = in_watched_child([&] { return do_in_child(next, equipment, with_options, *mark); },
                                           {.whole_s = limit_s(next.size()),
                                            .stall_s = options.stall_limit_s,
                                            .timed_stall_s = options.stall_limit_s,
                                            .call_s = options.call_limit_s,
                                            .between_calls_s = gpu_between_calls * options.stall_limit_s,
                                            .deadline_s = options.deadline_s,
                                            .stop_requested = options.stop_requested},
                                           *mark);
    auto said = model::run_from_json(document ? *document.value : std::string{});
    const bool answered = said && !said->families.empty();
    if (!answered && mark->stop) {
      stopped = document ? stopped : document.why;
      continue;
    }
    if (next.size() > 1 && (!answered || mark->lost.load())) {
      at_once = 1;  // which of them took the process with it is found one by one
      continue;
    }
    const auto why = answered   ? said->families.front().skipped
                     : document ? std::string("its results cannot be read")
                                : document.why;
    const auto kind = document ? model::failure_kind::crashed : document.failure;
    if ((!answered || mark->lost.load()) &&
        refuse_the_last(next.front(), *mark, {why, kind, document.signal}, options.refused))
      continue;
    options.refused = refused_by_caller;
    mark->one_by_one = false;
    if (!answered) {
      all.push_back(family_without_results(rest.front(), why));
      continue;
    }
    if (learned && !said->peak.ceilings.empty()) *learned = std::move(said->peak);
    for (auto& f : said->families) all.push_back(std::move(f));
  }
  return all;
}

}  // namespace ridge::harness
