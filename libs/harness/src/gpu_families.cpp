// SPDX-License-Identifier: Apache-2.0
#include "gpu_families.hpp"

#include <exception>

#include <ridge/model/json.hpp>

#include "child/in_child.hpp"

namespace ridge::harness {

void fields(auto& visit, record_of<control_trials> auto& x) {
  visit("skipped", x.skipped);
  visit("intervals", x.intervals);
  visit("ratios", x.ratios);
}

namespace {

constexpr double gpu_limit_s = 900;
// Events tick at half a microsecond on older drivers; the sample is a thousand of these at least.
constexpr double event_resolution_s = 0.5e-6;

instruments gpu_instruments(const instruments& equipment, const opened_gpu& gpu) {
  auto own = equipment;
  own.host = equipment.where;
  own.where = gpu.where.get();
  own.counters = nullptr;
  own.energy = gpu.energy.get();
  own.gpu_state = gpu.state.get();
  own.gauge = {};
  own.clock_resolution_s = event_resolution_s;
  return own;
}

// As many families as could be done; the last one may hold only the reason why it could not.
std::string do_in_child(std::span<const planned_family> families, const instruments& equipment,
                        const family_job& job) {
  model::run done;
  try {
    const auto gpu = equipment.open_gpu();
    auto own = gpu_instruments(equipment, gpu);
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
        done.families.push_back(family_without_results(f, thrown.what()));
        break;
      }
    }
    return model::to_json(done);
  } catch (const std::exception& thrown) {  // the GPU cannot be opened, or was lost and cannot be closed
    if (done.families.empty()) {
      for (const auto& f : families) done.families.push_back(family_without_results(f, thrown.what()));
    }
    return model::to_json(done);
  }
}

}  // namespace

model::family family_without_results(const planned_family& family, const std::string& why) {
  return {.experiment = family.of->id,
          .title = family.of->title,
          .question = family.of->question,
          .backend = family.backend,
          .problem = family.at.point(),
          .checks = {{.id = "harness", .result = model::outcome::fail, .evidence = why}},
          .skipped = why};
}

std::vector<model::family> on_gpu(std::span<const planned_family> families, const instruments& equipment,
                                  const family_job& job, model::peak* learned) {
  std::vector<model::family> all;
  while (all.size() < families.size()) {
    const auto rest = families.subspan(all.size());
    if (!equipment.open_gpu) {
      all.push_back(family_without_results(rest.front(), "this build has no GPU backend"));
      continue;
    }
    const auto document =
        in_child<std::string>([&] { return do_in_child(rest, equipment, job); }, gpu_limit_s);
    auto said = model::run_from_json(document ? *document.value : std::string{});
    if (said && !said->families.empty()) {
      if (learned && !said->peak.ceilings.empty()) *learned = std::move(said->peak);
      for (auto& f : said->families) all.push_back(std::move(f));
    } else {
      all.push_back(
          family_without_results(rest.front(), document ? "its results cannot be read" : document.why));
    }
  }
  return all;
}

std::vector<model::family> verify_gpu_families(std::span<const planned_family> families,
                                               const instruments& equipment, const run_options& options) {
  return on_gpu(families, equipment, [&](const planned_family& family, const instruments& own) {
    return verify_family(family, own, options);
  });
}

control_trials gpu_control_trials(const planned_family& family, std::string_view variant,
                                  const instruments& equipment, const run_options& options,
                                  double seconds_each, std::size_t trials) {
  if (!equipment.open_gpu) return {.skipped = "this build has no GPU backend"};
  const auto try_them = [&] {
    const auto gpu = equipment.open_gpu();
    return control_of(family, variant, gpu_instruments(equipment, gpu), options, seconds_each, trials);
  };
  auto seen = in_child<control_trials>(try_them, gpu_limit_s);
  return seen ? *seen.value : control_trials{.skipped = seen.why};
}

std::string gpu_unavailable_because(const instruments& equipment) {
  if (!equipment.open_gpu) return "this build has no GPU backend";
  const auto opened =
      in_child<std::string>([&] { return std::string(equipment.open_gpu().where->name()); }, gpu_limit_s);
  return opened ? std::string{} : opened.why;
}

}  // namespace ridge::harness
