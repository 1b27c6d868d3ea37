// SPDX-License-Identifier: Apache-2.0
#include "audit/gpu_audits.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/model/json.hpp>

#include "audit/audit_pass.hpp"
#include "run/gpu_process.hpp"
#include "run/shared_mark.hpp"
#include "run/watched_child.hpp"

namespace ridge::harness {
namespace {

// Opening the GPU under a tracer takes seconds; a family a few tenths of one, or seconds where a library
// chooses among its algorithms.
constexpr double open_at_most_s = 20, family_at_most_s = 6, stall_at_most_s = 20;
// So many families share an opened GPU: the first of them does not wait for the audits of a whole suite, and
// one that hangs costs no more than these a second try.
constexpr std::size_t families_of_a_child = 4;
constexpr double enough_s = 6, enough_a_family_s = 1;
// A traced call may find other caches and clocks than the timed ones; so does the reference's.
constexpr double most_traced_ratio = 1.75, least_difference_s = 5e-6;

model::family not_audited(const planned_family& family, const std::string& why) {
  return {.experiment = family.experiment->id,
          .backend = family.backend,
          .problem = family.problem.point(),
          .checks = {{.id = "audit", .evidence = why}},
          .skipped = why};
}

std::vector<model::family> none_audited(std::span<const planned_family> families, const std::string& why) {
  std::vector<model::family> all;
  for (const auto& f : families) all.push_back(not_audited(f, why));
  return all;
}

instruments traced_instruments(const instruments& equipment, const traced_gpu& gpu) {
  auto own = equipment;
  own.host = equipment.device;
  own.device = gpu.device.get();
  own.counters = nullptr;
  own.energy = nullptr;
  own.gpu_state = nullptr;
  own.peak = nullptr;
  own.gauge = {};
  return own;
}

// Audits families until a fault destroys the GPU's context; the families after it are left for another
// process.
std::vector<model::family> audit_here(std::span<const planned_family> families, const instruments& equipment,
                                      const run_options& options) {
  const double start = monotonic_seconds();
  const double enough = enough_s + enough_a_family_s * static_cast<double>(families.size());
  const auto gpu = equipment.open_traced_gpu();
  if (!gpu.device) return none_audited(families, std::string(gpu.tracer->unavailable_because()));
  const auto own = traced_instruments(equipment, gpu);
  std::vector<model::family> all;
  for (const auto& f : families) {
    if (monotonic_seconds() - start > enough) {
      all.push_back(not_audited(f, fmt::format("no time was left after {:.0f} s of audits", enough)));
      continue;
    }
    try {
      all.push_back(audit_family(f, own, *gpu.tracer, options));
    } catch (const std::exception& thrown) {
      all.push_back(not_audited(f, thrown.what()));
      break;
    }
  }
  return all;
}

// What the child answers: as many families as it could audit.
std::string said_by_child(std::span<const planned_family> families, const instruments& equipment,
                          const run_options& options) {
  model::run done;
  try {
    done.families = audit_here(families, equipment, options);
  } catch (const std::exception& thrown) {
    done.families = none_audited(families, thrown.what());
  }
  return model::to_json(done);
}

const model::measurement* find(const model::family& family, const std::string& variant) {
  const auto at = std::ranges::find(family.measurements, variant, &model::measurement::variant);
  return at == family.measurements.end() ? nullptr : &*at;
}

double median_of(const model::measurement* m, std::string_view metric) {
  if (m == nullptr) return 0;
  const auto at = std::ranges::find(m->metrics, metric, [](const auto& e) { return e.metric.name; });
  return at == m->metrics.end() ? 0 : at->median;
}

// How much longer the work of a traced call takes than a timed call of the variant; 1 where that is not
// known.
struct traced_time {
  double traced_s = 0, timed_s = 0;
  [[nodiscard]] double ratio() const { return traced_s > 0 && timed_s > 0 ? traced_s / timed_s : 1; }
};
traced_time traced_time_of(const model::family& measured, const model::family& audited,
                           const std::string& variant) {
  return {median_of(find(audited, variant), traced_metric), median_of(find(measured, variant), "time")};
}

// A body that works longer where it is traced knows where it is.
std::optional<model::check> less_work_than_traced(const model::comparison& c, const model::family& measured,
                                                  const model::family& audited) {
  const auto reference = traced_time_of(measured, audited, c.reference),
             candidate = traced_time_of(measured, audited, c.candidate);
  const double limit = most_traced_ratio * std::max(reference.ratio(), 1.0);
  if (candidate.ratio() <= limit || candidate.traced_s - candidate.timed_s < least_difference_s)
    return std::nullopt;
  return model::check{.id = "audit",
                      .result = model::outcome::fail,
                      .value = candidate.ratio(),
                      .limit = limit,
                      .unit = "1",
                      .evidence = fmt::format("{} works for {} in a traced call and takes {} in a timed one",
                                              c.candidate, format_quantity(candidate.traced_s, "s"),
                                              format_quantity(candidate.timed_s, "s"))};
}

void invalidate(model::comparison& c, model::check why) {
  c.checks.push_back(std::move(why));
  c.verdict = model::verdict::invalid;
  c.assurance = 0;
}

void add_to_comparison(model::comparison& c, const model::family& measured, const model::family& audited) {
  if (auto less = less_work_than_traced(c, measured, audited)) invalidate(c, std::move(*less));
  for (const auto& variant : {c.reference, c.candidate}) {
    const auto* seen = find(audited, variant);
    if (seen == nullptr || !seen->skipped.empty()) c.assurance = std::min(c.assurance, 1);
    if (seen == nullptr || seen->refused.empty()) continue;
    invalidate(c, {.id = "audit", .result = model::outcome::fail, .evidence = seen->refused});
  }
}

}  // namespace

std::vector<model::family> audit_in_child(const std::vector<planned_family>& families,
                                          const instruments& equipment, const run_options& options) {
  if (!options.audit_pass) return none_audited(families, "not asked for");
  if (!equipment.open_traced_gpu) return none_audited(families, "this build has no tracer of a GPU");
  std::vector<model::family> all;
  std::size_t at_once = families.size();
  const shared_mark mark;
  auto own = equipment;
  own.progress = &*mark;
  while (all.size() < families.size()) {
    const auto rest = std::span(families).subspan(all.size());
    const auto next = rest.first(std::min(at_once, rest.size()));
    const double audits_limit_s = open_at_most_s + family_at_most_s * static_cast<double>(next.size());
    mark->clear();
    const double stall_s = std::min(options.stall_limit_s, stall_at_most_s);
    const auto document = in_watched_child(
        [&] { return said_by_child(next, own, options); },
        {.whole_s = audits_limit_s, .stall_s = stall_s, .between_calls_s = gpu_between_calls * stall_s},
        *mark);
    auto said = model::run_from_json(document ? *document.value : std::string{});
    if (said && !said->families.empty()) {
      for (auto& f : said->families) all.push_back(std::move(f));
    } else if (next.size() > 1) {
      at_once = 1;  // which of them took the process with it, or hangs, is found one by one
    } else {
      const auto why = document ? "its results cannot be read" : document.why;
      for (auto& f : none_audited(next, why)) all.push_back(std::move(f));
    }
  }
  return all;
}

void add_audit(model::family& measured, const model::family& audited) {
  measured.checks.insert(measured.checks.end(), audited.checks.begin(), audited.checks.end());
  for (auto& m : measured.measurements) {
    if (const auto* seen = find(audited, m.variant)) m.kernels = seen->kernels;
  }
  for (auto& c : measured.comparisons) add_to_comparison(c, measured, audited);
}

gpu_audits::gpu_audits(const std::vector<planned_family>& families, const instruments& equipment,
                       const run_options& options)
    : families_(families), equipment_(equipment), options_(options), found_(families.size()) {}

void gpu_audits::add_to(std::size_t index, model::family& measured, bool ending) {
  if (families_[index].backend != model::backend::cuda) return;
  if (families_.size() == 1) note_refused(measured);
  if (!found_[index] && families_.size() == 1 && is_settled(measured))
    return add_audit(measured, not_audited(families_[index], "no comparison is left that it could help"));
  if (!found_[index] && ending)
    return add_audit(measured, not_audited(families_[index], "the run was ended"));
  if (!found_[index]) audit_from(index);
  add_audit(measured, *found_[index]);
}

// Whether nothing that an audit finds could change a verdict.
bool gpu_audits::is_settled(const model::family& measured) {
  return !measured.measurements.empty() &&
         std::ranges::all_of(measured.comparisons,
                             [](const model::comparison& c) { return c.verdict == model::verdict::invalid; });
}

// What has ended a process that timed is not tried again under a tracer.
void gpu_audits::note_refused(const model::family& measured) {
  for (const auto& m : measured.measurements) {
    if (!m.refused.empty()) options_.refused.push_back({m.variant, m.refused});
  }
}

void gpu_audits::audit_from(std::size_t index) {
  std::vector<std::size_t> places;
  std::vector<planned_family> on_gpu;
  for (std::size_t i = index; i < families_.size() && places.size() < families_of_a_child; ++i) {
    if (families_[i].backend != model::backend::cuda) continue;
    places.push_back(i);
    on_gpu.push_back(families_[i]);
  }
  auto all = audit_in_child(on_gpu, equipment_, options_);
  for (std::size_t k = 0; k < places.size(); ++k) found_[places[k]] = std::move(all[k]);
}

}  // namespace ridge::harness
