// SPDX-License-Identifier: Apache-2.0
#include "audit/gpu_audits.hpp"

#include <algorithm>
#include <exception>
#include <span>

#include <fmt/format.h>

#include <ridge/harness/session.hpp>
#include <ridge/model/json.hpp>

#include "audit/audit_pass.hpp"
#include "child/in_child.hpp"

namespace ridge::harness {
namespace {

// Opening the GPU under a tracer takes seconds; a family a few tenths of one.
constexpr double open_at_most_s = 20, family_at_most_s = 6;
constexpr double enough_s = 6, enough_a_family_s = 1;

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

void add_to_comparison(model::comparison& c, const model::family& audited) {
  for (const auto& variant : {c.reference, c.candidate}) {
    const auto* seen = find(audited, variant);
    if (seen == nullptr || !seen->skipped.empty()) c.assurance = std::min(c.assurance, 1);
    if (seen == nullptr || seen->refused.empty()) continue;
    c.checks.push_back({.id = "audit", .result = model::outcome::fail, .evidence = seen->refused});
    c.verdict = model::verdict::invalid;
    c.assurance = 0;
  }
}

}  // namespace

std::vector<model::family> audit_in_child(const std::vector<planned_family>& families,
                                          const instruments& equipment, const run_options& options) {
  if (!options.audit_pass) return none_audited(families, "not asked for");
  if (!equipment.open_traced_gpu) return none_audited(families, "this build has no tracer of a GPU");
  std::vector<model::family> all;
  std::size_t at_once = families.size();
  while (all.size() < families.size()) {
    const auto rest = std::span(families).subspan(all.size());
    const auto next = rest.first(std::min(at_once, rest.size()));
    const double audits_limit_s = open_at_most_s + family_at_most_s * static_cast<double>(next.size());
    const auto document =
        in_child<std::string>([&] { return said_by_child(next, equipment, options); }, audits_limit_s);
    auto said = model::run_from_json(document ? *document.value : std::string{});
    if (said && !said->families.empty()) {
      for (auto& f : said->families) all.push_back(std::move(f));
    } else if (next.size() > 1 && !document.timed_out) {
      at_once = 1;  // which of them took the process with it is found one by one
    } else {
      // A child that did not end would not end the next time either.
      const auto why = document ? "its results cannot be read" : document.why;
      for (auto& f : none_audited(document.timed_out ? rest : next, why)) all.push_back(std::move(f));
    }
  }
  return all;
}

void add_audit(model::family& measured, const model::family& audited) {
  measured.checks.insert(measured.checks.end(), audited.checks.begin(), audited.checks.end());
  for (auto& m : measured.measurements) {
    if (const auto* seen = find(audited, m.variant)) m.kernels = seen->kernels;
  }
  for (auto& c : measured.comparisons) add_to_comparison(c, audited);
}

gpu_audits::gpu_audits(const std::vector<planned_family>& families, const instruments& equipment,
                       const run_options& options)
    : families_(families), equipment_(equipment), options_(options), found_(families.size()) {}

void gpu_audits::add_to(std::size_t index, model::family& measured, bool ending) {
  if (families_[index].backend != model::backend::cuda) return;
  if (!done_ && ending) return add_audit(measured, not_audited(families_[index], "the run was ended"));
  if (!done_) audit_from(index);
  done_ = true;
  add_audit(measured, found_[index]);
}

void gpu_audits::audit_from(std::size_t index) {
  std::vector<std::size_t> places;
  std::vector<planned_family> on_gpu;
  for (std::size_t i = index; i < families_.size(); ++i) {
    if (families_[i].backend != model::backend::cuda) continue;
    places.push_back(i);
    on_gpu.push_back(families_[i]);
  }
  auto all = audit_in_child(on_gpu, equipment_, options_);
  for (std::size_t k = 0; k < places.size(); ++k) found_[places[k]] = std::move(all[k]);
}

}  // namespace ridge::harness
